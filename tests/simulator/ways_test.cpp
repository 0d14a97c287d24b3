// [[way]]: what a path does for one way of mapping memory alone, and the calls that a bench refuses.
#include "tests/simulator/run_probe.hpp"

namespace peerproof::simulated {
namespace {

const std::string right = "0 0 0 0 0 0 512";

// a on GPU 0 with the stamp 7, mapped in one way and reached by both GPUs; b on GPU 1 with the stamp 9.
struct MappedIn {
    const char* way;
    std::vector<std::string> steps;
};
const std::vector<std::string> behind{"fill a 7", "sync", "set 1", "malloc b 4096", "fill b 9", "sync"};
const std::vector<std::string> plain{"malloc a 4096", "set 1", "enable 0", "set 0"};
const MappedIn kinds[] = {{"vmm",
                           {"vmm_create h 0 2097152", "vmm_reserve a 2097152", "vmm_map a 0 2097152 h",
                            "vmm_access a 0 2097152 0 3", "vmm_access a 0 2097152 1 3"}},
                          {"pool", {"pool_default p 0", "pool_malloc a 4096", "pool_access p 1 3"}}};

std::string way(const std::string& name, const std::string& keys) {
    return two_gpus("[[way]]\nway = \"" + name + "\"\n" + keys);
}

std::string last_of(const std::string& bench, std::vector<std::string> steps,
                    const std::vector<std::string>& act) {
    steps.insert(steps.end(), behind.begin(), behind.end());
    steps.insert(steps.end(), act.begin(), act.end());
    const Ran ran = probe(bench, steps);
    EXPECT_EQ(ran.code, 0) << ran.errors;
    return ran.answers.back();
}

const std::vector<std::string> load{"load b a 4096", "sync", "check b 7 9"};
const std::vector<std::string> store{"fill b 5", "store a b 4096", "sync", "set 0", "check a 5 7 0 4096"};
const std::vector<std::string> copy{"copy b a 4096", "check b 7 9"};
const std::string intact = "0 512 512", zeros = "0 512 0 512 0";

TEST(Ways, ChangeWhatLoadsStoresAndCopiesDo) {
    for (const MappedIn& each : kinds) {
        const std::string drops = way(each.way, "store = \"dropped\"");
        EXPECT_EQ(last_of(drops, each.steps, store).substr(0, intact.size()), intact) << each.way;
        EXPECT_EQ(last_of(drops, each.steps, load), right) << each.way;
        EXPECT_EQ(last_of(drops, each.steps, copy), right) << each.way;
        EXPECT_EQ(last_of(way(each.way, "load = \"zeros\""), each.steps, load).substr(0, zeros.size()),
                  zeros);
        EXPECT_EQ(last_of(way(each.way, "copy = \"nothing\""), each.steps, copy).substr(0, intact.size()),
                  intact);
        EXPECT_EQ(last_of(way(each.way, "load = \"fault\""), each.steps, {"load b a 8", "sync"}), "700");
        EXPECT_EQ(last_of(way(each.way, "load = \"shadow\"\nstore = \"shadow\""), each.steps, store)
                      .substr(0, intact.size()),
                  intact)
            << each.way;
        EXPECT_EQ(last_of(way(each.way, "copy = 801"), each.steps, {"copy b a 8"}), "801") << each.way;
    }
}

TEST(Ways, ChangeNothingOfAnother) {
    const std::string all_wrong = "load = \"zeros\"\nstore = \"dropped\"\ncopy = \"nothing\"";
    for (const std::vector<std::string>& act : {load, store, copy}) {
        EXPECT_EQ(last_of(way("vmm", all_wrong), plain, act), right);
        EXPECT_EQ(last_of(way("vmm", all_wrong), kinds[1].steps, act), right);
        EXPECT_EQ(last_of(way("pool", all_wrong), kinds[0].steps, act), right);
        EXPECT_EQ(last_of(way("ipc", all_wrong), kinds[0].steps, act), right);
        EXPECT_EQ(last_of(way("vmm", all_wrong + "\nimported = true"), kinds[0].steps, act), right);
    }
}

TEST(Ways, HoldForTheirPairAlone) {
    // Data moves from GPU 0 to GPU 1 by its loads, and from 1 to 0 by its stores.
    EXPECT_EQ(last_of(way("vmm", "load = \"zeros\"\nfrom = 0\nto = 1"), kinds[0].steps, load).substr(0, 5),
              "0 512");
    EXPECT_EQ(last_of(way("vmm", "load = \"zeros\"\nfrom = 1\nto = 0"), kinds[0].steps, load), right);
    EXPECT_EQ(last_of(way("vmm", "store = \"dropped\"\nfrom = 1"), kinds[0].steps, store).substr(0, 5),
              "0 512");
    EXPECT_EQ(last_of(way("vmm", "store = \"dropped\"\nfrom = 0"), kinds[0].steps, store), right);
    EXPECT_EQ(last_of(way("pool", "copy = \"nothing\"\nto = 1"), kinds[1].steps, copy).substr(0, 5), "0 512");
    EXPECT_EQ(last_of(way("pool", "copy = \"nothing\"\nto = 0"), kinds[1].steps, copy), right);
}

TEST(Ways, LaterOnesWin) {
    EXPECT_EQ(last_of(way("vmm", "load = \"zeros\"\n[[way]]\nway = \"vmm\"\nload = \"real\""), kinds[0].steps,
                      load),
              right);
}

TEST(Ways, MemoryMayBeOpenWithoutAccess) {
    const std::vector<std::string> not_given{"vmm_create h 0 2097152", "vmm_reserve a 2097152",
                                             "vmm_map a 0 2097152 h", "vmm_access a 0 2097152 0 3"};
    EXPECT_EQ(last_of("open-x2", not_given, {"load b a 4096", "sync"}), "700");
    EXPECT_EQ(last_of(way("vmm", "mapped = \"always\""), not_given, load), right);
    EXPECT_EQ(last_of(way("vmm", "mapped = \"always\"\nfrom = 0"), not_given, {"load b a 4096", "sync"}),
              "700")
        << "the window of another GPU";
    EXPECT_EQ(last_of(way("pool", "mapped = \"always\""), not_given, {"load b a 4096", "sync"}), "700");
}

std::string answer(const std::string& bench, const std::vector<std::string>& steps) {
    return probe(bench, steps).answers.back();
}

TEST(Ways, CallsAreRefusedByName) {
    const auto refused = [](const std::string& name, const std::string& call) {
        return way(name, "refuses = \"" + call + "\"\nerror = 804");
    };
    EXPECT_EQ(answer(refused("ipc", "cudaIpcGetMemHandle"), {"malloc a 8", "ipc_get a"}), "804");
    EXPECT_EQ(answer(refused("vmm", "cuMemCreate"), {"vmm_create h 0 2097152"}), "804");
    EXPECT_EQ(answer(refused("vmm", "cuMemAddressReserve"), {"vmm_reserve m 2097152"}), "804");
    std::vector<std::string> steps = kinds[0].steps;
    EXPECT_EQ(probe(refused("vmm", "cuMemSetAccess"), steps).answers,
              Answers({"0", "0 aligned", "0", "0", "804"}))
        << "not to the owner";
    steps.push_back("vmm_get_access a 1");
    EXPECT_EQ(answer(refused("vmm", "cuMemGetAccess"), steps), "804");
    steps.back() = "vmm_unmap a 0 2097152";
    EXPECT_EQ(answer(refused("vmm", "cuMemUnmap"), steps), "804");
    EXPECT_EQ(answer(refused("vmm", "cuMemMap"),
                     {"vmm_create h 0 2097152", "vmm_reserve m 2097152", "vmm_map m 0 2097152 h"}),
              "804");
    EXPECT_EQ(
        answer(refused("vmm", "cuMemExportToShareableHandle"), {"vmm_create h 0 2097152 fd", "vmm_export h"}),
        "804");
    EXPECT_EQ(answer(refused("pool", "cudaMemPoolSetAccess"), kinds[1].steps), "804");
    EXPECT_EQ(answer(refused("pool", "cudaMallocAsync"), {"pool_malloc a 8"}), "804");
    EXPECT_EQ(answer(refused("pool", "cudaMemPoolCreate"), {"pool_create p 0"}), "804");
    EXPECT_EQ(answer(refused("pool", "cudaFreeAsync"), {"pool_malloc a 8", "pool_free a"}), "804");
    EXPECT_EQ(answer(refused("pool", "cudaMemPoolExportToShareableHandle"),
                     {"pool_create p 0 fd", "pool_export p"}),
              "804");
}

TEST(Ways, ARefusalIsOfTheWindowOfOneGpuOnTheMemoryOfAnother) {
    const auto refused = [](const std::string& pair) {
        return way("vmm", "refuses = \"cuMemSetAccess\"\nerror = 801\n" + pair);
    };
    EXPECT_EQ(answer(refused("from = 1\nto = 0"), kinds[0].steps), "801");
    EXPECT_EQ(answer(refused("from = 0\nto = 1"), kinds[0].steps), "0");
    EXPECT_EQ(answer(way("vmm", "refuses = \"cuMemCreate\"\nerror = 2\nto = 1"), {"vmm_create h 0 2097152"}),
              "0");
    EXPECT_EQ(answer(way("vmm", "refuses = \"cuMemCreate\"\nerror = 2\nto = 1"), {"vmm_create h 1 2097152"}),
              "2");
}

TEST(Ways, MayHoldForMemoryOfAnotherProcessAlone) {
    const std::string bench = way("vmm", "load = \"zeros\"\nimported = true");
    Running owner(bench, {"vmm_create h 0 2097152 fd", "vmm_reserve m 2097152", "vmm_map m 0 2097152 h",
                          "vmm_access m 0 2097152 0 3", "fill m 7", "sync", "vmm_export h", "wait_for_kill"});
    const Answers answers = owner.lines_until("ready");
    const std::string file = "/proc/" + std::to_string(owner.pid()) + "/fd/" + word(answers.at(5), 1);
    EXPECT_EQ(answer(bench, {"set 1", "malloc b 4096", "fill b 9", "vmm_import h " + file,
                             "vmm_reserve m 2097152", "vmm_map m 0 2097152 h", "vmm_access m 0 2097152 1 3",
                             "load b m 4096", "sync", "check b 7 9"})
                  .substr(0, zeros.size()),
              zeros);
}

TEST(Ways, AWrongTableIsNamedWithWhatIsAllowed) {
    const std::pair<const char*, const char*> rows[] = {
        {"refuses = \"cuMemCreat\"\nerror = 1", "[[way]]: 'refuses' must be the name of a call of this way"},
        {"refuses = \"cudaMallocAsync\"\nerror = 1",
         "[[way]]: 'refuses' must be the name of a call of this way"},
        {"refuses = \"cuMemCreate\"", "'refuses' and 'error' belong together"},
        {"from = 0", "[[way]] says nothing: load, store, copy, mapped or refuses"},
        {"load = \"zero\"", "[[way]]: 'load' must be one of"},
        {"mapped = \"never\"", "[[way]]: 'mapped' must be one of \"when_given\" \"always\""},
        {"imported = 1", "[[way]]: 'imported' must be true or false"}};
    for (const auto& [keys, message] : rows) {
        const Ran ran = probe(way("vmm", keys), {"count"});
        EXPECT_EQ(ran.code, 64) << keys;
        EXPECT_NE(ran.errors.find(message), std::string::npos) << ran.errors;
    }
}

}  // namespace
}  // namespace peerproof::simulated
