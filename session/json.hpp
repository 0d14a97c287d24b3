// Strict reading of JSON members with errors that name the file and the member.
//
//   Member root{json, "records/x.json", ""};
//   root.string("case");            // throws FormatError{"records/x.json: 'case' is missing"}
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>

namespace peerproof {

// Input that is not what its format says. The message names the file, what was wrong and where.
struct FormatError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class Member {
  public:
    Member(const nlohmann::json& json, std::string_view origin, std::string path = "");

    Member at(const char* key) const;
    bool is_null(const char* key) const;  // missing counts as null
    std::string string(const char* key) const;
    std::int64_t integer(const char* key, std::int64_t least, std::int64_t most) const;
    std::uint64_t natural(const char* key) const;
    double number(const char* key) const;  // finite
    bool boolean(const char* key) const;
    std::vector<Member> list(const char* key) const;
    std::vector<int> indices(const char* key) const;  // 0..1023 each
    std::vector<std::string> strings(const char* key) const;

    const nlohmann::json& json() const { return *json_; }
    std::string as_string() const;
    [[noreturn]] void fail(const std::string& what) const;

  private:
    std::int64_t as_integer(std::int64_t least, std::int64_t most) const;

    const nlohmann::json* json_;
    std::string origin_;
    std::string path_;
};

// Reads and parses a file of at most `limit` bytes. Throws FormatError.
nlohmann::json read_json(const std::filesystem::path& file, std::size_t limit);

// Text that any JSON writer takes: bytes that are not UTF-8 become '?', and at most `limit` bytes are kept.
std::string printable(std::string_view bytes, std::size_t limit);

template <class T>
nlohmann::json or_null(const std::optional<T>& value) {
    return value ? nlohmann::json(*value) : nlohmann::json();
}

// Writes through a temporary file and rename, so that a reader sees the old file or the new one, never a
// part. Throws std::system_error with the path and the reason (no space, not writable).
void write_file_atomically(const std::filesystem::path& file, std::string_view text);

}  // namespace peerproof
