// The safeguards that must not compile are static_asserts: take one out of markup.hpp, and this file is red.
#include "reports/writing/html/markup.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/writing/html/page.hpp"
#include "reports/writing/html/table.hpp"
#include "tests/reports/hostile_texts.hpp"

namespace peerproof::html {
namespace {

template <typename T>
concept IsPart = requires(const T& part) {
    compose("<p>{}</p>", part);
};
template <typename T>
concept IsPattern = requires(const T& pattern) {
    compose(pattern);
};
template <typename T>
concept IsAdded = requires(Markup markup, const T& more) {
    markup += more;
};
template <typename T>
concept IsJoined = requires(const Markup& markup, const T& more) {
    markup + more;
};
template <typename T>
concept IsCell = requires(const T& cell) {
    row({cell});
};
template <typename T>
concept IsBody = requires(Frame frame, const T& body) {
    frame.body = body;
};

static_assert(IsPart<Markup> && IsPart<int> && IsPart<std::size_t> && IsPart<double>);
static_assert(IsAdded<Markup> && IsJoined<Markup> && IsCell<Markup> && IsBody<Markup>);

template <typename T>
constexpr bool is_no_markup = !std::is_convertible_v<T, Markup> && !std::is_constructible_v<Markup, T> &&
                              !std::is_assignable_v<Markup&, T> && !IsPart<T> && !IsPattern<T> &&
                              !IsAdded<T> && !IsJoined<T> && !IsCell<T> && !IsBody<T>;
static_assert(is_no_markup<std::string> && is_no_markup<std::string_view> && is_no_markup<const char*>);
static_assert(is_no_markup<char> && is_no_markup<bool> && is_no_markup<nlohmann::ordered_json>);
static_assert(is_no_markup<fmt::basic_runtime<char>>);

// Nor is there a way back that would let a text be escaped twice, or fmt make a text of markup.
static_assert(!std::is_convertible_v<Markup, std::string> &&
              !std::is_convertible_v<Markup, std::string_view>);
static_assert(!fmt::is_formattable<Markup>::value);

TEST(HtmlMarkup, TextIsEscapedAndMarkupIsNot) {
    EXPECT_EQ(text("<b>x</b> & \"y\" 'z'").html(), "&lt;b&gt;x&lt;/b&gt; &amp; &quot;y&quot; &#39;z&#39;");
    EXPECT_EQ(text("one\ntwo\x1b").html(), "one two?");
    EXPECT_EQ(text("&&&&&&&&", 6).html(), "&amp;&amp;&amp;...");
    EXPECT_EQ(compose("<b title=\"{0}\">{0}{1:.1f}</b>", text("{}\">"), 0.25).html(),
              "<b title=\"{}&quot;&gt;\">{}&quot;&gt;0.2</b>");
}

TEST(HtmlMarkup, HostileTextsNeverLeaveATagOrAQuote) {
    for (const std::string& hostile : hostile_texts()) {
        const Markup shown = text(hostile);
        EXPECT_EQ(shown.html().find_first_of("<>\"'"), std::string::npos) << shown.html().substr(0, 200);
    }
}

TEST(HtmlMarkup, DataCannotEndItsElement) {
    const Markup json = data({{"name", "</script><b>x</b><!--<script>"}, {"bytes", "\xff"}});
    EXPECT_EQ(json.html().find('<'), std::string::npos);
    EXPECT_EQ(nlohmann::json::parse(json.html()).at("name"), "</script><b>x</b><!--<script>");
}

// A caption in the box that scrolls is cut where the box is narrower than its sentence.
TEST(HtmlMarkup, ATableScrollsAndItsCaptionDoesNot) {
    const Markup made =
        table({.caption = text("a < b"), .head = head({"x", "y"}), .rows = row({text("1"), text("2")})});
    EXPECT_EQ(made.html(),
              "<figure><figcaption>a &lt; b</figcaption>\n<div class=\"wide\"><table><thead><tr><th "
              "scope=\"col\">x</th><th scope=\"col\">y</th></tr></thead>\n<tbody>\n<tr><th "
              "scope=\"row\">1</th><td>2</td></tr>\n</tbody></table></div></figure>\n");
}

}  // namespace
}  // namespace peerproof::html
