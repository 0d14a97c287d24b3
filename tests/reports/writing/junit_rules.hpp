// The rules that a JUnit file must keep to be taken by every service, stated here by themselves: the elements
// and attributes of the strictest schema in use (that of the xUnit plugin), counts that add up, unique names,
// characters of XML 1.0 only.
#pragma once

#include <string>
#include <vector>

namespace peerproof {

// What is wrong with the file; empty if nothing is.
std::vector<std::string> junit_faults(const std::string& xml);

}  // namespace peerproof
