#include "reports/reading/plain_text.hpp"

#include <gtest/gtest.h>

#include "tests/reports/hostile_texts.hpp"

namespace peerproof {
namespace {

TEST(OneLine, KeepsWhatIsPlain) { EXPECT_EQ(one_line("GPU 9, \xc3\xa9", 100), "GPU 9, \xc3\xa9"); }

TEST(OneLine, LeavesNothingThatForgesALineOrSteersATerminal) {
    EXPECT_EQ(one_line("a\nverdict: open\r\tb", 100), "a verdict: open  b");
    EXPECT_EQ(one_line("\x1b[2J\x7f", 100), "?[2J?");
    EXPECT_EQ(one_line(std::string_view("a\0b", 3), 100), "a?b");
    EXPECT_EQ(one_line("\xc2\x9b", 100), "?");  // C1, another escape
    EXPECT_EQ(one_line("a\xe2\x80\xae"
                       "b",
                       100),
              "a?b");  // from here text runs backwards
    EXPECT_EQ(one_line("a\xe2\x80\xa8"
                       "b",
                       100),
              "a?b");  // a line separator
    EXPECT_EQ(one_line("\xff\xfe", 100), "??");
}

TEST(OneLine, CutsWholeCharactersAndSaysSo) {
    EXPECT_EQ(one_line("abcdef", 6), "abcdef");
    EXPECT_EQ(one_line("abcdefg", 6), "abc...");
    EXPECT_EQ(one_line("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 6), "\xc3\xa9...");
    for (const std::string& text : hostile_texts()) {
        for (const std::size_t limit : {10, 100, 1000}) EXPECT_LE(one_line(text, limit).size(), limit);
    }
    std::string marks;
    for (int i = 0; i < 1000; ++i) marks += "\xe2\x80\xae";
    EXPECT_EQ(one_line(marks, 10), "???????...");
}

TEST(XmlText, KeepsOnlyCharactersOfXml) {
    EXPECT_EQ(xml_text(std::string_view("a\0\x01\x1b\n\t\r]]>b", 11), 100), "a???\n\t]]>b");
    EXPECT_EQ(xml_text("\xef\xbf\xbf\xef\xbf\xbe\xed\xa0\x80", 100), "?????");
}

TEST(XmlText, CountsWhatEscapingAdds) {
    EXPECT_EQ(xml_text("&&&", 10), "&&");
    EXPECT_EQ(xml_text("\"<\"", 15), "\"<");
}

TEST(Wrapped, BreaksAtSpaces) {
    EXPECT_EQ(wrapped("one two three", "- ", 9), "- one two\n  three\n");
    EXPECT_EQ(wrapped("a-very-long-word x", "", 5), "a-very-long-word\nx\n");
    EXPECT_EQ(wrapped("", "- "), "- \n");
}

TEST(SomeOf, SaysHowManyMore) {
    EXPECT_EQ(some_of({}, 10), "");
    EXPECT_EQ(some_of({"a", "b"}, 100), "a, b");
    EXPECT_EQ(some_of({"aaaa", "bbbb", "cccc"}, 18), "aaaa and 2 more");
    EXPECT_EQ(some_of({std::string(50, 'a'), "b"}, 10), std::string(50, 'a') + " and 1 more");
}

}  // namespace
}  // namespace peerproof
