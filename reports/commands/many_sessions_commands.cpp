#include "reports/commands/many_sessions_commands.hpp"

#include <ostream>

#include "reports/many_sessions/comparison.hpp"
#include "reports/many_sessions/fleet.hpp"
#include "reports/many_sessions/series_comparison.hpp"
#include "reports/reading/plain_text.hpp"
#include "session/exit_code.hpp"
#include "session/json.hpp"

namespace peerproof {

namespace {

namespace fs = std::filesystem;

int not_comparable(const std::string& why, std::ostream& out) {
    out << "peerproof-report: these say nothing of each other: " << why
        << ". With --different-benches they are compared all the same\n";
    return exit_usage;
}

template <class Compared>
void write_comparison(const Compared& comparison, const CompareRequest& request) {
    if (!request.markdown.empty()) write_file_atomically(request.markdown, comparison_markdown(comparison));
    if (!request.json.empty()) write_file_atomically(request.json, comparison_json(comparison));
    if (!request.html.empty()) write_file_atomically(request.html, comparison_html(comparison));
}

int compare_sessions(const fs::path& earlier, const fs::path& later, const CompareRequest& request,
                     std::ostream& out) {
    const Judged before = read_judged(earlier), after = read_judged(later);
    if (const std::string why = why_not_comparable(before, after); !why.empty() && !request.different_benches)
        return not_comparable(why, out);
    const Comparison comparison = compare(before, after);
    write_comparison(comparison, request);
    out << comparison_text(comparison);
    bool judged = true;
    for (const Judged* each : {&before, &after}) {
        if (each->no_verdict_of_its_own.empty()) continue;
        out << one_line(each->origin, 300) << ": " << each->no_verdict_of_its_own << "\n";
        judged = false;
    }
    out << std::flush;
    if (!judged) return exit_no_verdict;
    return comparison.worse() ? exit_refuted : exit_held;
}

int compare_series(const std::vector<fs::path>& earlier, const std::vector<fs::path>& later,
                   const CompareRequest& request, std::ostream& out) {
    const Series before = read_series(earlier), after = read_series(later);
    for (const std::string& why :
         {why_no_series(before), why_no_series(after), why_not_comparable(before, after)}) {
        if (!why.empty() && !request.different_benches) return not_comparable(why, out);
    }
    const SeriesComparison comparison = compare(before, after);
    write_comparison(comparison, request);
    out << comparison_text(comparison) << std::flush;
    return comparison.exit_code();
}

}  // namespace

int compare_command(const CompareRequest& request, std::ostream& out) {
    std::vector<fs::path> before = request.before, after = request.after;
    if (after.empty()) {
        if (before.size() != 2) {
            out << "peerproof-report: compare takes two places, or: compare OLD... --with NEW...\n";
            return exit_usage;
        }
        after = {before[1]};
        before.pop_back();
    }
    before = sessions_in(before);
    after = sessions_in(after);
    if (before.size() == 1 && after.size() == 1) return compare_sessions(before[0], after[0], request, out);
    return compare_series(before, after, request, out);
}

int merge_command(const std::vector<std::filesystem::path>& folders, const std::filesystem::path& out_folder,
                  std::ostream& out) {
    const Fleet fleet = read_fleet(folders);
    write_fleet(fleet, out_folder);
    out << fleet_text(fleet) << "reports: " << (out_folder / "fleet.html").string()
        << " fleet.txt fleet.json junit.xml\n"
        << std::flush;
    return fleet.exit_code();
}

int repeat_command(const RepeatRequest& request, std::ostream& out) {
    const Series series = read_series(sessions_in(request.places), request.wanted);
    if (const std::string why = why_no_series(series); !why.empty() && !request.different_benches) {
        out << "peerproof-report: these are not runs of one bench: " << why
            << ". With --different-benches they are counted together all the same\n";
        return exit_usage;
    }
    if (!request.out.empty()) write_series(series, request.out);
    out << series_text(series) << "reports: "
        << (request.out.empty()
                ? "none"
                : (request.out / "series.html").string() + " series.txt series.md series.json")
        << "\n"
        << std::flush;
    return series.exit_code();
}

}  // namespace peerproof
