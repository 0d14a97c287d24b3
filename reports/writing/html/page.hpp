// The frame of every HTML page of ours: one self-contained file, opened from disk, that may reach no network.
//
//   html::Frame frame{.title = "open - bench7", .banner = verdict.banner(), .body = body};
//   frame.scripts = {html::some_js};
//   write_file_atomically("report.html", html::page(frame));
//
// The Content Security Policy of a page names its own styles and scripts by their hashes and nothing else, so
// that markup which came in with a text would neither run nor load anything even if it got past text(). Style
// and event attributes are therefore dead: a page uses classes and listeners.
//
// What this is not: a template language. A page is composed of strings; whatever comes from outside goes
// through text(), lines() or data().
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "reports/writing/html/assets.hpp"

namespace peerproof::html {

// Text of unknown origin on one line, escaped for elements and for attributes in double quotes. At most
// `limit` bytes of it, before escaping.
std::string text(std::string_view bytes, std::size_t limit = 400);

// The same with its line breaks, for <pre>.
std::string lines(std::string_view bytes, std::size_t limit);

// A value as the content of <script type="application/json">: no "<" in it can end the element.
std::string data(const nlohmann::ordered_json& value);

struct Frame {
    std::string title;       // any text
    std::string banner;      // Verdict::banner(), a line each; empty on a real bench
    bool simulated = false;  // these two are written across the whole page
    bool self_check = false;
    std::vector<Asset> styles{page_css};
    std::vector<Asset> scripts;
    std::string body;  // markup
    std::string data;  // of data(), for the scripts; may be empty
};

std::string page(const Frame& frame);

}  // namespace peerproof::html
