#include "reports/judging/common_factor.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace peerproof {
namespace {

struct Pattern {
    const char* name;
    int gpus;
    std::function<bool(int, int)> fails;
    std::vector<std::string> checks;
    const char* sentence;
};

void PrintTo(const Pattern& pattern, std::ostream* out) { *out << pattern.name; }

const std::vector<std::string> read{"read"}, both{"read", "write"}, all{"copy", "read", "write"};

const Pattern patterns[] = {
    {"Nothing", 3, [](int, int) { return false; }, read, ""},
    {"AllPairs", 3, [](int, int) { return true; }, both, "all 6 pairs; reads and writes, copies hold"},
    {"AllPairsOfTwo", 2, [](int, int) { return true; }, all, "all 2 pairs; copies and reads and writes"},
    {"OneGpu", 3, [](int s, int d) { return s == 2 || d == 2; }, read,
     "every pair with gpu2 and no other; reads only"},
    {"OneSource",
     3,
     [](int s, int) { return s == 1; },
     {"write"},
     "every pair out of gpu1 and no other; writes only"},
    {"OneDestination",
     4,
     [](int, int d) { return d == 3; },
     {"copy"},
     "every pair into gpu3 and no other; copies only"},
    {"OnePair", 2, [](int s, int) { return s == 1; }, read,
     "gpu1_to_gpu0 alone; its reverse holds; reads only"},
    {"OneLink", 4, [](int s, int d) { return s + d == 3 && s * d == 0; }, read,
     "gpu0 and gpu3 in both directions; reads only"},
    {"OneWay", 3, [](int s, int d) { return d == s + 1; }, read,
     "gpu1 in each, but not all of its pairs: gpu0_to_gpu1, gpu1_to_gpu2; reads only"},
    {"Upwards", 3, [](int s, int d) { return s < d; }, read,
     "one direction, the reverse of each holds: gpu0_to_gpu1, gpu0_to_gpu2, gpu1_to_gpu2; reads only"},
    {"TwoSwitches", 4, [](int s, int d) { return s / 2 != d / 2; }, both,
     "every pair between the groups {gpu0 gpu1} {gpu2 gpu3} and none within; reads and writes, copies hold"},
    {"NothingInCommon", 4, [](int s, int d) { return s / 2 == d / 2; }, read,
     "no common GPU: gpu0_to_gpu1, gpu1_to_gpu0, gpu2_to_gpu3, gpu3_to_gpu2; reads only"},
};

class CommonFactor : public testing::TestWithParam<Pattern> {};

TEST_P(CommonFactor, InOneSentence) {
    const Pattern& pattern = GetParam();
    std::vector<Failure> failures;
    for (int s = 0; s < pattern.gpus; ++s) {
        for (int d = 0; d < pattern.gpus; ++d) {
            if (s == d || !pattern.fails(s, d)) continue;
            for (const auto& check : pattern.checks) failures.push_back({s, d, check});
        }
    }
    EXPECT_EQ(common_factor(pattern.gpus, failures), pattern.sentence);
}

INSTANTIATE_TEST_SUITE_P(Patterns, CommonFactor, testing::ValuesIn(patterns),
                         [](const auto& pattern) { return std::string(pattern.param.name); });

TEST(CommonFactorOfChecks, SaysWhereTheyDiffer) {
    EXPECT_EQ(common_factor(2, {{0, 1, "read"}, {1, 0, "copy"}}),
              "all 2 pairs; copies and reads, not the same on each pair");
}

// Which GPU cannot access which other: the pairs alone do not show it.
TEST(CommonFactorOfChecks, NamesTheWindowThatIsClosed) {
    EXPECT_EQ(
        common_factor(2, {{0, 1, "read"}, {1, 0, "write"}}),
        "all 2 pairs; reads and writes, not the same on each pair: every access by kernels of gpu1 to gpu0");
}

}  // namespace
}  // namespace peerproof
