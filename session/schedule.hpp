// How long a session takes: its cases on so many workers, as CTest runs them. Pure.
//
//   const CaseCosts costs = measured_costs(plan.simulated.has_value());
//   seconds_of(plan, costs, 8)          // about 100
//   seconds_of(plan, costs, 8, ended)   // of what is left
//
// The order is that of the registration (ctest/registration.cpp): controls, then whatever may run (all that it
// comes after has ended, nobody holds its GPUs) in the order of the plan, then the closings. What CTest itself
// and the judge need is in no cost.
#pragma once

#include <map>
#include <set>
#include <string>

#include "session/plan.hpp"

namespace peerproof {

// Seconds of a case, from the start of supervise to its end.
struct CaseCosts {
    std::map<Family, double> of_family;
    std::map<std::string, double> of_check;  // "core.read": where it is known better
    std::string source;                      // "as measured on an H200", "as in session ..."

    double of(const Case& one) const;
};

// The name by which costs know the check of a case: "core.read".
std::string check_name(const Case& one);

// What a case of each family costs, measured: on an H200, or on a simulated bench.
CaseCosts measured_costs(bool simulated);

// `families_alone`: cases of these run alone, whatever they hold, for benchmarks/schedule.
double seconds_of(const Plan& plan, const CaseCosts& costs, int jobs, const std::set<std::string>& ended = {},
                  const std::set<Family>& families_alone = {});

}  // namespace peerproof
