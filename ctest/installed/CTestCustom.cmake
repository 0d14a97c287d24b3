# Every selection brings in the verdict by itself, but -E, -FC and -FA can take it out: then all that ran may be green
# and nothing was decided. This runs after the tests, and ctest exits with 8 where it fails. Read by ctest before the
# list is made, so the path is relative to the test folder.
set(CTEST_CUSTOM_POST_TEST "sh concluded")
