// Markup of a page, as a type of its own: a text becomes markup by text() or data(), which escape it, and by
// nothing else. To forget that does not compile.
//
//   Markup item = compose("<li><b>{}</b>: {} of {}</li>\n", text(gpu.name, 60), held, all);
//   list += item;
//   compose("<p>{}</p>", gpu.name)      // error: std::string is no part of markup
//   Markup(name); Markup m = name;      // errors: there is no such way
//
// The pattern of compose() is fmt's, and a literal: whatever is known only at run time can be no tag. It is
// filled with markup and numbers. A placeholder stands in an element or in an attribute with quotes.
//
// What this is not: a parser. Nobody checks that the tags of a literal are closed.
#pragma once

#include <concepts>
#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "session/format.hpp"

namespace peerproof::html {

class Markup;

template <typename T>
concept Number = std::floating_point<T> ||(std::integral<T> && !std::same_as<T, bool> && sizeof(T) > 1);

template <typename T>
concept Part = std::same_as<T, Markup> || Number<T>;

template <Part T>
using Shown = std::conditional_t<Number<T>, T, std::string_view>;

template <Part... Parts>
struct Pattern {
    template <std::size_t size>
    consteval Pattern(const char (&literal)[size]) : text(literal) {}  // NOLINT: implicit, as fmt's own

    fmt::format_string<Shown<Parts>...> text;
};

class Markup {
  public:
    Markup() = default;

    std::string_view html() const { return html_; }
    bool empty() const { return html_.empty(); }

    Markup& operator+=(const Markup& more) {
        html_ += more.html_;
        return *this;
    }
    friend Markup operator+(Markup left, const Markup& right) { return std::move(left += right); }

  private:
    explicit Markup(std::string html) : html_(std::move(html)) {}

    template <Part T>
    static Shown<T> shown(const T& part) {
        if constexpr (Number<T>)
            return part;
        else
            return part.html_;
    }

    template <Part... Parts>
    friend Markup compose(Pattern<std::type_identity_t<Parts>...> pattern, const Parts&... parts);
    friend Markup text(std::string_view bytes, std::size_t limit);
    friend Markup data(const nlohmann::ordered_json& value);

    std::string html_;
};

template <Part... Parts>
Markup compose(Pattern<std::type_identity_t<Parts>...> pattern, const Parts&... parts) {
    return Markup(peerproof::format(pattern.text, Markup::shown(parts)...));
}

// Text of unknown origin on one line, escaped for elements and for attributes in quotes. At most `limit` bytes
// of it, before escaping.
Markup text(std::string_view bytes, std::size_t limit = 400);

// A value as the content of <script type="application/json">: no "<" in it can end the element.
Markup data(const nlohmann::ordered_json& value);

}  // namespace peerproof::html
