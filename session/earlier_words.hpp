// What sessions of earlier schemas call what has another name now: a plan up to version 3, a record up to version
// 3 and a report up to version 2.
//
//   in_todays_words(R"({"family": "figure", "check": "read_speed"})"_json)
//       -> {"family": "measurement", "check": "read_bandwidth"}
//   todays_case_id("figure.read_speed.gpu0_to_gpu1")  -> "measurement.read_bandwidth.gpu0_to_gpu1"
//
// Members and words of the format are translated; what is text for people stays as it was written.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "session/schema.hpp"

namespace peerproof {

nlohmann::json in_todays_words(const nlohmann::json& earlier);
std::string todays_case_id(std::string_view earlier);

// A plan or a record in today's words, in whichever version it was written. Must not outlive `written`.
class Document {
  public:
    // Throws FormatError where it is of another schema, or of a version that is not read.
    Document(const nlohmann::json& written, std::string_view origin, const Schema& schema);
    Document(const Document&) = delete;
    Document& operator=(const Document&) = delete;

    int version() const { return version_; }
    Member root() const { return Member(version_ < words_changed ? translated_ : written_, origin_); }

  private:
    static constexpr int words_changed = 4;  // of plans and of records

    const nlohmann::json& written_;
    std::string origin_;
    int version_;
    nlohmann::json translated_;  // of an earlier version
};

}  // namespace peerproof
