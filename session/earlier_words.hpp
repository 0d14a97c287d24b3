// What sessions of earlier schemas call what has another name now: a plan up to version 3, a record up to version
// 3 and a report up to version 2.
//
//   in_todays_words(R"({"family": "figure", "check": "read_speed"})"_json)
//       -> {"family": "measurement", "check": "read_bandwidth"}
//   todays_case_id("figure.read_speed.gpu0_to_gpu1")  -> "measurement.read_bandwidth.gpu0_to_gpu1"
//
// Members and words of the format are translated; what is text for people stays as it was written.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace peerproof {

nlohmann::json in_todays_words(const nlohmann::json& earlier);
std::string todays_case_id(std::string_view earlier);

}  // namespace peerproof
