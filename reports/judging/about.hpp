// A finding about some of the planned cases of one kind.
//
//   about("way graph", "wrong (zeros)", entries, 6)   // "wrong (zeros): gpu0_to_gpu1", or "...: all 6"
#pragma once

#include "reports/judging/ledger.hpp"
#include "reports/judging/verdict.hpp"

namespace peerproof {

Finding about(const std::string& word, const std::string& text, const Entries& entries, std::size_t planned);

}  // namespace peerproof
