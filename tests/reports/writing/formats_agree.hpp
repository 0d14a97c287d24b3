// Do all reports of a session tell the same story? Stated here by themselves, from the reports alone:
// report.json is read for what came of each case, and every other format is held to it: verdict, matrix, the
// outcome of each case, which of them fail, which measurements were taken (and have a bar, a median and a
// share), what was reached.
//
//   for (const std::string& one : disagreements(formats_in(folder, show))) ADD_FAILURE() << one;
//
// For sessions of well-behaved texts: names with markup are another test's matter.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace peerproof {

struct Formats {
    std::string json, text, markdown, html, junit, show;  // show: what the terminal gets, without colour
};

Formats formats_in(const std::filesystem::path& session_folder, std::string show);
std::vector<std::string> disagreements(const Formats& formats);

}  // namespace peerproof
