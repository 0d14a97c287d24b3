#include "session/baseline.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "session/format.hpp"
#include "session/json.hpp"

namespace peerproof {
namespace {

namespace fs = std::filesystem;
using Outcomes = std::vector<Outcome>;
const Outcomes yes{Outcome::delivered}, fault{Outcome::illegal_address};

Plan bench(int count) {
    Plan plan{.session = "monday", .suite = "0.1.0", .started = "2026-11-30T05:15:00Z"};
    plan.environment = {{"kernel", "6.1"}, {"driver", "580"}, {"boot_id", "b1"}};
    for (int i = 0; i < count; ++i)
        plan.gpus.push_back({i, format("GPU-{}", i), format("0000:0{}:00.0", i), "GPU", 64, "9.0"});
    const auto add = [&](Family family, const std::string& check, std::vector<int> gpus,
                         const std::string& place) {
        plan.cases.push_back({format("{}.{}.{}", to_string(family), check, place),
                              "T",
                              family,
                              check,
                              std::move(gpus),
                              yes,
                              {},
                              true,
                              check});
    };
    for (int a = 0; a < count; ++a) {
        for (int b = 0; b < count; ++b) {
            if (a == b) continue;
            for (const char* check : {"copy", "read", "write"})
                add(Family::core, check, {a, b}, place_name({a, b}));
            add(Family::measurement, "read_bandwidth", {a, b}, place_name({a, b}));
            for (const char* way : {"ipc", "vmm"}) {
                add(Family::way, way, {a, b}, place_name({a, b}));
                plan.cases.back().accepted = {Outcome::delivered, Outcome::refused, Outcome::not_applicable};
            }
            if (a < b) add(Family::collective, "all_reduce", {a, b}, format("gpu{}_gpu{}", a, b));
        }
    }
    return plan;
}

AcceptedIfLocked if_locked(const Plan& plan) {
    AcceptedIfLocked all;
    for (const Case& one : plan.cases) {
        all[one.id] = one.check == "copy"                ? Outcomes{Outcome::delivered, Outcome::refused}
                      : one.family == Family::collective ? Outcomes{Outcome::refused}
                      : one.family == Family::way ? Outcomes{Outcome::illegal_address, Outcome::refused}
                                                  : fault;
    }
    return all;
}

// A report of that bench in which every core check delivered.
nlohmann::json report_of(const Plan& plan) {
    nlohmann::json records = nlohmann::json::array();
    for (const Case& one : plan.cases) {
        Record record{.session = plan.session, .case_id = one.id, .test = one.test, .family = one.family};
        record.check = one.check;
        record.gpus = one.gpus;
        record.finished = true;
        record.outcome = Outcome::delivered;
        record.steps = {{.name = "word", .outcome = Outcome::delivered, .bytes = 8}};
        records.push_back(to_json(record));
    }
    return {{"schema", "peerproof.report/3"},
            {"verdict", "partial"},
            {"plan", to_json(plan)},
            {"records", records}};
}

nlohmann::json& record_of(nlohmann::json& report, const std::string& id) {
    for (auto& record : report["records"]) {
        if (record["case"] == id) return record;
    }
    throw std::runtime_error("no record of " + id);
}

void observe(nlohmann::json& report, const std::string& id, const char* outcome) {
    auto& record = record_of(report, id);
    record["outcome"] = outcome;
    record["steps"][0]["outcome"] = outcome;
}

class BaselineFile : public testing::Test {
  protected:
    BaselineFile() {
        char name[] = "/tmp/peerproof baseline XXXXXX";
        if (::mkdtemp(name) == nullptr) throw std::runtime_error("no temporary folder");
        folder = name;
    }
    ~BaselineFile() override { fs::remove_all(folder); }

    fs::path written(const std::string& name, const std::string& text) const {
        std::ofstream(folder / name) << text;
        return folder / name;
    }
    Plan expected(const fs::path& file, int gpus = 3) const {
        Plan plan = bench(gpus);
        plan.expectation = Expectation::baseline;
        expect_as_in(file, if_locked(plan), plan);
        return plan;
    }
    Plan by_hand(const std::string& toml) const { return expected(written("expect.toml", toml)); }
    Plan by_report(const nlohmann::json& report) const {
        return expected(written("report.json", report.dump()));
    }
    static std::string refused(const std::function<void()>& read) {
        try {
            read();
        } catch (const FormatError& error) {
            return error.what();
        }
        return "accepted";
    }
    static Outcomes accepted(const Plan& plan, const std::string& id) { return plan.find(id)->accepted; }

    fs::path folder;
};

TEST_F(BaselineFile, WrittenByHandNamesPairsByIndexBusIdOrUuid) {
    for (const char* gpu : {"gpu1", "0000:01:00.0", "GPU-1"}) {
        const Plan plan =
            by_hand(format("[[pair]]\nsource = 'gpu0'\ndestination = '{}'\nexpect = 'locked'\n", gpu));
        EXPECT_EQ(accepted(plan, "core.read.gpu0_to_gpu1"), fault);
        EXPECT_EQ(accepted(plan, "core.copy.gpu0_to_gpu1"), (Outcomes{Outcome::delivered, Outcome::refused}));
        EXPECT_EQ(accepted(plan, "measurement.read_bandwidth.gpu0_to_gpu1"), fault);
        EXPECT_EQ(accepted(plan, "core.read.gpu1_to_gpu0"), yes) << "the way back is another pair";
        EXPECT_EQ(accepted(plan, "collective.all_reduce.gpu0_gpu1"),
                  (Outcomes{Outcome::delivered, Outcome::refused}))
            << "one direction open, one locked";
        EXPECT_EQ(accepted(plan, "collective.all_reduce.gpu0_gpu2"), yes);
        EXPECT_EQ(plan.baseline->of, "written by hand");
        EXPECT_TRUE(plan.baseline->differs.empty());
    }
}

TEST_F(BaselineFile, WrittenByHandMayTurnTheRestAndBothDirections) {
    const Plan plan = by_hand(
        "others = 'locked'\n[[pair]]\nsource = 'gpu0'\ndestination = 'gpu2'\nexpect = 'open'\nbidirectional "
        "= "
        "true\n");
    EXPECT_EQ(accepted(plan, "core.read.gpu0_to_gpu2"), yes);
    EXPECT_EQ(accepted(plan, "core.write.gpu2_to_gpu0"), yes);
    EXPECT_EQ(accepted(plan, "core.write.gpu1_to_gpu0"), fault);
    EXPECT_EQ(accepted(plan, "collective.all_reduce.gpu0_gpu1"), Outcomes{Outcome::refused});
}

TEST_F(BaselineFile, WrittenByHandMaySayEachCheck) {
    const Plan plan = by_hand(
        "[[pair]]\nsource = 'gpu0'\ndestination = 'gpu1'\ncopy = 'refused'\nread = 'illegal_address'\n"
        "write = 'delivered'\n");
    EXPECT_EQ(accepted(plan, "core.copy.gpu0_to_gpu1"), Outcomes{Outcome::refused});
    EXPECT_EQ(accepted(plan, "core.read.gpu0_to_gpu1"), fault);
    EXPECT_EQ(accepted(plan, "core.write.gpu0_to_gpu1"), yes);
    EXPECT_EQ(accepted(plan, "measurement.read_bandwidth.gpu0_to_gpu1"),
              (Outcomes{Outcome::delivered, Outcome::illegal_address}));
}

TEST_F(BaselineFile, WrittenByHandMaySayWaysBesideTheRest) {
    const Plan plan = by_hand(
        "[[pair]]\nsource = 'gpu0'\ndestination = 'gpu1'\nexpect = 'open'\nipc = 'refused'\nvmm = "
        "'not_applicable'\n[[pair]]\nsource = 'gpu1'\ndestination = 'gpu0'\nexpect = 'locked'\nipc = "
        "'illegal_address'\n");
    EXPECT_EQ(accepted(plan, "way.ipc.gpu0_to_gpu1"), Outcomes{Outcome::refused});
    EXPECT_EQ(accepted(plan, "way.vmm.gpu0_to_gpu1"), Outcomes{Outcome::not_applicable});
    EXPECT_EQ(accepted(plan, "way.ipc.gpu1_to_gpu0"), fault);
    EXPECT_EQ(accepted(plan, "way.vmm.gpu1_to_gpu0"), if_locked(bench(3)).at("way.vmm.gpu1_to_gpu0"))
        << "nothing is said of it: what a locked pair may give";
    EXPECT_EQ(accepted(plan, "way.ipc.gpu0_to_gpu2"), bench(3).find("way.ipc.gpu0_to_gpu2")->accepted);
    EXPECT_EQ(accepted(plan, "core.read.gpu0_to_gpu1"), yes);
}

TEST_F(BaselineFile, WrittenByHandIsRefusedWithItsLine) {
    const std::string pair = "[[pair]]\nsource = 'gpu0'\ndestination = 'gpu1'\n";
    const std::pair<std::string, const char*> wrong[] = {
        {"", "says nothing"},
        {"other = 'open'\n", "expect.toml:1: 'other' is unknown here: known are others, pair"},
        {"others = 'shut'\n", "expect.toml:1: 'others' must be open or locked"},
        {"others = 'baseline'\n", "'others' must be open or locked"},
        {"others = 3\n", "'others' must be a string"},
        {"others = \n", "expect.toml:1: is not TOML"},
        {"[?[pair]]\n", "expect.toml: is not TOML"},
        {"others\xc8\x8d = 'open'\n", "expect.toml:1: is not TOML"},
        {"pair = 3\n", "'pair' must be [[pair]] tables"},
        {pair, "needs 'expect', or the outcome of each of copy, read and write"},
        {pair + "read = 'delivered'\n", "needs 'expect', or the outcome of each"},
        {pair + "ipc = 'delivered'\n", "needs 'expect', or the outcome of each"},
        {pair + "expect = 'open'\nipx = 'refused'\n", "'ipx' is unknown here: known are source"},
        {pair + "expect = 'open'\nipc = 'wrong'\n",
         "expect.toml:5: 'ipc' must be delivered, illegal_address, refused or not_applicable"},
        {pair + "expect = 'open'\nipc = 'illegal_address'\n",
         "expect.toml:5: 'ipc' cannot be illegal_address where copy, read and write deliver"},
        {pair + "copy = 'delivered'\nread = 'delivered'\nwrite = 'delivered'\npool = 'illegal_address'\n",
         "'pool' cannot be illegal_address where copy, read and write deliver"},
        {pair + "expect = 'open'\nread = 'delivered'\n", "give either 'expect' or the outcomes"},
        {pair + "expect = 'open'\nbidirectional = 1\n", "'bidirectional' must be true or false"},
        {pair + "expect = 'open'\nboth_ways = 1\n", "'both_ways' must be true or false"},
        {pair + "expect = 'open'\nboth_ways = true\nbidirectional = false\n",
         "'both_ways' is the earlier name of 'bidirectional', which is there too"},
        {pair + "expect = 'open'\n" + pair + "expect = 'open'\n",
         "expect.toml:5: the pair from gpu0 to gpu1 is there twice"},
        {pair + "copy = 'delivered'\nread = 'missing'\nwrite = 'delivered'\n",
         "expect.toml:5: 'read' must be delivered, illegal_address or refused: nothing else can be expected"},
        {pair + "copy = 'delivered'\nread = 'x'\nwrite = 'delivered'\n", "'read' must be delivered"},
        {"[[pair]]\nsource = 'gpu0'\nexpect = 'open'\n", "a [[pair]] needs 'destination'"},
        {"[[pair]]\nsource = 'gpu3'\ndestination = 'gpu1'\nexpect = 'open'\n",
         "expect.toml:2: 'source': there is no GPU 'gpu3' on this bench; there are gpu0 (0000:00:00.0, "
         "GPU-0)"},
        {"[[pair]]\nsource = 'gpu1'\ndestination = 'gpu1'\nexpect = 'open'\n", "are the same GPU"},
    };
    for (const auto& [toml, message] : wrong) {
        const std::string said = refused([&, text = toml] { by_hand(text); });
        EXPECT_NE(said.find(message), std::string::npos) << toml << "\n" << said;
    }
    EXPECT_NE(refused([&] { expected(folder / "none.toml"); }).find("No such file"), std::string::npos);
}

TEST_F(BaselineFile, AnEarlierRunSaysWhatEachCheckMayBe) {
    nlohmann::json report = report_of(bench(3));
    observe(report, "core.read.gpu0_to_gpu1", "illegal_address");
    observe(report, "core.write.gpu0_to_gpu1", "illegal_address");
    const Plan plan = by_report(report);
    EXPECT_EQ(accepted(plan, "core.read.gpu0_to_gpu1"), fault);
    EXPECT_EQ(accepted(plan, "core.copy.gpu0_to_gpu1"), yes) << "as it was there, and no other";
    EXPECT_EQ(accepted(plan, "measurement.read_bandwidth.gpu0_to_gpu1"), fault);
    EXPECT_EQ(accepted(plan, "core.read.gpu1_to_gpu0"), yes);
    EXPECT_EQ(plan.baseline->of, "session monday, verdict partial");
    EXPECT_TRUE(plan.baseline->differs.empty());
    // Its folder is as good as its file.
    EXPECT_EQ(expected(folder).baseline->file, (folder / "report.json").string());
}

TEST_F(BaselineFile, AnEarlierRunSaysWhatEachWayMayBe) {
    nlohmann::json report = report_of(bench(3));
    observe(report, "way.ipc.gpu0_to_gpu1", "refused");
    observe(report, "way.vmm.gpu0_to_gpu1", "not_applicable");
    observe(report, "way.ipc.gpu2_to_gpu1", "inconclusive");
    observe(report, "core.read.gpu1_to_gpu0", "illegal_address");
    observe(report, "core.write.gpu1_to_gpu0", "illegal_address");
    observe(report, "way.ipc.gpu1_to_gpu0", "illegal_address");
    const Plan plan = by_report(report);
    EXPECT_EQ(accepted(plan, "way.ipc.gpu0_to_gpu1"), Outcomes{Outcome::refused});
    EXPECT_EQ(accepted(plan, "way.vmm.gpu0_to_gpu1"), Outcomes{Outcome::not_applicable});
    EXPECT_EQ(accepted(plan, "way.ipc.gpu0_to_gpu2"), yes) << "as it was there, and no other";
    EXPECT_EQ(accepted(plan, "way.ipc.gpu1_to_gpu0"), fault);
    EXPECT_EQ(accepted(plan, "way.ipc.gpu2_to_gpu1"), bench(3).find("way.ipc.gpu2_to_gpu1")->accepted)
        << "of which nothing was known";
    EXPECT_EQ(accepted(plan, "core.read.gpu0_to_gpu1"), yes);
}

TEST_F(BaselineFile, GpusAreFoundByUuidAndElseByTheirPlace) {
    Plan there = bench(3);
    nlohmann::json report = report_of(there);
    observe(report, "core.read.gpu0_to_gpu1", "illegal_address");
    std::swap(report["plan"]["gpus"][0]["uuid"], report["plan"]["gpus"][2]["uuid"]);
    EXPECT_EQ(accepted(by_report(report), "core.read.gpu2_to_gpu1"), fault);
    EXPECT_EQ(accepted(by_report(report), "core.read.gpu0_to_gpu1"), yes);

    report["plan"]["gpus"][0]["uuid"] = "GPU-another";
    const Plan plan = by_report(report);
    EXPECT_EQ(accepted(plan, "core.read.gpu0_to_gpu1"), fault);
    ASSERT_EQ(plan.baseline->differs.size(), 1u);
    EXPECT_NE(plan.baseline->differs[0].find("gpus: "), std::string::npos);
    EXPECT_NE(plan.baseline->differs[0].find("GPU-another"), std::string::npos);
}

TEST_F(BaselineFile, AnotherFingerprintIsSaid) {
    nlohmann::json report = report_of(bench(3));
    report["plan"]["environment"]["driver"] = "590";
    report["plan"]["environment"]["boot_id"] = "b0";
    EXPECT_EQ(by_report(report).baseline->differs,
              (std::vector<std::string>{"boot_id: b0 there, b1 here", "driver: 590 there, 580 here"}));
}

TEST_F(BaselineFile, ARunThatSaysNothingHonestIsNoBaseline) {
    const nlohmann::json good = report_of(bench(3));
    const std::pair<std::function<void(nlohmann::json&)>, const char*> wrong[] = {
        {[](auto& r) { r["verdict"] = "silent"; }, "is silent: only a run that was open, locked or partial"},
        {[](auto& r) { r["verdict"] = "suspect"; }, "is suspect"},
        {[](auto& r) { r["verdict"] = "no_verdict"; }, "is no_verdict"},
        {[](auto& r) { r["schema"] = "peerproof.plan/2"; }, "only the report.json of a run is a baseline"},
        {[](auto& r) { r["plan"] = nullptr; }, "report.json"},
        {[](auto& r) { r["plan"]["self_check"] = true; }, "is of a self-check"},
        {[](auto& r) { r["plan"]["simulated"] = "open-x3"; },
         "is of a simulated bench, and this one is real"},
        {[](auto& r) {
             r["plan"]["gpus"].erase(2);
             r["plan"]["cases"].clear();
         },
         "is of a bench with 2 GPUs, and this one has 3"},
        {[](auto& r) { observe(r, "core.read.gpu0_to_gpu1", "missing"); },
         "core.read.gpu0_to_gpu1 is missing: that cannot be expected"},
        {[](auto& r) { observe(r, "core.read.gpu0_to_gpu1", "wrong"); }, "is wrong"},
        {[](auto& r) { observe(r, "core.write.gpu0_to_gpu1", "hung"); }, "is hung"},
        {[](auto& r) { observe(r, "core.write.gpu0_to_gpu1", "inconclusive"); }, "is inconclusive"},
        {[](auto& r) { record_of(r, "core.copy.gpu2_to_gpu1")["outcome"] = "illegal_address"; },
         "core.copy.gpu2_to_gpu1 came part of the way"},
        {[](auto& r) { record_of(r, "core.copy.gpu2_to_gpu1")["steps"][0]["outcome"] = "wrong"; },
         "came part of the way"},
        {[](auto& r) { record_of(r, "core.copy.gpu2_to_gpu1")["state"] = "started"; }, "did not finish"},
        {[](auto& r) { r["records"].push_back(record_of(r, "core.copy.gpu2_to_gpu1")); }, "has two records"},
        {[](auto& r) { r["records"].push_back(record_of(r, "way.ipc.gpu2_to_gpu1")); },
         "way.ipc.gpu2_to_gpu1 has two records"},
        {[](auto& r) { observe(r, "way.ipc.gpu2_to_gpu1", "wrong"); },
         "way.ipc.gpu2_to_gpu1 is wrong: that cannot be expected of a bench"},
        {[](auto& r) { observe(r, "way.vmm.gpu2_to_gpu1", "hung"); }, "way.vmm.gpu2_to_gpu1 is hung"},
        {[](auto& r) { observe(r, "way.ipc.gpu2_to_gpu1", "illegal_address"); },
         "the ipc from gpu2 to gpu1 is illegal_address where copy, read and write delivered"},
        {[](auto& r) { r["records"].clear(); }, "has no record of the copy from gpu0 to gpu1"},
    };
    for (const auto& [spoil, message] : wrong) {
        nlohmann::json report = good;
        spoil(report);
        const std::string said = refused([&] { by_report(report); });
        EXPECT_NE(said.find(message), std::string::npos) << said;
    }
    EXPECT_NE(refused([&] { expected(written("report.json", "{\"schema\": \"peerpr")); }).find("report.json"),
              std::string::npos);
}

TEST(Fingerprint, IsOfGpusDriverKernelBootAndNccl) {
    const Plan plan = bench(2);
    const Fingerprint print = fingerprint_of(plan);
    EXPECT_EQ(print.at("gpus"), "GPU GPU-0, GPU GPU-1");
    EXPECT_EQ(code_of(print).size(), 16u);
    EXPECT_EQ(code_of(print), code_of(fingerprint_of(plan)));
    for (const char* name : {"driver", "kernel", "boot_id", "nccl"}) {
        Plan other = plan;
        other.environment[name] = "another";
        EXPECT_NE(code_of(fingerprint_of(other)), code_of(print)) << name;
        EXPECT_EQ(differences(print, fingerprint_of(other)).size(), 1u) << name;
    }
    Plan other = plan;
    other.gpus[1].uuid = "GPU-2";
    EXPECT_NE(code_of(fingerprint_of(other)), code_of(print));
    other = plan;
    other.environment["host"] = "another";
    EXPECT_EQ(code_of(fingerprint_of(other)), code_of(print)) << "a host may be renamed";
}

TEST(Fingerprint, TheDriverIsNamedByWhoeverKnowsIt) {
    Plan plan = bench(2);
    plan.environment.erase("driver");
    plan.environment["driver_supports_cuda"] = "13.0";
    EXPECT_EQ(fingerprint_of(plan).at("driver"), "one that supports CUDA 13.0");
    plan.hints = {{"driver_version", Hint::none, Hint::none, "580.1", "NVML"}};
    EXPECT_EQ(fingerprint_of(plan).at("driver"), "580.1");
}

}  // namespace
}  // namespace peerproof
