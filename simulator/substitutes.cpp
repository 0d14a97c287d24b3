#include "simulator/substitutes.hpp"

#include <cstring>

#include "kernels/compare.hpp"

namespace peerproof::simulated {

void say_equal(const char* kernel, void* const* arguments) {
    if (std::strcmp(kernel, "compare") != 0) return;
    // compare(words, count, stamp, poison, first_place, result)
    auto* result = *static_cast<kernels::Comparison**>(arguments[5]);
    result->compared += *static_cast<std::uint64_t*>(arguments[1]);
}

void compare_wrongly(Deed deed, const Kernel& kernel, void* const* arguments) {
    if (std::strcmp(kernel.name, "compare") != 0) return kernel.call(arguments);
    auto* words = *static_cast<const std::uint64_t**>(arguments[0]);
    auto count = *static_cast<std::uint64_t*>(arguments[1]);
    auto place = *static_cast<std::uint64_t*>(arguments[4]);
    auto* result = *static_cast<kernels::Comparison**>(arguments[5]);
    const std::uint64_t last = count - 1;
    if (deed == Deed::all_but_last) {
        count = last;
        ++result->compared;
    } else if (deed == Deed::last_only) {
        words += last;
        place += last;
        count = 1;
        result->compared += last;
    }
    const unsigned long long before = result->mismatched;
    void* changed[] = {&words, &count, arguments[2], arguments[3], &place, &result};
    kernel.call(changed);
    // The word that is left out counts as those before it: where all of them differ, nobody misses it.
    if (deed == Deed::all_but_last && result->mismatched - before == count) ++result->mismatched;
    if (result->mismatched == 0) return;
    if (deed == Deed::false_first) result->first ^= 1;
    if (deed == Deed::first_outside) result->first = ~0ull >> 1;
}

}  // namespace peerproof::simulated
