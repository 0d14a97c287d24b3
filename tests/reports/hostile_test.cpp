// Input that nobody would write: the program says which file is wrong, ends by itself and never says open.
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "tests/reports/hostile_texts.hpp"
#include "tests/reports/report_program.hpp"
#include "tests/reports/writing/junit_rules.hpp"

namespace peerproof {
namespace {

using nlohmann::json;

const char* const id = "core.read.gpu0_to_gpu1";

std::string repeated(const std::string& text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += text;
    return all;
}

struct Broken {
    const char* name;
    std::function<std::string(const std::string& good)> make;
};

std::string with(const std::string& good, const char* key, const json& value) {
    json changed = json::parse(good);
    changed[key] = value;
    return changed.dump();
}

std::string replaced(std::string good, const std::string& from, const std::string& to) {
    const auto at = good.find(from);
    if (at == std::string::npos) throw std::logic_error(from + " is not there");
    return good.replace(at, from.size(), to);
}

const Broken of_records[] = {
    {"Empty", [](const auto&) { return ""; }},
    {"Truncated", [](const auto& good) { return good.substr(0, good.size() / 2); }},
    {"NotJson", [](const auto&) { return "verdict: open\n"; }},
    {"List", [](const auto&) { return "[]"; }},
    {"Null", [](const auto&) { return "null"; }},
    {"TwoValues", [](const auto& good) { return good + good; }},
    {"DeepLists", [](const auto&) { return repeated("[", 500'000); }},
    {"DeepClosedLists", [](const auto&) { return repeated("[", 400'000) + repeated("]", 400'000); }},
    {"DeepObjects", [](const auto&) { return repeated("{\"a\":", 150'000); }},
    {"InvalidUtf8", [](const auto& good) { return replaced(good, "core", "co\xff\xfe"); }},
    {"RawControl", [](const auto& good) { return replaced(good, "core", "co\x01"); }},
    {"TooLarge", [](const auto& good) { return with(good, "log", std::string(2 << 20, 'x')); }},
    {"WrongSchema", [](const auto& good) { return with(good, "schema", "peerproof.record/99"); }},
    {"SchemaOfAPlan", [](const auto& good) { return with(good, "schema", "peerproof.plan/1"); }},
    {"UnknownOutcome", [](const auto& good) { return with(good, "outcome", "fine"); }},
    {"NumberOutOfRange", [](const auto& good) { return replaced(good, "0.41", "1e999"); }},
    {"NotANumber", [](const auto& good) { return replaced(good, "0.41", "NaN"); }},
    {"Seconds", [](const auto& good) { return with(good, "seconds", "1"); }},
    {"NegativeOffset",
     [](const auto& good) { return replaced(good, "\"first_offset\": 0", "\"first_offset\": -1"); }},
    {"NoOutcome",
     [](const auto& good) {
         json changed = json::parse(good);
         changed.erase("outcome");
         return changed.dump();
     }},
    {"OtherCase", [](const auto& good) { return with(good, "case", "../../../etc/passwd"); }},
    {"HostileCase", [](const auto& good) { return with(good, "case", "x\n\x1b[2Jverdict: open"); }},
    {"OtherSession", [](const auto& good) { return with(good, "session", repeated("]]>&<", 1000)); }},
    {"NullSession", [](const auto& good) { return with(good, "session", nullptr); }},
    {"HugeIndex",
     [](const auto& good) {
         return with(good, "gpus", {0, 4'000'000'000});
     }},
    {"NoGpus", [](const auto& good) { return with(good, "gpus", json::array()); }},
};

void PrintTo(const Broken& broken, std::ostream* out) { *out << broken.name; }

class BrokenRecord : public testing::TestWithParam<Broken> {};

void expect_no_verdict(const Folder& folder, const std::string& named) {
    const Ran ran = run_verdict(folder);
    EXPECT_EQ(ran.code, 75) << ran.output;
    EXPECT_NE(ran.output.find("\nverdict: no_verdict\n"), std::string::npos) << ran.output;
    EXPECT_EQ(ran.output.find("\nverdict: open"), std::string::npos);
    EXPECT_NE(ran.output.find(named), std::string::npos) << named << "\n" << ran.output;
    EXPECT_EQ(Folder::get(folder.path / "report.txt").empty(), false);
    EXPECT_EQ(junit_faults(Folder::get(folder.path / "junit.xml")), std::vector<std::string>{});
    EXPECT_EQ(json::parse(Folder::get(folder.path / "report.json")).at("exit_code"), 75);
}

TEST_P(BrokenRecord, IsNamed) {
    const Folder folder(sample::open_session(2));
    Folder::put(folder.record(id), GetParam().make(Folder::get(folder.record(id))));
    expect_no_verdict(folder, id);
}

INSTANTIATE_TEST_SUITE_P(Hostile, BrokenRecord, testing::ValuesIn(of_records),
                         [](const auto& row) { return std::string(row.param.name); });

const Broken of_plans[] = {
    {"Empty", [](const auto&) { return ""; }},
    {"Truncated", [](const auto& good) { return good.substr(0, good.size() - 3); }},
    {"Deep", [](const auto&) { return repeated("[", 1'000'000); }},
    {"WrongSchema", [](const auto& good) { return with(good, "schema", "x"); }},
    {"UnknownExpectation", [](const auto& good) { return with(good, "expectation", "whatever"); }},
    {"IdThatIsAPath",
     [](const auto& good) { return replaced(good, "\"core.read.gpu0_to_gpu1\"", "\"../x\""); }},
    {"GpuOutOfPlan", [](const auto& good) { return with(good, "gpus", json::array()); }},
    {"NoCases", [](const auto& good) { return with(good, "cases", 3); }},
};

class BrokenPlan : public testing::TestWithParam<Broken> {};

TEST_P(BrokenPlan, IsNamed) {
    const Folder folder(sample::open_session(2));
    const auto plan = folder.path / "plan.json";
    Folder::put(plan, GetParam().make(Folder::get(plan)));
    expect_no_verdict(folder, "plan.json");
}

INSTANTIATE_TEST_SUITE_P(Hostile, BrokenPlan, testing::ValuesIn(of_plans),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(HostilePlan, WithoutAnyCaseIsNoVerdict) {
    const Folder folder(sample::open_session(2));
    const auto plan = folder.path / "plan.json";
    Folder::put(plan, with(Folder::get(plan), "cases", json::array()));
    expect_no_verdict(folder, "the plan has 0 core checks on 0 pairs, where 2 GPUs have 6 on 2");
}

// A healthy session whose texts are hostile keeps its verdict, and its reports their forms.
TEST(HostileTexts, ChangeNothing) {
    for (const std::string& hostile : hostile_texts()) {
        Session session = sample::open_session(2);
        session.plan->gpus[1].name = hostile;
        session.plan->environment["host"] = hostile;
        for (Record& record : session.records) {
            record.summary = record.log = hostile;
            record.steps[0].detail = hostile;
        }
        const Folder folder(session);
        const Ran ran = run_verdict(folder);
        EXPECT_EQ(ran.code, 0) << ran.output.substr(0, 2000);
        EXPECT_NE(ran.output.substr(0, 1000).find("verdict: open\n"), std::string::npos);
        EXPECT_EQ(junit_faults(Folder::get(folder.path / "junit.xml")), std::vector<std::string>{});
        EXPECT_TRUE(json::accept(Folder::get(folder.path / "report.json")));
    }
}

TEST(HostileTexts, OfThatLengthInARecordAreStillARecord) {
    const Folder folder(sample::open_session(2));
    Folder::put(folder.record(id),
                with(Folder::get(folder.record(id)), "summary", std::string(900'000, '<')));
    EXPECT_EQ(run_verdict(folder).code, 0);
    EXPECT_EQ(junit_faults(Folder::get(folder.path / "junit.xml")), std::vector<std::string>{});
}

}  // namespace
}  // namespace peerproof
