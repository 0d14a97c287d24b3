// Colour, where somebody looks at a terminal and has nothing against it (NO_COLOR, TERM=dumb).
//
//   const Paint paint{takes_colour(STDOUT_FILENO)};
//   paint(Colour::red, "silent")      // "\033[31msilent\033[0m", or "silent"
//
// Nothing is ever said by colour alone.
#pragma once

#include <string>
#include <string_view>

namespace peerproof {

enum class Colour { red, green, yellow, bold };

bool is_live_terminal(int descriptor);  // one that can go back to the beginning of a line
bool takes_colour(int descriptor);

struct Paint {
    bool on = false;
    std::string operator()(Colour colour, std::string_view text) const;
};

}  // namespace peerproof
