// Widths: the same bytes arrive whatever instruction moves them: 1, 2, 4, 8 or 16 bytes a thread, pieces that begin
// and end at any byte, strided, scattered, loads through every cache after the owner has changed the data, a 2D and
// a batched copy. The core moves whole words, and software does not.
#include "kernels/widths.hpp"

#include <array>

#include "fixtures/launch.hpp"
#include "fixtures/peer_copy.hpp"
#include "fixtures/way_check.hpp"
#include "session/format.hpp"

namespace peerproof {
namespace {

using kernels::Access;
using kernels::LoadKind;
using kernels::Pattern;

constexpr std::uint64_t moved_bytes = 128 * 1024, moved_words = moved_bytes / sizeof(std::uint64_t);

std::string name_of_access(const char* act, const Access& access) {
    constexpr const char* kinds[] = {"", "volatile ", "cached ", "read-only "};
    constexpr const char* patterns[] = {"", " strided", " scattered", " ragged"};
    return format("{}{} {}{}", kinds[static_cast<std::size_t>(access.kind)], act, access.width,
                  patterns[static_cast<std::size_t>(access.pattern)]);
}

Status load_by_access(const Move& move, const Access& access) {
    return launch_on(move.destination, kernels::load_widths, moved_bytes / access.width, move.to, move.from,
                     moved_bytes, access);
}

Status store_by_access(const Move& move, const Access& access) {
    return launch_on(move.source, kernels::store_widths, moved_bytes / access.width, move.to, move.from,
                     moved_bytes, access);
}

// All rows in two columns, the border at an odd byte.
Status copy_in_two_dimensions(const Move& move) {
    constexpr std::size_t pitch = 1024, border = 421;
    const auto* from = reinterpret_cast<const std::uint8_t*>(move.from);
    auto* to = reinterpret_cast<std::uint8_t*>(move.to);
    Status status = PEERPROOF_CALL(cudaSetDevice(move.source));
    for (const auto& [first, end] : {std::pair{std::size_t{0}, border}, std::pair{border, pitch}}) {
        if (!status.ok()) return status;
        status = PEERPROOF_CALL(cudaMemcpy2DAsync(to + first, pitch, from + first, pitch, end - first,
                                                  moved_bytes / pitch, cudaMemcpyDefault, nullptr));
    }
    return status.ok() ? wait_for_both(move) : status;
}

// Pieces of odd sizes, in one call.
Status copy_in_a_batch(const Move& move, std::size_t of_bytes) {
    constexpr std::size_t pieces = 24;
    std::array<void*, pieces> to{};
    std::array<const void*, pieces> from{};
    std::array<std::size_t, pieces> sizes{};
    for (std::size_t i = 0; i < pieces; ++i) {
        const std::size_t first = i * of_bytes / pieces;
        to[i] = reinterpret_cast<std::uint8_t*>(move.to) + first;
        from[i] = reinterpret_cast<const std::uint8_t*>(move.from) + first;
        sizes[i] = (i + 1) * of_bytes / pieces - first;
    }
    cudaMemcpyAttributes attributes{};
    attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    std::size_t from_the_first = 0;
    cudaStream_t stream = nullptr;  // the default stream is none that takes a batch
    PEERPROOF_NEED(cudaSetDevice(move.source), "choosing the GPU");
    PEERPROOF_NEED(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "making a stream");
    Status status = PEERPROOF_CALL(cudaMemcpyBatchAsync(to.data(), from.data(), sizes.data(), pieces,
                                                        &attributes, &from_the_first, 1, stream));
    if (status.ok()) status = PEERPROOF_CALL(cudaStreamSynchronize(stream));
    (void)cudaStreamDestroy(stream);
    return status.ok() ? wait_for_both(move) : status;
}

}  // namespace

class Widths : public WayCheck {
  protected:
    void loads() {
        for (const std::uint32_t width : {1, 2, 4, 8, 16})
            load_by({width, LoadKind::plain, Pattern::straight});
        for (const std::uint32_t width : {2, 4, 8, 16}) load_by({width, LoadKind::plain, Pattern::ragged});
        load_by({4, LoadKind::plain, Pattern::strided});
        load_by({8, LoadKind::plain, Pattern::scattered});
        for (const LoadKind kind : {LoadKind::volatile_, LoadKind::cached, LoadKind::read_only}) {
            for (const std::uint32_t width : {4, 16}) load_after_a_change({width, kind, Pattern::straight});
        }
    }

    void stores() {
        for (const std::uint32_t width : {1, 2, 4, 8, 16})
            store_by({width, LoadKind::plain, Pattern::straight});
        for (const std::uint32_t width : {2, 4, 8, 16}) store_by({width, LoadKind::plain, Pattern::ragged});
        store_by({4, LoadKind::plain, Pattern::strided});
        store_by({8, LoadKind::plain, Pattern::scattered});
    }

    void copies() {
        part("2D copy", *from_, *to_, moved_words, copy_in_two_dimensions);
        if (!can_go_on() || !has_batches()) return;
        part("batched copy", *from_, *to_, moved_words,
             [](const Move& move) { return copy_in_a_batch(move, moved_bytes); });
    }

    std::optional<OwnedMemory> from_, to_;

  private:
    void load_by(const Access& access) {
        part(name_of_access("load", access).c_str(), *from_, *to_, moved_words,
             [&](const Move& move) { return load_by_access(move, access); });
    }

    void store_by(const Access& access) {
        part(name_of_access("store", access).c_str(), *from_, *to_, moved_words,
             [&](const Move& move) { return store_by_access(move, access); });
    }

    // The same loads twice: what the first saw must not answer the second.
    void load_after_a_change(const Access& access) {
        part((name_of_access("load", access) + " after a change").c_str(), *from_, *to_, moved_words,
             [&](const Move& move) {
                 const std::vector<Span> block{{Side::before, moved_words}};
                 from_->fill(stamp(1, Role::decoy), block);
                 if (auto status = load_by_access(move, access); !status.ok()) return status;
                 from_->fill(stamp(1, Role::value), block);
                 return load_by_access(move, access);
             });
    }

    // Whether driver and runtime know batches of copies at all, asked on the source's own memory.
    bool has_batches() {
        OwnedMemory own(ends().source, 256);
        const Status answer = copy_in_a_batch(
            {.source = ends().source, .destination = ends().source, .from = own.at(0), .to = own.at(128)},
            1024);
        if (answer.code() != cudaErrorNotSupported && answer.code() != cudaErrorCallRequiresNewerDriver)
            return true;
        add_hint({"batched_copy", GetParam().source(), GetParam().destination(), answer.error(),
                  "cudaMemcpyBatchAsync"});
        return false;
    }
};

TEST_P(Widths, Delivers) {
    EXPECT_TRUE(reach(PeerAccess::ask, [&] {
        from_.emplace(ends().source, room_for(moved_words));
        to_.emplace(ends().destination, room_for(moved_words));
        loads();
        stores();
        copies();
    }));
}

PEERPROOF_CLAIM_PER_PAIR(Way, Widths, Delivers,
                         {.number = 57,
                          .title = "Accesses of every width and kind",
                          .open = {Outcome::delivered, Outcome::refused, Outcome::not_applicable},
                          .locked = {Outcome::illegal_address, Outcome::refused, Outcome::not_applicable},
                          .failure = Failure::makes_suspect});

}  // namespace peerproof
