// Memory pools on the simulated bench: in one process and in two.
#include "tests/simulator/run_probe.hpp"

namespace peerproof::simulated {
namespace {

const std::string right = "0 0 0 0 0 0 512";
const std::string untouched = "0 536870912 1073741824", one_page_less = "0 534773760 1073741824";

// p is the pool of GPU 0, a of it with the stamp 7; b on GPU 1 with the stamp 9. GPU 1 is chosen.
const std::vector<std::string> two_gpus_with_a_pool{
    "pool_default p 0", "pool_malloc a 4096", "fill a 7", "sync", "set 1",
    "malloc b 4096",    "fill b 9",           "sync"};

TEST(Pool, APeerWithAccessLoadsAndStores) {
    EXPECT_EQ(after(two_gpus_with_a_pool, "open-x2",
                    {"pool_access p 1 3", "pool_get_access p 1", "load b a 4096", "sync", "check b 7 9"}),
              Answers({"0", "0 3", "0", "0", right}));
    EXPECT_EQ(after(two_gpus_with_a_pool, "open-x2",
                    {"pool_access p 1 3", "fill b 5", "store a b 4096", "sync", "set 0", "check a 5 7"})
                  .back(),
              right);
}

TEST(Pool, NobodyButTheOwnerHasAccessThatWasNotGiven) {
    EXPECT_EQ(after(two_gpus_with_a_pool, "open-x2",
                    {"pool_get_access p 0", "pool_get_access p 1", "load b a 8", "sync"}),
              Answers({"0 3", "0 0", "0", "700"}));
    EXPECT_EQ(after(two_gpus_with_a_pool, "open-x2", {"enable 0", "load b a 8", "sync"}),
              Answers({"0", "0", "700"}))
        << "that is another switch";
    EXPECT_EQ(after(two_gpus_with_a_pool, "open-x2",
                    {"pool_access p 1 3", "load b a 8", "sync", "pool_access p 1 0", "load b a 8", "sync"}),
              Answers({"0", "0", "0", "0", "0", "700"}))
        << "taken back";
    EXPECT_EQ(
        after(two_gpus_with_a_pool, "open-x2", {"pool_access p 1 1", "load b a 8", "store a b 8", "sync"}),
        Answers({"0", "0", "0", "700"}))
        << "to read only";
}

TEST(Pool, AccessHoldsForWhatIsAllocatedLater) {
    EXPECT_EQ(after(two_gpus_with_a_pool, "open-x2",
                    {"pool_access p 1 3", "set 0", "pool_malloc c 4096", "fill c 7", "sync", "set 1",
                     "load b c 4096", "sync", "check b 7 9"})
                  .back(),
              right);
}

TEST(Pool, CopiesWithoutAccessAreStaged) {
    EXPECT_EQ(after(two_gpus_with_a_pool, "open-x2", {"copy b a 4096", "check b 7 9", "peer a 0 b 1 4096"}),
              Answers({"0", right, "0"}));
    const std::string staged_wrong = two_gpus("[pairs]\nstaged = \"nothing\"");
    EXPECT_EQ(after(two_gpus_with_a_pool, staged_wrong, {"copy b a 4096", "check b 9 7"}).back(), right);
    EXPECT_EQ(after(two_gpus_with_a_pool, staged_wrong, {"pool_access p 1 3", "copy b a 4096", "check b 7 9"})
                  .back(),
              right);
}

TEST(Pool, AClosedPathIsRefused) {
    EXPECT_EQ(after(two_gpus_with_a_pool, "locked-x2",
                    {"pool_access p 1 3", "pool_access p 1 0", "pool_get_access p 1", "load b a 8", "sync"}),
              Answers({"101", "0", "0 0", "0", "700"}));
    EXPECT_EQ(after(two_gpus_with_a_pool, two_gpus("[pairs]\nenable = 217"), {"pool_access p 1 3"}),
              Answers({"217"}));
}

TEST(Pool, WhatIsFreedIsGoneOnceItsStreamHasComeThere) {
    EXPECT_EQ(probe("open-x2", {"free_memory", "pool_malloc a 4096", "free_memory", "pool_free a", "sync",
                                "free_memory", "pool_free a", "malloc b 8", "load b a 8", "sync"})
                  .answers,
              Answers({untouched, "0", one_page_less, "0", "0", untouched, "1", "0", "0", "700"}));
    // A kernel that was launched before is not disturbed.
    EXPECT_EQ(probe("open-x2", {"pool_malloc a 4096", "malloc b 4096", "fill a 7", "load b a 4096",
                                "pool_free a", "check b 7 9"})
                  .answers.back(),
              right);
}

TEST(Pool, CudaFreeTakesItToo) {
    EXPECT_EQ(probe("open-x2", {"pool_malloc a 4096", "free a", "free a", "free_memory"}).answers,
              Answers({"0", "0", "1", untouched}));
}

TEST(Pool, CountsWhatItGives) {
    const std::string reserved = " 5", used = " 7", most = " 8";
    EXPECT_EQ(probe("open-x2", {"pool_default p 0", "pool_malloc a 4096", "pool_malloc b 4096", "pool_free a",
                                "sync", "pool_trim p", "pool_attribute p" + used, "pool_attribute p" + most,
                                "pool_attribute p" + reserved, "pool_attribute p" + most + " 1",
                                "pool_attribute p" + used + " 0", "pool_attribute p" + most + " 0",
                                "pool_attribute p" + most, "pool_attribute p 4", "pool_attribute p 4 77",
                                "pool_attribute p 4", "pool_attribute p 99"})
                  .answers,
              Answers({"0", "0", "0", "0", "0", "0", "0 2097152", "0 4194304", "0 2097152", "1", "1", "0",
                       "0 0", "0 0", "0", "0 77", "1"}));
}

TEST(Pool, MemoryEnds) {
    EXPECT_EQ(probe("open-x2", {"pool_malloc a 536870912", "pool_malloc b 8", "malloc c 8",
                                "vmm_create h 0 2097152", "free a", "malloc c 8"})
                  .answers,
              Answers({"0", "2", "2", "2", "0", "0"}));
}

TEST(Pool, AGpuHasItsOwnUntilItIsGivenAnother) {
    EXPECT_EQ(probe("open-x2", {"pool_default d 0", "pool_of 0 d", "pool_create q 0", "pool_use 1 q",
                                "pool_use 0 q", "pool_of 0 q", "pool_destroy d", "pool_destroy q",
                                "pool_destroy q", "pool_of 0 d", "pool_malloc a 8 q", "pool_create r 2",
                                "pool_access d 0 0", "pool_access d 2 3", "pool_access d 1 7"})
                  .answers,
              Answers({"0", "0 yes", "0", "1", "0", "0 yes", "1", "0", "1", "0 yes", "1", "101", "101", "101",
                       "1"}));
}

TEST(Pool, GpusThatLackThemSayNotSupported) {
    const std::string none = two_gpus("[[gpu]]\nindex = \"*\"\nmemory_pools = false");
    EXPECT_EQ(probe(none, {"pool_default p 0", "pool_malloc a 8", "pool_create p 0"}).answers,
              Answers({"801", "801", "801"}));
    const std::string no_handles = two_gpus("[[gpu]]\nindex = \"*\"\nfd_handles = false");
    EXPECT_EQ(probe(no_handles, {"pool_create p 0 fd", "pool_create p 0", "pool_export p"}).answers,
              Answers({"801", "0", "1"}));
}

// A process with a pool on GPU 0 that others can use, and what it says of it.
class Owner {
  public:
    Owner()
        : running_("open-x2", {"pool_create p 0 fd", "pool_malloc a 4096 p", "fill a 7", "sync",
                               "pool_export p", "pool_export_pointer a", "wait_for_signal", "check a 5 7"}) {
        const Answers answers = running_.lines_until("ready");
        file = "/proc/" + std::to_string(running_.pid()) + "/fd/" + word(answers.at(4), 1);
        data = word(answers.at(5), 1);
    }
    std::string finds() {
        running_.go_on();
        running_.line();
        return running_.line();
    }
    std::string file, data;

  private:
    Running running_;
};

TEST(Pool, AnotherProcessImportsAPointer) {
    Owner owner;
    const std::vector<std::string> imported{"set 1", "malloc b 4096", "fill b 9",
                                            "pool_import q " + owner.file,
                                            "pool_import_pointer a q " + owner.data + " 4096"};
    EXPECT_EQ(after(imported, "open-x2", {"load b a 8", "sync"}), Answers({"0", "700"}))
        << "access is each process's own";
    EXPECT_EQ(after(imported, "open-x2",
                    {"pool_get_access q 0", "pool_access q 1 3", "load b a 4096", "sync", "check b 7 9"}),
              Answers({"0 3", "0", "0", "0", right}));
    EXPECT_EQ(after(imported, "open-x2",
                    {"copy b a 4096", "check b 7 9", "pool_malloc c 8 q", "pool_use 0 q", "pool_access q 1 3",
                     "fill b 5", "store a b 4096", "sync", "pool_free a", "sync", "pool_free a"}),
              Answers({"0", right, "1", "1", "0", "0", "0", "0", "0", "0", "1"}));
    EXPECT_EQ(owner.finds(), right);
}

TEST(Pool, TheProcessItselfMayImportWhatItExported) {
    const std::vector<std::string> exported{"pool_create p 0 fd", "pool_malloc a 4096 p", "pool_export p",
                                            "pool_export_pointer a"};
    const Answers seen = probe("open-x2", exported).answers;
    const std::string file = "/proc/self/fd/" + word(seen.at(2), 1);
    EXPECT_EQ(after({"pool_create p 0 fd", "pool_malloc a 4096 p", "fill a 7", "sync", "pool_export p",
                     "pool_export_pointer a", "pool_import q " + file},
                    "open-x2",
                    {"pool_import_pointer b q own 4096", "check b 7 9", "pool_free b", "sync", "pool_trim q",
                     "check a 7 9"}),
              Answers({"0", right, "0", "0", "0", right}));
}

TEST(Pool, OnlyWhatWasMadeForItIsExportedOrImported) {
    EXPECT_EQ(
        probe("open-x2", {"pool_create p 0", "pool_export p", "pool_malloc a 8 p", "pool_export_pointer a",
                          "malloc b 8", "pool_export_pointer b", "pool_import q /dev/null"})
            .answers,
        Answers({"0", "1", "0", "1", "0", "1", "1"}));
    Owner owner, other;
    EXPECT_EQ(probe("open-x2", {"pool_import q " + owner.file, "pool_import_pointer a q " + other.data + " 8",
                                "pool_default d 0", "pool_import_pointer a d " + owner.data + " 8",
                                "vmm_import h " + owner.file})
                  .answers,
              Answers({"0", "1", "0", "1", "1"}));
}

}  // namespace
}  // namespace peerproof::simulated
