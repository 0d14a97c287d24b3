// [collective]: what the simulated NCCL does.
#include "simulator/bench.hpp"
#include "simulator/toml_table.hpp"

namespace peerproof::simulated {

void read_collective(Table& root, Collective& into) {
    std::optional<Table> table = root.table("collective");
    if (!table) return;
    using At = Collective::At;
    table->word<At>("hangs_at", into.hangs_at,
                    {{"never", At::never},
                     {"init", At::init},
                     {"call", At::call},
                     {"first", At::first},
                     {"large", At::large},
                     {"finalize", At::finalize}});
    table->word<At>("fails_at", into.fails_at,
                    {{"never", At::never}, {"init", At::init}, {"first", At::first}, {"large", At::large}});
    using Takes = Collective::Takes;
    table->word<Takes>("path", into.path,
                       {{"by_rules", Takes::by_rules},
                        {"shared_memory", Takes::shared_memory},
                        {"network", Takes::network},
                        {"indirect", Takes::indirect},
                        {"unsaid", Takes::unsaid},
                        {"p2p", Takes::p2p},
                        {"half_said", Takes::half_said}});
    using Sum = Collective::Sum;
    table->word<Sum>("sum", into.sum,
                     {{"right", Sum::right},
                      {"lacks_a_rank", Sum::lacks_a_rank},
                      {"doubles_a_rank", Sum::doubles_a_rank},
                      {"nothing", Sum::nothing},
                      {"wrong_tail", Sum::wrong_tail}});
    table->integer("sum_at_rank", into.sum_at_rank, 0, 62);
    table->word<bool>("send", into.sends_nothing, {{"right", false}, {"nothing", true}});
    table->word<bool>("abort", into.abort_blocks, {{"returns", false}, {"blocks", true}});
    table->boolean("broken_anyway", into.broken_anyway);
    if (const toml::node* node = table->find("group_sizes")) {
        const toml::array* sizes = node->as_array();
        const std::string allowed = "a list of numbers from 1 to 63";
        if (sizes == nullptr) table->wrong("group_sizes", *node, allowed);
        for (const toml::node& each : *sizes) {
            const auto size = each.value_exact<std::int64_t>();
            if (!size || *size < 1 || *size > 63) table->wrong("group_sizes", each, allowed);
            into.sizes |= std::uint64_t{1} << *size;
        }
    }
    table->no_other_keys();
}

}  // namespace peerproof::simulated
