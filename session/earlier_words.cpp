#include "session/earlier_words.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "session/format.hpp"

namespace peerproof {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

constexpr Pair members[] = {{"figures", "measurements"}, {"road", "path"}};
// Members whose values are words of the format, or ids.
constexpr std::string_view holders[] = {"accepted", "after", "case", "check",   "family",
                                        "id",       "kind",  "name", "outcome", "test"};
constexpr Pair words[] = {{"figure", "measurement"},
                          {"card", "gpu"},
                          {"other_road", "other_path"},
                          {"read_speed", "read_bandwidth"},
                          {"write_speed", "write_bandwidth"},
                          {"copy_speed", "copy_bandwidth"},
                          {"staged_speed", "staged_copy_bandwidth"},
                          {"own_speed", "own_bandwidth"},
                          {"both_ways_speed", "bidirectional_copy_bandwidth"},
                          {"both_ways_staged_speed", "bidirectional_staged_copy_bandwidth"},
                          {"both_ways_read_speed", "bidirectional_read_bandwidth"},
                          {"both_ways_write_speed", "bidirectional_write_bandwidth"},
                          // Parts of a GoogleTest name.
                          {"Figure", "Measurement"},
                          {"ReadSpeed", "ReadBandwidth"},
                          {"WriteSpeed", "WriteBandwidth"},
                          {"CopySpeed", "CopyBandwidth"},
                          {"StagedSpeed", "StagedCopyBandwidth"},
                          {"OwnSpeed", "OwnBandwidth"},
                          {"BothWaysSpeed", "BidirectionalCopyBandwidth"},
                          {"BothWaysStagedSpeed", "BidirectionalStagedCopyBandwidth"},
                          {"BothWaysReadSpeed", "BidirectionalReadBandwidth"},
                          {"BothWaysWriteSpeed", "BidirectionalWriteBandwidth"}};

template <std::size_t n>
std::string_view translated(const Pair (&table)[n], std::string_view word) {
    const auto found =
        std::find_if(std::begin(table), std::end(table), [&](const Pair& one) { return one.first == word; });
    return found == std::end(table) ? word : found->second;
}

// Part by part: "figure.read_speed.gpu0_to_gpu1", "Figure/ReadSpeed.IsMeasured/gpu0_to_gpu1".
std::string parts_translated(std::string_view text) {
    std::string today;
    while (true) {
        const std::size_t end = text.find_first_of("./");
        today += translated(words, text.substr(0, end));
        if (end == std::string_view::npos) return today;
        today += text[end];
        text.remove_prefix(end + 1);
    }
}

void translate(nlohmann::json& value, bool holds_words) {
    if (value.is_string() && holds_words) {
        value = parts_translated(value.get_ref<const std::string&>());
    } else if (value.is_array()) {
        for (nlohmann::json& element : value) translate(element, holds_words);
    } else if (value.is_object()) {
        nlohmann::json today = nlohmann::json::object();
        for (auto& [key, member] : value.items()) {
            const bool holds = std::find(std::begin(holders), std::end(holders), key) != std::end(holders);
            translate(member, holds);
            today[std::string{translated(members, key)}] = std::move(member);
        }
        value = std::move(today);
    }
}

}  // namespace

nlohmann::json in_todays_words(const nlohmann::json& earlier) {
    nlohmann::json today = earlier;
    translate(today, false);
    return today;
}

std::string todays_case_id(std::string_view earlier) { return parts_translated(earlier); }

Document::Document(const nlohmann::json& written, std::string_view origin, const Schema& schema)
    : written_(written), origin_(origin) {
    const Member root(written, origin);
    const auto version = schema.version_of(root);
    if (!version)
        root.at("schema").fail(format("must be {}: another version of peerproof wrote this", schema.name()));
    version_ = *version;
    if (version_ < words_changed) translated_ = in_todays_words(written);
}

}  // namespace peerproof
