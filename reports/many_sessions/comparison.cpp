#include "reports/many_sessions/comparison.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "reports/judging/judge.hpp"
#include "reports/judging/ledger.hpp"
#include "reports/reading/plain_text.hpp"
#include "reports/writing/json_report.hpp"
#include "session/exit_code.hpp"
#include "session/format.hpp"
#include "session/json.hpp"

namespace peerproof {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t report_limit = 256 * 1024 * 1024;

Session session_of_report(const fs::path& file) {
    const nlohmann::json json = read_json(file, report_limit);
    const Member root(json, file.string());
    check_schema(root);
    Session session;
    session.id = root.string("session");
    session.folder = file.parent_path().string();
    if (root.is_null("plan"))
        session.why_no_plan = "the report has no plan";
    else
        session.plan = plan_from_json(root.at("plan").json(), file.string() + ", plan");
    for (const Member& record : root.list("records"))
        session.records.push_back(record_from_json(record.json(), file.string() + ", a record"));
    for (const Member& stray : root.list("strays"))
        session.strays.push_back({stray.string("file"), stray.string("reason")});
    return session;
}

std::string name_of(const Judged& judged) {
    return format("{} (session {})", one_line(judged.origin, 300), one_line(judged.session.id, 100));
}

Effect by_rank(int before, int after) {
    return after < before ? Effect::worse : after > before ? Effect::better : Effect::other;
}

void verdicts(const Judged& before, const Judged& after, std::vector<Change>& changes) {
    const auto say = [](const Verdict& verdict) {
        return format("{}{}", to_string(verdict.word), verdict.as_expected ? ", as expected" : "");
    };
    if (before.verdict.word == after.verdict.word && before.verdict.as_expected == after.verdict.as_expected)
        return;
    changes.push_back({"verdict", "verdict", say(before.verdict), say(after.verdict),
                       by_rank(rank_of(before.verdict), rank_of(after.verdict))});
}

struct Seen {
    std::string outcome;
    int good = 0;  // more is better: what it would be on an open bench, or what its plan accepts
    const Record* record = nullptr;
};

std::map<std::string, Seen> seen_in(const Judged& judged) {
    std::map<std::string, Seen> all;
    const Ledger ledger(judged.session);
    for (const Ledger::Entry& entry : ledger.entries()) {
        // Which are asked again follows from the core, and what is found is in the verdict.
        if (entry.planned->family == Family::again) continue;
        Seen seen{entry.record != nullptr ? std::string{to_string(entry.record->outcome)}
                  : entry.started         ? "unfinished"
                                          : "not run"};
        seen.good = goodness_of(entry);
        seen.record = entry.record;
        all[entry.planned->id] = seen;
    }
    return all;
}

void measurements(const std::string& id, const Record& before, const Record& after,
                  std::vector<Change>& changes) {
    const auto text = [](const Measurement& measurement) {
        return format("{:.4g} {} ({:.4g} to {:.4g})", measurement.median, one_line(measurement.unit, 16),
                      measurement.p5, measurement.p95);
    };
    if (before.outcome != Outcome::delivered || after.outcome != Outcome::delivered) return;
    for (const Measurement& old : before.measurements) {
        for (const Measurement& now : after.measurements) {
            if (now.name != old.name || now.unit != old.unit) continue;
            if (now.p5 <= old.p95 && old.p5 <= now.p95) continue;
            const bool more_is_better = now.unit == "GB/s", more = now.median > old.median;
            changes.push_back({"measurement", format("{}: {}", id, one_line(now.name, 64)), text(old),
                               text(now), more == more_is_better ? Effect::better : Effect::worse});
        }
    }
}

void cases(const Judged& before, const Judged& after, std::vector<Change>& changes) {
    const auto old = seen_in(before), now = seen_in(after);
    std::set<std::string> ids;
    for (const auto& all : {old, now})
        for (const auto& [id, seen] : all) ids.insert(id);
    std::vector<Change> moved;
    for (const std::string& id : ids) {
        const auto a = old.find(id), b = now.find(id);
        const Seen was = a == old.end() ? Seen{"not planned"} : a->second;
        const Seen is = b == now.end() ? Seen{"not planned"} : b->second;
        const bool planned_both = a != old.end() && b != now.end();
        if (was.outcome != is.outcome)
            changes.push_back({"check", id, was.outcome, is.outcome,
                               planned_both ? by_rank(was.good, is.good) : Effect::other});
        if (was.record != nullptr && is.record != nullptr) measurements(id, *was.record, *is.record, moved);
    }
    changes.insert(changes.end(), moved.begin(), moved.end());
}

using Texts = std::map<std::string, std::string>;

Texts environment_of(const Session& session) {
    Texts all;
    if (!session.plan) return all;
    for (const auto& [name, value] : session.plan->environment)
        all[one_line(name, 80)] = one_line(value, 300);
    all["peerproof"] = one_line(session.plan->suite, 40);
    return all;
}

// A hint by what it is of; links stand for themselves in the report.
Texts hints_of(const Session& session) {
    Texts all;
    if (!session.plan) return all;
    for (const Hint& hint : session.plan->hints) {
        std::string name = one_line(hint.name, 60);
        if (hint.gpu != Hint::none) name += format(" gpu{}", hint.gpu);
        if (hint.peer != Hint::none) name += format(" into gpu{}", hint.peer);
        std::string& value = all[name];
        value += (value.empty() ? "" : ", ") + one_line(hint.value, 200);
    }
    return all;
}

void differences(const char* kind, const Texts& before, const Texts& after, std::vector<Change>& changes) {
    Texts all = before;
    all.insert(after.begin(), after.end());
    for (const auto& [name, ignored] : all) {
        const auto a = before.find(name), b = after.find(name);
        const std::string was = a == before.end() ? "(none)" : a->second,
                          is = b == after.end() ? "(none)" : b->second;
        if (was != is) changes.push_back({kind, name, was, is, Effect::other});
    }
}

std::set<std::string> uuids_of(const Session& session) {
    std::set<std::string> all;
    if (session.plan)
        for (const Gpu& gpu : session.plan->gpus) all.insert(gpu.uuid);
    return all;
}

// Why the session has no verdict of its own; empty where it has one.
std::string why_not_its_own(const Judged& judged, const fs::path& report) {
    std::error_code error;
    const std::string how = format("; to judge it: peerproof-report verdict '{}' --session {}",
                                   one_line(judged.session.folder, 300), one_line(judged.session.id, 100));
    if (!fs::exists(report, error))
        return "the session has no verdict of its own: there is no report.json, so the test named verdict "
               "did not "
               "come to its end" +
               how;
    try {
        const Verdict said = read_json_report(report, judged.session.id);
        if (said.word == judged.verdict.word && said.as_expected == judged.verdict.as_expected &&
            said.signature == judged.verdict.signature)
            return "";
        const auto text = [](const Verdict& verdict) {
            return format("{} ({}{})", to_string(verdict.word),
                          verdict.signature ? verdict.signature->text() : "no signature",
                          verdict.as_expected ? ", as expected" : "");
        };
        return format("its report.json says {}, and its records say {}{}", text(said), text(judged.verdict),
                      how);
    } catch (const std::exception& trouble) {
        return one_line(trouble.what(), 400) + how;
    }
}

void leave_without_verdict(Judged& judged) {
    Verdict& verdict = judged.verdict;
    if (verdict.word != VerdictWord::no_verdict) verdict.reasons.clear();
    verdict.reasons.push_back({"verdict", judged.no_verdict_of_its_own, {}});
    verdict.word = VerdictWord::no_verdict;
    verdict.as_expected = false;
    verdict.exit_code = exit_no_verdict;
    verdict.common_factor.clear();
}

}  // namespace

Judged read_judged(const fs::path& path) {
    Judged judged{.origin = path.string()};
    std::error_code error;
    if (fs::is_directory(path, error)) {
        const fs::path plan = path / "plan.json";
        if (!fs::exists(plan, error))
            throw FormatError(format("{} is no session: it has no plan.json", path.string()));
        judged.session = read_session(path, read_plan(plan).session);
    } else {
        judged.session = session_of_report(path);
    }
    judged.verdict = judge(judged.session);
    const fs::path report = fs::is_directory(path, error) ? path / "report.json" : path;
    judged.no_verdict_of_its_own = why_not_its_own(judged, report);
    if (!judged.no_verdict_of_its_own.empty()) leave_without_verdict(judged);
    return judged;
}

int rank_of(const Verdict& verdict) {
    const int expected = verdict.as_expected ? 10 : 0;
    switch (verdict.word) {
        case VerdictWord::open:
            return 6 + expected;
        case VerdictWord::suspect:
            return 5;
        case VerdictWord::locked:
            return 4 + expected;
        case VerdictWord::partial:
            return 3 + expected;
        case VerdictWord::hung:
            return 2;
        case VerdictWord::silent:
            return 1;
        case VerdictWord::no_verdict:
            return 0;
    }
    return 0;
}

int goodness_of(const Ledger::Entry& entry) {
    const bool delivered = entry.is(Outcome::delivered);
    if (entry.planned->family == Family::core) return delivered ? 1 : 0;
    if (entry.planned->family != Family::way) return entry.holds() ? 1 : 0;
    return delivered ? 2 : entry.is(Outcome::refused) || entry.is(Outcome::not_applicable) ? 1 : 0;
}

std::string why_not_comparable(const Judged& before, const Judged& after) {
    if (!before.session.plan || !after.session.plan)
        return format("{} has no plan: its bench was not listed",
                      name_of(before.session.plan ? after : before));
    if (before.verdict.simulated.has_value() != after.verdict.simulated.has_value())
        return "one is of a simulated bench, and one of a real one";
    if (before.verdict.self_check != after.verdict.self_check) return "one is a self-check, and one is not";
    if (uuids_of(before.session) != uuids_of(after.session))
        return "they are of different GPUs, by their UUIDs";
    return "";
}

Comparison compare(const Judged& before, const Judged& after) {
    Comparison comparison{.before = name_of(before), .after = name_of(after)};
    for (const Judged* each : {&before, &after}) {
        const std::string banner = each->verdict.banner();
        if (comparison.banner.find(banner) == std::string::npos)
            comparison.banner += (comparison.banner.empty() ? "" : "\n") + banner;
    }
    comparison.verdict_before = before.verdict.word;
    comparison.verdict_after = after.verdict.word;
    verdicts(before, after, comparison.changes);
    cases(before, after, comparison.changes);
    differences("environment", environment_of(before.session), environment_of(after.session),
                comparison.changes);
    differences("hint", hints_of(before.session), hints_of(after.session), comparison.changes);
    return comparison;
}

bool Comparison::worse() const { return count(Effect::worse) > 0; }

std::size_t Comparison::count(Effect effect) const {
    return static_cast<std::size_t>(std::count_if(
        changes.begin(), changes.end(), [&](const Change& change) { return change.effect == effect; }));
}

}  // namespace peerproof
