// Fault control: a kernel that loads from an address that nobody may touch must end in an illegal address. On
// a GPU where it does not, "no illegal address" would not mean that a peer's memory is open.
#include <sys/mman.h>

#include "fixtures/gpu_check.hpp"
#include "kernels/load_peer.hpp"

namespace peerproof {

struct Fault : GpuCheck {};

TEST_P(Fault, IsIllegal) {
    EXPECT_TRUE(observe([&] {
        OwnedMemory own(ordinal(), 1);
        constexpr std::size_t page = 4096;
        // Asked for at a place far from everything that a process maps by itself: a simulated GPU is a
        // process too, and its own pages could lie where this one's happen to.
        void* const far = reinterpret_cast<void*>(0x1800'0000'0000);  // a wish: the system may give another
        void* forbidden = ::mmap(far, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (forbidden == MAP_FAILED) throw NotSetUp("no address space for a page that nobody may touch");
        const Status status = launch_on(ordinal(), kernels::load_peer, 1, own.at(0),
                                        static_cast<const std::uint64_t*>(forbidden), 1, nullptr);
        Step step = failed_step(status, "loading from a forbidden page");
        if (status.ok()) {
            step.outcome = Outcome::delivered;
            step.detail = "a kernel loaded from a page that nobody may touch, and no error was reported";
        }
        step.name = "forbidden page";
        add_step(std::move(step));
    }));
}

PEERPROOF_CLAIM_PER_GPU(Control, Fault, IsIllegal,
                        {.number = 1,
                         .title = "Load from a page that nobody may touch",
                         .open = {Outcome::illegal_address},
                         .failure = Failure::decides});

}  // namespace peerproof
