#include "reports/writing/html/page.hpp"

#include <gtest/gtest.h>

namespace peerproof::html {
namespace {

std::size_t count(const std::string& in, std::string_view what) {
    std::size_t found = 0;
    for (std::size_t at = in.find(what); at != std::string::npos; at = in.find(what, at + 1)) ++found;
    return found;
}

TEST(HtmlPage, AllowsItsOwnStylesAndNothingElse) {
    const std::string page = html::page({.title = "</title><b>x</b>", .body = compose("<p>body</p>")});
    EXPECT_EQ(page.find("<b>"), std::string::npos);
    EXPECT_EQ(count(page, "default-src 'none'"), 1u);
    EXPECT_EQ(count(page, "script-src 'none'"), 1u);
    EXPECT_EQ(count(page, "unsafe-inline"), 0u);
    EXPECT_EQ(count(page, " class=\"\""), 1u);
}

// "abc" and its hash are the example of FIPS 180-2; a browser checks the real ones in tests/browser.
TEST(HtmlPage, NamesAHashInBase64) {
    const Asset abc{"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"};
    const std::string page = html::page({.scripts = {abc}});
    EXPECT_EQ(count(page, "script-src 'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='"), 1u)
        << page.substr(0, 600);
}

TEST(HtmlPage, ABenchThatIsNotRealSaysSoInTitleBandAndClass) {
    const std::string page = html::page({.title = "open",
                                         .banner = "SIMULATED BENCH <x>\nSELF-CHECK",
                                         .simulated = true,
                                         .self_check = true});
    EXPECT_EQ(count(page, "<title>SIMULATED SELF-CHECK open</title>"), 1u);
    EXPECT_EQ(count(page, "class=\"simulated self-check\""), 1u);
    EXPECT_EQ(count(page, "<p>SIMULATED BENCH &lt;x&gt;</p><p>SELF-CHECK</p>"), 1u);
}

}  // namespace
}  // namespace peerproof::html
