#include "reports/judging/common_factor.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "session/format.hpp"

namespace peerproof {
namespace {

using Pair = std::pair<int, int>;
using Pairs = std::set<Pair>;

std::string name_of(const Pair& pair) { return format("gpu{}_to_gpu{}", pair.first, pair.second); }

template <class Wanted>
bool are_just(const Pairs& failing, int gpus, Wanted wanted) {
    for (int source = 0; source < gpus; ++source) {
        for (int destination = 0; destination < gpus; ++destination) {
            if (source == destination) continue;
            if (failing.contains({source, destination}) != wanted(source, destination)) return false;
        }
    }
    return true;
}

// The GPUs fall into groups (two switches, two sockets): every pair within one holds, every pair across
// fails.
std::string groups(const Pairs& failing, int gpus) {
    std::vector<int> group(gpus);
    std::iota(group.begin(), group.end(), 0);
    for (int a = 0; a < gpus; ++a) {
        for (int b = a + 1; b < gpus; ++b) {
            if (failing.contains({a, b}) || failing.contains({b, a})) continue;
            const int from = group[b], to = group[a];
            std::replace(group.begin(), group.end(), from, to);
        }
    }
    if (!are_just(failing, gpus, [&](int a, int b) { return group[a] != group[b]; })) return "";
    std::map<int, std::vector<std::string>> members;
    for (int gpu = 0; gpu < gpus; ++gpu) members[group[gpu]].push_back(format("gpu{}", gpu));
    std::vector<std::string> sets;
    for (const auto& [id, names] : members) sets.push_back(format("{{{}}}", join(names, " ")));
    return format("every pair between the groups {} and none within", join(sets, " "));
}

std::string of_pairs(const Pairs& failing, int gpus) {
    if (are_just(failing, gpus, [](int, int) { return true; })) return format("all {} pairs", failing.size());
    if (failing.size() == 1) {
        const Pair& only = *failing.begin();
        return format("{} alone; its reverse holds", name_of(only));
    }
    for (int gpu = 0; gpu < gpus; ++gpu) {
        if (are_just(failing, gpus, [&](int s, int d) { return s == gpu || d == gpu; }))
            return format("every pair with gpu{} and no other", gpu);
        if (are_just(failing, gpus, [&](int s, int) { return s == gpu; }))
            return format("every pair out of gpu{} and no other", gpu);
        if (are_just(failing, gpus, [&](int, int d) { return d == gpu; }))
            return format("every pair into gpu{} and no other", gpu);
    }
    if (std::string sentence = groups(failing, gpus); !sentence.empty()) return sentence;

    std::vector<std::string> shared;
    for (int gpu = 0; gpu < gpus; ++gpu) {
        const auto with = [&](const Pair& pair) { return pair.first == gpu || pair.second == gpu; };
        if (std::all_of(failing.begin(), failing.end(), with)) shared.push_back(format("gpu{}", gpu));
    }
    std::vector<std::string> names;
    for (const Pair& pair : failing) names.push_back(name_of(pair));
    std::string sentence;
    if (shared.size() == 2) {
        sentence = format("{} and {} in both directions", shared[0], shared[1]);
    } else if (shared.size() == 1) {
        sentence = format("{} in each, but not all of its pairs: {}", shared[0], join(names, ", "));
    } else {
        const auto one_way = [&](const Pair& pair) { return !failing.contains({pair.second, pair.first}); };
        const bool reverse_holds = std::all_of(failing.begin(), failing.end(), one_way);
        sentence =
            format("{}: {}", reverse_holds ? "one direction, the reverse of each holds" : "no common GPU",
                   join(names, ", "));
    }
    return sentence;
}

// Reads of A->B and writes of B->A are the accesses of one GPU, B, to one memory, A's: one window. Windows
// that fail whole name a GPU that may not access another, which no list of pairs shows.
std::string of_windows(const std::vector<Failure>& failures) {
    std::map<Pair, std::set<std::string>> by_window;  // {actor, owner}
    for (const Failure& failure : failures) {
        if (failure.check == "copy") return "";
        const bool read = failure.check == "read";
        by_window[{read ? failure.destination : failure.source, read ? failure.source : failure.destination}]
            .insert(failure.check);
    }
    std::vector<std::string> names;
    for (const auto& [window, checks] : by_window) {
        if (checks.size() != 2) return "";
        names.push_back(format("gpu{} to gpu{}", window.first, window.second));
    }
    return format(": every access by kernels of {}", join(names, ", "));
}

std::string of_checks(const std::vector<Failure>& failures) {
    std::map<Pair, std::set<std::string>> by_pair;
    std::set<std::string> all;
    for (const Failure& failure : failures) {
        by_pair[{failure.source, failure.destination}].insert(failure.check);
        all.insert(failure.check);
    }
    std::vector<std::string> names;
    for (const std::string& check : all) {
        names.push_back(check == "copy"    ? "copies"
                        : check == "read"  ? "reads"
                        : check == "write" ? "writes"
                                           : check);
    }
    const std::string list = join(names, " and ");
    if (all.size() == 1) return list + " only";
    const bool alike =
        std::all_of(by_pair.begin(), by_pair.end(), [&](const auto& p) { return p.second == all; });
    if (!alike) return list + ", not the same on each pair" + of_windows(failures);
    return all.contains("copy") ? list : list + ", copies hold";
}

}  // namespace

std::string common_factor(int gpus, const std::vector<Failure>& failures) {
    if (failures.empty()) return "";
    Pairs failing;
    for (const Failure& failure : failures) failing.insert({failure.source, failure.destination});
    return of_pairs(failing, gpus) + "; " + of_checks(failures);
}

}  // namespace peerproof
