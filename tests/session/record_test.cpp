#include "session/record.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "session/json.hpp"

namespace peerproof {
namespace {

Record sample() {
    Record record{
        .session = "s", .case_id = "core.read.gpu0_to_gpu1", .test = "Core/Read.Arrives/gpu0_to_gpu1"};
    record.family = Family::core;
    record.check = "read";
    record.gpus = {0, 1};
    record.finished = true;
    record.outcome = Outcome::wrong;
    record.summary = "word: zeros";
    record.steps = {
        {.name = "word", .outcome = Outcome::wrong, .bytes = 8, .diagnosis = "zeros", .mismatched_words = 1}};
    record.hints = {{"can_access_peer", 1, 0, "1", "cudaDeviceCanAccessPeer"}};
    record.measurements = {
        {.name = "kernel_read", .unit = "GB/s", .samples = {1.5, 1.7}, .median = 1.6, .bytes = 64}};
    record.links = {{1, {.device = "0000:01:00.0", .kind = "gpu", .speed = 16, .lanes = 4}}};
    record.edges = {{0, 1, "P2P/direct pointer", 2}};
    record.signal = 11;
    return record;
}

TEST(Record, SurvivesItsFile) {
    const auto json = to_json(sample());
    EXPECT_EQ(to_json(record_from_json(json, "r.json")), json);
    EXPECT_EQ(record_from_json(json, "r.json").signal, 11);
}

TEST(Record, IsAlwaysValidJson) {
    Record record = sample();
    record.log = "\xff\x00 ]]> \x1b[31m";
    record.summary = std::string(1 << 20, 'x');
    record.seconds = std::numeric_limits<double>::quiet_NaN();
    const auto text = to_json(record).dump();  // throws on bytes that are not UTF-8
    EXPECT_LT(text.size(), 64u * 1024);
    EXPECT_EQ(record_from_json(nlohmann::json::parse(text), "r.json").seconds, 0);
}

TEST(Record, RefusesWhatItsFormatDoesNotAllow) {
    const auto refused = [](const char* pointer, const nlohmann::json& value) {
        auto json = to_json(sample());
        json[nlohmann::json::json_pointer(pointer)] = value;
        try {
            record_from_json(json, "r.json");
        } catch (const FormatError& error) {
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    EXPECT_EQ(refused("/outcome", "open"), "r.json: 'outcome' is an unknown outcome: open");
    EXPECT_EQ(refused("/state", "done"), "r.json: 'state' must be started or finished");
    EXPECT_NE(refused("/steps/0/bytes", -8).find("'steps[0].bytes'"), std::string::npos);
    EXPECT_NE(refused("/measurements/0/samples", {1, "2"})
                  .find("'measurements[0].samples' must hold finite numbers"),
              std::string::npos);
    EXPECT_NE(refused("/edges/0/from", -1).find("'edges[0].from'"), std::string::npos);
    EXPECT_NE(refused("/gpus", "01").find("'gpus' must be a list"), std::string::npos);
    EXPECT_NE(refused("/schema", "peerproof.record/1").find("another version"), std::string::npos);
    EXPECT_NE(refused("/measurements/0/samples", std::vector<double>(257, 1.5)).find("at most 256 numbers"),
              std::string::npos);
    EXPECT_NE(refused("/schema", nullptr).find("'schema'"), std::string::npos);
    EXPECT_NE(refused("/steps", std::vector<nlohmann::json>(4200, to_json(sample())["steps"][0]))
                  .find("more steps"),
              std::string::npos);
}

}  // namespace
}  // namespace peerproof
