#include "simulator/handles.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "simulator/mappings.hpp"

namespace peerproof::simulated {
namespace {

std::uint32_t check_of(const Handle& handle) {
    std::uint32_t sum = 0x811c9dc5;
    const auto take = [&](const char* bytes, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
            sum = (sum ^ static_cast<unsigned char>(bytes[i])) * 0x01000193;
    };
    const char* name = the_machine().bench().name;
    take(name, std::strlen(name));
    take(reinterpret_cast<const char*>(&handle) + sizeof handle.check, sizeof handle - sizeof handle.check);
    return sum;
}

// The 22nd word of the process's line in /proc, behind its name, which may have anything in it; 0 where it is
// gone.
std::uint64_t start_of(int pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    std::size_t at = text.rfind(')');
    for (int word = 2; word < 22 && at != std::string::npos; ++word) at = text.find(' ', at + 1);
    return at == std::string::npos ? 0 : std::strtoull(text.c_str() + at, nullptr, 10);
}

// A file of that process, above the descriptors that a GPU process gets.
int open_through(int pid, int descriptor, int flags) {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/fd/%d", pid, descriptor);
    const int opened = open(path, flags | O_CLOEXEC);
    if (opened < 0) return -1;
    const int moved = fcntl(opened, F_DUPFD_CLOEXEC, 100);
    close(opened);
    return moved;
}

std::uint64_t inode_of(int descriptor) {
    struct stat status {};
    return fstat(descriptor, &status) == 0 ? status.st_ino : 0;
}

// Whether the allocation that the handle was made of is still there, in the control block of its process.
bool is_alive(const Handle& handle) {
    const int control = open_through(handle.pid, handle.control, O_RDONLY);
    if (control < 0) return false;
    const std::uint64_t page =
        static_cast<std::uint64_t>(handle.gpu) * pages_of_region + handle.offset / page_bytes;
    std::uint8_t number = 0;
    const bool read =
        pread(control, &number, 1, static_cast<off_t>(offsetof(Control, allocated) + page)) == 1;
    close(control);
    return read && number == handle.number;
}

}  // namespace

Handle make_handle(Handle::Kind kind, int gpu, std::uint64_t offset, std::uint64_t bytes,
                   std::uint32_t pool) {
    Machine& machine = the_machine();
    machine.control();
    Handle handle{};
    handle.kind = kind;
    const auto allocation = machine.allocation(gpu, offset);
    handle.number = allocation ? allocation->number : 0;
    handle.gpu = static_cast<std::int16_t>(gpu);
    handle.pid = getpid();
    handle.store = machine.store();
    handle.control = machine.control_file();
    handle.pool = pool;
    handle.started = start_of(handle.pid);
    handle.inode = inode_of(handle.store);
    handle.offset = offset;
    handle.bytes = bytes;
    handle.check = check_of(handle);
    return handle;
}

bool is_of_this_process(const Handle& handle) {
    return handle.pid == getpid() && handle.started == start_of(handle.pid);
}

std::optional<int> open_handle(const Handle& handle, Handle::Kind kind) {
    if (handle.check != check_of(handle) || handle.kind != kind) return std::nullopt;
    if (start_of(handle.pid) != handle.started) return std::nullopt;
    if (kind != Handle::Kind::pool && !is_alive(handle)) return std::nullopt;
    const int store = open_through(handle.pid, handle.store, O_RDWR);
    if (store < 0) return std::nullopt;
    if (inode_of(store) != handle.inode) {
        close(store);
        return std::nullopt;
    }
    const int file = the_mappings().adopt(store);
    return file < 0 ? std::nullopt : std::optional(file);
}

int to_descriptor(const Handle& handle) {
    const int file = memfd_create("peerproof-handle", MFD_CLOEXEC);
    if (file >= 0 && pwrite(file, &handle, sizeof handle, 0) != sizeof handle) {
        close(file);
        return -1;
    }
    return file;
}

std::optional<Handle> from_descriptor(int descriptor) {
    Handle handle{};
    if (pread(descriptor, &handle, sizeof handle, 0) != sizeof handle) return std::nullopt;
    return handle;
}

}  // namespace peerproof::simulated
