// Virtual memory management on the simulated bench, by the driver's calls: in one process and in two.
#include <unistd.h>

#include "tests/simulator/run_probe.hpp"

namespace peerproof::simulated {
namespace {

const std::string right = "0 0 0 0 0 0 512";
const std::string page = "2097152", two_pages = "4194304";

// m on GPU 0, one page with the stamp 7 that its own kernels may reach, and b on GPU 1 with the stamp 9; GPU 1
// is chosen.
const std::vector<std::string> mapped{"vmm_create h 0 " + page + " fd",
                                      "vmm_reserve m " + page,
                                      "vmm_map m 0 " + page + " h",
                                      "vmm_access m 0 " + page + " 0 3",
                                      "fill m 7",
                                      "sync",
                                      "set 1",
                                      "malloc b 4096",
                                      "fill b 9",
                                      "sync"};
const std::string give_1 = "vmm_access m 0 " + page + " 1 3";
const std::vector<std::string> read{"load b m 4096", "sync", "check b 7 9 0 4096"};

std::vector<std::string> with(std::vector<std::string> steps, const std::vector<std::string>& more) {
    steps.insert(steps.end(), more.begin(), more.end());
    return steps;
}

TEST(Driver, FunctionsAreFoundByName) {
    EXPECT_EQ(probe("open-x2", {"driver cuMemCreate", "driver cuMemCreate 10010", "driver cuMemCreate 10020",
                                "driver cuNothing", "driver cuMemCreate 99000"})
                  .answers,
              Answers({"0 0 found", "0 2 none", "0 0 found", "0 1 none", "1"}));
}

TEST(Driver, ErrorsHaveTheirNames) {
    EXPECT_EQ(
        probe("open-x2", {"driver_error 801", "driver_error 0", "driver_error 4711"}).answers,
        Answers({"0 CUDA_ERROR_NOT_SUPPORTED: operation not supported", "0 CUDA_SUCCESS: no error", "1"}));
}

TEST(Driver, AttributesSayWhatTheBenchSupports) {
    const std::vector<std::string> asked{"driver_attribute 102 1", "driver_attribute 103 1",
                                         "attribute 115 1",        "attribute 119 1",
                                         "driver_attribute 75 1",  "driver_attribute 102 2"};
    EXPECT_EQ(probe("open-x2", asked).answers, Answers({"0 1", "0 1", "0 1", "0 1", "0 9", "101"}));
    EXPECT_EQ(probe(two_gpus("[[gpu]]\nindex = 1\nvmm = false"), asked).answers,
              Answers({"0 0", "0 0", "0 1", "0 1", "0 9", "101"}));
    EXPECT_EQ(probe(two_gpus("[[gpu]]\nindex = 1\nfd_handles = false"), asked).answers,
              Answers({"0 1", "0 0", "0 1", "0 0", "0 9", "101"}));
    EXPECT_EQ(probe(two_gpus("[[gpu]]\nindex = 1\nmemory_pools = false"), asked).answers,
              Answers({"0 1", "0 1", "0 0", "0 0", "0 9", "101"}));
}

TEST(Vmm, APeerWithAccessLoadsAndStores) {
    EXPECT_EQ(after(mapped, "open-x2", with({give_1}, read)), Answers({"0", "0", "0", right}));
    EXPECT_EQ(after(mapped, "open-x2",
                    {give_1, "fill b 5", "store m b 4096", "sync", "set 0", "check m 5 7 0 4096",
                     "vmm_get_access m 1"})
                  .back(),
              "0 3");
    EXPECT_EQ(after(mapped, "open-x2",
                    {give_1, "fill b 5", "store m b 4096", "sync", "set 0", "check m 5 7 0 4096"})
                  .back(),
              right);
}

TEST(Vmm, NobodyHasAccessThatWasNotGiven) {
    EXPECT_EQ(after(mapped, "open-x2", {"load b m 8", "sync"}), Answers({"0", "700"})) << "the peer";
    EXPECT_EQ(after(mapped, "open-x2", {"enable 0", "load b m 8", "sync"}), Answers({"0", "0", "700"}))
        << "that is another switch";
    EXPECT_EQ(probe("open-x2", {"vmm_create h 0 " + page, "vmm_reserve m " + page,
                                "vmm_map m 0 " + page + " h", "vmm_get_access m 0", "fill m 7", "sync"})
                  .answers,
              Answers({"0", "0 aligned", "0", "0 0", "0", "700"}))
        << "the owner";
    EXPECT_EQ(after(mapped, "open-x2",
                    {give_1, "load b m 8", "sync", "vmm_access m 0 " + page + " 1 0", "load b m 8", "sync"})
                  .back(),
              "700")
        << "taken back";
    EXPECT_EQ(
        probe("open-x2", {"vmm_reserve m " + page, "malloc a 4096", "load a m 8", "sync"}).answers.back(),
        "700")
        << "reserved only";
}

TEST(Vmm, ReadAccessIsNoWriteAccess) {
    const std::string read_only = "vmm_access m 0 " + page + " 1 1";
    EXPECT_EQ(after(mapped, "open-x2", with({read_only, "vmm_get_access m 1"}, read)),
              Answers({"0", "0 1", "0", "0", right}));
    EXPECT_EQ(after(mapped, "open-x2", {read_only, "load b m 8", "store m b 8", "sync"}),
              Answers({"0", "0", "0", "700"}));
    EXPECT_EQ(
        after(mapped, "open-x2", {"vmm_access m 0 " + page + " 0 1", "set 0", "word m", "fill m 5", "sync"}),
        Answers({"0", "0", "0 0x7", "0", "700"}))
        << "its owner";
}

TEST(Vmm, TwoAllocationsOfTwoGpusSideBySide) {
    const std::vector<std::string> both{"vmm_create h 0 " + page,
                                        "vmm_create k 1 " + page,
                                        "vmm_reserve m " + two_pages,
                                        "vmm_map m 0 " + page + " h",
                                        "vmm_map m 2097152 " + page + " k",
                                        "vmm_access m 0 " + two_pages + " 0 3",
                                        "vmm_access m 0 " + two_pages + " 1 3",
                                        "fill m 7",
                                        "sync",
                                        "set 1",
                                        "at second m 2097152"};
    EXPECT_EQ(after(both, "open-x2", {"check m 7 9", "kind m", "kind second"}),
              Answers({"0 0 0 0 0 0 524288", "0 2 0", "0 2 1"}));
    EXPECT_EQ(after(both, "open-x2",
                    {"malloc b " + two_pages, "copy b m " + two_pages, "check b 7 9", "set_bytes m 0",
                     "word m 2097144", "word m 2097152"}),
              Answers({"0", "0", "0 0 0 0 0 0 524288", "0", "0 0", "0 0"}))
        << "copies and fills cross from one to the other";
    EXPECT_EQ(
        after(both, "open-x2", {"vmm_unmap m 0 " + page, "kind m", "word second", "load second m 8", "sync"}),
        Answers({"0", "0 0 -2", "0 " + word(after(both, "open-x2", {"word second"}).at(0), 1), "0", "700"}));
}

TEST(Vmm, CopiesNeedAccessOfSomeGpu) {
    EXPECT_EQ(after(mapped, "open-x2", {"copy b m 4096", "check b 7 9", "peer m 0 b 1 4096", "word m"}),
              Answers({"0", right, "0", "0 0x7"}));
    EXPECT_EQ(
        probe("open-x2", {"vmm_create h 0 " + page, "vmm_reserve m " + page, "vmm_map m 0 " + page + " h",
                          "malloc a 4096", "copy a m 4096", "set_bytes m 0"})
            .answers,
        Answers({"0", "0 aligned", "0", "0", "1", "1"}));
}

TEST(Vmm, SizesAndAddressesAreWholeAndFit) {
    EXPECT_EQ(probe("open-x2", {"vmm_granularity 0", "vmm_granularity 2", "vmm_create h 0 4096",
                                "vmm_create h 0 0", "vmm_create h 2 " + page, "vmm_create h 0 68719476736",
                                "vmm_reserve m 4096", "vmm_reserve m 0", "vmm_reserve m " + page + " 3",
                                "vmm_reserve m " + page + " 1073741824"})
                  .answers,
              Answers({"0 2097152", "101", "1", "1", "101", "2", "1", "1", "1", "0 aligned"}));
    EXPECT_EQ(after(mapped, "open-x2",
                    {"vmm_reserve n " + two_pages, "vmm_map n 4096 " + page + " h", "vmm_map n 0 4096 h",
                     "vmm_map n 0 " + two_pages + " h", "vmm_map n 0 " + page + " h " + page,
                     "vmm_map n " + two_pages + " " + page + " h", "vmm_map n 0 " + page + " nothing",
                     "vmm_map n 0 " + page + " h", "vmm_map n 0 " + page + " h", "kind n"}),
              Answers({"0 aligned", "1", "1", "1", "1", "1", "1", "0", "1", "0 0 -2"}))
        << "the last: mapped twice, and reached by nobody";
}

TEST(Vmm, AccessAndUnmappingAreOfWholeMappings) {
    const std::vector<std::string> wide{"vmm_create h 0 " + two_pages, "vmm_reserve m 8388608",
                                        "vmm_map m 0 " + two_pages + " h"};
    EXPECT_EQ(
        after(wide, "open-x2",
              {"vmm_access m 0 " + page + " 0 3", "vmm_access m 0 8388608 0 3",
               "vmm_access m " + two_pages + " " + page + " 0 3", "vmm_access m 0 " + two_pages + " 2 3",
               "vmm_access m 0 " + two_pages + " 0 2", "vmm_unmap m 0 " + page, "vmm_unmap m 0 8388608",
               "vmm_unreserve m 8388608", "vmm_unmap m 0 " + two_pages, "vmm_unmap m 0 " + two_pages,
               "vmm_unreserve m " + page, "vmm_unreserve m 8388608", "vmm_unreserve m 8388608"}),
        Answers({"1", "1", "1", "101", "1", "1", "1", "1", "0", "1", "1", "0", "1"}));
}

TEST(Vmm, ANewMappingBeginsWithoutAccess) {
    EXPECT_EQ(after(mapped, "open-x2",
                    {give_1, "load b m 8", "sync", "vmm_unmap m 0 " + page, "vmm_map m 0 " + page + " h",
                     "vmm_get_access m 1", "load b m 8", "sync"}),
              Answers({"0", "0", "0", "0", "0", "0 0", "0", "700"}));
}

TEST(Vmm, MemoryLivesAsLongAsAHandleOrAMapping) {
    const std::vector<std::string> steps{"free_memory",
                                         "vmm_create h 0 " + page,
                                         "vmm_reserve m " + page,
                                         "vmm_map m 0 " + page + " h",
                                         "vmm_access m 0 " + page + " 0 3",
                                         "vmm_release h",
                                         "vmm_release h",
                                         "vmm_map m 0 " + page + " h",
                                         "free_memory",
                                         "set_bytes m 0",
                                         "vmm_retain k m",
                                         "vmm_unmap m 0 " + page,
                                         "free_memory",
                                         "vmm_properties k",
                                         "vmm_release k",
                                         "free_memory"};
    EXPECT_EQ(probe("open-x2", steps).answers,
              Answers({"0 536870912 1073741824", "0", "0 aligned", "0", "0", "0", "1", "1",
                       "0 534773760 1073741824", "0", "0", "0", "0 534773760 1073741824", "0 0 0", "0",
                       "0 536870912 1073741824"}));
}

TEST(Vmm, ItsMemoryIsNotToBeHadByItsPlainAddress) {
    // The first page of GPU 0 that anything is allocated on.
    EXPECT_EQ(probe("open-x2", {"vmm_create h 0 " + page, "address x 0x200000200000", "malloc a 4096",
                                "kind x", "word x", "free x", "load a x 8", "sync"})
                  .answers,
              Answers({"0", "0", "0", "0 0 -2", "1", "1", "0", "700"}));
}

TEST(Vmm, AClosedPathIsRefused) {
    EXPECT_EQ(after(mapped, "locked-x2", {give_1, "load b m 8", "sync"}), Answers({"101", "0", "700"}));
    EXPECT_EQ(after(mapped, two_gpus("[pairs]\nenable = 205"), {give_1}), Answers({"205"}));
    EXPECT_EQ(after(mapped, two_gpus("[pairs]\ncan_access = false"), {give_1}), Answers({"101"}));
}

TEST(Vmm, GpusThatLackItSayNotSupported) {
    const std::string none = two_gpus("[[gpu]]\nindex = \"*\"\nvmm = false");
    EXPECT_EQ(probe(none, {"vmm_granularity 0", "vmm_create h 0 " + page, "vmm_reserve m " + page}).answers,
              Answers({"801", "801", "801"}));
    const std::string no_handles = two_gpus("[[gpu]]\nindex = \"*\"\nfd_handles = false");
    EXPECT_EQ(probe(no_handles, {"vmm_create h 0 " + page + " fd", "vmm_create h 0 " + page, "vmm_export h"})
                  .answers,
              Answers({"801", "0", "1"}));
}

TEST(Vmm, ThePathIsThatOfPlainMemory) {
    const std::string liar = two_gpus("[pairs]\nload = \"zeros\"\nstore = \"dropped\"\ncopy = \"nothing\"");
    EXPECT_EQ(after(mapped, liar, with({give_1}, read)).back().substr(0, 13), "0 512 0 512 0");
    EXPECT_EQ(after(mapped, liar, {give_1, "store m b 4096", "sync", "set 0", "check m 7 9 0 4096"}).back(),
              right);
    EXPECT_EQ(after(mapped, liar, {give_1, "copy b m 4096", "check b 9 7 0 4096"}).back(), right);
    const std::string late = two_gpus("[pairs]\nstore = \"late\"");
    EXPECT_EQ(
        after(mapped, late, {give_1, "fill b 5", "store m b 4096", "sync", "set 0", "check m 5 7 0 4096"})
            .back(),
        right);
}

TEST(Vmm, AGpuThatForgetsForgetsHereToo) {
    const std::string dead = two_gpus("[[gpu]]\nindex = 0\nlocal_stores = \"dropped\"");
    EXPECT_EQ(after(mapped, dead, {"word m"}), Answers({"0 0"}));
}

// The descriptor's file, as another process finds it.
std::string exported(Running& owner, const std::string& descriptor) {
    return "/proc/" + std::to_string(owner.pid()) + "/fd/" + descriptor;
}

const std::vector<std::string> imported{"vmm_reserve m " + page, "vmm_map m 0 " + page + " k",
                                        "vmm_access m 0 " + page + " 1 3"};

std::vector<std::string> in_another(const std::string& file, const std::vector<std::string>& more) {
    return with(with({"set 1", "malloc b 4096", "fill b 9", "vmm_import k " + file}, imported), more);
}

TEST(Vmm, AnotherProcessImportsTheMemory) {
    Running owner("open-x2",
                  with(mapped, {"vmm_export h", "set 0", "wait_for_signal", "check m 5 7 0 4096"}));
    const Answers answers = owner.lines_until("ready");
    const std::string file = exported(owner, word(answers.at(mapped.size()), 1));
    EXPECT_EQ(probe("open-x2", in_another(file, with({"vmm_properties k"}, read))).answers,
              Answers({"0", "0", "0", "0", "0 aligned", "0", "0", "0 0 1", "0", "0", right}));
    EXPECT_EQ(
        probe("open-x2", in_another(file, {"copy b m 4096", "check b 7 9", "fill b 5", "store m b 4096",
                                           "sync", "vmm_release k", "vmm_unmap m 0 " + page, "kind m"}))
            .answers,
        Answers({"0", "0", "0", "0", "0 aligned", "0", "0", "0", right, "0", "0", "0", "0", "0", "0 0 -2"}));
    EXPECT_EQ(probe("open-x2", {"vmm_import k " + file, "vmm_reserve m " + page, "vmm_map m 0 " + page + " k",
                                "malloc b 4096", "load b m 8", "sync"})
                  .answers.back(),
              "700")
        << "without access, which is each process's own";
    owner.go_on();
    EXPECT_EQ(owner.line(), "0");
    EXPECT_EQ(owner.line(), right);
}

TEST(Vmm, TheProcessItselfMayImportWhatItExported) {
    const Answers seen = after(mapped, "open-x2", {"vmm_export h"});
    const std::string descriptor = word(seen.at(0), 1);
    EXPECT_EQ(after(mapped, "open-x2",
                    {"vmm_export h", "vmm_import k /proc/self/fd/" + descriptor, "vmm_reserve n " + page,
                     "vmm_map n 0 " + page + " k", "vmm_access n 0 " + page + " 1 3", "load b n 4096", "sync",
                     "check b 7 9 0 4096"})
                  .back(),
              right);
}

TEST(Vmm, OnlyWhatWasMadeForItIsExportedOrImported) {
    EXPECT_EQ(
        probe("open-x2", {"vmm_create h 0 " + page, "vmm_export h", "vmm_export nothing",
                          "vmm_import k /dev/null", "vmm_import k /nowhere", "vmm_import k /proc/self/exe"})
            .answers,
        Answers({"0", "1", "1", "1", "1", "1"}));
    Running owner("open-x2", with(mapped, {"vmm_export h", "wait_for_kill"}));
    const Answers answers = owner.lines_until("ready");
    const std::string file = exported(owner, word(answers.at(mapped.size()), 1));
    Running holder("open-x2", {"vmm_import k " + file, "wait_for_kill"});
    EXPECT_EQ(holder.lines_until("ready").at(0), "0");
    EXPECT_EQ(probe("open-x2", {"pool_import p " + file}).answers, Answers({"1"})) << "not a pool";
    EXPECT_EQ(probe("open-x2", {"vmm_import k " + file}, {{"CUDA_VISIBLE_DEVICES", "1"}}).answers,
              Answers({"101"}));
}

}  // namespace
}  // namespace peerproof::simulated
