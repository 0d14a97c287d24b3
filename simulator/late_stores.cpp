#include "simulator/late_stores.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>

#include "simulator/files.hpp"

namespace peerproof::simulated {
namespace {

constexpr std::uint64_t small_page = 4096, small_pages = page_bytes / small_page;
constexpr std::size_t small_words = small_page / sizeof(std::uint64_t);

// Which of the 4 KiB pages the kernel has stored to: those are no pages of the file any more.
void find_private(std::uint64_t page, bool (&is_private)[small_pages]) {
    static const int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    static std::uint64_t entries[small_pages];
    const auto at = static_cast<off_t>((device_base + page) / small_page * sizeof entries[0]);
    const bool known = pread(pagemap, entries, sizeof entries, at) == sizeof entries;
    constexpr std::uint64_t of_file = std::uint64_t{1} << 61, in_memory = std::uint64_t{3} << 62;
    for (std::uint64_t i = 0; i < small_pages; ++i)
        is_private[i] = !known || ((entries[i] & in_memory) != 0 && (entries[i] & of_file) == 0);
}

void put(const std::uint64_t* from, std::size_t count, const Spot& to, std::size_t word) {
    const std::uint64_t place = to.place + word * sizeof *from;
    [[maybe_unused]] const ssize_t written =
        pwrite(descriptor_of(to.file), from, count * sizeof *from, static_cast<off_t>(place));
}

// The words [begin, end) of the page that shows `memory` have been stored to.
void put_run(const std::uint64_t* page, std::size_t begin, std::size_t end, const Spot& memory, Store how) {
    constexpr std::size_t sector = 4, spilled = 8;
    static const std::uint64_t zeros[small_words] = {};
    if (how == Store::clobbers) {
        const std::size_t from = begin / sector * sector, to = (end + sector - 1) / sector * sector;
        put(zeros, begin - from, memory, from);
        put(zeros, to - end, memory, end);
    }
    if (how == Store::spills) put(zeros, std::min(spilled, small_words - end), memory, end);
    put(page + begin, end - begin, memory, begin);
}

}  // namespace

bool LateStores::add(std::uint64_t at, const Spot& memory, Store how) {
    if (count_ == limit) return false;
    pages_[count_++] = {at, memory, how};
    return true;
}

void LateStores::show_page(const Page& page) {
    static bool is_private[small_pages];
    static std::uint64_t real[small_words];
    find_private(page.at, is_private);
    for (std::uint64_t i = 0; i < small_pages; ++i) {
        if (!is_private[i]) continue;
        const Spot memory{page.memory.place + i * small_page, page.memory.file};
        const auto* stored = reinterpret_cast<const std::uint64_t*>(device_base + page.at + i * small_page);
        if (pread(descriptor_of(memory.file), real, sizeof real, static_cast<off_t>(memory.place)) !=
            sizeof real)
            continue;
        for (std::size_t word = 0; word < small_words; ++word) {
            std::size_t end = word;  // of a run that the kernel stored
            while (end < small_words && stored[end] != real[end]) ++end;
            if (end == word) continue;
            put_run(stored, word, end, memory, page.how);
            word = end;
        }
    }
}

void LateStores::show() {
    for (int i = 0; i < count_; ++i) show_page(pages_[i]);
    count_ = 0;
}

}  // namespace peerproof::simulated
