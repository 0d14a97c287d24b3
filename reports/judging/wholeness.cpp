#include "reports/judging/wholeness.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "reports/judging/not_known.hpp"
#include "reports/judging/soak.hpp"
#include "reports/reading/plain_text.hpp"
#include "session/format.hpp"

namespace peerproof {
namespace {

constexpr std::size_t reason_list_limit = 200;
constexpr const char* suspect_the_suite = "suspect the suite first";

constexpr const char* started_only = "started, and ended together with its supervisor";
constexpr const char* all_controls[] = {"fault", "negative", "positive", "recovery"};

template <class Keep>
Entries filtered(const Entries& entries, Keep keep) {
    Entries some;
    std::copy_if(entries.begin(), entries.end(), std::back_inserter(some), keep);
    return some;
}

bool never_started(const Ledger::Entry* entry) { return !entry->spoken_of; }
bool never_ended(const Ledger::Entry* entry) { return entry->started && entry->record == nullptr; }

class Reasons {
  public:
    explicit Reasons(const Ledger& ledger)
        : ledger_(ledger),
          plan_(*ledger.session().plan),
          controls_(ledger.of(Family::control)),
          core_(ledger.of(Family::core)) {}

    std::vector<Reason> all() && {
        session();
        controls_hold();
        controls_are_planned();
        gpus();
        calls_reach_the_driver();
        records_are_there();
        records_beside_the_core_are_there();
        gpus_were_asked_at_the_end();
        records_are_ours();
        counts();
        return std::move(reasons_);
    }

  private:
    void add(const char* kind, std::string text, std::vector<std::string> cases = {}) {
        reasons_.push_back({kind, std::move(text), std::move(cases)});
    }

    void add_list(const char* kind, const std::string& before, const std::vector<std::string>& cases) {
        if (!cases.empty())
            add(kind, before + ": " + one_line(some_of(cases, reason_list_limit), text_limit), cases);
    }

    void session() {
        const std::string& asked = ledger_.session().id;
        if (plan_.session == asked) return;
        add("session", format("plan.json is of session {}, not of {}: bench.open of this session did not run",
                              one_line(plan_.session, 80), one_line(asked, 80)));
    }

    void controls_hold() {
        std::map<std::pair<std::string, Outcome>, Entries> failed;
        for (const auto* entry : controls_) {
            if (entry->record && !entry->holds()) {
                failed[{entry->planned->check, entry->record->outcome}].push_back(entry);
            }
        }
        for (const auto& [what, entries] : failed) {
            std::vector<std::string> places;
            for (const auto* entry : entries) places.push_back(place_of(*entry->planned));
            const auto& first = *entries.front();
            add("control",
                format("control.{} did not hold on {}: {}, where {} holds; {} ({})", one_line(what.first, 80),
                       some_of(places, reason_list_limit), to_string(what.second),
                       words_of(first.planned->accepted), suspect_the_suite,
                       one_line(first.record->summary, text_limit)),
                ids_of(entries));
        }
        const auto missing = ids_of(filtered(controls_, never_started));
        add_list("control", format("controls without a record, {}", suspect_the_suite), missing);
        const auto cut = ids_of(filtered(controls_, never_ended));
        add_list("control", format("controls that started and did not finish, {}", suspect_the_suite), cut);
    }

    // A GPU whose controls were never asked to say "no" has no controls, whatever the plan thinks. Nor has one of
    // which nobody asked whether the illegal address of one process is noticed by the next.
    void controls_are_planned() {
        for (const char* check : all_controls) {
            std::vector<std::string> lacking;
            for (int gpu = 0; gpu < ledger_.gpus(); ++gpu) {
                if (ledger_.find(Family::control, check, {gpu}) == nullptr)
                    lacking.push_back(place_name({gpu}));
            }
            add_list("control", format("control.{} is not planned for", check), lacking);
        }
        std::set<int> can_say_no, can_say_yes;
        for (const auto* entry : controls_) {
            const auto& accepted = entry->planned->accepted;
            const bool yes =
                std::find(accepted.begin(), accepted.end(), Outcome::delivered) != accepted.end();
            for (const int gpu : entry->planned->gpus) (yes ? can_say_yes : can_say_no).insert(gpu);
        }
        std::vector<std::string> without;
        for (int gpu = 0; gpu < ledger_.gpus(); ++gpu) {
            if (!can_say_no.contains(gpu) || !can_say_yes.contains(gpu)) without.push_back(place_name({gpu}));
        }
        add_list("control", "no control that must say yes and no control that must say no is planned for",
                 without);
    }

    void gpus() {
        const int gpus = ledger_.gpus();
        if (gpus == 0) add("gpus", "no GPU: there is no pair to decide on");
        if (gpus == 1) add("gpus", "one GPU: there is no pair to decide on");
        if (plan_.gpus_wanted && *plan_.gpus_wanted != gpus) {
            add("gpus", format("{} GPUs were asked for, {} are there", *plan_.gpus_wanted, gpus));
        }
        std::set<std::string> uuids;
        for (const Gpu& gpu : plan_.gpus) {
            if (!uuids.insert(gpu.uuid).second) {
                add("gpus", format("gpu{} is listed twice ({}): a pair would be a GPU with itself", gpu.index,
                                   one_line(gpu.uuid, 80)));
            }
        }
    }

    // Where a preloaded library replaces calls of the driver, their answers are not this bench's.
    void calls_reach_the_driver() {
        for (const Hint& hint : plan_.hints) {
            if (hint.name == "interposer")
                add("interposer",
                    format("a preloaded library replaces calls of the driver: {} (from {}); {}",
                           one_line(hint.value, text_limit), one_line(hint.source, 80), suspect_the_suite));
        }
    }

    void records_are_there() {
        const Entries absent = filtered(core_, never_started);
        const std::size_t ran = core_.size() - absent.size();
        if (!absent.empty() && ran > 0) {
            add_list("missing",
                     format("partial session: {} of {} core checks ran; never started", ran, core_.size()),
                     ids_of(absent));
        } else if (!absent.empty()) {
            add_list("missing", format("none of the {} core checks ran; never started", core_.size()),
                     ids_of(absent));
        }
        add_list("unfinished", started_only, ids_of(filtered(core_, never_ended)));
    }

    // What gates was planned because open is not said without it. A case that began and has no end is the
    // worst of these: whatever ended it may have been the bench.
    void records_beside_the_core_are_there() {
        for (const Family family : {Family::evidence, Family::way, Family::measurement, Family::collective,
                                    Family::crowd, Family::soak, Family::again}) {
            const Entries gating =
                filtered(ledger_.of(family), [](const auto* entry) { return entry->planned->gates; });
            const Entries absent = filtered(gating, never_started);
            add_list("missing",
                     format("partial session: {} of {} cases of the family {} that gate ran; never started",
                            gating.size() - absent.size(), gating.size(), to_string(family)),
                     ids_of(absent));
            add_list("unfinished", started_only, ids_of(filtered(gating, never_ended)));
        }
    }

    void gpus_were_asked_at_the_end() {
        const Entries closing = ledger_.of(Family::closing);
        const auto say = [&](const char* what, const Entries& entries) {
            add_list(
                "gpu",
                format("{}, so that nobody knows whether {} is still there", what, gpus_of(plan_, entries)),
                ids_of(entries));
        };
        if (const Entries absent = filtered(closing, never_started); !absent.empty())
            say("never asked at the end of the session", absent);
        if (const Entries cut = filtered(closing, never_ended); !cut.empty())
            say("asked at the end of the session, and ended together with its supervisor", cut);
    }

    void records_are_ours() {
        add_list("unplanned", "records of cases that were not planned", ledger_.unplanned());
        std::map<std::string, std::vector<std::string>> foreign;
        for (const auto& [id, why] : ledger_.foreign()) foreign[why].push_back(id);
        for (const auto& [why, ids] : foreign) {
            add_list("foreign", "records that do not belong here, " + one_line(why, 150), ids);
        }
        add_list("duplicate", "more than one record of the same case", ledger_.duplicates());
        for (const Stray& stray : ledger_.session().strays) {
            const std::string name = "records/" + one_line(stray.file, 200);
            add("unreadable", format("{}: {}", name, one_line(stray.reason, text_limit)), {stray.file});
        }
        for (const OddPart& part : ledger_.session().odd_parts)
            add("part", format("parts/{}: {}", one_line(part.file, 200), one_line(part.reason, text_limit)),
                {});
        contradictions();
    }

    // What says delivered must have moved something, and no step of it may say otherwise.
    void contradictions() {
        std::vector<std::string> hollow, torn, cut;
        Entries asked = core_;
        for (const Family family : {Family::crowd, Family::soak, Family::again}) {
            for (const auto* entry : ledger_.of(family)) asked.push_back(entry);
        }
        for (const auto* entry : asked) {
            if (!entry->is(Outcome::delivered)) continue;
            const auto& steps = entry->record->steps;
            const bool all = std::all_of(steps.begin(), steps.end(),
                                         [](const Step& step) { return step.outcome == Outcome::delivered; });
            if (steps.empty()) hollow.push_back(entry->planned->id);
            if (entry->planned->family == Family::soak && !is_whole_soak(*entry, plan_))
                cut.push_back(entry->planned->id);
            if (!all) torn.push_back(entry->planned->id);
        }
        add_list("contradiction", "says delivered, and has no step that moved anything", hollow);
        add_list("contradiction", "says delivered, and one of its steps says otherwise", torn);
        add_list("contradiction", "says delivered, and was shorter than asked, or something of it was wrong",
                 cut);
    }

    void counts() {
        const int n = ledger_.gpus();
        std::set<std::vector<int>> pairs;
        std::vector<std::string> wrong = ledger_.planned_twice();
        std::set<const Ledger::Entry*> right;
        for (int source = 0; source < n; ++source) {
            for (int destination = 0; destination < n; ++destination) {
                if (source == destination) continue;
                for (const char* check : core_checks) {
                    const auto* entry = ledger_.find(Family::core, check, {source, destination});
                    if (entry)
                        right.insert(entry);
                    else
                        wrong.push_back(case_id(Family::core, check, place_name({source, destination})));
                }
            }
        }
        for (const auto* entry : core_) {
            pairs.insert(entry->planned->gpus);
            if (!right.contains(entry)) wrong.push_back(entry->planned->id);
        }
        add_list(
            "counts",
            format("the plan has {} core checks on {} pairs, where {} GPUs have {} on {}: one copy, read "
                   "and write each; missing or too many",
                   core_.size(), pairs.size(), n, 3 * n * (n - 1), n * (n - 1)),
            wrong);
    }

    const Ledger& ledger_;
    const Plan& plan_;
    const Entries controls_, core_;
    std::vector<Reason> reasons_;
};

}  // namespace

std::vector<Reason> reasons_for_no_verdict(const Ledger& ledger) {
    const Session& session = ledger.session();
    if (session.plan) return Reasons(ledger).all();
    std::vector<Reason> reasons{{"plan", one_line(session.why_no_plan, text_limit), {}}};
    if (!session.records.empty()) {
        std::vector<std::string> ids;
        for (const Record& record : session.records) ids.push_back(record.case_id);
        reasons.push_back({"unplanned",
                           format("{} records without a plan: {}", ids.size(),
                                  one_line(some_of(ids, reason_list_limit), text_limit)),
                           ids});
    }
    for (const Stray& stray : session.strays) {
        reasons.push_back(
            {"unreadable",
             format("records/{}: {}", one_line(stray.file, 200), one_line(stray.reason, text_limit)),
             {stray.file}});
    }
    return reasons;
}

}  // namespace peerproof
