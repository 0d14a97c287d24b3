#include "session/baseline.hpp"

#include <algorithm>

#include "session/format.hpp"
#include "session/json.hpp"
#include "session/schema.hpp"
#include "session/ways.hpp"

namespace peerproof {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t report_limit = 512 * 1024 * 1024;

bool can_be_expected(Outcome outcome) {
    return outcome == Outcome::delivered || outcome == Outcome::illegal_address ||
           outcome == Outcome::refused;
}

// Where each GPU of the baseline is on this bench.
std::vector<int> places_of(const std::vector<Gpu>& there, const std::vector<Gpu>& here,
                           const fs::path& file) {
    if (there.size() != here.size())
        throw FormatError(format("{}: is of a bench with {} GPUs, and this one has {}", file.string(),
                                 there.size(), here.size()));
    std::vector<int> by_uuid, by_place;
    for (const Gpu& gpu : there) {
        by_place.push_back(gpu.index);
        for (const Gpu& other : here) {
            if (other.uuid == gpu.uuid) by_uuid.push_back(other.index);
        }
    }
    return by_uuid.size() == here.size() ? by_uuid : by_place;
}

void take_check(const Case& one, const Record& record, const fs::path& file, ExpectedPair& pair) {
    const auto refuse = [&](const std::string& why) {
        throw FormatError(
            format("{}: {} {}: that cannot be expected of a bench", file.string(), one.id, why));
    };
    if (!record.finished) refuse("did not finish");
    if (!can_be_expected(record.outcome)) refuse(format("is {}", to_string(record.outcome)));
    const auto arrived = [](const Step& step) { return step.outcome == Outcome::delivered; };
    const auto& steps = record.steps;
    if (record.outcome == Outcome::delivered ? !std::all_of(steps.begin(), steps.end(), arrived)
                                             : std::any_of(steps.begin(), steps.end(), arrived))
        refuse("came part of the way");
    if (!pair.outcomes.emplace(one.check, record.outcome).second) refuse("has two records");
}

// Of a way of which nothing is known nothing is expected.
void take_way(const Case& one, const Record& record, const fs::path& file, ExpectedPair& pair) {
    const Outcome outcome = record.outcome;
    const bool is_unknown = outcome == Outcome::inconclusive || outcome == Outcome::not_started;
    if (!record.finished || is_unknown || !is_way(one.check)) return;
    if (!can_be_expected(outcome) && outcome != Outcome::not_applicable)
        throw FormatError(format("{}: {} is {}: that cannot be expected of a bench", file.string(), one.id,
                                 to_string(outcome)));
    if (!pair.ways.emplace(one.check, outcome).second)
        throw FormatError(format("{}: {} has two records", file.string(), one.id));
}

// Open, locked or neither, by the outcomes of all three checks.
void name_face(ExpectedPair& pair) {
    const auto is = [&](const char* check, Outcome outcome) { return pair.outcomes.at(check) == outcome; };
    const bool open =
        is("copy", Outcome::delivered) && is("read", Outcome::delivered) && is("write", Outcome::delivered);
    const bool locked = is("read", Outcome::illegal_address) && is("write", Outcome::illegal_address);
    pair.as = open ? Expectation::open : Expectation::locked;
    pair.mixed = !open && !locked;
}

void put_all(std::vector<Outcome>& into, const std::vector<Outcome>& some) {
    for (const Outcome outcome : some) {
        if (std::find(into.begin(), into.end(), outcome) == into.end()) into.push_back(outcome);
    }
}

// What pairs a case is about: its own direction, or every direction between its GPUs.
std::vector<std::pair<int, int>> pairs_of(const Case& one) {
    if (one.gpus.size() == 2 && place_of(one) == place_name(one.gpus)) return {{one.gpus[0], one.gpus[1]}};
    std::vector<std::pair<int, int>> pairs;
    for (const int source : one.gpus) {
        for (const int destination : one.gpus) {
            if (source != destination) pairs.emplace_back(source, destination);
        }
    }
    return pairs;
}

class Expected {
  public:
    Expected(const ExpectedBench& bench, const AcceptedIfLocked& if_locked)
        : bench_(bench), if_locked_(if_locked) {}

    std::vector<Outcome> of(const Case& one) const {
        const auto& locked = if_locked_.at(one.id);
        if (one.family == Family::core) return of_core(one, locked);
        if (one.family == Family::again) {  // what is expected of the first time, or not asked
            std::vector<Outcome> accepted{Outcome::not_applicable};
            put_all(accepted, of_core(one, locked));
            return accepted;
        }
        if (const auto way = of_way(one)) return {*way};
        bool some_open = false, some_locked = false;
        for (const auto& pair : pairs_of(one)) {
            const ExpectedPair expected = at(pair);
            some_open = some_open || expected.mixed || expected.as == Expectation::open;
            some_locked = some_locked || expected.mixed || expected.as == Expectation::locked;
        }
        std::vector<Outcome> accepted;
        if (some_open || !some_locked) put_all(accepted, one.accepted);
        if (some_locked) put_all(accepted, locked);
        return accepted;
    }

  private:
    ExpectedPair at(const std::pair<int, int>& pair) const {
        const auto found = bench_.pairs.find(pair);
        return found == bench_.pairs.end() ? ExpectedPair{.as = bench_.others} : found->second;
    }

    std::optional<Outcome> of_way(const Case& one) const {
        if (one.family != Family::way) return std::nullopt;
        const auto ways = at({one.gpus.at(0), one.gpus.at(1)}).ways;
        const auto own = ways.find(one.check);
        return own == ways.end() ? std::nullopt : std::optional(own->second);
    }

    std::vector<Outcome> of_core(const Case& one, const std::vector<Outcome>& locked) const {
        const ExpectedPair expected = at({one.gpus.at(0), one.gpus.at(1)});
        const auto own = expected.outcomes.find(one.check);
        if (own != expected.outcomes.end()) return {own->second};
        return expected.as == Expectation::open ? one.accepted : locked;
    }

    const ExpectedBench& bench_;
    const AcceptedIfLocked& if_locked_;
};

}  // namespace

std::optional<std::string> way_that_would_lie(const ExpectedPair& pair) {
    const auto delivers = [](const auto& check) { return check.second == Outcome::delivered; };
    const bool is_open = pair.mixed ? std::all_of(pair.outcomes.begin(), pair.outcomes.end(), delivers)
                                    : pair.as == Expectation::open;
    for (const auto& [way, outcome] : pair.ways) {
        if (is_open && outcome == Outcome::illegal_address) return way;
    }
    return std::nullopt;
}

ExpectedBench expected_by_report(const fs::path& file, const Plan& bench) {
    const nlohmann::json json = read_json(file, report_limit);
    const Member root(json, file.string());
    if (!report_schema.version_of(root))
        root.at("schema").fail(
            "must be peerproof.report/3, /2 or /1: only the report.json of a run is a baseline");
    const std::string verdict = root.string("verdict");
    if (verdict != "open" && verdict != "locked" && verdict != "partial")
        root.at("verdict").fail("is " + printable(verdict, 40) +
                                ": only a run that was open, locked or partial is a baseline");
    const Plan plan = plan_from_json(root.at("plan").json(), file.string() + ", plan");
    if (plan.self_check) root.fail("is of a self-check, which says nothing of the bench");
    if (plan.simulated.has_value() != bench.simulated.has_value())
        root.fail(plan.simulated ? "is of a simulated bench, and this one is real"
                                 : "is of a real bench, and this one is simulated");
    const std::vector<int> places = places_of(plan.gpus, bench.gpus, file);
    ExpectedBench expected{.of = format("session {}, verdict {}", printable(plan.session, 80), verdict),
                           .fingerprint = fingerprint_of(plan)};
    for (const Member& member : root.list("records")) {
        const Record record = record_from_json(member.json(), file.string() + ", a record");
        const Case* one = plan.find(record.case_id);
        if (one == nullptr || one->gpus.size() != 2) continue;
        if (one->family != Family::core && one->family != Family::way) continue;
        const auto place = [&](std::size_t i) { return places[static_cast<std::size_t>(one->gpus[i])]; };
        ExpectedPair& pair = expected.pairs[{place(0), place(1)}];
        one->family == Family::way ? take_way(*one, record, file, pair)
                                   : take_check(*one, record, file, pair);
    }
    for (const Gpu& source : bench.gpus) {
        for (const Gpu& destination : bench.gpus) {
            if (source.index == destination.index) continue;
            ExpectedPair& pair = expected.pairs[{source.index, destination.index}];
            for (const char* check : {"copy", "read", "write"}) {
                if (!pair.outcomes.contains(check))
                    throw FormatError(format("{}: has no record of the {} from gpu{} to gpu{}", file.string(),
                                             check, source.index, destination.index));
            }
            name_face(pair);
            if (const auto way = way_that_would_lie(pair))
                throw FormatError(
                    format("{}: the {} from gpu{} to gpu{} is illegal_address where copy, read and write "
                           "delivered: that "
                           "cannot be expected of a bench",
                           file.string(), *way, source.index, destination.index));
        }
    }
    return expected;
}

void expect_locked(const AcceptedIfLocked& if_locked, Plan& plan) {
    for (Case& one : plan.cases) one.accepted = if_locked.at(one.id);
}

void expect_as_in(const fs::path& named, const AcceptedIfLocked& if_locked, Plan& plan) {
    std::error_code error;
    const fs::path file =
        fs::absolute(fs::is_directory(named, error) ? named / "report.json" : named).lexically_normal();
    const ExpectedBench bench =
        file.extension() == ".toml" ? expected_by_hand(file, plan) : expected_by_report(file, plan);
    plan.baseline = Baseline{.file = file.string(), .of = bench.of, .differs = {}};
    if (!bench.fingerprint.empty())
        plan.baseline->differs = differences(bench.fingerprint, fingerprint_of(plan));
    const Expected expected(bench, if_locked);
    for (Case& one : plan.cases) one.accepted = expected.of(one);
}

}  // namespace peerproof
