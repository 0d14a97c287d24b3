// The frame of every HTML page of ours: one self-contained file, opened from disk, that may reach no network.
//
//   html::Frame frame{.title = "open - bench7", .banner = verdict.banner(), .body = body};
//   frame.scripts = {html::some_js};
//   write_file_atomically("report.html", html::page(frame));
//
// The Content Security Policy of a page names its own styles and scripts by their hashes and nothing else, so
// that markup which came in with a text would neither run nor load anything even if it got past text(). Style
// and event attributes are therefore dead: a page uses classes and listeners.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/writing/html/assets.hpp"
#include "reports/writing/html/markup.hpp"

namespace peerproof::html {

struct Frame {
    std::string title;       // any text
    std::string banner;      // Verdict::banner(), a line each; empty on a real bench
    bool simulated = false;  // these two are written across the whole page
    bool self_check = false;
    std::vector<Asset> styles{page_css};
    std::vector<Asset> scripts;
    Markup body;
    Markup data;  // of data(), for the scripts; may be empty
};

std::string page(const Frame& frame);

}  // namespace peerproof::html
