// What a suite of junit.xml says of itself: bench, driver, GPUs, measurements. Jenkins keeps them with the
// result.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reports/judging/ledger.hpp"
#include "reports/judging/verdict.hpp"

namespace peerproof {

using Properties = std::vector<std::pair<std::string, std::string>>;

// Of the whole session; of the GPUs and the measurements only those of these entries, all GPUs where there are
// none.
Properties junit_properties(const Verdict& verdict, const Session& session,
                            const std::vector<const Ledger::Entry*>& entries);

// "[[ATTACHMENT|runs/x/logs/core.read.gpu0_to_gpu1.log]]", which GitLab turns into a link beside a test that
// failed; empty where the path cannot be written in that form.
std::string junit_attachment(const Session& session, const std::string& file);

}  // namespace peerproof
