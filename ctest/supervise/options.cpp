#include "ctest/supervise/options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <string_view>

#include "session/settings.hpp"

namespace peerproof::supervise {

namespace {

constexpr double longest_s = 7 * 24 * 3600.0;

// A case id becomes a file name, so nothing else may pass.
std::string case_id_trouble(const std::string& id) {
    const bool fine = id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_.") == std::string::npos;
    return fine && !id.empty() && id.front() != '.' ? "" : "a case id is made of a-z, 0-9, _ and .";
}

}  // namespace

Options options_from(int argc, const char* const* argv) {
    const auto end = argv + argc;
    const auto dashes = std::find(argv + 1, end, std::string_view{"--"});

    Options options;
    std::string folder, health;
    double deadline = 0;
    CLI::App app{"Runs COMMAND under a deadline; with --case also writes the record of that case.",
                 "supervise"};
    app.footer("The options end with --; what follows is COMMAND.");
    auto* folder_option =
        app.add_option("--session-folder", folder, "folder of the session, with its plan.json");
    auto* case_option = app.add_option("--case", options.case_id, "id of the planned case that COMMAND runs")
                            ->check(CLI::Validator(case_id_trouble, "ID"));
    auto* deadline_option =
        app.add_option("--deadline", deadline, "seconds that COMMAND may take (a case: as planned)")
            ->check(CLI::Range(0.01, longest_s));
    app.add_option("--grace", options.grace_s, "seconds from SIGKILL until COMMAND is given up (5)")
        ->check(CLI::Range(0.01, longest_s));
    app.add_option("--health", health,
                   "program that runs the positive control of each GPU after a case that hung or crashed")
        ->needs(case_option);
    folder_option->needs(case_option);
    case_option->needs(folder_option);

    try {
        app.parse(static_cast<int>(dashes - argv), argv);
    } catch (const CLI::CallForHelp&) {
        throw HelpAsked{app.help()};
    } catch (const CLI::ParseError& error) {
        throw UsageError{error.what()};
    }
    if (dashes == end || dashes + 1 == end) throw UsageError{"no command: supervise [OPTIONS] -- COMMAND..."};
    options.command.assign(dashes + 1, end);
    if (!std::isfinite(deadline) || !std::isfinite(options.grace_s))
        throw UsageError{"seconds must be finite"};
    if (!folder.empty()) options.session_folder = folder;
    if (!health.empty()) options.health_program = health;
    if (folder.empty() && folder_option->count() > 0)
        throw UsageError{"--session-folder: the folder has no name"};
    if (deadline_option->count() > 0) options.deadline_s = deadline;
    if (!options.session_folder && !options.deadline_s)
        throw UsageError{"--deadline is required without --case"};
    return options;
}

}  // namespace peerproof::supervise
