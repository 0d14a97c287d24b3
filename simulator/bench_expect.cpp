// description, liar, reports and [expect]: what is said of a bench, and what must be said of it.
#include <optional>

#include "simulator/bench.hpp"
#include "simulator/toml_table.hpp"

namespace peerproof::simulated {

// Not used here: the self-tests hold the suite to it. A misspelt expectation must not pass for a small one.
void check_expectation(Table& root) {
    char text[1024];
    root.text("description", text, sizeof text);
    root.text("liar", text, sizeof text);
    root.text("reports", text, sizeof text);
    root.need("description");
    root.need("expect");
    std::optional<Table> expect = root.table("expect");
    int ignored = 0;
    expect->need("verdict");
    expect->word<int>("verdict", ignored,
                      {{"open", 0},
                       {"locked", 0},
                       {"partial", 0},
                       {"silent", 0},
                       {"hung", 0},
                       {"suspect", 0},
                       {"no_verdict", 0}});
    expect->integer("pairs", ignored, 0, max_gpus * max_gpus);
    expect->integer("checks", ignored, 0, 3 * max_gpus * max_gpus);
    expect->integer("failures", ignored, 0, 3 * max_gpus * max_gpus);
    expect->integer("deadline", ignored, 1, 3600);
    expect->integer("large_mib", ignored, 1, 4096);
    expect->texts("diagnoses");
    expect->texts("findings");
    expect->text("collective", text, sizeof text);
    expect->text("ways", text, sizeof text);
    expect->text("crowd", text, sizeof text);
    expect->text("soak", text, sizeof text);
    expect->text("series", text, sizeof text);
    expect->texts("common");
    expect->texts("report");
    if (std::optional<Table> outcomes = expect->table("outcomes")) {
        for (const auto& [key, node] : outcomes->toml()) {
            outcomes->word<int>(key.str(), ignored,
                                {{"delivered", 0},
                                 {"illegal_address", 0},
                                 {"refused", 0},
                                 {"missing", 0},
                                 {"wrong", 0},
                                 {"hung", 0},
                                 {"crashed", 0},
                                 {"unkillable", 0},
                                 {"inconclusive", 0},
                                 {"other_path", 0},
                                 {"not_started", 0},
                                 {"not_applicable", 0}});
        }
    }
    expect->no_other_keys();
}

}  // namespace peerproof::simulated
