#include "reports/judging/time_spent.hpp"

#include <algorithm>
#include <charconv>
#include <ctime>
#include <map>

#include "session/schedule.hpp"

namespace peerproof {
namespace {

// A record may say anything.
constexpr double longest_case_s = 1e9;
double seconds_of(const Record& record) { return std::clamp(record.seconds, 0.0, longest_case_s); }

struct Interval {
    double from = 0, to = 0;
    Family family{};
};

// Each moment is shared by those that ran in it.
void share_the_clock(const std::vector<Interval>& intervals, std::map<Family, FamilyTime>& families,
                     TimeSpent& spent) {
    struct Edge {
        double at;
        int change;
        Family family;
    };
    std::vector<Edge> edges;
    for (const Interval& one : intervals) {
        edges.push_back({one.from, 1, one.family});
        edges.push_back({one.to, -1, one.family});
    }
    std::stable_sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.at < b.at; });
    std::map<Family, int> running;
    int all = 0;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        running[edges[i].family] += edges[i].change;
        all += edges[i].change;
        if (i + 1 == edges.size()) break;
        const double seconds = edges[i + 1].at - edges[i].at;
        spent.clock_seconds += seconds;
        if (all == 0) spent.idle_seconds += seconds;
        for (const auto& [family, count] : running)
            if (count > 0) families[family].clock_seconds += seconds * count / all;
    }
}

void keep_longest(std::vector<LongCase>& longest, const LongCase& one, std::size_t most) {
    const auto at =
        std::upper_bound(longest.begin(), longest.end(), one,
                         [](const LongCase& a, const LongCase& b) { return a.seconds > b.seconds; });
    longest.insert(at, one);
    if (longest.size() > most) longest.pop_back();
}

bool number(std::string_view text, std::size_t at, std::size_t digits, int& value) {
    if (at + digits > text.size()) return false;
    const char* end = text.data() + at + digits;
    const auto [stopped, error] = std::from_chars(text.data() + at, end, value);
    return error == std::errc{} && stopped == end && value >= 0;
}

}  // namespace

std::optional<double> seconds_of_utc(std::string_view text) {
    std::tm utc{};
    constexpr std::string_view form = "....-..-..T..:..:..";
    if (text.size() < form.size() + 1 || text.back() != 'Z') return std::nullopt;
    for (std::size_t i = 0; i < form.size(); ++i) {
        if (form[i] != '.' && text[i] != form[i]) return std::nullopt;
    }
    if (!number(text, 0, 4, utc.tm_year) || !number(text, 5, 2, utc.tm_mon) ||
        !number(text, 8, 2, utc.tm_mday) || !number(text, 11, 2, utc.tm_hour) ||
        !number(text, 14, 2, utc.tm_min) || !number(text, 17, 2, utc.tm_sec))
        return std::nullopt;
    utc.tm_year -= 1900;
    utc.tm_mon -= 1;
    double fraction = 0;
    if (const std::string_view rest = text.substr(form.size(), text.size() - form.size() - 1);
        !rest.empty()) {
        int milliseconds = 0;
        if (rest.size() != 4 || rest[0] != '.' || !number(rest, 1, 3, milliseconds)) return std::nullopt;
        fraction = milliseconds / 1e3;
    }
    return static_cast<double>(::timegm(&utc)) + fraction;
}

TimeSpent time_spent(const Ledger& ledger) {
    TimeSpent spent;
    std::map<Family, FamilyTime> families;
    std::map<std::string, CheckTime> checks;
    std::vector<Interval> intervals;
    for (const Ledger::Entry& entry : ledger.entries()) {
        // A case that was not started took no time of its own.
        if (entry.record == nullptr || entry.is(Outcome::not_started)) continue;
        const Record& record = *entry.record;
        const double seconds = seconds_of(record);
        const LongCase one{record.case_id, seconds};
        FamilyTime& family = families[record.family];
        family.family = record.family;
        ++family.cases;
        family.seconds += seconds;
        keep_longest(family.longest, one, longest_shown);
        keep_longest(spent.longest, one, longest_of_all);
        CheckTime& check = checks[check_name(*entry.planned)];
        ++check.cases;
        check.seconds += seconds;
        spent.case_seconds += seconds;
        if (const auto started = seconds_of_utc(record.started))
            intervals.push_back({*started, *started + seconds, record.family});
    }
    share_the_clock(intervals, families, spent);
    for (auto& [word, family] : families) spent.families.push_back(std::move(family));
    for (auto& [name, check] : checks) {
        check.check = name;
        spent.checks.push_back(std::move(check));
    }
    return spent;
}

}  // namespace peerproof
