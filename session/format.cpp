#define FMT_HEADER_ONLY
#include "session/format.hpp"

#include <fmt/format.h>

namespace peerproof {

std::string vformat(fmt::string_view text, fmt::format_args values) { return fmt::vformat(text, values); }

void put(std::FILE* file, const std::string& text) { std::fwrite(text.data(), 1, text.size(), file); }

}  // namespace peerproof
