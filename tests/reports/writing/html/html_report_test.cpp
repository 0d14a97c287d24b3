#include "reports/writing/html/html_report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/judging/judge.hpp"
#include "reports/writing/html/path_stops.hpp"
#include "tests/reports/hostile_texts.hpp"
#include "tests/reports/sample_session.hpp"

namespace peerproof {
namespace {

std::size_t count(const std::string& in, std::string_view what) {
    std::size_t found = 0;
    for (std::size_t at = in.find(what); at != std::string::npos; at = in.find(what, at + 1)) ++found;
    return found;
}
bool says(const std::string& in, std::string_view what) { return in.find(what) != std::string::npos; }
std::string page_of(const Session& session) { return html_report(judge(session), session); }

Session whole(int gpus) {
    Session session = sample::open_session(gpus);
    sample::add_links(session);
    sample::add_every_measurement(session);
    sample::add_every_sum(session);
    return session;
}

nlohmann::json data_of(const std::string& page) {
    const std::string_view begin = "id=\"data\">";
    const std::size_t from = page.find(begin) + begin.size();
    return nlohmann::json::parse(page.substr(from, page.find("</script>", from) - from));
}

TEST(HtmlReport, SaysVerdictReasonSignatureAndBenchFirst) {
    const std::string page = page_of(sample::locked_session(3));
    const std::string first = page.substr(0, page.find("<main>"));
    for (const char* part :
         {"<h1>locked ", "as expected", "every read and every write ended in an illegal address",
          "computed here", "an open bench", "a locked bench", "bench7", "13.0", "2026-12-01T05:15:00Z",
          "3 x GPU"})
        EXPECT_TRUE(says(first, part)) << part;
    EXPECT_FALSE(says(page, "SIMULATED<"));
    EXPECT_TRUE(says(page_of([] {
                         Session session = sample::locked_session(3);
                         session.plan->expectation = Expectation::open;
                         return session;
                     }()),
                     "expected: open</span>"));
}

TEST(HtmlReport, CellsTellTheThreeOutcomesByMarkShapeAndName) {
    Session session = sample::locked_session(3);
    sample::observe(session, "core.write.gpu2_to_gpu0", Outcome::missing);
    sample::remove_record(session, "core.copy.gpu2_to_gpu0");
    const std::string page = page_of(session);
    EXPECT_EQ(count(page, "class=\"cell\""), 6u);
    EXPECT_TRUE(
        says(page,
             "aria-label=\"gpu0 to gpu1: copy delivered, read illegal address, write illegal address\""
             "><i class=\"mark through\">C</i><i class=\"mark closed\">-</i><i class=\"mark closed\">-</i>"));
    EXPECT_TRUE(
        says(page,
             "aria-label=\"gpu2 to gpu0: copy no record, read illegal address, write missing\""
             "><i class=\"mark none\">_</i><i class=\"mark closed\">-</i><i class=\"mark lost\">0</i>"));
}

TEST(HtmlReport, HasTheEvidenceOfEveryCaseInTheOrderOfTheTable) {
    Session session = sample::open_session(2);
    sample::observe(session, "core.read.gpu0_to_gpu1", Outcome::wrong);
    sample::record(session, "core.read.gpu0_to_gpu1").log = "what it </script> printed";
    sample::remove_record(session, "core.copy.gpu1_to_gpu0");
    const nlohmann::json data = data_of(page_of(session));
    const auto& cases = session.plan->cases;
    ASSERT_EQ(data["cases"].size(), cases.size());
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const auto& one = data["cases"][i];
        EXPECT_EQ(one.is_null(), cases[i].id == "core.copy.gpu1_to_gpu0");
        if (cases[i].id != "core.read.gpu0_to_gpu1") continue;
        EXPECT_EQ(data["texts"][one["steps"][0][5].get<int>()], "zeros");
        EXPECT_EQ(one["steps"][0][9], "0x0123456789abcdef");
        EXPECT_EQ(one["steps"][0][10], "0x0000000000000000");
        EXPECT_EQ(one["log"], "what it </script> printed");
        EXPECT_EQ(data["texts"][one["test"].get<int>()], "core/read.Test/");
    }
}

TEST(HtmlReport, LogsHaveABudgetAndFailuresComeFirst) {
    Session session = sample::open_session(8);
    for (Record& record : session.records)
        record.log = std::string(record_log_limit - 10, 'x') + "\nlast line";
    sample::observe(session, "core.read.gpu0_to_gpu1", Outcome::wrong);
    const std::string page = page_of(session);
    EXPECT_LT(page.size(), 700'000u);
    const nlohmann::json data = data_of(page);
    for (std::size_t i = 0; i < session.plan->cases.size(); ++i) {
        const std::string log = data["cases"][i].value("log", "");
        EXPECT_TRUE(says(log, "last line"));
        const bool failed = session.plan->cases[i].id == "core.read.gpu0_to_gpu1";
        EXPECT_EQ(log.size() > 4000, failed) << log.size();
    }
}

TEST(HtmlReport, SixteenGpusWithEverythingStayBelowOneAndAHalfMegabytes) {
    Session session = whole(16);
    for (Record& record : session.records) {
        record.log = std::string(record_log_limit, 'x');
        record.steps.resize(3, record.steps.empty() ? Step{} : record.steps.front());
    }
    EXPECT_GT(session.records.size(), 3000u);
    EXPECT_LT(page_of(session).size(), 1'500'000u);
}

TEST(HtmlReport, HostileTextsStayText) {
    for (const std::string& text : hostile_texts()) {
        Session session = whole(2);
        sample::spoil_texts(session, text);
        const std::string page = page_of(session);
        EXPECT_EQ(count(page, "<script"), 2u);
        EXPECT_EQ(count(page, "</script"), 2u);
        EXPECT_EQ(count(page, "<testcase"), 0u);
        EXPECT_NO_THROW((void)data_of(page));
        EXPECT_LT(page.size(), 1'500'000u);
    }
}

TEST(HtmlReport, WhatWasNotRunIsSaidWithItsReason) {
    Session session = sample::open_session(2);
    session.plan->not_run = {{"collective", "libnccl.so.2 was not found"},
                             {"measurements", "PEERPROOF_MEASUREMENTS=off"}};
    const std::string page = page_of(session);
    EXPECT_TRUE(says(page, "<p>Not run: libnccl.so.2 was not found.</p>"));
    EXPECT_TRUE(says(page, "<p>Not run: PEERPROOF_MEASUREMENTS=off.</p>"));
}

TEST(HtmlReport, HasARowForEachOutcomeOfAWay) {
    Session session = sample::open_session(2);
    sample::add_ways(session);
    session.plan->required_ways = {"ipc"};
    sample::refuse(session, "way.ipc.gpu0_to_gpu1", "cudaIpcOpenMemHandle", "101 cudaErrorInvalidDevice");
    const std::string page = page_of(session);
    EXPECT_TRUE(
        says(page,
             "<th scope=\"row\">ipc</th><td>ipc</td><td>required</td><td><i class=\"mark closed\">~</i> "
             "refused</td><td>1 of 2</td><td>cudaIpcOpenMemHandle 101</td><td>gpu0_to_gpu1</td>"));
    EXPECT_TRUE(says(page,
                     "<th scope=\"row\">vmm</th><td>vmm</td><td></td><td><i class=\"mark through\">W</i> "
                     "delivered</td><td>2 of 2</td><td></td><td>all</td>"));
    EXPECT_TRUE(says(page, "<span class=\"stamp refuted\">not as expected</span>"))
        << "open, as was expected";
    EXPECT_TRUE(says(page, "<b>Reason:</b> ipc is required") || says(page, "<li>ipc is required"));
}

TEST(HtmlReport, WithoutAPlanThereIsAPage) {
    Session session;
    session.id = "x";
    session.why_no_plan = "there is <none>";
    const std::string page = page_of(session);
    EXPECT_TRUE(says(page, "<h1>no verdict "));
    EXPECT_TRUE(says(page, "there is &lt;none&gt;"));
}

TEST(HtmlReport, DrawsPathsMeasurementsAndEdges) {
    const std::string page = page_of(whole(4));
    EXPECT_TRUE(says(page, "Gen3 x4"));
    EXPECT_TRUE(says(page, ">narrowest</text>"));
    EXPECT_TRUE(
        says(page, "<b>Direct</b>: at most 26.56 GB/s one way, by NVLink between source and destination<"));
    EXPECT_TRUE(says(page, "<b>Staged</b>: at most 3.94 GB/s one way"));
    EXPECT_TRUE(says(page, "cannot tell the paths apart"));
    EXPECT_TRUE(says(page, "3.35x its ceiling: impossible"));
    EXPECT_TRUE(says(page, "<b>SHM/direct/direct</b>: gpu0 to gpu1 (2)"));
}

// What nobody's owner found has no bar, no median and no share, on the page and in what a cell shows.
TEST(HtmlReport, AMeasurementWithoutItsBytesIsClaimed) {
    Session session = sample::open_session(2);
    sample::add_measurements(session);
    const char* id = "measurement.copy_bandwidth.gpu0_to_gpu1";
    sample::record(session, id).outcome = Outcome::missing;
    sample::record(session, id).measurements.at(0).median = 3.31;
    const std::string page = page_of(session);
    EXPECT_TRUE(
        says(page, "<li>copy bandwidth: 3.31 GB/s claimed, the bytes are <b>missing</b>: gpu0_to_gpu1</li>"));
    const std::string bars = page.substr(page.find("<h3>copy bandwidth</h3>"), 1500);
    EXPECT_FALSE(says(bars.substr(0, bars.find("</table>")), "gpu0_to_gpu1"));
    const auto& cases = session.plan->cases;
    const auto at = std::find_if(cases.begin(), cases.end(), [&](const Case& one) { return one.id == id; });
    const auto shown = data_of(page).at("cases").at(static_cast<std::size_t>(at - cases.begin()));
    EXPECT_FALSE(shown.contains("measurements"));
    EXPECT_EQ(shown.at("claimed").at(0).at(2), 3.31);
}

TEST(HtmlReport, HasNoShareOfACeilingThatIsUnknown) {
    Session session = sample::open_session(2);
    sample::add_measurements(session);
    for (GpuLinks& gpu : session.plan->links) gpu.host_link = "C2C (NVML)";
    const std::string page = page_of(session);
    EXPECT_TRUE(says(page, "<b>Direct</b>: unknown, gpu0 reaches host memory beside PCIe: C2C (NVML)"));
    EXPECT_FALSE(says(page, "% of its ceiling"));
    EXPECT_TRUE(says(page, "beside PCIe"));
}

TEST(HtmlReport, ACopyOnAClosedPairIsNotHeldToTheDirectPath) {
    Session session = sample::locked_session(2);
    sample::add_measurements(session);
    session.plan->links[0].nvlinks = {{0, true, 26562, session.plan->gpus[1].bus_id, "gpu"}};
    session.plan->links[1].nvlinks = {{0, true, 26562, session.plan->gpus[0].bus_id, "gpu"}};
    const std::string page = page_of(session);
    const std::string bars = page.substr(page.find("<h3>copy bandwidth</h3>"), 2000);
    EXPECT_TRUE(says(bars, "84 % of its ceiling"))
        << "1.68 of the 2.0 of the staged path, not of the 26.6 of NVLink";
}

TEST(HtmlReport, ShowsTheChecksAtTheEndBesideTheControls) {
    Session session = sample::open_session(2);
    Case& last = session.plan->cases.emplace_back(sample::planned(session, "control.positive.gpu0"));
    last.id = "closing.positive.gpu0";
    last.family = Family::closing;
    EXPECT_TRUE(says(page_of(session), "<th scope=\"col\">closing: positive</th>"));
}

TEST(Paths, AreNarrowAtTheirNarrowest) {
    Session session = whole(4);
    const html::Paths bridged = html::paths_between(Ledger(session), 0, 1),
                      riser = html::paths_between(Ledger(session), 0, 3);
    EXPECT_EQ(bridged.direct.stops, (std::vector<std::string>{"gpu0", "gpu1"}));
    EXPECT_DOUBLE_EQ(bridged.direct.ceiling().value(), 26.562);
    EXPECT_EQ(riser.staged.stops, (std::vector<std::string>{"gpu0", "host memory", "gpu3"}));
    EXPECT_NEAR(riser.direct.ceiling().value(), 3.938, 0.001);
    EXPECT_EQ(riser.direct.narrowest(), 1u);
    EXPECT_DOUBLE_EQ(riser.ratio().value(), 1.0);
    EXPECT_LT(html::path_groups(Ledger(session)).size(), 12u);
}

TEST(Paths, UnknownStaysUnknown) {
    Session session = whole(2);
    for (GpuLinks& gpu : session.plan->links) gpu.nvlinks.clear();
    session.plan->links[1].hops[0].max_lanes.reset();
    const html::Paths half = html::paths_between(Ledger(session), 0, 1);
    EXPECT_FALSE(half.direct.ceiling());
    EXPECT_FALSE(half.direct.narrowest());
    EXPECT_FALSE(half.ratio());
    session.plan->links[1].unknown = "a virtual machine";
    EXPECT_EQ(html::paths_between(Ledger(session), 0, 1).direct.unknown, "gpu1: a virtual machine");
    session.plan->links.clear();
    EXPECT_TRUE(html::path_groups(Ledger(session)).empty());
    EXPECT_TRUE(says(page_of(session), "no ceiling is known"));
}

}  // namespace
}  // namespace peerproof
