// A series as text, Markdown, HTML and JSON.

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>

#include "reports/many_sessions/series_words.hpp"
#include "reports/reading/plain_text.hpp"
#include "reports/writing/html/page.hpp"
#include "reports/writing/html/table.hpp"
#include "reports/writing/markdown_report.hpp"
#include "session/format.hpp"
#include "session/json.hpp"

namespace peerproof {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t most_rows = 100;  // rows of each table

std::string title_of(const Series& series) {
    const std::string of = series.wanted
                               ? format("{} of {}", series.runs.size(), counted(*series.wanted, "run"))
                               : counted(series.runs.size(), "run");
    return format("{} ({}: {})", to_string(series.verdict()), of, verdicts_text(series));
}

std::string said_of(const SeriesRun& run) {
    return format("{}{}", to_string(run.word), run.as_expected ? ", as expected" : "");
}

std::string summary_of(const Series& series) {
    const Count count = series.not_as_expected();
    if (count.of == 0) return "no run has a verdict";
    return format("{} runs with a verdict were not as expected: the rate is at most {} (95 %)",
                  failed_of(count), at_most(count));
}

Json rate_json(const Count& count) {
    return {{"failed", count.failed}, {"of", count.of}, {"rate_at_most", failure_rate_at_most(count)}};
}

Json runs_json(const Series& series) {
    Json runs = Json::array();
    for (const SeriesRun& run : series.runs)
        runs.push_back({{"session", run.session},
                        {"from", run.origin},
                        {"started", run.started},
                        {"verdict", to_string(run.word)},
                        {"as_expected", run.as_expected},
                        {"exit_code", run.exit_code},
                        {"signature", run.signature},
                        {"reason", run.reason}});
    return runs;
}

Json cases_json(const Series& series) {
    Json cases = Json::array();
    for (const SeriesCase& one : series.cases)
        cases.push_back({{"case", one.planned.id},
                         {"family", to_string(one.planned.family)},
                         {"check", one.planned.check},
                         {"title", one.planned.title},
                         {"gpus", one.planned.gpus},
                         {"gates", one.planned.gates},
                         {"outcomes", one.outcomes},
                         {"flipped", one.flipped()},
                         {"runs", rate_json(one.runs)},
                         {"operations", rate_json(one.operations)},
                         {"failed_in", one.failed_in}});
    return cases;
}

Json measurements_json(const Series& series) {
    Json measurements = Json::array();
    for (const SeriesMeasurement& one : series.measurements) {
        const std::size_t rank = rank_of_interval(one.values.size());
        const Interval interval = median_interval(one.values, rank == 0 ? 1 : rank);
        Json json{{"case", one.case_id},       {"name", one.name}, {"unit", one.unit}, {"values", one.values},
                  {"median", interval.median}, {"from", nullptr},  {"to", nullptr}};
        if (rank > 0) json["from"] = interval.from, json["to"] = interval.to;
        measurements.push_back(json);
    }
    return measurements;
}

html::Markup list(const char* heading, const std::vector<std::string>& lines) {
    html::Markup items;
    for (const std::string& line : lines) items += html::compose("<li>{}</li>\n", html::text(line, 600));
    return lines.empty() ? items : html::compose("<h2>{}</h2>\n<ul>\n{}</ul>\n", html::text(heading), items);
}

html::Markup runs_table(const Series& series) {
    html::Markup rows;
    std::size_t number = 0;
    for (const SeriesRun& run : series.runs) {
        const html::Markup verdict = html::text(said_of(run));
        rows += html::row({html::compose("{}", ++number), html::text(run.session, 100),
                           run.as_expected ? verdict : html::compose("<b>{}</b>", verdict),
                           html::text(run.signature), html::text(run.as_expected ? "" : run.reason)});
    }
    return html::table({.caption = html::text("The runs"),
                        .head = html::head({"run", "session", "verdict", "signature", "reason"}),
                        .rows = rows});
}

html::Markup checks_table(const Series& series) {
    html::Markup rows;
    for (const SeriesRow& row : rows_of(series)) {
        const html::Markup failed = html::text(failed_of(row));
        rows += html::row(
            {html::text(row.check), html::text(row.title, 100), html::text(places_of(row), 100'000),
             row.runs.failed == 0 ? failed : html::compose("<b>{}</b>", failed),
             html::text(row.gates ? at_most(row.runs) : ""), html::text(outcomes_text(row.outcomes))});
    }
    return html::table(
        {.caption = html::text("Each check at each place"),
         .head = html::head({"check", "it claims", "where", "failed, of runs", "at most", "outcomes"}),
         .rows = rows});
}

html::Markup pairs_table(const Series& series) {
    html::Markup rows;
    for (const SeriesPairRow& row : pair_rows_of(series))
        rows += html::row({html::text(join(row.pairs, ", "), 100'000), html::text(failed_of(row.runs)),
                           html::text(at_most(row.runs)), html::text(failed_of(row.operations)),
                           html::text(at_most(row.operations))});
    return html::table(
        {.caption = html::text("Each directed pair, over all its checks"),
         .head = html::head({"pair", "failed, of runs", "at most", "failed, of operations", "at most"}),
         .rows = rows});
}

}  // namespace

std::string series_text(const Series& series) {
    const std::string banner = series.banner();
    std::string text = banner.empty() ? "" : banner + "\n";
    text += format("{}\n{}\n", title_of(series), summary_of(series)) + wrapped(bench_text(series), "bench: ");
    text += "\nruns\n";
    std::size_t number = 0;
    for (const SeriesRun& run : series.runs) {
        text += format("{:>4}  {:<28} {:<20} {}\n", ++number, one_line(run.session, 100), said_of(run),
                       run.signature);
        if (!run.as_expected) text += wrapped(one_line(run.reason, list_limit), "      ");
    }
    text += "\nwhat flipped from run to run\n";
    const std::vector<std::string> flips = flips_of(series);
    for (const std::string& flip : flips) text += wrapped(flip, "- ");
    if (flips.empty()) text += "- nothing\n";
    text += "\neach check at each place: failed in how many runs; with 95 % at most in; its outcomes\n";
    const std::vector<SeriesRow> checks = rows_of(series);
    std::size_t width = 20;
    for (const SeriesRow& row : checks) width = std::max(width, row.check.size());
    for (const SeriesRow& row : checks)
        text += wrapped(format("{}: {}", one_line(places_of(row), list_limit), outcomes_text(row.outcomes)),
                        format("  {:<{}} {:>11} {:>9}  ", row.check, width, failed_of(row),
                               row.gates ? at_most(row.runs) : ""),
                        110);
    text += "\neach directed pair: failed in how many runs, at most; in how many operations, at most\n";
    for (const SeriesPairRow& row : pair_rows_of(series))
        text += wrapped(some_of(row.pairs, list_limit),
                        format("  {:>9} {:>8}  {:>12} {:>9}  ", failed_of(row.runs), at_most(row.runs),
                               failed_of(row.operations), at_most(row.operations)),
                        110);
    text += wrapped(what_bounds_mean, "  ", 110);
    if (!series.remarks.empty()) text += "\n";
    for (const std::string& remark : series.remarks) text += wrapped(remark, "- ");
    text += format("\nruns: {}{}: {}\nverdict: {}\n", series.runs.size(),
                   series.wanted ? format(" of {}", *series.wanted) : "", verdicts_text(series),
                   to_string(series.verdict()));
    if (const std::string reason = series.reason(); !reason.empty()) text += format("reason: {}\n", reason);
    return text;
}

std::string series_markdown(const Series& series) {
    const auto rows_beyond = [](std::size_t count) {
        return count > most_rows ? format("\nand {} more\n", count - most_rows) : std::string();
    };
    const std::string banner = series.banner();
    std::string text = banner.empty() ? "" : "> **" + markdown_text(banner, 600) + "**\n\n";
    text += format("## peerproof: {}\n\n{}  \n{}\n", markdown_text(title_of(series), 300), summary_of(series),
                   markdown_text("bench: " + bench_text(series), 600));
    if (const std::string reason = series.reason(); !reason.empty())
        text += format("\n**reason:** {}\n", markdown_text(reason, 500));
    text += "\n| run | session | verdict | signature |\n|---|---|---|---|\n";
    for (std::size_t i = 0; i < series.runs.size() && i < most_rows; ++i)
        text +=
            format("| {} | {} | {} | {} |\n", i + 1, markdown_text(series.runs[i].session, 100),
                   markdown_text(said_of(series.runs[i]), 60), markdown_text(series.runs[i].signature, 100));
    text += rows_beyond(series.runs.size());
    const std::vector<std::string> flips = flips_of(series);
    text += flips.empty() ? "\nNothing flipped from run to run.\n" : "\nWhat flipped from run to run:\n\n";
    for (std::size_t i = 0; i < flips.size() && i < most_rows; ++i)
        text += format("- {}\n", markdown_text(flips[i], 300));
    text += rows_beyond(flips.size());
    text += "\n| check | where | failed, of runs | at most | outcomes |\n|---|---|---|---|---|\n";
    const std::vector<SeriesRow> rows = rows_of(series);
    for (std::size_t i = 0; i < rows.size() && i < most_rows; ++i)
        text += format("| {} | {} | {} | {} | {} |\n", markdown_text(rows[i].check, 80),
                       markdown_text(places_of(rows[i]), 120), failed_of(rows[i].runs), at_most(rows[i].runs),
                       markdown_text(outcomes_text(rows[i].outcomes), 200));
    text += rows_beyond(rows.size());
    text +=
        "\n| pair | failed, of runs | at most | failed, of operations | at most |\n|---|---|---|---|---|\n";
    const std::vector<SeriesPairRow> pairs = pair_rows_of(series);
    for (std::size_t i = 0; i < pairs.size() && i < most_rows; ++i)
        text += format("| {} | {} | {} | {} | {} |\n", markdown_text(some_of(pairs[i].pairs, 100), 120),
                       failed_of(pairs[i].runs), at_most(pairs[i].runs), failed_of(pairs[i].operations),
                       at_most(pairs[i].operations));
    text += rows_beyond(pairs.size()) + "\n" + what_bounds_mean + "\n";
    for (const std::string& remark : series.remarks) text += format("\n{}\n", markdown_text(remark, 600));
    return text;
}

std::string series_json(const Series& series) {
    Json pairs = Json::array(), fingerprint = Json::object();
    for (const SeriesPair& pair : series.pairs)
        pairs.push_back({{"pair", place_name(pair.gpus)},
                         {"gpus", pair.gpus},
                         {"runs", rate_json(pair.runs)},
                         {"operations", rate_json(pair.operations)}});
    for (const SeriesRun& run : series.runs) {
        if (fingerprint.empty() && !run.fingerprint.empty()) fingerprint = run.fingerprint;
    }
    const Json all{{"schema", "peerproof.series/1"},
                   {"banner", series.banner()},
                   {"verdict", to_string(series.verdict())},
                   {"as_expected", series.as_expected()},
                   {"exit_code", series.exit_code()},
                   {"reason", series.reason()},
                   {"confidence", confidence},
                   {"runs_wanted", series.wanted ? Json(*series.wanted) : Json(nullptr)},
                   {"verdicts", series.verdicts()},
                   {"not_as_expected", rate_json(series.not_as_expected())},
                   {"fingerprint", fingerprint},
                   {"remarks", series.remarks},
                   {"runs", runs_json(series)},
                   {"pairs", pairs},
                   {"cases", cases_json(series)},
                   {"measurements", measurements_json(series)}};
    return all.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string series_html(const Series& series) {
    html::Frame frame{.title = "peerproof: " + title_of(series), .banner = series.banner()};
    for (const SeriesRun& run : series.runs) {
        frame.simulated = frame.simulated || run.simulated.has_value();
        frame.self_check = frame.self_check || run.self_check;
    }
    frame.body = html::compose(
        "<header><h1>{}</h1>\n<p>{}</p>\n<p>{}</p>\n<p>bench: "
        "{}</p></header>\n<main>\n{}{}{}{}<p>{}</p>\n{}</main>\n",
        html::text(title_of(series)), html::text(summary_of(series)), html::text(series.reason(), 600),
        html::text(bench_text(series), 1000), runs_table(series),
        list("What flipped from run to run", flips_of(series)), checks_table(series), pairs_table(series),
        html::text(what_bounds_mean), list("Beside that", series.remarks));
    return html::page(frame);
}

void write_series(const Series& series, const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder);
    write_file_atomically(folder / "series.txt", series_text(series));
    write_file_atomically(folder / "series.html", series_html(series));
    write_file_atomically(folder / "series.md", series_markdown(series));
    write_file_atomically(folder / "series.json", series_json(series));
}

}  // namespace peerproof
