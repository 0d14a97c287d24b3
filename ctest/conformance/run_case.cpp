#include "ctest/conformance/run_case.hpp"

#include <gtest/gtest.h>

#include <iostream>

#include "session/exit_code.hpp"

namespace peerproof {
namespace {

// gtest 1.12 exits with 0 where a filter selects nothing; so the tests that start are counted.
class Counter : public testing::EmptyTestEventListener {
  public:
    void OnTestStart(const testing::TestInfo&) override { ++started; }
    int started = 0;
};

}  // namespace

bool init_gtest(const std::vector<std::string>& for_gtest) {
    std::vector<std::string> texts = for_gtest;
    std::vector<char*> arguments;
    for (std::string& text : texts) arguments.push_back(text.data());
    arguments.push_back(nullptr);
    int count = static_cast<int>(texts.size());
    testing::InitGoogleTest(&count, arguments.data());
    for (int i = 1; i < count; ++i)
        std::cerr << "conformance: unknown argument: " << arguments[static_cast<std::size_t>(i)] << "\n";
    return count <= 1;
}

int run_selected() {
    auto* counter = new Counter;  // GoogleTest owns it
    auto& unit = *testing::UnitTest::GetInstance();
    unit.listeners().Append(counter);
    const int result = RUN_ALL_TESTS();
    if (counter->started == 0 || counter->started != unit.test_to_run_count()) {
        std::cerr << "conformance: " << counter->started << " tests ran of " << unit.test_to_run_count()
                  << " selected by --gtest_filter=" << testing::GTEST_FLAG(filter) << "\n";
        return exit_nothing_ran;
    }
    return result == 0 ? exit_held : exit_refuted;
}

}  // namespace peerproof
