// toml++ for input that anybody may have written. Its parser asserts that the name of a table or a key begins
// as one may begin ([?x] does not), and the assertion would end the process: here it throws.
//
// Include this, never <toml++/toml.h>, in what reads a person's file; catch toml::parse_error and TomlGaveUp.
#pragma once

#include <stdexcept>

namespace peerproof {

struct TomlGaveUp : std::runtime_error {
    TomlGaveUp()
        : std::runtime_error(
              "is not TOML: is there a name in [brackets], or before a =, that should be quoted?") {}
};

[[noreturn]] inline void toml_gave_up() { throw TomlGaveUp(); }

}  // namespace peerproof

#define TOML_HEADER_ONLY 1
#define TOML_ASSERT(expression) ((expression) ? static_cast<void>(0) : peerproof::toml_gave_up())
#include <toml++/toml.h>
