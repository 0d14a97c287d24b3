#include "reports/writing/terminal/paint.hpp"

#include <unistd.h>

#include <cstdlib>

#include "session/format.hpp"

namespace peerproof {

bool is_live_terminal(int descriptor) {
    const char* kind = std::getenv("TERM");
    return ::isatty(descriptor) == 1 && kind != nullptr && std::string_view(kind) != "dumb" && *kind != '\0';
}

bool takes_colour(int descriptor) {
    const char* no = std::getenv("NO_COLOR");
    return is_live_terminal(descriptor) && (no == nullptr || *no == '\0');
}

std::string Paint::operator()(Colour colour, std::string_view text) const {
    if (!on || text.empty()) return std::string{text};
    constexpr int codes[] = {31, 32, 33, 1};
    return format("\033[{}m{}\033[0m", codes[static_cast<int>(colour)], text);
}

}  // namespace peerproof
