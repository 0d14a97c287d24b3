#include "reports/judging/ways.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "reports/judging/about.hpp"
#include "reports/judging/access.hpp"
#include "reports/reading/plain_text.hpp"
#include "session/format.hpp"

namespace peerproof {
namespace {

constexpr std::size_t line_limit = 900, pairs_limit = 120;

// The first is the worst.
std::size_t place_among_outcomes(std::string_view fate) {
    constexpr std::string_view from_worst[] = {
        "wrong",   "missing",    "unkillable",   "crashed",     "hung",    "illegal_address", "other_path",
        "refused", "unfinished", "inconclusive", "not_started", "not run", "not_applicable",  "delivered"};
    return static_cast<std::size_t>(std::find(std::begin(from_worst), std::end(from_worst), fate) -
                                    std::begin(from_worst));
}

const Step* refused_step_of(const Ledger::Entry& entry) {
    if (!entry.is(Outcome::refused)) return nullptr;
    const auto& steps = entry.record->steps;
    const auto step =
        std::find_if(steps.begin(), steps.end(), [](const Step& one) { return !one.error.empty(); });
    return step == steps.end() ? nullptr : &*step;
}

// "cuMemSetAccess 801": the number is what one looks for in the documentation.
std::string refused_by(const Ledger::Entry& entry) {
    const Step* step = refused_step_of(entry);
    if (step == nullptr) return "";
    return one_line(format("{} {}", step->call, step->error.substr(0, step->error.find(' '))), 80);
}

std::vector<WayOutcome> outcomes_of(const Entries& entries) {
    std::map<std::tuple<std::size_t, std::string, std::string>, Entries> alike;
    for (const auto* entry : entries) {
        const std::string fate{entry->fate()};
        alike[{place_among_outcomes(fate), fate, refused_by(*entry)}].push_back(entry);
    }
    std::vector<WayOutcome> outcomes;
    for (const auto& [what, some] : alike) outcomes.push_back({std::get<1>(what), std::get<2>(what), some});
    return outcomes;
}

// "refused 2/6 (cuMemSetAccess 801): gpu0_to_gpu1, gpu1_to_gpu0". Of those that delivered beside others the number
// is enough.
std::string text_of(const WayOutcome& one, std::size_t planned) {
    std::string text = format("{} {}/{}", one.outcome, one.entries.size(), planned);
    if (!one.error.empty()) text += format(" ({})", one.error);
    if (one.entries.size() < planned && one.outcome != "delivered")
        text += ": " + some_of(one.pairs(), pairs_limit);
    return text;
}

std::string text_of(const Way& way) {
    std::vector<std::string> parts;
    for (const WayOutcome& one : way.outcomes) parts.push_back(text_of(one, way.planned));
    return format("{} {}", one_line(way.name, 40), join(parts, " and "));
}

// What the core says of the pair of a way.
enum class PairIs { open, closed, neither };

PairIs core_of(const Ledger& ledger, const Ledger::Entry& way) {
    bool open = true, closed = true;
    for (const char* check : {"copy", "read", "write"}) {
        const auto* core = ledger.find(Family::core, check, way.planned->gpus);
        open = open && core != nullptr && core->is(Outcome::delivered);
        if (std::string_view(check) == "copy") continue;
        closed = closed && core != nullptr && (is_closed(*core) || core->is(Outcome::refused));
    }
    return open ? PairIs::open : closed ? PairIs::closed : PairIs::neither;
}

bool lies(const Ledger& ledger, const Ledger::Entry& entry) {
    switch (entry.record->outcome) {
        case Outcome::missing:
        case Outcome::wrong:
        case Outcome::hung:
        case Outcome::crashed:
        case Outcome::unkillable:
        case Outcome::other_path:
            return true;
        case Outcome::illegal_address:
            return core_of(ledger, entry) == PairIs::open;
        default:
            return false;
    }
}

// Worth a finding: it lies, it is refused or could not be set up where it should deliver, or it delivers on a closed
// pair. The last two are none where they are as they should be.
bool is_a_finding(const Ledger& ledger, const Ledger::Entry& entry) {
    if (lies(ledger, entry)) return true;
    const PairIs pair = core_of(ledger, entry);
    if (entry.is(Outcome::delivered)) return pair == PairIs::closed;
    if (entry.is(Outcome::illegal_address) || entry.is(Outcome::refused)) return pair != PairIs::closed;
    return entry.is(Outcome::inconclusive);
}

std::string why(const Ledger::Entry& entry) {
    std::string text = one_line(entry.record->summary, 200);
    const Step* step = refused_step_of(entry);
    if (step != nullptr && text.find(step->error) == std::string::npos)
        text += one_line(format("; {} answered {}", step->call, step->error), 160);
    return text;
}

// Of one outcome some may be honest and some not, by their pairs.
void findings_of(const Ledger& ledger, const Way& way, const WayOutcome& one,
                 std::vector<Finding>& findings) {
    const std::string name = "way " + one_line(way.name, 40);
    const auto add = [&](const std::string& word, const std::string& text, const Entries& entries) {
        findings.push_back(about(word, text, entries, way.planned));
    };
    if (one.entries.front()->record == nullptr) {
        add(one.outcome == unfinished ? unfinished : not_run, name, one.entries);
        return;
    }
    std::map<std::string, Entries> not_applicable;  // and why
    Entries lying, others;
    for (const auto* entry : one.entries) {
        if (entry->does_not_apply())
            not_applicable[why(*entry)].push_back(entry);
        else if (is_a_finding(ledger, *entry))
            (lies(ledger, *entry) ? lying : others).push_back(entry);
    }
    for (const auto& [reason, entries] : not_applicable)
        add(not_run, format("{}: {}", name, reason), entries);
    for (const Entries* some : {&lying, &others}) {
        if (some->empty()) continue;
        const auto* first = some->front();
        add(name,
            first->is(Outcome::delivered) ? "delivers where the core is closed"
                                          : format("{} ({})", one.outcome, why(*first)),
            *some);
        findings.back().contradicts_open = some == &lying && first->planned->gates;
    }
}

// Every directed pair, whether the plan has it or not.
Reason required_but(const Ledger& ledger, const std::string& name) {
    Entries entries;
    std::vector<std::string> not_planned;
    for (int source = 0; source < ledger.gpus(); ++source) {
        for (int destination = 0; destination < ledger.gpus(); ++destination) {
            if (source == destination) continue;
            const auto* entry = ledger.find(Family::way, name, {source, destination});
            if (entry == nullptr)
                not_planned.push_back(place_name({source, destination}));
            else if (!entry->is(Outcome::delivered))
                entries.push_back(entry);
        }
    }
    const std::size_t pairs = static_cast<std::size_t>(ledger.gpus() * (ledger.gpus() - 1));
    std::vector<std::string> parts;
    for (const WayOutcome& one : outcomes_of(entries)) {
        parts.push_back(text_of(one, pairs));
        const auto* first = one.entries.front();
        if (one.error.empty() && first->record != nullptr) parts.back() += format(" ({})", why(*first));
    }
    if (!not_planned.empty()) parts.push_back("not planned: " + some_of(not_planned, pairs_limit));
    if (parts.empty()) return {};
    return {"required", format("{} is required, and did not deliver: {}", name, join(parts, "; ")),
            ids_of(entries)};
}

}  // namespace

std::vector<std::string> WayOutcome::pairs() const { return places_of(entries); }

std::vector<Way> ways_of(const Ledger& ledger) {
    std::map<std::pair<int, std::string>, Entries> planned;
    for (const auto* entry : ledger.of(Family::way))
        planned[{entry->planned->number, entry->planned->check}].push_back(entry);
    std::vector<Way> ways;
    for (const auto& [check, entries] : planned) {
        const auto& required = ledger.session().plan->required_ways;
        ways.push_back(
            {.name = check.second,
             .title = entries.front()->planned->title,
             .planned = entries.size(),
             .is_required = std::find(required.begin(), required.end(), check.second) != required.end(),
             .outcomes = outcomes_of(entries)});
    }
    return ways;
}

std::string ways_line(const Ledger& ledger) {
    if (!ledger.session().plan) return "";
    std::vector<std::string> ways;
    for (const Way& way : ways_of(ledger)) ways.push_back(text_of(way));
    if (!ways.empty()) return one_line(join(ways, ", "), line_limit);
    const auto& reasons = ledger.session().plan->not_run;
    const auto reason = reasons.find("ways");
    return "not run" + (reason == reasons.end() ? "" : ": " + one_line(reason->second, 160));
}

void way_findings(const Ledger& ledger, std::vector<Finding>& findings) {
    for (const Way& way : ways_of(ledger)) {
        for (const WayOutcome& one : way.outcomes) findings_of(ledger, way, one, findings);
    }
}

std::vector<Reason> ways_not_as_expected(const Ledger& ledger) {
    std::vector<Reason> reasons;
    const auto& plan = ledger.session().plan;
    if (!plan) return reasons;
    for (const std::string& name : plan->required_ways) {
        if (Reason reason = required_but(ledger, name); !reason.kind.empty())
            reasons.push_back(std::move(reason));
    }
    if (plan->expectation != Expectation::locked) return reasons;
    for (const Way& way : ways_of(ledger)) {
        for (const WayOutcome& one : way.outcomes) {
            const auto* first = one.entries.front();
            if (!first->planned->gates || !first->is_known() || first->holds()) continue;
            reasons.push_back({"way",
                               format("a locked bench is expected, and {} is {}: {}", one_line(way.name, 40),
                                      one.outcome, some_of(one.pairs(), list_limit)),
                               ids_of(one.entries)});
        }
    }
    return reasons;
}

}  // namespace peerproof
