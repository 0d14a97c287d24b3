#include "session/json.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace peerproof {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
  protected:
    void SetUp() override {
        char name[] = "/tmp/peerproof-json-XXXXXX";
        ASSERT_NE(::mkdtemp(name), nullptr);
        folder = name;
    }
    void TearDown() override { fs::remove_all(folder); }

    fs::path put(const std::string& text) {
        std::ofstream(folder / "x.json", std::ios::binary) << text;
        return folder / "x.json";
    }

    fs::path folder;
};

std::string message_of(const std::function<void()>& act) {
    try {
        act();
    } catch (const FormatError& error) {
        return error.what();
    }
    return "no error";
}

TEST_F(Files, WhatCannotBeReadIsNamed) {
    const auto read = [&](const std::string& text) {
        const auto file = put(text);
        return message_of([&] { read_json(file, 100); });
    };
    EXPECT_NE(read("").find("x.json: empty"), std::string::npos);
    EXPECT_NE(read("{\"a\": ").find("x.json: not JSON"), std::string::npos);
    EXPECT_NE(read("{\"a\": 1e999}").find("x.json: not JSON"), std::string::npos);
    EXPECT_NE(read(std::string(101, ' ')).find("101 bytes, more than the 100"), std::string::npos);
    EXPECT_NE(message_of([&] { read_json(folder, 100); }).find("not a regular file"), std::string::npos);
    EXPECT_NE(message_of([&] { read_json(folder / "none", 100); }).find("none"), std::string::npos);
}

TEST_F(Files, DeepNestingIsReadWithoutHarm) {
    const auto file = put(std::string(100000, '[') + std::string(100000, ']'));
    EXPECT_TRUE(read_json(file, 1000000).is_array());
}

TEST_F(Files, AnAtomicWriteLeavesNothingBeside) {
    write_file_atomically(folder / "y", "first");
    write_file_atomically(folder / "y", "second");
    std::string text;
    std::ifstream(folder / "y") >> text;
    EXPECT_EQ(text, "second");
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);
}

TEST_F(Files, AFailedWriteSaysWhereAndLeavesTheOldFile) {
    fs::create_directory(folder / "y");  // a file cannot replace a folder
    EXPECT_THROW(write_file_atomically(folder / "y", "text"), std::system_error);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);
    try {
        write_file_atomically(folder / "none" / "z", "text");
        FAIL();
    } catch (const std::system_error& error) {
        EXPECT_NE(std::string(error.what()).find((folder / "none" / "z").string()), std::string::npos);
        EXPECT_EQ(error.code().value(), ENOENT);
    }
}

TEST(Member, NamesWhatIsWrong) {
    const auto json =
        nlohmann::json::parse(R"({"n": -1, "s": 5, "l": [1, "x"], "big": 18446744073709551615, "o": {}})");
    const Member root(json, "f.json");
    EXPECT_EQ(message_of([&] { root.string("none"); }), "f.json: 'none' is missing");
    EXPECT_EQ(message_of([&] { root.string("s"); }), "f.json: 's' must be a string");
    EXPECT_EQ(message_of([&] { root.natural("n"); }), "f.json: 'n' must be a whole number, not negative");
    EXPECT_EQ(message_of([&] { root.integer("big", 0, 5); }),
              "f.json: 'big' must be a whole number from 0 to 5");
    EXPECT_EQ(message_of([&] { root.indices("l"); }), "f.json: 'l[1]' must be a whole number from 0 to 1023");
    EXPECT_EQ(message_of([&] { root.at("o").string("deep"); }), "f.json: 'o.deep' is missing");
    EXPECT_EQ(root.natural("big"), 18446744073709551615ull);
    EXPECT_EQ(message_of([&] { Member(nlohmann::json::array(), "f.json"); }), "f.json: not a JSON object");
}

TEST(Printable, KeepsUtf8AndReplacesTheRest) {
    EXPECT_EQ(printable("caf\xc3\xa9", 100), "caf\xc3\xa9");
    EXPECT_EQ(printable("\xff\xc3", 100), "??");
    EXPECT_EQ(printable("\xc0\x80 \xed\xa0\x80 \xf4\x90\x80\x80", 100), "?? ??? ????");
    EXPECT_EQ(printable("\xe0\x80\x80", 100), "???");  // longer than it need be
    EXPECT_EQ(printable("caf\xc3\xa9", 4), "caf");     // never half a character
}

}  // namespace
}  // namespace peerproof
