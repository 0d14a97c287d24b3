#include "reports/commands/ctest_output.hpp"

#include <algorithm>
#include <cstdlib>
#include <regex>

#include "reports/reading/plain_text.hpp"

namespace peerproof {
namespace {

constexpr std::size_t kept_of_a_line = 600, reason_limit = 400;

const std::regex start_line{R"(^ +Start +[0-9]+: (\S+)$)"};
const std::regex end_line{
    R"(^ *([0-9]{1,9})/([0-9]{1,9}) Test +#[0-9]+: (\S+) \.+ *(\*\*\*)?([A-Z].*?) +([0-9.]+) sec *$)"};

}  // namespace

std::vector<EndedTest> CtestOutput::take(std::string_view line) {
    std::vector<EndedTest> ended;
    const std::string text{line.substr(0, kept_of_a_line)};
    std::smatch found;
    if (std::regex_match(text, found, start_line)) {
        tell_pending(ended);
        running_.push_back(found[1]);
    } else if (std::regex_match(text, found, end_line)) {
        tell_pending(ended);
        done_ = std::atoi(found[1].str().c_str());
        total_ = std::atoi(found[2].str().c_str());
        EndedTest test{.name = found[3], .result = found[5], .seconds = std::atof(found[6].str().c_str())};
        test.failed = found[4].matched && !test.result.starts_with("Skipped");
        std::erase(running_, test.name);
        if (test.failed) {
            ++failed_;
            pending_ = std::move(test);
        } else {
            ended.push_back(std::move(test));
        }
    } else if (pending_ && !text.empty()) {
        // Its own sentence says more than the first line, which is GoogleTest's.
        const bool own = text.starts_with(pending_->name + ": ");
        if (own || pending_->reason.empty())
            pending_->reason = one_line(own ? text.substr(pending_->name.size() + 2) : text, reason_limit);
        if (own) tell_pending(ended);
    }
    return ended;
}

std::vector<EndedTest> CtestOutput::finish() {
    std::vector<EndedTest> ended;
    tell_pending(ended);
    return ended;
}

void CtestOutput::tell_pending(std::vector<EndedTest>& ended) {
    if (!pending_) return;
    ended.push_back(*std::move(pending_));
    pending_.reset();
}

}  // namespace peerproof
