// What kernels' single accesses do under each rule of a bench: GPU 0 acts, in this process, on memory at the
// addresses of GPUs 0 and 1.
#include "simulator/access.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <memory>

#include "simulator/layout.hpp"

namespace peerproof::simulated {
namespace {

struct alignas(16) Wide {
    std::uint64_t words[2];
    bool operator==(const Wide&) const = default;
};

template <class T>
T* memory_of(int gpu) {
    return reinterpret_cast<T*>(device_base + place_of(gpu) + page_bytes);
}

class Accesses : public testing::Test {
  protected:
    static constexpr std::size_t bytes = 4096;

    void SetUp() override {
        for (const int gpu : {0, 1}) {
            void* wanted = memory_of<void>(gpu);
            ASSERT_EQ(mmap(wanted, bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0),
                      wanted);
        }
        bench_.count = 2;
    }
    void TearDown() override {
        end_of_kernel_accesses();
        for (const int gpu : {0, 1}) munmap(memory_of<void>(gpu), bytes);
    }

    void say(const AccessRule& rule) { bench_.access_rules[bench_.access_rule_count++] = rule; }
    void say(const AtomicRule& rule) { bench_.atomic_rules[bench_.atomic_rule_count++] = rule; }
    void say(Order order) { bench_.paths[0][1].order = order; }
    void begin() { begin_accesses(bench_, 0); }

    std::unique_ptr<Bench> bench_of_test_ = std::make_unique<Bench>();
    Bench& bench_ = *bench_of_test_;
};

using Of = AccessRule::Of;

TEST_F(Accesses, AreTheProcessorsWhereNothingIsSaid) {
    begin();
    EXPECT_FALSE(accesses_differ);
    store_plain(memory_of<Wide>(1), {3, 4});
    EXPECT_EQ(load_plain(memory_of<Wide>(1)), (Wide{3, 4}));
    EXPECT_EQ(load_cached(memory_of<std::uint64_t>(1)), 3u);
    store_plain(memory_of<std::uint8_t>(1), 9);
    EXPECT_EQ(load_read_only(memory_of<std::uint16_t>(1)), 9u);
    EXPECT_EQ(atomically(AtomicOperation::add, memory_of<std::uint32_t>(1),
                         [](std::uint32_t found, std::uint32_t) { return found + 5; }),
              9u);
    EXPECT_EQ(load_volatile(memory_of<std::uint32_t>(1)), 14u);
}

TEST_F(Accesses, StoresOfOneWidthAreDroppedInThePeersMemoryOnly) {
    say({.of = Of::stores, .bytes = 1, .deed = AccessDeed::dropped});
    begin();
    for (const int gpu : {0, 1}) {
        store_plain(memory_of<std::uint8_t>(gpu), 7);
        store_plain(memory_of<std::uint16_t>(gpu) + 1, 8);
    }
    EXPECT_EQ(load_plain(memory_of<std::uint8_t>(0)), 7u);
    EXPECT_EQ(load_plain(memory_of<std::uint8_t>(1)), 0u);
    EXPECT_EQ(load_plain(memory_of<std::uint16_t>(1) + 1), 8u);
}

TEST_F(Accesses, ARuleIsOfItsWindowOnly) {
    say({.from = 1, .of = Of::stores, .bytes = 1, .deed = AccessDeed::dropped});
    say({.to = 0, .of = Of::stores, .bytes = 2, .deed = AccessDeed::dropped});
    begin();
    store_plain(memory_of<std::uint8_t>(1), 7);
    store_plain(memory_of<std::uint16_t>(1) + 1, 8);
    EXPECT_EQ(load_plain(memory_of<std::uint8_t>(1)), 7u);
    EXPECT_EQ(load_plain(memory_of<std::uint16_t>(1) + 1), 8u);
}

TEST_F(Accesses, WideStoresAreTornAfterEightBytesAndOthersInTheMiddle) {
    say({.of = Of::stores, .bytes = 16, .deed = AccessDeed::torn});
    say({.of = Of::stores, .bytes = 4, .deed = AccessDeed::torn});
    begin();
    store_plain(memory_of<Wide>(1), {~0ull, ~0ull});
    EXPECT_EQ(load_plain(memory_of<Wide>(1)), (Wide{~0ull, 0}));
    store_plain(memory_of<std::uint32_t>(1) + 8, ~0u);
    EXPECT_EQ(load_plain(memory_of<std::uint32_t>(1) + 8), 0xffffu);
}

TEST_F(Accesses, LoadsOfOneWidthAreZerosOrTorn) {
    say({.of = Of::loads, .bytes = 2, .deed = AccessDeed::zeros});
    say({.of = Of::loads, .bytes = 16, .deed = AccessDeed::torn});
    begin();
    for (const int gpu : {0, 1}) *memory_of<Wide>(gpu) = {~0ull, ~0ull};
    EXPECT_EQ(load_plain(memory_of<std::uint16_t>(1)), 0u);
    EXPECT_EQ(load_cached(memory_of<std::uint16_t>(1)), 0u);
    EXPECT_EQ(load_plain(memory_of<std::uint16_t>(0)), 0xffffu);
    EXPECT_EQ(load_plain(memory_of<Wide>(1)), (Wide{~0ull, 0}));
    EXPECT_EQ(load_plain(memory_of<std::uint64_t>(1)), ~0ull);
}

TEST_F(Accesses, AStaleKindGoesOnSeeingItsSectorAsItWasAtFirst) {
    for (const Of stale : {Of::cached, Of::read_only}) {
        bench_.access_rule_count = 0;
        say({.of = stale, .deed = AccessDeed::stale});
        begin();
        const std::size_t at = stale == Of::cached ? 0 : 64;
        auto* word = memory_of<std::uint64_t>(1) + at;
        word[0] = word[1] = word[4] = 1;
        const auto load = [&](const std::uint64_t* from) {
            return stale == Of::cached ? load_cached(from) : load_read_only(from);
        };
        EXPECT_EQ(load(word), 1u);
        end_of_kernel_accesses();
        word[0] = word[1] = word[4] = 2;
        EXPECT_EQ(load(word), 1u);
        EXPECT_EQ(load(word + 1), 1u);  // of the same 32 bytes
        EXPECT_EQ(load(word + 4), 2u);
        EXPECT_EQ(load_plain(word), 2u);
        EXPECT_EQ(stale == Of::cached ? load_read_only(word) : load_cached(word), 2u);
    }
}

TEST_F(Accesses, AFlagOvertakesDataUntilTheKernelEnds) {
    say(Order::flag_first);
    begin();
    auto* data = memory_of<std::uint64_t>(1);
    auto* flag = memory_of<std::uint32_t>(1) + 64;
    auto* own = memory_of<std::uint64_t>(0);
    store_data(data, 5), fence_system(), store_flag(flag, 1u);
    store_data(own, 6);
    EXPECT_EQ(*flag, 1u);
    EXPECT_EQ(*data, 0u);
    EXPECT_EQ(*own, 6u);
    EXPECT_EQ(load_data(data), 5u);  // the one who stored it sees it
    end_of_kernel_accesses();
    EXPECT_EQ(*data, 5u);
    *data = 7;
    EXPECT_EQ(load_data(data), 7u);
    EXPECT_EQ(load_flag(flag), 1u);
}

TEST_F(Accesses, DataIsLoadedEarlyWithWhatIsAroundItAndUsedOnce) {
    say(Order::load_early);
    begin();
    auto* data = memory_of<std::uint32_t>(1);
    auto* wide = memory_of<std::uint64_t>(1) + 8;
    EXPECT_EQ(load_data(data), 0u);
    data[0] = data[1] = data[2] = 5;
    *wide = 5;
    EXPECT_EQ(load_data(data), 5u);      // once more
    EXPECT_EQ(load_data(data + 1), 0u);  // together with the first
    EXPECT_EQ(load_data(wide), 0u);
    EXPECT_EQ(load_data(wide), 5u);
    store_data(data + 2, 6);
    EXPECT_EQ(load_data(data + 2), 6u);
    EXPECT_EQ(load_flag(data + 3), 0u);
    data[3] = 7;
    EXPECT_EQ(load_flag(data + 3), 7u);
    end_of_kernel_accesses();
    EXPECT_EQ(load_data(data + 3), 7u);
}

template <class T>
T add(T* to, std::type_identity_t<T> value) {
    return atomically(AtomicOperation::add, to, [=](T found, T) { return static_cast<T>(found + value); });
}
template <class T>
T exchange(T* to, std::type_identity_t<T> value) {
    return atomically(AtomicOperation::exchange, to, [=](T, T) { return value; });
}
template <class T>
T compare_and_swap(T* to, std::type_identity_t<T> expected, std::type_identity_t<T> value) {
    return atomically(AtomicOperation::compare_and_swap, to,
                      [=](T found, T mask) { return ((found ^ expected) & mask) == 0 ? value : found; });
}

TEST_F(Accesses, AtomicsOfOneOperationAndWidthAreLostEachSoMany) {
    say({.every_operation = false,
         .operation = AtomicOperation::add,
         .bits = 32,
         .deed = AtomicDeed::lost,
         .every = 3});
    begin();
    auto* word = memory_of<std::uint32_t>(1);
    for (std::uint32_t i = 0; i < 6; ++i) add(word, 1u);
    EXPECT_EQ(*word, 4u);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(exchange(word, 9u), i == 0 ? 4u : 9u);
    auto* wide = memory_of<std::uint64_t>(1) + 1;
    for (int i = 0; i < 3; ++i) add(wide, 1);
    EXPECT_EQ(*wide, 3u);
    for (int i = 0; i < 3; ++i) add(memory_of<std::uint32_t>(0), 1u);
    EXPECT_EQ(*memory_of<std::uint32_t>(0), 3u);
}

TEST_F(Accesses, ALostAtomicAnswersWhatWasThere) {
    say(AtomicRule{.deed = AtomicDeed::lost});
    begin();
    auto* word = memory_of<std::uint32_t>(1);
    *word = 6;
    EXPECT_EQ(compare_and_swap(word, 6, 7), 6u);
    EXPECT_EQ(*word, 6u);
}

TEST_F(Accesses, AnAtomicTwiceAnswersOnce) {
    say(AtomicRule{.deed = AtomicDeed::twice});
    begin();
    auto* word = memory_of<std::uint64_t>(1);
    EXPECT_EQ(add(word, 5), 0u);
    EXPECT_EQ(*word, 10u);
}

TEST_F(Accesses, ATornAtomicHasNoCarryAndComparesItsHalvesApart) {
    say(AtomicRule{.deed = AtomicDeed::torn});
    begin();
    auto* word = memory_of<std::uint64_t>(1);
    *word = 0x1'ffff'ffffull;
    EXPECT_EQ(add(word, 1), 0x1'ffff'ffffull);
    EXPECT_EQ(*word, 0x1'0000'0000ull);
    // The low half is as expected, the high one is not: half is swapped.
    EXPECT_EQ(compare_and_swap(word, 0, ~0ull), 0x1'0000'0000ull);
    EXPECT_EQ(*word, 0x1'ffff'ffffull);
    auto* narrow = memory_of<std::uint32_t>(1) + 4;
    *narrow = 0xffff;
    add(narrow, 1u);
    EXPECT_EQ(*narrow, 0u);
}

// The owner adds while this one is being worked out.
TEST_F(Accesses, AnAtomicThatIsNoneLosesWhatComesInBetween) {
    auto* word = memory_of<std::uint32_t>(1);
    const auto add_beside_the_owner = [&] {
        bool came = false;
        *word = 0;
        atomically(AtomicOperation::add, word, [&](std::uint32_t found, std::uint32_t) {
            if (!came) __atomic_fetch_add(word, 1u, __ATOMIC_SEQ_CST);
            came = true;
            return found + 1;
        });
        return *word;
    };
    begin();
    EXPECT_EQ(add_beside_the_owner(), 2u);
    say(AtomicRule{.deed = AtomicDeed::not_atomic});
    begin();
    EXPECT_EQ(add_beside_the_owner(), 1u);
}

}  // namespace
}  // namespace peerproof::simulated
