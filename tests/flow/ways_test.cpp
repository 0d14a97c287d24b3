// The ways of two processes, one case by hand at a time: what is said where a bench lies, refuses or cannot do it in one
// part of a way only.
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/flow/flow.hpp"

namespace peerproof::flow {
namespace {

std::string rule(const std::string& way, const std::string& rest) {
    return "[[way]]\nway = \"" + way + "\"\n" + rest;
}

class Ways : public testing::Test {
  protected:
    Ways() { flow.set("LD_LIBRARY_PATH", (flow.folder() / "lib/simulated").string()); }

    // `bench` goes on where its [gpus] ends.
    Ended run(const std::string& way, const std::string& bench) {
        flow.bench_text("ways-x2",
                        "description = \"A bench of one test.\"\n[gpus]\nmemory_mib = 1024\ncount = 2\n" +
                            bench + "\n[expect]\nverdict = \"suspect\"\n");
        return flow.program("conformance", {"--gtest_filter=Way/" + way + ".Delivers/gpu0_to_gpu1"});
    }
    void expect(int code, const std::string& words, const std::string& way, const std::string& bench) {
        const Ended ended = run(way, bench);
        EXPECT_EQ(ended.code, code) << bench << ended.output;
        EXPECT_NE(ended.output.find("gpu0_to_gpu1: " + words), std::string::npos) << bench << ended.output;
    }
    // The parts of mapped and pooled memory, each lying alone.
    void expect_each_part_that_lies(const std::string& way, const std::string& name) {
        expect(1, "illegal_address: load: ", way, rule(name, "load = \"fault\""));
        expect(1, "missing: store: nothing arrived", way, rule(name, "store = \"dropped\""));
        expect(1, "missing: copy: nothing arrived", way, rule(name, "copy = \"nothing\""));
        expect(1, "wrong: exported load: zeros", way, rule(name, "imported = true\nload = \"zeros\""));
        expect(1, "missing: exported store: nothing arrived", way,
               rule(name, "imported = true\nstore = \"dropped\""));
    }
    // No process of this session is left. Other tests run the same programs beside this one, so that a process is
    // known by its environment, which has the bench of this flow.
    void expect_nobody_left() {
        const std::string bench = flow.out().parent_path().string();
        for (const auto& process : fs::directory_iterator("/proc")) {
            std::error_code gone;
            const fs::path program = fs::read_symlink(process.path() / "exe", gone);
            if (gone || program.parent_path() != fs::canonical(flow.folder() / "bin")) continue;
            EXPECT_EQ(text_of(process.path() / "environ").find(bench), std::string::npos) << process;
        }
    }

    Flow flow;
};

TEST_F(Ways, OfIpcFindEachPartThatLies) {
    expect(0, "delivered: the owner found the stamp in every word of: load, store, copy, offset, reopened",
           "Ipc", "");
    expect(1, "wrong: load: zeros", "Ipc", rule("ipc", "load = \"zeros\""));
    expect(1, "missing: store: nothing arrived", "Ipc", rule("ipc", "store = \"dropped\""));
    expect(1, "missing: copy: nothing arrived", "Ipc", rule("ipc", "copy = \"nothing\""));
    expect(1, "illegal_address: store: ", "Ipc", rule("ipc", "store = \"fault\""));
    // Both memories are open to the GPU that acts; only what is behind its window is asked for last.
    expect(1, "missing: store: nothing arrived", "Ipc", rule("ipc", "from = 0\nstore = \"dropped\""));
    expect(1, "wrong: load: zeros", "Ipc", rule("ipc", "to = 1\nload = \"zeros\""));
}

TEST_F(Ways, OfIpcAreRefusedByTheFarOpeningOnly) {
    expect(0, "refused: load: the step load: cudaIpcOpenMemHandle answered 101 cudaErrorInvalidDevice", "Ipc",
           rule("ipc", "refuses = \"cudaIpcOpenMemHandle\"\nerror = 101"));
    expect(0, "refused: load: the step load: cudaIpcOpenMemHandle answered 801 cudaErrorNotSupported", "Ipc",
           rule("ipc", "refuses = \"cudaIpcOpenMemHandle\"\nerror = 801"));
    expect(0, "refused: reopened: the step reopened: cudaIpcCloseMemHandle answered 1", "Ipc",
           rule("ipc", "refuses = \"cudaIpcCloseMemHandle\"\nerror = 1"));
    expect(0, "not_applicable: not applicable: giving memory a handle: cudaIpcGetMemHandle answered 801",
           "Ipc", rule("ipc", "refuses = \"cudaIpcGetMemHandle\"\nerror = 801"));
    expect(1, "inconclusive: set-up: giving memory a handle: cudaIpcGetMemHandle answered 1", "Ipc",
           rule("ipc", "refuses = \"cudaIpcGetMemHandle\"\nerror = 1"));
}

TEST_F(Ways, WhoseSecondProcessDiesSayBySignal) {
    expect(1, "crashed: store: the second process was ended by SIGSEGV", "Ipc",
           rule("ipc", "store = \"crash\""));
    expect(1, "crashed: exported store: the second process was ended by SIGSEGV", "Vmm",
           rule("vmm", "imported = true\nstore = \"crash\""));
}

TEST_F(Ways, OfMappedMemoryFindEachPartThatLies) {
    expect(0,
           "delivered: the owner found the stamp in every word of: load, store, copy, two allocations, "
           "exported load, "
           "exported store\n",
           "Vmm", "");
    expect_each_part_that_lies("Vmm", "vmm");
}

TEST_F(Ways, OfMappedMemoryStayShutToWhomNobodyGaveAccess) {
    expect(1,
           "wrong: without access: a kernel stored into memory that nobody had given its GPU access to: no "
           "error, and "
           "the owner finds 131072 words changed",
           "Vmm", rule("vmm", "mapped = \"always\""));
}

TEST_F(Ways, OfMappedMemoryAreRefusedOrDoNotApply) {
    expect(0, "refused: load: the step load: cuMemSetAccess answered 801 CUDA_ERROR_NOT_SUPPORTED", "Vmm",
           rule("vmm", "refuses = \"cuMemSetAccess\"\nerror = 801"));
    expect(0,
           "not_applicable: not applicable: allocating memory that can be mapped: cuMemCreate answered 801",
           "Vmm", rule("vmm", "refuses = \"cuMemCreate\"\nerror = 801"));
    expect(1, "inconclusive: set-up: allocating memory that can be mapped: cuMemCreate answered 2", "Vmm",
           rule("vmm", "refuses = \"cuMemCreate\"\nerror = 2"));
    expect(0, "not_applicable: not applicable: the driver reports no virtual memory management", "Vmm",
           "vmm = false");
    // What one process did stands, and the rest is said.
    for (const char* bench : {"fd_handles = false",
                              "[[way]]\nway = \"vmm\"\nrefuses = \"cuMemExportToShareableHandle\"\n"
                              "error = 801"})
        expect(0,
               "delivered: the owner found the stamp in every word of: load, store, copy, two allocations; "
               "exported not "
               "applicable: ",
               "Vmm", bench);
}

// What lies near the GPU that acts is opened first: where that fails it is nobody's path.
TEST_F(Ways, ThatOpenNotEvenMemoryOfTheSameGpuAccuseNobody) {
    expect(0,
           "delivered: the owner found the stamp in every word of: load, store, copy, two allocations; "
           "exported not applicable: two processes share no memory here, not even of one GPU: ",
           "Vmm", rule("vmm", "refuses = \"cuMemImportFromShareableHandle\"\nerror = 304"));
    expect(
        1,
        "inconclusive: set-up: opening memory in a second process: cuMemImportFromShareableHandle answered 2",
        "Vmm", rule("vmm", "refuses = \"cuMemImportFromShareableHandle\"\nerror = 2"));
    expect(0, "refused: exported load: the step exported load: cuMemImportFromShareableHandle answered 101",
           "Vmm", rule("vmm", "refuses = \"cuMemImportFromShareableHandle\"\nerror = 101"));
}

TEST_F(Ways, OfPoolsFindEachPartThatLies) {
    expect(0,
           "delivered: the owner found the stamp in every word of: load, store, copy, exported load, "
           "exported store\n",
           "Pool", "");
    expect_each_part_that_lies("Pool", "pool");
}

TEST_F(Ways, OfPoolsAreRefusedOrDoNotApply) {
    expect(0, "refused: load: the step load: cudaMemPoolSetAccess answered 801 cudaErrorNotSupported", "Pool",
           rule("pool", "refuses = \"cudaMemPoolSetAccess\"\nerror = 801"));
    expect(0, "not_applicable: not applicable: the driver reports no memory pools", "Pool",
           "memory_pools = false");
    expect(0, "not_applicable: not applicable: allocating memory of a pool: cudaMallocAsync answered 801",
           "Pool", rule("pool", "refuses = \"cudaMallocAsync\"\nerror = 801"));
    expect(
        0,
        "delivered: the owner found the stamp in every word of: load, store, copy; exported not applicable: ",
        "Pool", "fd_handles = false");
}

// The control is in the record and decides nothing there.
TEST_F(Ways, OfMappedMemoryNoteTheirControl) {
    flow.set("PEERPROOF_BENCH", "open-x2");
    flow.set("PEERPROOF_WAYS", "vmm");
    flow.ctest({"-R", "^(bench.open|way.vmm.gpu0_to_gpu1)$"});
    const auto record = flow.record("way.vmm.gpu0_to_gpu1");
    EXPECT_EQ(record.at("outcome"), "delivered") << record;
    EXPECT_EQ(record.at("steps").back().at("name"), "without access") << record;
    EXPECT_EQ(record.at("steps").back().at("outcome"), "illegal_address") << record;
}

// After an illegal address everything is illegal: the control would hold by itself.
TEST_F(Ways, WithoutCudaTryNoControl) {
    flow.bench_text("ways-x2",
                    "description = \"Stores of another process are illegal.\"\n[gpus]\ncount = 2\n" +
                        rule("vmm", "imported = true\nstore = \"fault\"\n[expect]\nverdict = \"suspect\"\n"));
    flow.set("PEERPROOF_WAYS", "vmm");
    flow.ctest({"-R", "^(bench.open|way.vmm.gpu0_to_gpu1)$"});
    const auto record = flow.record("way.vmm.gpu0_to_gpu1");
    EXPECT_EQ(record.at("outcome"), "illegal_address") << record;
    EXPECT_EQ(record.at("steps").back().at("name"), "exported store") << record;
}

TEST_F(Ways, ThatHangEndWithBothProcesses) {
    flow.bench_text("ways-x2", "description = \"Loads of another process never end.\"\n[gpus]\ncount = 2\n" +
                                   rule("ipc", "load = \"hang\"\n[expect]\nverdict = \"suspect\"\n"));
    flow.set("PEERPROOF_WAYS", "ipc");
    flow.set("PEERPROOF_DEADLINE", "3");
    flow.ctest({"-R", "^(bench.open|way.ipc.gpu0_to_gpu1)$"});
    EXPECT_EQ(flow.outcome("way.ipc.gpu0_to_gpu1"), "hung");
    expect_nobody_left();
}

}  // namespace
}  // namespace peerproof::flow
