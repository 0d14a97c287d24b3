// Every function of the real runtime that has no body in this folder: it must be found, and it must not do
// nothing.
//
// All names are defined here, weakly, so that a body anywhere else takes the place of this one.
#include <cstdio>
#include <cstdlib>

namespace {

[[noreturn]] void abort_by_name(const char* name) {
    std::fprintf(stderr, "peerproof simulated bench: %s is not modelled; add it in simulator/\n", name);
    std::abort();
}

}  // namespace

#define PEERPROOF_EXPORT(name) \
    extern "C" __attribute__((weak)) void name() { abort_by_name(#name); }
#include "simulator/exports.inc"
