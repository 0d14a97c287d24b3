// The style sheets and scripts of this folder, embedded when the program is built (embed.cmake): at run time
// peerproof-report is one program without files of its own.
#pragma once

#include <string_view>

namespace peerproof::html {

struct Asset {
    std::string_view text;
    std::string_view sha256;  // of the text, in hex
};

extern const Asset page_css;    // colours, type, tables, the marks, paper
extern const Asset report_css;  // what only the report of one session has
extern const Asset report_js;

}  // namespace peerproof::html
