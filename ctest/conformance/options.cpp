#include "ctest/conformance/options.hpp"

#include <CLI/CLI.hpp>

#include "session/exit_code.hpp"

namespace peerproof {

Options parse_options(int argc, char** argv) {
    Options options;
    CLI::App app(
        "peerproof's checks. CTest runs them, one process a case. By hand, without --plan, the GPUs in sight "
        "are the bench:\n"
        "  conformance --gtest_filter=Core/Read.Arrives/gpu0_to_gpu1");
    app.allow_extras();
    auto* emit = app.add_option("--emit-ctest", options.emit_ctest,
                                "List the bench and write its CTest script to this file");
    auto* open = app.add_option("--open", options.open, "Make this session folder and write its plan");
    auto* plan =
        app.add_option("--plan", options.plan, "Run the one case of this plan that --gtest_filter names");
    auto* session = app.add_option("--session", options.session, "The name of the session");
    auto* out = app.add_option("--out", options.out, "The folder of the sessions");
    auto* listed =
        app.add_option("--listed", options.listed, "UUIDs of the GPUs that the listing saw")->delimiter(',');
    app.add_option("--record-fd", options.record_fd, "File descriptor that takes the record")
        ->check(CLI::Range(3, 1023))
        ->needs(plan);
    // Of the program itself and for nobody else: in no help.
    app.add_option("--second-process", options.second_process)->check(CLI::Range(3, 1023))->group("");
    emit->needs(session)->needs(out)->excludes(open)->excludes(plan);
    open->needs(session)->excludes(plan);
    listed->needs(open);
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp& help) {
        std::exit(app.exit(help));
    } catch (const CLI::ParseError& error) {
        app.exit(error);
        std::exit(exit_usage);
    }
    options.for_gtest = {argv[0]};
    for (std::string& extra : app.remaining()) options.for_gtest.push_back(std::move(extra));
    return options;
}

}  // namespace peerproof
