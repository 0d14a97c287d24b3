// The main of the unit tests. GoogleTest calls a run without a single test a success, and ignores options
// that it does not know; here both are failures.
#include <gtest/gtest.h>

#include <cstdio>

#include "session/exit_code.hpp"

int main(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    if (argc > 1) {
        std::fprintf(stderr, "unknown argument: %s\n", argv[1]);
        return peerproof::exit_usage;
    }
    const int result = RUN_ALL_TESTS();
    const auto& all = *::testing::UnitTest::GetInstance();
    if (result == 0 && all.successful_test_count() == 0) {
        std::fprintf(stderr, "no test ran\n");
        return peerproof::exit_nothing_ran;
    }
    return result;
}
