// report.md: the summary for a merge request or the page of a CI job, at most 60 KB, in the Markdown that
// GitHub, GitLab and Jenkins share. Nothing that comes from a session can become markup, a mention or a link.
//
//   peerproof-report verdict DIR --session ID && cat DIR/report.md >> "$GITHUB_STEP_SUMMARY"
#pragma once

#include <string>
#include <string_view>

#include "reports/judging/verdict.hpp"
#include "reports/reading/session_folder.hpp"

namespace peerproof {

inline constexpr std::size_t markdown_limit = 60'000;  // bytes; GitHub takes 65,536 characters in a comment

std::string markdown_report(const Verdict& verdict, const Session& session);

// Text of unknown origin on one line, with every character that Markdown or HTML could read escaped.
std::string markdown_text(std::string_view bytes, std::size_t limit);

}  // namespace peerproof
