#include "simulator/late_stores.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>

namespace peerproof::simulated {
namespace {

constexpr std::uint64_t small_page = 4096, small_pages = page_bytes / small_page;
constexpr std::size_t small_words = small_page / sizeof(std::uint64_t);

// Which of the 4 KiB pages the kernel has stored to: those are no pages of the file any more.
void find_private(std::uint64_t place, bool (&is_private)[small_pages]) {
    static const int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    static std::uint64_t entries[small_pages];
    const auto at = static_cast<off_t>((device_base + place) / small_page * sizeof entries[0]);
    const bool known = pread(pagemap, entries, sizeof entries, at) == sizeof entries;
    constexpr std::uint64_t of_file = std::uint64_t{1} << 61, in_memory = std::uint64_t{3} << 62;
    for (std::uint64_t i = 0; i < small_pages; ++i)
        is_private[i] = !known || ((entries[i] & in_memory) != 0 && (entries[i] & of_file) == 0);
}

void put(const std::uint64_t* from, std::size_t count, std::uint64_t place) {
    [[maybe_unused]] const ssize_t written =
        pwrite(store_descriptor, from, count * sizeof *from, static_cast<off_t>(place));
}

// The words [begin, end) of the page at `place` have been stored to.
void put_run(const std::uint64_t* page, std::size_t begin, std::size_t end, std::uint64_t place, Store how) {
    constexpr std::size_t sector = 4, spilled = 8;
    static const std::uint64_t zeros[small_words] = {};
    if (how == Store::clobbers) {
        const std::size_t from = begin / sector * sector, to = (end + sector - 1) / sector * sector;
        put(zeros, begin - from, place + from * sizeof *page);
        put(zeros, to - end, place + end * sizeof *page);
    }
    if (how == Store::spills) put(zeros, std::min(spilled, small_words - end), place + end * sizeof *page);
    put(page + begin, end - begin, place + begin * sizeof *page);
}

}  // namespace

bool LateStores::add(std::uint64_t place, Store how) {
    if (count_ == limit) return false;
    pages_[count_++] = {place, how};
    return true;
}

void LateStores::show_page(const Page& page) {
    static bool is_private[small_pages];
    static std::uint64_t real[small_words];
    find_private(page.place, is_private);
    for (std::uint64_t i = 0; i < small_pages; ++i) {
        if (!is_private[i]) continue;
        const std::uint64_t place = page.place + i * small_page;
        const auto* stored = reinterpret_cast<const std::uint64_t*>(device_base + place);
        if (pread(store_descriptor, real, sizeof real, static_cast<off_t>(place)) != sizeof real) continue;
        for (std::size_t word = 0; word < small_words; ++word) {
            std::size_t end = word;  // of a run that the kernel stored
            while (end < small_words && stored[end] != real[end]) ++end;
            if (end == word) continue;
            put_run(stored, word, end, place, page.how);
            word = end;
        }
    }
}

void LateStores::show() {
    for (int i = 0; i < count_; ++i) show_page(pages_[i]);
    count_ = 0;
}

}  // namespace peerproof::simulated
