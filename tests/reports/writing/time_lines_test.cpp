// Where the time went, in each format.
#include "reports/writing/time_lines.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/judging/judge.hpp"
#include "reports/writing/html/html_report.hpp"
#include "reports/writing/json_report.hpp"
#include "reports/writing/text_report.hpp"
#include "tests/reports/sample_session.hpp"

namespace peerproof {
namespace {

bool says(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

// Eighteen core checks one after the other, of 1 s each but one; the controls took no time.
Session session() {
    Session made = sample::open_session(3);
    int second = 10;
    for (Record& record : made.records) {
        const bool core = record.family == Family::core;
        record.seconds = record.case_id == "core.read.gpu2_to_gpu1" ? 0.5 : core ? 1 : 0;
        record.started = core ? "2026-12-01T05:15:" + std::to_string(second++) + ".000Z" : "";
    }
    return made;
}

TEST(TimeWent, IsInTheTextReport) {
    const Session made = session();
    const std::string text = text_report(judge(made), made);
    EXPECT_TRUE(says(text,
                     "Where the time went\n-------------------\n"
                     "18.0 s by the clock for 17.5 s of cases (1.0 at once); 3 % of it no case ran\n"))
        << text;
    EXPECT_TRUE(says(text, "core             18       17.5         97 %  core.copy.gpu0_to_gpu1 1.00 s\n"))
        << text;
}

TEST(TimeWent, IsOnThePage) {
    const Session made = session();
    const std::string page = html_report(judge(made), made);
    EXPECT_TRUE(says(page, "18.0 s by the clock for 17.5 s of cases"));
    EXPECT_TRUE(says(page, "core.copy.gpu0_to_gpu1 1.00 s, core.read.gpu0_to_gpu1 1.00 s"));
}

TEST(TimeWent, IsForPrograms) {
    const Session made = session();
    const auto time = nlohmann::json::parse(json_report(judge(made), made)).at("time");
    EXPECT_EQ(time.at("clock_seconds"), 18.0);
    EXPECT_EQ(time.at("case_seconds"), 17.5);
    EXPECT_NEAR(time.at("idle_share").get<double>(), 0.5 / 18, 1e-9);
    EXPECT_EQ(time.at("longest").at(0).at("seconds"), 1.0);
    for (const auto& family : time.at("families")) {
        if (family.at("family") != "core") continue;
        EXPECT_EQ(family.at("cases"), 18);
        EXPECT_NEAR(family.at("clock_share").get<double>(), 17.5 / 18, 1e-9);
        EXPECT_EQ(family.at("longest").size(), longest_shown);
    }
    for (const auto& check : time.at("checks")) {
        if (check.at("check") == "core.read") {
            EXPECT_EQ(check.at("seconds"), 5.5);
        }
    }
}

// Records of an earlier version, or spoilt ones: the sums are there, the shares are not.
TEST(TimeWent, WithoutTimesOfDayHasSumsAlone) {
    Session made = session();
    for (Record& record : made.records) record.started = "yesterday";
    const std::string text = text_report(judge(made), made);
    EXPECT_TRUE(says(text, "\n17.5 s of cases\n")) << text;
    EXPECT_TRUE(says(text, "17.5      unknown  core.copy.gpu0_to_gpu1")) << text;
    made.records.clear();
    EXPECT_FALSE(says(text_report(judge(made), made), "Where the time went"));
}

}  // namespace
}  // namespace peerproof
