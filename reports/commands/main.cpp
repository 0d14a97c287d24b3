// peerproof-report: what a session came to (session/README.md).
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <exception>
#include <filesystem>
#include <iostream>
#include <vector>

#include "reports/commands/many_sessions_commands.hpp"
#include "reports/commands/session_commands.hpp"
#include "reports/commands/watch.hpp"
#include "reports/reading/plain_text.hpp"
#include "session/exit_code.hpp"
#include "session/format.hpp"
#include "session/nearest.hpp"

namespace {

// The command or option of the command line that there is none of, with those that are nearest; mostly empty.
std::string what_nobody_knows(const CLI::App& app, int argc, char** argv) {
    const auto say = [](const char* what, const std::string& word, std::vector<std::string> known) {
        std::string text = peerproof::format("there is no {} '{}'. ", what, peerproof::one_line(word, 80));
        return text + peerproof::format("Nearest are: {}",
                                        peerproof::join(peerproof::nearest(word, std::move(known)), ", "));
    };
    std::vector<std::string> commands;
    for (const CLI::App* one : app.get_subcommands({})) commands.push_back(one->get_name());
    const CLI::App* command = &app;
    for (int i = 1; i < argc; ++i) {
        const std::string word{argv[i]}, name = word.substr(0, word.find('='));
        if (name.starts_with("--") && name.size() > 2) {
            std::vector<std::string> known;
            for (const CLI::Option* one : command->get_options()) {
                for (const std::string& long_name : one->get_lnames()) known.push_back("--" + long_name);
            }
            if (std::find(known.begin(), known.end(), name) == known.end()) return say("option", name, known);
        } else if (command == &app && !word.starts_with("-")) {
            if (std::find(commands.begin(), commands.end(), word) == commands.end())
                return say("command", word, commands);
            command = app.get_subcommand(word);
        }
    }
    return "";
}

}  // namespace

int main(int argc, char** argv) {
    using namespace peerproof;
    std::signal(SIGXFSZ, SIG_IGN);  // a file size limit becomes an error with a text
    std::signal(SIGPIPE, SIG_IGN);  // the reports are written even where nobody reads what is printed

    CLI::App app{"Judges a session and shows its reports.", "peerproof-report"};
    app.require_subcommand(1);
    std::string folder, session, not_listed;
    auto* verdict = app.add_subcommand("verdict", "judge the session, write its reports, print them");
    auto* lines = app.add_subcommand("lines", "the closing lines of a judged session; its exit code");
    auto* show = app.add_subcommand("show", "what the run ended with, once more");
    for (auto* command : {verdict, lines, show})
        command->add_option("DIR", folder, "folder of the session")
            ->required()
            ->check([](const std::string& text) {
                return std::string{text.empty() ? "the folder has no name" : ""};
            });
    verdict->add_option("--session", session, "id of the session that must be there")->required();
    verdict->add_option("--not-listed", not_listed,
                        "why the bench could not be listed; there is no plan then");
    bool whole = false;
    show->add_flag("--all", whole, "report.txt instead, which has everything");
    WatchRequest watched;
    auto* watch = app.add_subcommand("watch", "ctest's output, from standard input, as progress");
    watch->add_option("--log", watched.log, "file that gets the output as it is")->required();
    watch->add_option("--session", watched.session_folder,
                      "folder that the session will have: to say how long it takes");
    watch->add_option("--jobs", watched.jobs, "tests at a time (1)")->check(CLI::Range(1, 1024));
    CompareRequest compared;
    auto* compare = app.add_subcommand(
        "compare",
        "what changed between two sessions, or two series of them: 1 where anything did for the worse");
    compare
        ->add_option("PLACE", compared.before,
                     "the earlier and the later: a session, its report.json, or a folder of sessions; before "
                     "--with all are "
                     "the earlier ones")
        ->required();
    compare->add_option("--with", compared.after, "the later ones, as many as there are");
    compare->add_flag("--different-benches", compared.different_benches,
                      "compare them although their GPUs differ");
    compare->add_option("--markdown", compared.markdown, "write it to this file as Markdown");
    compare->add_option("--json", compared.json, "write it to this file as JSON");
    compare->add_option("--html", compared.html, "write it to this file as HTML");
    std::vector<std::filesystem::path> benches;
    std::string merged;
    auto* merge = app.add_subcommand("merge", "one page and one JUnit file of many benches, the worst first");
    merge->add_option("DIR", benches, "folders of sessions, or their report.json")->required();
    merge->add_option("--out", merged, "folder for fleet.html, fleet.txt, fleet.json and junit.xml")
        ->required();
    RepeatRequest repeated;
    auto* repeat =
        app.add_subcommand("repeat", "many runs of one bench as one: its verdict is the worst of theirs");
    repeat->add_option("FOLDER", repeated.places, "sessions, or folders that hold them")->required();
    repeat->add_option("--runs", repeated.wanted, "how many there must be")->check(CLI::Range(1, 9999));
    repeat->add_flag("--different-benches", repeated.different_benches,
                     "count them together although their benches differ");
    repeat->add_option("--out", repeated.out,
                       "folder for series.html, series.txt, series.md and series.json");
    app.footer("Exit: 0 as expected, 1 not as expected, 64 usage, 75 no verdict.");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (const std::string unknown = what_nobody_knows(app, argc, argv); !unknown.empty()) {
            std::cerr << "peerproof-report: " << unknown << "\nRun with --help for more information.\n";
            return exit_usage;
        }
        const bool helped = app.exit(error) == 0;
        return helped ? exit_held : exit_usage;
    }
    try {
        if (*verdict) return verdict_command(folder, session, not_listed, std::cout);
        if (*lines) return lines_command(folder, std::cout);
        if (*compare) return compare_command(compared, std::cout);
        if (*repeat) return repeat_command(repeated, std::cout);
        if (*merge) return merge_command(benches, merged, std::cout);
        if (*watch) return watch_command(STDIN_FILENO, watched);
        return show_command(folder, whole, {takes_colour(STDOUT_FILENO)}, std::cout);
    } catch (const std::exception& error) {
        std::cerr << "peerproof-report: " << error.what() << "\nverdict: no_verdict\n";
        return exit_no_verdict;
    }
}
