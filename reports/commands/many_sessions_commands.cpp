#include "reports/commands/many_sessions_commands.hpp"

#include <ostream>

#include "reports/many_sessions/comparison.hpp"
#include "reports/many_sessions/fleet.hpp"
#include "reports/many_sessions/series.hpp"
#include "reports/reading/plain_text.hpp"
#include "session/exit_code.hpp"
#include "session/json.hpp"

namespace peerproof {

int compare_command(const CompareRequest& request, std::ostream& out) {
    const Judged before = read_judged(request.before), after = read_judged(request.after);
    if (const std::string why = why_not_comparable(before, after);
        !why.empty() && !request.different_benches) {
        out << "peerproof-report: these say nothing of each other: " << why
            << ". With --different-benches they are compared all the same\n";
        return exit_usage;
    }
    const Comparison comparison = compare(before, after);
    if (!request.markdown.empty()) write_file_atomically(request.markdown, comparison_markdown(comparison));
    if (!request.json.empty()) write_file_atomically(request.json, comparison_json(comparison));
    if (!request.html.empty()) write_file_atomically(request.html, comparison_html(comparison));
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
