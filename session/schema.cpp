#include "session/schema.hpp"

#include "session/format.hpp"

namespace peerproof {
namespace {

std::string name_of(const Schema& schema, int version) { return format("{}/{}", schema.kind, version); }

}  // namespace

std::string Schema::name() const { return name_of(*this, newest); }

std::optional<int> Schema::version_of(const Member& root) const {
    const std::string said = root.string("schema");
    for (int version = oldest; version <= newest; ++version) {
        if (said == name_of(*this, version)) return version;
    }
    return std::nullopt;
}

}  // namespace peerproof
