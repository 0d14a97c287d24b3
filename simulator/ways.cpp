#include "simulator/ways.hpp"

#include <algorithm>
#include <iterator>

namespace peerproof::simulated {
namespace {

struct Refusable {
    Way way;
    std::string_view name;
};
constexpr Refusable refusable[] = {
    {Way::ipc, "cudaIpcGetMemHandle"},
    {Way::ipc, "cudaIpcOpenMemHandle"},
    {Way::ipc, "cudaIpcCloseMemHandle"},
    {Way::vmm, "cuMemGetAllocationGranularity"},
    {Way::vmm, "cuMemCreate"},
    {Way::vmm, "cuMemRelease"},
    {Way::vmm, "cuMemRetainAllocationHandle"},
    {Way::vmm, "cuMemAddressReserve"},
    {Way::vmm, "cuMemAddressFree"},
    {Way::vmm, "cuMemMap"},
    {Way::vmm, "cuMemUnmap"},
    {Way::vmm, "cuMemSetAccess"},
    {Way::vmm, "cuMemGetAccess"},
    {Way::vmm, "cuMemExportToShareableHandle"},
    {Way::vmm, "cuMemImportFromShareableHandle"},
    {Way::vmm, "cuMemGetAllocationPropertiesFromHandle"},
    {Way::pool, "cudaDeviceGetDefaultMemPool"},
    {Way::pool, "cudaDeviceGetMemPool"},
    {Way::pool, "cudaDeviceSetMemPool"},
    {Way::pool, "cudaMemPoolCreate"},
    {Way::pool, "cudaMemPoolDestroy"},
    {Way::pool, "cudaMemPoolSetAccess"},
    {Way::pool, "cudaMemPoolGetAccess"},
    {Way::pool, "cudaMemPoolSetAttribute"},
    {Way::pool, "cudaMemPoolGetAttribute"},
    {Way::pool, "cudaMemPoolTrimTo"},
    {Way::pool, "cudaMallocAsync"},
    {Way::pool, "cudaMallocFromPoolAsync"},
    {Way::pool, "cudaFreeAsync"},
    {Way::pool, "cudaMemPoolExportToShareableHandle"},
    {Way::pool, "cudaMemPoolImportFromShareableHandle"},
    {Way::pool, "cudaMemPoolExportPointer"},
    {Way::pool, "cudaMemPoolImportPointer"},
    {Way::graph, "cudaStreamBeginCapture"},
    {Way::graph, "cudaStreamEndCapture"},
    {Way::graph, "cudaGraphInstantiate"},
    {Way::graph, "cudaGraphUpload"},
    {Way::graph, "cudaGraphLaunch"},
};

template <class Use>
void for_each_rule(const Bench& bench, const MappedAs& memory, Use use) {
    for (int i = 0; i < bench.way_rule_count; ++i) {
        const WayRule& rule = bench.way_rules[i];
        if (rule.way == memory.way && (!rule.imported || memory.is_foreign)) use(rule);
    }
}

}  // namespace

void apply_ways(const Bench& bench, const MappedAs& memory, int actor, int owner, Load& load, Store& store) {
    for_each_rule(bench, memory, [&](const WayRule& rule) {
        if (rule.has_load && is_meant(rule.from, owner) && is_meant(rule.to, actor)) load = rule.load;
        if (rule.has_store && is_meant(rule.from, actor) && is_meant(rule.to, owner)) store = rule.store;
    });
}

bool is_always_open(const Bench& bench, const MappedAs& memory, int actor, int owner) {
    bool open = false;
    for_each_rule(bench, memory, [&](const WayRule& rule) {
        if (rule.always_mapped && is_meant(rule.from, actor) && is_meant(rule.to, owner)) open = true;
    });
    return open;
}

const WayRule* copy_rule(const Bench& bench, const MappedAs& memory, int from, int to) {
    const WayRule* last = nullptr;
    for_each_rule(bench, memory, [&](const WayRule& rule) {
        if (rule.has_copy && is_meant(rule.from, from) && is_meant(rule.to, to)) last = &rule;
    });
    return last;
}

bool is_call_of(Way way, std::string_view call) {
    return std::any_of(std::begin(refusable), std::end(refusable),
                       [&](const Refusable& each) { return each.way == way && each.name == call; });
}

int refusal(const Bench& bench, std::string_view call, int actor, int owner) {
    if (actor == owner && actor != -1) return 0;
    int error = 0;
    for (int i = 0; i < bench.way_rule_count; ++i) {
        const WayRule& rule = bench.way_rules[i];
        if (rule.call == call && is_meant(rule.from, actor) && is_meant(rule.to, owner)) error = rule.error;
    }
    return error;
}

}  // namespace peerproof::simulated
