#include "tests/support/print_json.hpp"

#include <nlohmann/json.hpp>
#include <ostream>

namespace nlohmann {

void PrintTo(const json& value, std::ostream* out) { *out << value.dump(); }

}  // namespace nlohmann
