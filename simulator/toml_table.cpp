#include "simulator/toml_table.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "simulator/exit_code.hpp"

namespace peerproof::simulated {
namespace {

const char* file = "";  // a process reads one bench

// What benches that were written for earlier versions call it.
constexpr std::string_view earlier_keys[][2] = {{"gpu", "card"},
                                                {"gpus", "cards"},
                                                {"path", "road"},
                                                {"bidirectional", "both_ways"},
                                                {"bidirectional_gb_s", "both_ways_gb_s"},
                                                {"bidirectional_staged_gb_s", "both_ways_staged_gb_s"}};

}  // namespace

void name_file_for_messages(const char* path) { file = path; }

void fail(const toml::source_region& where, const std::string& what) {
    std::fprintf(stderr, "peerproof simulated bench: %s:%u: %s\n", file, where.begin.line, what.c_str());
    _exit(exit_usage);
}

const toml::node* Table::find(std::string_view key) {
    const auto know = [&](std::string_view name) {
        if (std::find(known_.begin(), known_.end(), name) == known_.end()) known_.emplace_back(name);
    };
    know(key);
    if (const toml::node* node = table_.get(key)) return node;
    const auto* earlier = std::find_if(std::begin(earlier_keys), std::end(earlier_keys),
                                       [&](const auto& one) { return one[0] == key; });
    if (earlier == std::end(earlier_keys) || !table_.contains((*earlier)[1])) return nullptr;
    know((*earlier)[1]);
    return table_.get((*earlier)[1]);
}

void Table::text(std::string_view key, char* into, std::size_t room) {
    const toml::node* node = find(key);
    if (node == nullptr) return;
    const auto value = node->value_exact<std::string>();
    if (!value || value->size() >= room)
        wrong(key, *node, "a text of at most " + std::to_string(room - 1) + " bytes");
    std::memcpy(into, value->c_str(), value->size() + 1);
}

std::optional<std::int64_t> Table::integer_of(std::string_view key, std::int64_t least, std::int64_t most) {
    const toml::node* node = find(key);
    if (node == nullptr) return std::nullopt;
    const auto value = node->value_exact<std::int64_t>();
    if (!value || *value < least || *value > most)
        wrong(key, *node, "an integer from " + std::to_string(least) + " to " + std::to_string(most));
    return value;
}

void Table::boolean(std::string_view key, bool& into) {
    const toml::node* node = find(key);
    if (node == nullptr) return;
    const auto value = node->value_exact<bool>();
    if (!value) wrong(key, *node, "true or false");
    into = *value;
}

void Table::number(std::string_view key, double& into, double least, double most) {
    const toml::node* node = find(key);
    if (node == nullptr) return;
    const auto value = node->value<double>();
    if (!node->is_number() || !value || !(*value >= least) || !(*value <= most))
        wrong(key, *node, "a number from " + std::to_string(least) + " to " + std::to_string(most));
    into = *value;
}

void Table::error_code(std::string_view key, int& into) {
    const toml::node* node = find(key);
    if (node == nullptr) return;
    const auto code = node->value_exact<std::int64_t>();
    if (node->value_exact<std::string>() == "ok") {
        into = 0;
    } else if (code && *code >= 1 && *code <= 999) {
        into = static_cast<int>(*code);
    } else {
        wrong(key, *node, "\"ok\" or a CUDA error code from 1 to 999");
    }
}

std::optional<int> Table::index(std::string_view key, int count) {
    const toml::node* node = find(key);
    if (node == nullptr) return std::nullopt;
    const auto value = node->value_exact<std::int64_t>();
    if (node->value_exact<std::string>() == "*") return -1;
    if (!value || *value < 0 || *value >= count)
        wrong(key, *node, "\"*\" or the index of a GPU, 0 to " + std::to_string(count - 1));
    return static_cast<int>(*value);
}

int Table::needed_index(std::string_view key, int count) {
    need(key);
    return *index(key, count);
}

void Table::texts(std::string_view key) {
    const toml::node* node = find(key);
    if (node == nullptr) return;
    const toml::array* array = node->as_array();
    if (array == nullptr) wrong(key, *node, "a list of texts");
    for (const toml::node& each : *array) {
        if (!each.is_string()) wrong(key, each, "a list of texts");
    }
}

std::optional<Table> Table::table(std::string_view key) {
    const toml::node* node = find(key);
    if (node == nullptr) return std::nullopt;
    if (!node->is_table()) wrong(key, *node, "a table: [" + std::string(key) + "]");
    return Table(*node->as_table(), '[' + std::string(key) + ']');
}

std::vector<Table> Table::tables(std::string_view key) {
    const toml::node* node = find(key);
    std::vector<Table> list;
    if (node == nullptr) return list;
    const toml::array* array = node->as_array();
    if (array == nullptr) wrong(key, *node, "a list of tables: [[" + std::string(key) + "]]");
    for (const toml::node& each : *array) {
        if (!each.is_table()) wrong(key, each, "a list of tables: [[" + std::string(key) + "]]");
        list.emplace_back(*each.as_table(), "[[" + std::string(key) + "]]");
    }
    return list;
}

void Table::no_other_keys() const {
    for (const auto& [key, node] : table_) {
        if (std::find(known_.begin(), known_.end(), key.str()) != known_.end()) continue;
        std::string allowed;
        for (const std::string& each : known_) allowed += (allowed.empty() ? "" : ", ") + each;
        fail(key.source(),
             name_ + " has an unknown key '" + std::string(key.str()) + "'; allowed are: " + allowed);
    }
}

void Table::wrong(std::string_view key, const toml::node& node, const std::string& allowed) const {
    fail(node.source(), name_ + ": '" + std::string(key) + "' must be " + allowed);
}

void Table::need(std::string_view key) {
    if (!has(key)) fail(table_.source(), name_ + ": '" + std::string(key) + "' is missing");
}

}  // namespace peerproof::simulated
