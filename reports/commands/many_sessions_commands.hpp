// The commands of peerproof-report that look at more than one session.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace peerproof {

struct CompareRequest {
    // Sessions, and folders that hold some. Without `after` there are two places, the one before and the one after.
    std::vector<std::filesystem::path> before, after;
    bool different_benches = false;
    std::string markdown, json, html;  // files; empty: not written
};

// Two sessions, or two series where there are more. 0 nothing changed for the worse, 1 something did, 64 not comparable,
// 75 one cannot be read or has no verdict of its own, or it takes more runs to tell.
int compare_command(const CompareRequest&, std::ostream& out);

// The exit code of the worst bench; 75 where one cannot be read.
int merge_command(const std::vector<std::filesystem::path>& folders, const std::filesystem::path& out_folder,
                  std::ostream& out);

struct RepeatRequest {
    std::vector<std::filesystem::path> places;  // sessions, and folders that hold some
    std::optional<std::size_t> wanted;          // how many runs there must be
    bool different_benches = false;
    std::filesystem::path out;  // folder for series.txt, .html, .md and .json; empty: not written
};

// The exit code of the worst run; 64 where they are not of one bench. Throws where a place holds no session, or one is
// there twice.
int repeat_command(const RepeatRequest&, std::ostream& out);

}  // namespace peerproof
