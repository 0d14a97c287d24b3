// Every shipped bench through the whole flow: what its file expects is what the suite says. No liar is called
// open and no honest bench anything else.
#include <gtest/gtest.h>
#include <toml++/toml.h>

#include <algorithm>

#include "tests/flow/flow.hpp"
#include "tests/reports/writing/formats_agree.hpp"

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

constexpr int deadline_s = 20;  // of a case: nobody waits for it but benches with a hang, which say less

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

bool has_diagnosis(const nlohmann::json& report, const std::string& word) {
    for (const auto& record : report.at("records")) {
        for (const auto& step : record.at("steps")) {
            if (step.at("diagnosis") == word) return true;
        }
    }
    return false;
}

// The report without its line breaks: what is looked for may be broken anywhere.
std::string unwrapped(const std::string& text) {
    std::string one;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool goes_on = text[i] == '\n' && i + 1 < text.size() && text[i + 1] == ' ';
        if (goes_on) {
            one += ' ';
            while (i + 1 < text.size() && text[i + 1] == ' ') ++i;
        } else {
            one += text[i];
        }
    }
    return one;
}

// What a bench file may say under [expect]; a misspelt key would be an expectation that nobody checks.
void expect_known_keys(const toml::table& expect) {
    for (const auto& [key, value] : expect) {
        const std::string name(key.str());
        const bool known = name == "verdict" || name == "pairs" || name == "checks" || name == "failures" ||
                           name == "outcomes" || name == "diagnoses" || name == "common" ||
                           name == "findings" || name == "deadline" || name == "large_mib" ||
                           name == "collective" || name == "ways" || name == "crowd" || name == "soak" ||
                           name == "report" || name == "series";
        EXPECT_TRUE(known) << "[expect] " << name;
    }
}

class EveryBench : public testing::TestWithParam<std::string> {};

TEST_P(EveryBench, IsCalledWhatItIs) {
    const std::string name = GetParam();
    toml::table file = toml::parse_file((fs::path(PEERPROOF_STAGE) / "benches" / (name + ".toml")).string());
    auto expect = file["expect"];
    ASSERT_TRUE(expect.is_table()) << "a bench says what must be said of it";
    expect_known_keys(*expect.as_table());
    const std::string verdict = expect["verdict"].value_or(std::string());

    Flow flow;
    flow.set("PEERPROOF_BENCH", name);
    flow.set("PEERPROOF_DEADLINE", std::to_string(expect["deadline"].value_or(deadline_s)));
    if (const auto mib = expect["large_mib"].value<int>())
        flow.set("PEERPROOF_LARGE_MIB", std::to_string(*mib));
    const auto collective = expect["collective"].value<std::string>();
    if (collective) flow.set("PEERPROOF_COLLECTIVE", "on");
    const auto ways = expect["ways"].value<std::string>();
    if (ways) flow.set("PEERPROOF_WAYS", "on");
    const auto crowd = expect["crowd"].value<std::string>();
    if (crowd || is_honest(name)) flow.set("PEERPROOF_CROWD", "on");
    if (const auto soak = expect["soak"].value<std::string>()) flow.set("PEERPROOF_SOAK", *soak);
    if (expect["report"]) flow.set("PEERPROOF_MEASUREMENTS", "brief");
    const Ended ended = flow.ctest({"-j2"});

    ASSERT_TRUE(flow.has_report()) << ended.output;
    const auto report = flow.report();
    EXPECT_EQ(report.at("verdict"), verdict) << ended.output;
    const std::string show = flow.program("peerproof-report", {"show", flow.session().string()}).output;
    for (const std::string& one : disagreements(formats_in(flow.session(), show))) ADD_FAILURE() << one;
    if (report.at("plan").is_null()) {  // the bench could not even be listed
        EXPECT_EQ(ended.code, 8);
        EXPECT_NE(ended.output.find("bench.could_not_be_listed"), std::string::npos) << ended.output;
        EXPECT_NE(ended.output.find("verdict: no_verdict"), std::string::npos) << ended.output;
        return;
    }
    EXPECT_EQ(report.at("simulated"), name);
    if (!is_honest(name)) {
        // A lie outside the core, of the staging, say, leaves an open bench open and must be a finding. One that comes in a
        // later run is found by many (runs_test.cpp).
        EXPECT_TRUE(verdict != "open" || expect["findings"].is_array() || expect["series"].is_string())
            << "a liar that is called open";
    }
    if (name.starts_with("open-") || name.starts_with("healthy-")) {
        EXPECT_EQ(verdict, "open");
    }
    if (name.starts_with("locked-")) {
        EXPECT_EQ(verdict, "locked");
    }
    for (const char* count : {"pairs", "checks", "failures"}) {
        if (auto number = expect[count].value<int>()) {
            EXPECT_EQ(report.at("signature").at(count), *number) << count;
        }
    }
    EXPECT_EQ(ended.code, verdict == "open" ? 0 : 8) << ended.output;
    EXPECT_EQ(report.at("exit_code"), verdict == "open" ? 0 : verdict == "no_verdict" ? 75 : 1);
    EXPECT_NE(ended.output.find("verdict"), std::string::npos);
    EXPECT_NE(text_of(flow.session() / "report.txt").find("SIMULATED BENCH " + name), std::string::npos);

    if (collective) {
        EXPECT_NE(report.at("collective").dump().find(*collective), std::string::npos)
            << report.at("collective");
        EXPECT_NE(text_of(flow.session() / "report.txt").find(*collective), std::string::npos);
    }
    if (ways) {
        const std::string line = report.at("ways").at("line");
        EXPECT_NE(line.find(*ways), std::string::npos) << line;
        EXPECT_NE(text_of(flow.session() / "report.txt").find("\nways: " + line + "\n"), std::string::npos);
        // A bench that lies in one way lies in no other: each way is a safeguard of its own.
        for (const auto& record : report.at("records")) {
            const std::string check = record.at("check"), outcome = record.at("outcome");
            if (verdict != "suspect" || record.at("family") != "way" || ways->starts_with(check + " "))
                continue;
            EXPECT_TRUE(outcome == "delivered" || outcome == "not_applicable")
                << record.at("case") << ": " << outcome;
        }
    }
    if (crowd) {
        const std::string line = report.at("crowd");
        EXPECT_NE(line.find(*crowd), std::string::npos) << line;
        EXPECT_NE(text_of(flow.session() / "report.txt").find("\ncrowd: " + line + "\n"), std::string::npos);
    }
    if (auto* outcomes = expect["outcomes"].as_table()) {
        for (auto& [id, outcome] : *outcomes) {
            EXPECT_EQ(flow.outcome(std::string(id.str())), outcome.value_or(std::string())) << id.str();
        }
    }
    const std::string text = unwrapped(text_of(flow.session() / "report.txt"));
    for (const std::string& words : texts(expect["report"])) {
        EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
    }
    for (const std::string& word : texts(expect["diagnoses"])) {
        EXPECT_TRUE(has_diagnosis(report, word)) << "nobody was diagnosed with: " << word;
    }
    for (const std::string& word : texts(expect["common"])) {
        EXPECT_NE(report.at("common_factor").dump().find(word), std::string::npos)
            << report.at("common_factor");
    }
    for (const std::string& word : texts(expect["findings"])) {
        EXPECT_NE(report.at("findings").dump().find(word), std::string::npos)
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
    if (name.starts_with("locked-") && file["expect"]["collective"]) flow.set("PEERPROOF_COLLECTIVE", "on");
    if (name.starts_with("locked-") && file["expect"]["ways"]) flow.set("PEERPROOF_WAYS", "on");
    flow.set("PEERPROOF_DEADLINE", std::to_string(file["expect"]["deadline"].value_or(deadline_s)));
    if (const auto mib = file["expect"]["large_mib"].value<int>())
        flow.set("PEERPROOF_LARGE_MIB", std::to_string(*mib));
    const Ended ended = flow.ctest({"-j2"});
    const bool locked = file["expect"]["verdict"].value_or(std::string()) == "locked";
    EXPECT_EQ(ended.code, locked ? 0 : 8) << ended.output;
    if (flow.has_report()) {
        EXPECT_EQ(flow.report().at("as_expected"), locked);
    }
}

INSTANTIATE_TEST_SUITE_P(Benches, EveryBench, testing::ValuesIn(bench_names()),
                         [](const auto& name) { return as_parameter(name.param); });

}  // namespace
}  // namespace peerproof::flow
