#include "reports/writing/json_report.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "reports/judging/again.hpp"
#include "reports/judging/all_reduces.hpp"
#include "reports/judging/crowd.hpp"
#include "reports/judging/ledger.hpp"
#include "reports/judging/soak.hpp"
#include "reports/judging/time_spent.hpp"
#include "reports/judging/ways.hpp"
#include "reports/writing/check_rows.hpp"
#include "session/exit_code.hpp"
#include "session/fingerprint.hpp"
#include "session/format.hpp"
#include "session/json.hpp"
#include "session/schema.hpp"

namespace peerproof {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t file_limit = std::size_t{512} * 1024 * 1024;

Json signature_json(const std::optional<Signature>& signature) {
    if (!signature) return {};
    return {{"pairs", signature->pairs},
            {"checks", signature->checks},
            {"failures", signature->failures},
            {"records", signature->records},
            {"not_known", signature->not_known}};
}

Json failing_json(const Verdict& verdict, const Ledger& ledger) {
    Json failing = Json::array();
    for (const Ledger::Entry& entry : ledger.entries()) {
        if (entry.planned->family != Family::core || !entry.was_refuted()) continue;
        failing.push_back({{"case", entry.planned->id},
                           {"check", entry.planned->check},
                           {"gpus", entry.planned->gpus},
                           {"outcome", to_string(entry.record->outcome)},
                           {"error", error_of(*entry.record)},
                           {"summary", entry.record->summary}});
    }
    if (failing.size() != verdict.failing.size()) throw std::logic_error("the verdict is of another session");
    return failing;
}

Json rows_json(const Ledger& ledger) {
    Json rows = Json::array();
    for (const Row& row : rows_of(ledger)) {
        Json answers = Json::array();
        for (const auto& [answer, count] : row.answers)
            answers.push_back({{"answer", answer}, {"count", count}});
        rows.push_back({{"check", row.check},
                        {"title", printable(row.title, 240)},
                        {"held", row.held},
                        {"of", row.of},
                        {"answers", answers}});
    }
    return rows;
}

Json ways_json(const Verdict& verdict, const Ledger& ledger) {
    Json each = Json::object();
    for (const Way& way : ways_of(ledger)) {
        Json outcomes = Json::array();
        for (const WayOutcome& one : way.outcomes)
            outcomes.push_back({{"outcome", one.outcome},
                                {"count", one.entries.size()},
                                {"pairs", one.pairs()},
                                {"error", one.error}});
        each[way.name] = {{"required", way.is_required}, {"pairs", way.planned}, {"outcomes", outcomes}};
    }
    return {{"line", ways_line(ledger)}, {"hold", verdict.ways_hold}, {"each", each}};
}

Json longest_json(const std::vector<LongCase>& longest) {
    Json list = Json::array();
    for (const LongCase& one : longest) list.push_back({{"case", one.id}, {"seconds", one.seconds}});
    return list;
}

Json time_json(const Ledger& ledger) {
    const TimeSpent spent = time_spent(ledger);
    Json families = Json::array(), checks = Json::array();
    for (const FamilyTime& one : spent.families)
        families.push_back({{"family", to_string(one.family)},
                            {"cases", one.cases},
                            {"seconds", one.seconds},
                            {"clock_share", spent.share(one.clock_seconds)},
                            {"longest", longest_json(one.longest)}});
    for (const CheckTime& one : spent.checks)
        checks.push_back({{"check", one.check}, {"cases", one.cases}, {"seconds", one.seconds}});
    return {{"clock_seconds", spent.clock_seconds},
            {"case_seconds", spent.case_seconds},
            {"idle_share", spent.share(spent.idle_seconds)},
            {"families", families},
            {"checks", checks},
            {"longest", longest_json(spent.longest)}};
}

// Bytes of its log that a case keeps here: of one that held little, of the others what fits.
class LogRoom {
  public:
    explicit LogRoom(const Ledger& ledger) {
        std::size_t others = 0;
        for (const Ledger::Entry& entry : ledger.entries()) {
            if (entry.record == nullptr) continue;
            if (entry.holds())
                held_.insert(entry.record);
            else
                ++others;
        }
        others_ = std::clamp(all_logs / std::max<std::size_t>(others, 1), of_held, record_log_limit);
    }
    std::string log_of(const Record& record) const {
        const std::size_t room = held_.contains(&record) ? of_held : others_;
        const std::string_view log = record.log;
        return printable(log.size() > room ? log.substr(log.size() - room) : log, room);
    }

  private:
    static constexpr std::size_t all_logs = 16 * 1024 * 1024, of_held = 1024;
    std::unordered_set<const Record*> held_;
    std::size_t others_ = 0;
};

// One line a record: a session has thousands, and as one tree they would take several times their size.
std::string records_text(const Session& session, const Ledger& ledger) {
    const LogRoom room(ledger);
    std::string text;
    for (const Record& record : session.records) {
        Record kept = record;
        kept.log = room.log_of(record);
        text += text.empty() ? "\n  " : ",\n  ";
        text += to_json(kept).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    }
    return text;
}

// Version 1 counted what could not be set up among the failures, and its sessions had no verdict then.
std::optional<Signature> signature_from(const Member& root, const char* key) {
    if (root.is_null(key)) return std::nullopt;
    const Member member = root.at(key);
    const auto count = [&](const char* name) {
        return static_cast<int>(member.integer(name, 0, 1'000'000'000));
    };
    const bool counts_not_known = report_schema.version_of(root) != 1;
    return Signature{count("pairs"), count("checks"), count("failures"), count("records"),
                     counts_not_known ? count("not_known") : 0};
}

}  // namespace

std::string json_report(const Verdict& verdict, const Session& session) {
    const Ledger ledger(session);
    Json reasons = Json::array(), details = Json::array(), findings = Json::array(), strays = Json::array();
    for (const Reason& reason : verdict.reasons) {
        reasons.push_back(reason.text);
        details.push_back({{"kind", reason.kind}, {"cases", reason.cases}});
    }
    for (const Finding& finding : verdict.findings) {
        findings.push_back({{"finding", finding.word},
                            {"text", finding.text},
                            {"cases", finding.cases},
                            {"contradicts_open", finding.contradicts_open}});
    }
    for (const Stray& stray : session.strays)
        strays.push_back({{"file", stray.file}, {"reason", stray.reason}});
    Json fingerprint;
    if (session.plan) {
        const Fingerprint print = fingerprint_of(*session.plan);
        fingerprint = {{"code", code_of(print)}};
        for (const auto& [name, value] : print) fingerprint[name] = printable(value, 65536);
    }
    const Json report{
        {"schema", report_schema.name()},
        {"simulated", verdict.simulated ? Json(*verdict.simulated) : Json()},
        {"self_check", verdict.self_check},
        {"session", session.id},
        {"verdict", to_string(verdict.word)},
        {"expected", verdict.expected ? Json(to_string(*verdict.expected)) : Json()},
        {"expected_text", verdict.expected_text},
        {"as_expected", verdict.as_expected},
        {"exit_code", verdict.exit_code},
        {"reasons", reasons},
        {"reason_details", details},
        {"signature", signature_json(verdict.signature)},
        {"expected_signature",
         {{"open", signature_json(verdict.if_open)}, {"locked", signature_json(verdict.if_locked)}}},
        {"common_factor", verdict.common_factor},
        {"failing", failing_json(verdict, ledger)},
        {"findings", findings},
        {"collective", collective_line(ledger)},
        {"ways", ways_json(verdict, ledger)},
        {"crowd", crowd_line(ledger)},
        {"soak", soak_line(ledger)},
        {"again", again_line(ledger)},
        {"rows", rows_json(ledger)},
        {"time", time_json(ledger)},
        {"fingerprint", fingerprint},
        {"plan", session.plan ? Json(to_json(*session.plan)) : Json()},
        {"strays", strays}};
    std::string text = report.dump(1, ' ', false, Json::error_handler_t::replace);
    text.resize(text.size() - 2);  // the end of the object, "\n}"
    return text + ",\n \"records\": [" + records_text(session, ledger) + "\n ]\n}\n";
}

void check_schema(const Member& root) {
    if (!report_schema.version_of(root))
        root.at("schema").fail(
            "must be peerproof.report/3, peerproof.report/2 or peerproof.report/1: another version of "
            "peerproof "
            "wrote this");
}

Verdict read_json_report(const std::filesystem::path& file, const std::string& session) {
    const nlohmann::json json = read_json(file, file_limit);
    const Member root(json, file.string());
    check_schema(root);
    if (!session.empty() && root.string("session") != session)
        root.at("session").fail("is " + printable(root.string("session"), 80) + ", not " +
                                printable(session, 80));
    Verdict verdict;
    const auto word = parse_verdict(root.string("verdict"));
    if (!word) root.at("verdict").fail("is an unknown verdict");
    verdict.word = *word;
    if (!root.is_null("expected")) {
        verdict.expected = parse_expectation(root.string("expected"));
        if (!verdict.expected) root.at("expected").fail("must be open, locked or baseline");
    }
    if (!root.is_null("expected_text")) verdict.expected_text = root.string("expected_text");
    if (!root.is_null("simulated")) verdict.simulated = root.string("simulated");
    verdict.self_check = root.boolean("self_check");
    verdict.as_expected = root.boolean("as_expected");
    verdict.exit_code = static_cast<int>(root.integer("exit_code", 0, 255));
    const bool by_baseline = verdict.expected == Expectation::baseline;
    const bool honest = verdict.word == VerdictWord::open || verdict.word == VerdictWord::locked ||
                        verdict.word == VerdictWord::partial;
    if (!root.is_null("ways")) verdict.ways_hold = root.at("ways").boolean("hold");
    const bool by_word = by_baseline
                             ? verdict.as_expected && honest
                             : verdict.expected && to_string(verdict.word) == to_string(*verdict.expected);
    const bool expected = by_word && verdict.ways_hold;
    const int code = expected                                  ? exit_held
                     : verdict.word == VerdictWord::no_verdict ? exit_no_verdict
                                                               : exit_refuted;
    if (verdict.as_expected != expected || verdict.exit_code != code)
        root.fail("says one verdict, and expectation and exit code say another");
    for (const std::string& text : root.strings("reasons")) verdict.reasons.push_back({"", text, {}});
    verdict.signature = signature_from(root, "signature");
    return verdict;
}

}  // namespace peerproof
