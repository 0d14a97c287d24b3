// The sections of report.html, in the order of the page. Each gives markup; empty where there is nothing to
// say.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "reports/judging/ledger.hpp"
#include "reports/judging/measurements.hpp"
#include "reports/judging/verdict.hpp"
#include "reports/writing/html/markup.hpp"
#include "reports/writing/html/path_stops.hpp"

namespace peerproof::html {

// What every section looks at.
struct View {
    const Verdict& verdict;
    const Ledger& ledger;
    std::vector<PathGroup> paths;         // pairs whose paths look alike, together
    std::vector<PairMeasurements> pairs;  // none where there are no measurements

    const Session& session() const { return ledger.session(); }
};

Markup first_screen(const View& view);
Markup matrix_section(const View& view);
Markup findings_section(const View& view);
Markup rows_section(const View& view);
Markup reached_section(const View& view);
Markup paths_section(const View& view);
Markup measurements_section(const View& view);
Markup hints_section(const View& view);
Markup controls_section(const View& view);
Markup collective_section(const View& view);
Markup ways_section(const View& view);
Markup crowd_section(const View& view);
Markup soak_section(const View& view);
Markup again_section(const View& view);
Markup cases_section(const View& view);
Markup time_section(const View& view);
Markup bench_section(const View& view);

// What report.js shows on demand; cases in the order of the ledger, as in the table of cases. The layout is
// in evidence.cpp.
nlohmann::ordered_json evidence(const View& view);

// <section> with a heading; `id` for links.
Markup section(const char* id, std::string_view title, const Markup& body);

}  // namespace peerproof::html
