// Every shipped bench through the whole flow: what its file expects is what the suite says. No liar is called
// open and no honest bench anything else.
#include <gtest/gtest.h>
#include <toml++/toml.h>

#include <algorithm>

#include "tests/flow/flow.hpp"

namespace peerproof::flow {
namespace {

std::vector<std::string> bench_names() {
    std::vector<std::string> names;
    for (const auto& file : fs::directory_iterator(fs::path(PEERPROOF_STAGE) / "benches")) {
        if (file.path().extension() == ".toml") names.push_back(file.path().stem());
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::string as_parameter(const std::string& name) {
    std::string parameter = name;
    std::replace_if(
        parameter.begin(), parameter.end(), [](char c) { return !std::isalnum(c); }, '_');
    return parameter;
}

bool is_honest(const std::string& name) {
    return name.starts_with("open-") || name.starts_with("locked-") || name.starts_with("healthy-");
}

std::vector<std::string> texts(const toml::node_view<toml::node>& list) {
    std::vector<std::string> result;
    if (auto* array = list.as_array()) {
        for (auto& item : *array) result.push_back(item.value_or(std::string("not a string")));
    }
    return result;
}

// findings, reasons, what failing pairs have in common: everything that the report says in words.
std::string words_of(const nlohmann::json& report) {
    return reasons(report) + report.at("common_factor").dump() + report.at("findings").dump() +
           report.at("rows").dump();
}

class EveryBench : public testing::TestWithParam<std::string> {};

TEST_P(EveryBench, IsCalledWhatItIs) {
    const std::string name = GetParam();
    toml::table file = toml::parse_file((fs::path(PEERPROOF_STAGE) / "benches" / (name + ".toml")).string());
    auto expect = file["expect"];
    ASSERT_TRUE(expect.is_table()) << "a bench says what must be said of it";
    const std::string verdict = expect["verdict"].value_or(std::string());

    Flow flow;
    flow.set("PEERPROOF_BENCH", name);
    flow.set("PEERPROOF_DEADLINE", std::to_string(expect["deadline"].value_or(20)));
    const Ended ended = flow.ctest({"-j2"});

    if (verdict == "not_listed") {
        EXPECT_EQ(ended.code, 8);
        EXPECT_NE(ended.output.find("bench.could_not_be_listed"), std::string::npos) << ended.output;
        EXPECT_NE(ended.output.find("verdict: no_verdict"), std::string::npos) << ended.output;
        EXPECT_FALSE(flow.has_report());
        return;
    }
    ASSERT_TRUE(flow.has_report()) << ended.output;
    const auto report = flow.report();
    EXPECT_EQ(report.at("verdict"), verdict) << ended.output;
    EXPECT_EQ(report.at("simulated"), name);
    if (!is_honest(name))
        EXPECT_TRUE(verdict != "open" || expect["finding"].is_string()) << "a liar that is called open";
    if (name.starts_with("open-") || name.starts_with("healthy-")) EXPECT_EQ(verdict, "open");
    if (name.starts_with("locked-")) EXPECT_EQ(verdict, "locked");
    for (const char* count : {"pairs", "checks", "failures"}) {
        if (auto number = expect[count].value<int>())
            EXPECT_EQ(report.at("signature").at(count), *number) << count;
    }
    EXPECT_EQ(ended.code, verdict == "open" ? 0 : 8) << ended.output;
    EXPECT_EQ(report.at("exit_code"), verdict == "open" ? 0 : verdict == "no_verdict" ? 75 : 1);
    EXPECT_NE(ended.output.find("verdict"), std::string::npos);
    EXPECT_NE(text_of(flow.session() / "report.txt").find("SIMULATED BENCH " + name), std::string::npos);

    if (auto* outcomes = expect["outcomes"].as_table()) {
        for (auto& [id, outcome] : *outcomes) {
            EXPECT_EQ(flow.outcome(std::string(id.str())), outcome.value_or(std::string())) << id.str();
        }
    }
    if (auto* diagnoses = expect["diagnosis"].as_table()) {
        for (auto& [id, diagnosis] : *diagnoses) {
            const auto steps = flow.record(std::string(id.str())).at("steps");
            const bool said = std::any_of(steps.begin(), steps.end(), [&, d = &diagnosis](const auto& step) {
                return step.at("diagnosis") == d->value_or(std::string());
            });
            EXPECT_TRUE(said) << id.str() << ": " << steps.dump(1);
        }
    }
    for (const std::string& word : texts(expect["words"])) {
        EXPECT_NE(words_of(report).find(word), std::string::npos)
            << word << " is not in " << words_of(report);
    }
    if (auto finding = expect["finding"].value<std::string>()) {
        EXPECT_NE(report.at("findings").dump().find(*finding), std::string::npos)
            << report.at("findings").dump(1);
    }
}

// Expected to be locked, a locked bench is green and everything else red.
TEST_P(EveryBench, IsGreenOnlyWhereThatIsExpected) {
    const std::string name = GetParam();
    toml::table file = toml::parse_file((fs::path(PEERPROOF_STAGE) / "benches" / (name + ".toml")).string());
    Flow flow;
    flow.set("PEERPROOF_BENCH", name);
    flow.set("PEERPROOF_EXPECT", "locked");
    flow.set("PEERPROOF_DEADLINE", std::to_string(file["expect"]["deadline"].value_or(20)));
    const Ended ended = flow.ctest({"-j2"});
    const bool locked = file["expect"]["verdict"].value_or(std::string()) == "locked";
    EXPECT_EQ(ended.code, locked ? 0 : 8) << ended.output;
    if (flow.has_report()) EXPECT_EQ(flow.report().at("as_expected"), locked);
}

INSTANTIATE_TEST_SUITE_P(Benches, EveryBench, testing::ValuesIn(bench_names()),
                         [](const auto& name) { return as_parameter(name.param); });

}  // namespace
}  // namespace peerproof::flow
