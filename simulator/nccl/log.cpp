#include "simulator/nccl/log.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace peerproof::simulated {
namespace {

std::string last;

bool is_level(const char* level) {
    const char* asked = std::getenv("NCCL_DEBUG");
    return asked != nullptr && std::strcmp(asked, level) == 0;
}

// As NCCL's src/debug.cc does: %h is the host's name up to its first dot, %p the process's number, %% a
// percent sign, and what it does not know stays.
std::string expanded(const char* name) {
    std::string file;
    for (const char* c = name; *c != '\0'; ++c) {
        if (*c != '%' || c[1] == '\0') {
            file += *c;
            continue;
        }
        ++c;
        if (*c == 'h') {
            char host[256] = {};
            (void)::gethostname(host, sizeof host - 1);
            const std::string text = host;
            file += text.substr(0, text.find('.'));
        } else if (*c == 'p') {
            file += std::to_string(::getpid());
        } else {
            file += *c == '%' ? "%" : std::string("%") + *c;
        }
    }
    return file;
}

void write(int rank, const char* level, const std::string& text) {
    const char* file = std::getenv("NCCL_DEBUG_FILE");
    std::FILE* to = file != nullptr ? std::fopen(expanded(file).c_str(), "a") : stdout;
    if (to == nullptr) return;
    std::fprintf(to, "simulated:%d:%d [%d] NCCL %s %s\n", ::getpid(), ::gettid(), rank, level, text.c_str());
    file != nullptr ? std::fclose(to) : std::fflush(to);
}

}  // namespace

void log_info(int rank, const std::string& text) {
    if (is_level("INFO")) write(rank, "INFO", text);
}

void log_warning(int rank, const std::string& text) {
    last = text;
    if (is_level("INFO") || is_level("WARN")) write(rank, "WARN", text);
}

const char* last_warning() { return last.c_str(); }

}  // namespace peerproof::simulated
