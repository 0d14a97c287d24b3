// Bench files: every shipped one is valid, and one that is not says where and what is allowed.
#include <dlfcn.h>

#include <cstdio>
#include <filesystem>
#include <set>
#include <sstream>

#include "tests/simulator/run_probe.hpp"

namespace peerproof::simulated {
namespace {

namespace fs = std::filesystem;

TEST(BenchFiles, EveryShippedOneIsValid) {
    int seen = 0;
    for (const auto& file : fs::directory_iterator(PEERPROOF_BENCH_SOURCES)) {
        if (file.path().extension() != ".toml") continue;
        ++seen;
        // With a session: the one whose listing never ends answers in a run.
        const Ran ran = probe(file.path().string(), {"count"},
                              {{"PEERPROOF_SIMULATED_STATE", ::testing::TempDir() + "peerproof-all"}});
        EXPECT_EQ(ran.code, 0) << file.path() << ": " << ran.errors;
        EXPECT_TRUE(
            fs::exists(fs::path(PEERPROOF_SIMULATED_LIBRARIES) / "../../benches" / file.path().filename()));
    }
    EXPECT_GE(seen, 45);
}

TEST(BenchFiles, WrittenForAnEarlierVersionAreRead) {
    std::string bench = two_gpus(
        "[[card]]\nindex = 1\nmemory_mib = 24576\n[speeds]\nboth_ways_gb_s = 3.3\n"
        "[[kernel]]\nname = \"chase\"\ndoes = \"nothing\"\n");
    const auto at = bench.find("[gpus]");
    ASSERT_NE(at, std::string::npos);
    const Ran ran = probe(bench.replace(at, 6, "[cards]"), {"count", "properties 1"});
    ASSERT_EQ(ran.code, 0) << ran.errors;
    EXPECT_EQ(ran.answers.front(), "0 2");
    EXPECT_NE(ran.answers.back().find(" 25769803776 "), std::string::npos) << ran.answers.back();
}

// Every message begins alike and names the file and the line.
void expect_refused(const std::string& bench, const std::string& message) {
    const Ran ran = probe(bench, {"count"});
    EXPECT_EQ(ran.code, 64);
    EXPECT_TRUE(ran.answers.empty());
    EXPECT_NE(ran.errors.find(message), std::string::npos)
        << "found: " << ran.errors << "wanted: " << message;
}

TEST(BenchFiles, AnUnknownKeyIsNamedWithThoseThatAre) {
    expect_refused(two_gpus("[pairs]\nloads = \"zeros\""),
                   "made-here.toml:10: [pairs] has an unknown key 'loads'; allowed are: can_access,"
                   " native_atomics, enable,");
    expect_refused("answer = 42\n" + two_gpus(""),
                   "made-here.toml:1: the file has an unknown key 'answer'; allowed are: description,");
    expect_refused(two_gpus("[[gpu]]\nindex = 0\nmemory = 3"), "[[gpu]] has an unknown key 'memory'");
}

TEST(BenchFiles, AWrongValueIsNamedWithWhatIsAllowed) {
    expect_refused(two_gpus("[[kernel]]\nname = \"gaet\"\ndoes = \"nothing\""),
                   "[[kernel]]: there is no kernel 'gaet'");
    expect_refused(two_gpus("[pairs]\nload = \"wibble\""),
                   "made-here.toml:10: [pairs]: 'load' must be one of \"real\" \"fault\"");
    expect_refused(two_gpus("[pairs]\ncopy = \"wibble\""), "or a CUDA error code from 1 to 999");
    expect_refused(two_gpus("[pairs]\nenable = \"no\""),
                   "[pairs]: 'enable' must be \"ok\" or a CUDA error code from 1 to 999");
    expect_refused(two_gpus("[pairs]\ncan_access = 1"), "'can_access' must be true or false");
    expect_refused(two_gpus("[[pair]]\nfrom = 0\nto = 2\nload = \"zeros\""),
                   "[[pair]]: 'to' must be \"*\" or the index of a GPU, 0 to 1");
    expect_refused(two_gpus("[[pair]]\nfrom = 0"), "[[pair]]: 'to' is missing");
    expect_refused(two_gpus("[pairs]\nwindow_mib = 3"), "'window_mib' must be even");
    expect_refused(two_gpus("[[gpu]]\nindex = 0\nlocal_stores_mib = 3"), "'local_stores_mib' must be even");
    expect_refused(two_gpus("[[gpu]]\nindex = 0\nlocal_stores = \"dropped_above\""),
                   "'local_stores' must be given a place by local_stores_mib");
    expect_refused(two_gpus("[[gpu]]\nindex = 0\nhost_copies = \"lost\""), "'host_copies' must be one of");
    expect_refused(gpus(65, ""), "[gpus]: 'count' must be an integer from 0 to 64");
    expect_refused(two_gpus("[[gpu]]\nindex = 1\nbus_id = \"0000:00:00.0\""),
                   "bus ids of the GPUs must be different and rise");
    expect_refused(two_gpus("[[gpu]]\nindex = 1\nbus_id = \"41\""),
                   "'bus_id' must be a text like \"0000:41:00.0\"");
    expect_refused(two_gpus("[machine]\nfastest_first = [1, 1]"), "every index from 0 to 1 once");
    expect_refused("description = \"x\"\n[gpus]\ncount = 2\n", "'expect' is missing");
    expect_refused("description = \"x\"\n[gpus]\ncount = 2\n[expect]\nverdict = \"fine\"\n",
                   "'verdict' must be one of \"open\"");
    expect_refused("description = \"x\"\n[expect]\nverdict = \"open\"\n", "'gpus' is missing");
}

TEST(BenchFiles, AWrongLinkIsNamedWithWhatIsAllowed) {
    const std::pair<const char*, const char*> rows[] = {
        {"[links]\nroot = 7", "[links]: 'root' must be an integer from 0 to 6"},
        {"[links]\nhost_link = \"nvlink\"", "[links]: 'host_link' must be one of \"pcie\" \"c2c\""},
        {"[links]\nport_of = \"Xen\"", "'port_of' must be one of \"machine\" \"QEMU\" \"VMware\""},
        {"[links]\ntunnelled = 1", "'tunnelled' must be true or false"},
        {"[links]\nport_most_lanes = 33", "'port_most_lanes' must be an integer from 1 to 32"},
        {"[links]\nport_most_gen = 0", "'port_most_gen' must be an integer from 1 to 6"},
        {"[links]\niommu_type = \"on\"", "'iommu_type' must be one of \"identity\" \"DMA\" \"DMA-FQ\""},
        {"[links]\nnuma_node = -1", "'numa_node' must be an integer from 0 to 255"},
        {"[[switch]]\n[links]\nbehind = 0\ntunnelled = true", "'tunnelled' cannot be 'behind' a switch"},
        {"[[switch]]\n[links]\nbehind = 0\n[[link]]\ngpu = 1\nroot = 1",
         "must have one 'root' and one domain"},
        {"[[nvlink]]\nfrom = 0", "[[nvlink]]: 'to' is missing"},
        {"[[nvlink]]\nfrom = 0\nto = 0", "[[nvlink]]: 'from' and 'to' must be the indices of two GPUs"},
        {"[[nvlink]]\nfrom = \"*\"\nto = 0", "[[nvlink]]: 'from' and 'to' must be the indices of two GPUs"},
        {"[[nvlink]]\nfrom = 0\nto = 1\ncount = 19", "'count' must be an integer from 1 to 18"},
        {"[links]\nnvlinks = 18\n[[nvlink]]\nfrom = 0\nto = 1", "[[nvlink]]: a GPU has at most 18 links"},
        {"[[when]]\nfrom = 0", "[[when]] says nothing: load, store, copy or staged"},
        {"[[when]]\nload = \"zero\"", "[[when]]: 'load' must be one of"},
        {"[[when]]\nload = \"zeros\"\nfrom = 2",
         "[[when]]: 'from' must be \"*\" or the index of a GPU, 0 to 1"},
        {"[[when]]\nload = \"zeros\"\nfirst_mib = 101", "[[when]]: 'first_mib' must be even"},
        {"[[when]]\nload = \"zeros\"\nevery = 0", "[[when]]: 'every' must be an integer from 1"},
        {"[[when]]\nload = \"zeros\"\nafter_seconds = 1", "[[when]] has an unknown key 'after_seconds'"},
        {"[[hint]]\nbar1_mib = 256", "[[hint]] must have 'gpu', or 'from' and 'to'"},
        {"[[hint]]\ngpu = 2\nmig = \"on\"", "[[hint]]: 'gpu' must be \"*\" or the index of a GPU, 0 to 1"},
        {"[[hint]]\ngpu = 0\nmig = true", "[[hint]]: 'mig' must be one of \"off\" \"on\""},
        {"[[hint]]\ngpu = 0\ntopology = \"PIX\"", "[[hint]] has an unknown key 'topology'"},
        {"[[hint]]\nfrom = 0\nto = 1\nbar1_mib = 256", "[[hint]] has an unknown key 'bar1_mib'"}};
    for (const auto& [text, message] : rows) expect_refused(two_gpus(text), message);
}

TEST(BenchFiles, AWrongRuleOfGraphsOrAccessesIsNamedWithWhatIsAllowed) {
    const std::string graph = "[[way]]\nway = \"graph\"\n";
    const std::pair<std::string, const char*> rows[] = {
        {graph + "load = \"old\"", "\"crash\" \"stale\""},
        {"[[way]]\nway = \"ipc\"\nload = \"stale\"", "[[way]]: 'load' must be one of \"real\""},
        {"[pairs]\nload = \"stale\"", "[pairs]: 'load' must be one of \"real\""},
        {graph + "refuses = \"cudaMalloc\"\nerror = 801", "'refuses' must be the name of a call of this way"},
        {graph + "refuses = \"cudaGraphLaunch\"\nerror = 801\nfrom = 0", "a call of graphs is of no pair"},
        {graph + "refuses = \"cudaGraphLaunch\"", "'refuses' and 'error' belong together"},
        {graph + "copy = \"nothing\"\nafter = -1", "[[way]]: 'after' must be an integer from 0 to 1000000"},
        {"[pairs]\norder = \"data_first\"", "'order' must be one of \"kept\" \"flag_first\" \"load_early\""},
        {"[[access]]\nfrom = 0", "[[access]] is of one thing: load_bytes, store_bytes, cached or read_only"},
        {"[[access]]\ncached = \"stale\"\nread_only = \"stale\"", "[[access]] is of one thing"},
        {"[[access]]\nstore_bytes = 1", "[[access]]: 'does' is missing"},
        {"[[access]]\nstore_bytes = 1\ndoes = \"zeros\"", "'does' must be one of \"dropped\" \"torn\""},
        {"[[access]]\nload_bytes = 2\ndoes = \"dropped\"", "'does' must be one of \"zeros\" \"torn\""},
        {"[[access]]\nload_bytes = 1\ndoes = \"torn\"", "'does' must be another: a byte has no halves"},
        {"[[access]]\nload_bytes = 3\ndoes = \"zeros\"", "'load_bytes' must be 1, 2, 4, 8 or 16"},
        {"[[access]]\nstore_bytes = 32\ndoes = \"torn\"", "'store_bytes' must be an integer from 1 to 16"},
        {"[[access]]\ncached = \"old\"", "[[access]]: 'cached' must be one of \"stale\""},
        {"[[access]]\ncached = \"stale\"\ndoes = \"torn\"", "[[access]] has an unknown key 'does'"},
        {"[[access]]\ncached = \"stale\"\nto = 2",
         "[[access]]: 'to' must be \"*\" or the index of a GPU, 0 to 1"},
        {"[[atomic]]\nbits = 32", "[[atomic]]: 'does' is missing"},
        {"[[atomic]]\ndoes = \"dropped\"",
         "'does' must be one of \"lost\" \"twice\" \"torn\" \"not_atomic\""},
        {"[[atomic]]\ndoes = \"lost\"\nbits = 16", "[[atomic]]: 'bits' must be 32, 64 or \"*\""},
        {"[[atomic]]\ndoes = \"lost\"\nbits = \"all\"", "[[atomic]]: 'bits' must be 32, 64 or \"*\""},
        {"[[atomic]]\ndoes = \"lost\"\noperation = \"xor\"", "'operation' must be one of \"*\" \"add\""},
        {"[[atomic]]\ndoes = \"lost\"\nevery = 0", "[[atomic]]: 'every' must be an integer from 1"}};
    for (const auto& [text, message] : rows) expect_refused(two_gpus(text), message);
    std::string many;
    for (int i = 0; i < 17; ++i) many += "[[atomic]]\ndoes = \"lost\"\n";
    expect_refused(two_gpus(many), "at most 16 [[atomic]] tables");
}

TEST(BenchFiles, TextThatIsNotTomlIsRefusedWithItsLine) {
    expect_refused(two_gpus("[pairs\n"), "made-here.toml:9:");
    expect_refused(two_gpus("[?pairs]\n"), "is not TOML");
}

TEST(BenchFiles, ABenchThatIsNotThereIsRefused) {
    expect_refused("no-such-bench", "PEERPROOF_BENCH=no-such-bench: ");
    expect_refused("", "PEERPROOF_BENCH is not set");
}

std::set<std::string> exports(const std::string& library) {
    std::set<std::string> names;
    FILE* list = ::popen((std::string(PEERPROOF_NM) + " -D --defined-only '" + library + "'").c_str(), "r");
    char line[512];
    while (std::fgets(line, sizeof line, list) != nullptr) {
        std::istringstream words(line);
        std::string address, kind, name;
        words >> address >> kind >> name;
        if (kind == "T" || kind == "W") names.insert(name);
    }
    ::pclose(list);
    return names;
}

TEST(Library, ExportsWhatTheRealOneDoesAndItsName) {
    std::set<std::string> real = exports(PEERPROOF_REAL_CUDART);
    std::set<std::string> simulated =
        exports(std::string(PEERPROOF_SIMULATED_LIBRARIES) + "/libcudart.so.13");
    ASSERT_GT(real.size(), 300u);
    EXPECT_EQ(simulated.count("peerproof_simulated_bench@@libcudart.so.13"), 1u);
    // What it gives the other libraries of the simulated bench bears its name.
    std::erase_if(simulated,
                  [](const std::string& name) { return name.starts_with("peerproof_simulated_"); });
    EXPECT_EQ(simulated, real);
}

TEST(Library, NamesAndTextsOfErrorsAreThoseOfTheRealOne) {
    using Text = const char*(int);
    void* real = ::dlopen(PEERPROOF_REAL_CUDART, RTLD_NOW | RTLD_LOCAL);
    void* simulated = ::dlopen((std::string(PEERPROOF_SIMULATED_LIBRARIES) + "/libcudart.so.13").c_str(),
                               RTLD_NOW | RTLD_LOCAL);
    ASSERT_TRUE(real != nullptr && simulated != nullptr) << ::dlerror();
    for (const char* function : {"cudaGetErrorName", "cudaGetErrorString"}) {
        auto* of_real = reinterpret_cast<Text*>(::dlsym(real, function));
        auto* of_simulated = reinterpret_cast<Text*>(::dlsym(simulated, function));
        ASSERT_NE(of_real, of_simulated);
        for (int code = -1; code <= 10001; ++code) EXPECT_STREQ(of_real(code), of_simulated(code)) << code;
    }
}

}  // namespace
}  // namespace peerproof::simulated
