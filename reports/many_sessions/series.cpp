#include "reports/many_sessions/series.hpp"

#include <algorithm>
#include <set>
#include <system_error>

#include "reports/reading/plain_text.hpp"
#include "session/exit_code.hpp"
#include "session/format.hpp"
#include "session/json.hpp"

namespace peerproof {
namespace {

namespace fs = std::filesystem;

bool holds_a_session(const fs::path& folder) {
    std::error_code error;
    for (const char* name : {"plan.json", "report.json", "records"}) {
        if (fs::exists(folder / name, error)) return true;
    }
    return false;
}

// The lower, the worse; as the head of series.hpp has the order.
int order_of(const SeriesRun& run) {
    if (run.as_expected) return 20 + run.rank;
    switch (run.word) {
        case VerdictWord::silent:
            return 0;
        case VerdictWord::hung:
            return 1;
        case VerdictWord::partial:
            return 2;
        case VerdictWord::suspect:
            return 3;
        case VerdictWord::no_verdict:
            return 10;
        default:
            return 4;
    }
}

// The worst run; null where there is none, or where one that is not there is worse.
const SeriesRun* worst_of(const Series& series) {
    const auto worst =
        std::min_element(series.runs.begin(), series.runs.end(),
                         [](const SeriesRun& a, const SeriesRun& b) { return order_of(a) < order_of(b); });
    if (worst == series.runs.end() || (!series.is_whole() && worst->as_expected)) return nullptr;
    return &*worst;
}

}  // namespace

VerdictWord Series::verdict() const {
    const SeriesRun* worst = worst_of(*this);
    return worst == nullptr ? VerdictWord::no_verdict : worst->word;
}

bool Series::as_expected() const {
    const SeriesRun* worst = worst_of(*this);
    return worst != nullptr && worst->as_expected;
}

int Series::exit_code() const {
    const SeriesRun* worst = worst_of(*this);
    return worst == nullptr ? int{exit_no_verdict} : worst->exit_code;
}

std::string Series::reason() const {
    const SeriesRun* worst = worst_of(*this);
    if (worst == nullptr)
        return runs.empty() ? "there is no run" : format("{} of {} runs are there", runs.size(), *wanted);
    if (worst->as_expected) return "";
    return format("run {} ({}): {}", worst - runs.data() + 1, one_line(worst->session, 100),
                  one_line(worst->reason, text_limit));
}

std::map<std::string, std::size_t> Series::verdicts() const {
    std::map<std::string, std::size_t> counts;
    for (const SeriesRun& run : runs) ++counts[std::string(to_string(run.word))];
    return counts;
}

Count Series::not_as_expected() const {
    Count count;
    for (const SeriesRun& run : runs)
        if (run.has_verdict()) count += Count{run.as_expected ? 0u : 1u, 1};
    return count;
}

Ranked Series::ranks() const {
    Ranked ranks;
    for (const SeriesRun& run : runs)
        if (run.has_verdict()) ++ranks[run.rank];
    return ranks;
}

std::string Series::banner() const {
    std::string all;
    for (const SeriesRun& run : runs) {
        if (all.find(run.banner) == std::string::npos) all += (all.empty() ? "" : "\n") + run.banner;
    }
    return all;
}

std::vector<fs::path> sessions_in(const std::vector<fs::path>& places) {
    std::vector<fs::path> sessions;
    std::set<fs::path> seen;
    const auto take = [&](const fs::path& session) {
        std::error_code error;
        const fs::path real = fs::weakly_canonical(session, error);
        if (seen.insert(error ? session : real).second) sessions.push_back(session);
    };
    for (const fs::path& place : places) {
        std::error_code error;
        if (!fs::is_directory(place, error) || holds_a_session(place)) {
            take(place);
            continue;
        }
        std::vector<fs::path> inside;
        for (const auto& entry : fs::directory_iterator(place)) {
            if (entry.is_directory(error) && !entry.is_symlink(error) && holds_a_session(entry.path()))
                inside.push_back(entry.path());
        }
        if (inside.empty())
            throw FormatError(
                format("{} is no session: it has no plan.json; nor does it hold any", place.string()));
        std::sort(inside.begin(), inside.end());
        for (const fs::path& session : inside) take(session);
    }
    return sessions;
}

std::string why_no_series(const Series& series) {
    const SeriesRun* first = nullptr;
    for (const SeriesRun& run : series.runs) {
        if (run.fingerprint.empty()) continue;
        if (first == nullptr) {
            first = &run;
            continue;
        }
        std::string why;
        if (run.simulated != first->simulated)
            why = "not both are of the same simulated bench, or of a real one";
        else if (run.self_check != first->self_check)
            why = "one is a self-check, and one is not";
        else {
            Fingerprint there = first->fingerprint, here = run.fingerprint;
            there.erase("boot_id"), here.erase("boot_id");
            why = one_line(join(differences(there, here), "; "), list_limit);
        }
        if (!why.empty())
            return format("sessions {} and {}: {}", one_line(first->session, 100), one_line(run.session, 100),
                          why);
    }
    return "";
}

}  // namespace peerproof
