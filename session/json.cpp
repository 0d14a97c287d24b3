#include "session/json.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <system_error>

#include "session/format.hpp"

namespace peerproof {

Member::Member(const nlohmann::json& json, std::string_view origin, std::string path)
    : json_(&json), origin_(origin), path_(std::move(path)) {
    if (path_.empty() && !json.is_object()) throw FormatError(format("{}: not a JSON object", origin_));
}

void Member::fail(const std::string& what) const {
    throw FormatError(format("{}: {}{}", origin_, path_.empty() ? "" : "'" + path_ + "' ", what));
}

Member Member::at(const char* key) const {
    const std::string path = path_.empty() ? key : path_ + "." + key;
    if (!json_->is_object()) fail("must be an object");
    const auto found = json_->find(key);
    if (found == json_->end()) throw FormatError(format("{}: '{}' is missing", origin_, path));
    return Member(*found, origin_, path);
}

bool Member::is_null(const char* key) const {
    if (!json_->is_object()) fail("must be an object");
    const auto found = json_->find(key);
    return found == json_->end() || found->is_null();
}

std::string Member::as_string() const {
    if (!json_->is_string()) fail("must be a string");
    return json_->get<std::string>();
}

std::int64_t Member::as_integer(std::int64_t least, std::int64_t most) const {
    const bool fits = json_->is_number_unsigned() ? json_->get<std::uint64_t>() <= std::uint64_t{INT64_MAX}
                                                  : json_->is_number_integer();
    const std::int64_t value = fits ? json_->get<std::int64_t>() : 0;
    if (!fits || value < least || value > most)
        fail(format("must be a whole number from {} to {}", least, most));
    return value;
}

std::string Member::string(const char* key) const { return at(key).as_string(); }

std::int64_t Member::integer(const char* key, std::int64_t least, std::int64_t most) const {
    return at(key).as_integer(least, most);
}

std::uint64_t Member::natural(const char* key) const {
    const Member member = at(key);
    if (!member.json().is_number_unsigned()) member.fail("must be a whole number, not negative");
    return member.json().get<std::uint64_t>();
}

double Member::number(const char* key) const {
    const Member member = at(key);
    if (!member.json().is_number() || !std::isfinite(member.json().get<double>())) {
        member.fail("must be a finite number");
    }
    return member.json().get<double>();
}

bool Member::boolean(const char* key) const {
    const Member member = at(key);
    if (!member.json().is_boolean()) member.fail("must be true or false");
    return member.json().get<bool>();
}

std::vector<Member> Member::list(const char* key) const {
    const Member member = at(key);
    if (!member.json().is_array()) member.fail("must be a list");
    std::vector<Member> items;
    items.reserve(member.json().size());
    for (std::size_t i = 0; i < member.json().size(); ++i) {
        items.emplace_back(member.json()[i], origin_, format("{}[{}]", member.path_, i));
    }
    return items;
}

std::vector<int> Member::indices(const char* key) const {
    std::vector<int> numbers;
    for (const Member& item : list(key)) numbers.push_back(static_cast<int>(item.as_integer(0, 1023)));
    return numbers;
}

std::vector<std::string> Member::strings(const char* key) const {
    std::vector<std::string> texts;
    for (const Member& item : list(key)) texts.push_back(item.as_string());
    return texts;
}

nlohmann::json read_json(const std::filesystem::path& file, std::size_t limit) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error)) {
        throw FormatError(format("{}: {}", file.string(), error ? error.message() : "not a regular file"));
    }
    const auto size = std::filesystem::file_size(file, error);
    if (error) throw FormatError(format("{}: {}", file.string(), error.message()));
    if (size > limit) {
        throw FormatError(format("{}: {} bytes, more than the {} that are read", file.string(), size, limit));
    }
    std::ifstream stream(file, std::ios::binary);
    std::string text(size, '\0');
    if (!stream.read(text.data(), static_cast<std::streamsize>(size))) {
        throw FormatError(
            format("{}: cannot be read: {}", file.string(), std::system_category().message(errno)));
    }
    if (text.empty()) throw FormatError(format("{}: empty", file.string()));
    try {
        return nlohmann::json::parse(text);
    } catch (const nlohmann::json::exception& reason) {
        throw FormatError(format("{}: not JSON: {}", file.string(), printable(reason.what(), 300)));
    }
}

namespace {

// Length of the UTF-8 sequence at text[at], or 0 if there is none (overlong forms and surrogates are none).
std::size_t utf8_length(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80) return 1;
    const std::size_t length = lead >= 0xc2 && lead < 0xe0   ? 2
                               : (lead & 0xf0) == 0xe0       ? 3
                               : lead >= 0xf0 && lead < 0xf5 ? 4
                                                             : 0;
    if (length == 0 || at + length > text.size()) return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0) != 0x80) return 0;
    }
    if (lead == 0xe0 && byte(1) < 0xa0) return 0;
    if (lead == 0xed && byte(1) >= 0xa0) return 0;
    if (lead == 0xf0 && byte(1) < 0x90) return 0;
    if (lead == 0xf4 && byte(1) >= 0x90) return 0;
    return length;
}

}  // namespace

std::string printable(std::string_view bytes, std::size_t limit) {
    std::string text;
    text.reserve(std::min(bytes.size(), limit));
    for (std::size_t at = 0; at < bytes.size();) {
        // Nearly all of it is ASCII, which is taken in runs.
        std::size_t run = at;
        while (run < bytes.size() && static_cast<unsigned char>(bytes[run]) < 0x80) ++run;
        if (run > at) {
            const std::size_t fits = std::min(run - at, limit - text.size());
            text += bytes.substr(at, fits);
            if (fits < run - at) break;
            at = run;
            continue;
        }
        const std::size_t length = utf8_length(bytes, at);
        const std::size_t taken = length == 0 ? 1 : length;
        if (text.size() + taken > limit) break;
        if (length == 0)
            text += '?';
        else
            text += bytes.substr(at, length);
        at += taken;
    }
    return text;
}

void write_file_atomically(const std::filesystem::path& file, std::string_view text) {
    const auto temporary = file.parent_path() / format(".{}.tmp.{}", file.filename().string(), ::getpid());
    const auto fail = [&](const char* what) {
        const int code = errno;
        ::unlink(temporary.c_str());
        throw std::system_error(code, std::generic_category(), format("{}: cannot {}", file.string(), what));
    };
    const int out = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (out < 0) fail("be created");
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t wrote = ::write(out, text.data() + done, text.size() - done);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) {
            const int code = errno;
            ::close(out);
            errno = code;
            fail("be written");
        }
        done += static_cast<std::size_t>(wrote);
    }
    if (::close(out) != 0) fail("be written");
    if (::rename(temporary.c_str(), file.c_str()) != 0) fail("be renamed into place");
}

}  // namespace peerproof
