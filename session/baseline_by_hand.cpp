// The TOML that a person writes: strict, so that a misspelt key is never a quiet default.

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>

#include "session/baseline.hpp"
#include "session/format.hpp"
#include "session/json.hpp"
#include "session/toml.hpp"
#include "session/ways.hpp"

namespace peerproof {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t file_limit = 1024 * 1024;
constexpr const char* checks[] = {"copy", "read", "write"};

class File {
  public:
    File(const fs::path& path, const Plan& bench) : path_(path), bench_(bench) {}

    ExpectedBench read() {
        const toml::table root = parsed();
        ExpectedBench expected{.of = "written by hand"};
        only(root, {"others", "pair"});
        if (const auto* others = root.get("others")) expected.others = open_or_locked("others", *others);
        if (const auto* pairs = root.get("pair")) {
            const toml::array* list = pairs->as_array();
            if (list == nullptr || !list->is_array_of_tables())
                fail(*pairs, "'pair' must be [[pair]] tables");
            for (const auto& pair : *list) take(*pair.as_table(), expected.pairs);
        }
        if (!root.contains("others") && expected.pairs.empty())
            throw FormatError(format("{}: says nothing: neither 'others' nor a [[pair]]", path_.string()));
        return expected;
    }

  private:
    toml::table parsed() const {
        std::error_code error;
        const auto size = fs::file_size(path_, error);
        if (error) throw FormatError(format("{}: {}", path_.string(), error.message()));
        if (size > file_limit)
            throw FormatError(format("{}: is larger than {} bytes", path_.string(), file_limit));
        std::ifstream stream(path_, std::ios::binary);
        std::ostringstream text;
        text << stream.rdbuf();
        if (!stream) throw FormatError(path_.string() + ": cannot be read");
        try {
            return toml::parse(text.str(), path_.string());
        } catch (const toml::parse_error& wrong) {
            throw FormatError(format("{}:{}: is not TOML: {}", path_.string(), wrong.source().begin.line,
                                     wrong.description()));
        } catch (const TomlGaveUp& wrong) {
            throw FormatError(format("{}: {}", path_.string(), wrong.what()));
        }
    }

    [[noreturn]] void fail(const toml::node& where, const std::string& what) const {
        throw FormatError(format("{}:{}: {}", path_.string(), where.source().begin.line, what));
    }

    void only(const toml::table& table, const std::vector<std::string>& known) const {
        for (const auto& [key, value] : table) {
            const auto is = [given = key.str()](const std::string& name) { return given == name; };
            if (std::none_of(known.begin(), known.end(), is))
                fail(value, format("'{}' is unknown here: known are {}", printable(key.str(), 60),
                                   join(known, ", ")));
        }
    }

    std::string text(const char* key, const toml::node& node) const {
        const auto value = node.value_exact<std::string>();
        if (!value) fail(node, format("'{}' must be a string", key));
        return *value;
    }

    Expectation open_or_locked(const char* key, const toml::node& node) const {
        const auto word = parse_expectation(text(key, node));
        if (!word || *word == Expectation::baseline) fail(node, format("'{}' must be open or locked", key));
        return *word;
    }

    int gpu(const toml::table& pair, const char* key) const {
        const toml::node* node = pair.get(key);
        if (node == nullptr) fail(pair, format("a [[pair]] needs '{}'", key));
        const std::string name = text(key, *node);
        std::vector<std::string> known;
        for (const Gpu& gpu : bench_.gpus) {
            const std::string index = format("gpu{}", gpu.index);
            if (name == index || name == gpu.uuid || name == gpu.bus_id) return gpu.index;
            known.push_back(format("{} ({}, {})", index, gpu.bus_id, gpu.uuid));
        }
        fail(*node, format("'{}': there is no GPU '{}' on this bench; there are {}", key, printable(name, 80),
                           join(known, ", ")));
    }

    Outcome way_outcome(const char* way, const toml::node& node) const {
        const auto word = parse_outcome(text(way, node));
        if (word != Outcome::delivered && word != Outcome::illegal_address && word != Outcome::refused &&
            word != Outcome::not_applicable)
            fail(node,
                 format("'{}' must be delivered, illegal_address, refused or not_applicable: nothing else "
                        "can be expected of a way",
                        way));
        return *word;
    }

    Outcome outcome(const char* check, const toml::node& node) const {
        const auto word = parse_outcome(text(check, node));
        if (word != Outcome::delivered && word != Outcome::illegal_address && word != Outcome::refused)
            fail(node, format("'{}' must be delivered, illegal_address or refused: nothing else can be "
                              "expected of a bench",
                              check));
        return *word;
    }

    void take(const toml::table& table, ExpectedPairs& pairs) const {
        std::vector<std::string> known{"source",    "destination", "expect", "bidirectional",
                                       "both_ways", "copy",        "read",   "write"};
        for (const WayName& way : all_ways) known.emplace_back(way.name);
        only(table, known);
        const int source = gpu(table, "source"), destination = gpu(table, "destination");
        if (source == destination) fail(table, "source and destination are the same GPU");
        ExpectedPair pair;
        const toml::node* expect = table.get("expect");
        if (expect != nullptr) pair.as = open_or_locked("expect", *expect);
        for (const char* check : checks) {
            if (const auto* node = table.get(check)) pair.outcomes[check] = outcome(check, *node);
        }
        if (expect != nullptr && !pair.outcomes.empty())
            fail(table, "give either 'expect' or the outcomes of copy, read and write");
        if (expect == nullptr && pair.outcomes.size() != std::size(checks))
            fail(table, "needs 'expect', or the outcome of each of copy, read and write");
        pair.mixed = expect == nullptr;
        for (const std::string& way : names_of_ways()) {
            if (const auto* node = table.get(way)) pair.ways[way] = way_outcome(way.c_str(), *node);
        }
        if (const auto way = way_that_would_lie(pair))
            fail(*table.get(*way),
                 format("'{}' cannot be illegal_address where copy, read and write deliver: "
                        "that would be a lie of the way",
                        *way));
        bool both = false;
        if (table.contains("bidirectional") && table.contains("both_ways"))
            fail(table, "'both_ways' is the earlier name of 'bidirectional', which is there too");
        for (const char* key : {"bidirectional", "both_ways"}) {
            const auto* node = table.get(key);
            if (node == nullptr) continue;
            if (!node->is_boolean()) fail(*node, format("'{}' must be true or false", key));
            both = both || node->value_or(false);
        }
        add(table, {source, destination}, pair, pairs);
        if (both) add(table, {destination, source}, pair, pairs);
    }

    void add(const toml::table& table, std::pair<int, int> where, const ExpectedPair& pair,
             ExpectedPairs& pairs) const {
        if (!pairs.emplace(where, pair).second)
            fail(table, format("the pair from gpu{} to gpu{} is there twice", where.first, where.second));
    }

    const fs::path path_;
    const Plan& bench_;
};

}  // namespace

ExpectedBench expected_by_hand(const fs::path& file, const Plan& bench) { return File(file, bench).read(); }

}  // namespace peerproof
