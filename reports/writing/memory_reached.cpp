#include "reports/writing/memory_reached.hpp"

#include <map>

#include "reports/reading/plain_text.hpp"
#include "session/format.hpp"

namespace peerproof {
namespace {

constexpr std::uint64_t mib = std::uint64_t{1} << 20;

std::string gib(std::uint64_t bytes) { return format("{:.1f}", static_cast<double>(bytes) / (1 << 30)); }

// Whose memory is behind the window of a sweep: loads go into that of the source, stores into that of the
// destination, and a copy is swept from both ends.
int owner_of(const Case& planned, const Step& step) {
    const bool of_source = planned.check == "read" || (planned.check == "copy" && step.name == "sweep_out");
    return of_source ? planned.gpus.front() : planned.gpus.back();
}

// `least` of the sweeps that delivered.
std::string gpu_line(int gpu, const Step* least) {
    if (least == nullptr) return format("gpu{}: no sweep of its memory delivered", gpu);
    const Step& step = *least;
    std::string text = format("gpu{}: {} of {} GiB", gpu, gib(step.reached_bytes), gib(step.memory_bytes));
    const std::uint64_t words = step.bytes / 8;
    if (words == 0) return text;
    const std::uint64_t every = (step.reached_bytes + words * mib / 2) / (words * mib);
    if (every > 0) text += format(", one word in every {} MiB", every);
    return text + format(" ({} words)", words);
}

// Where a sweep ended that did not deliver.
std::string end_of(int gpu, const Ledger::Entry& entry, const Step& step) {
    const bool has_place = step.mismatched_words > 0 || step.first_offset > 0;
    return format("{} of gpu{}'s memory by {} is {}{}, of {} GiB", one_line(step.name, 40), gpu,
                  entry.planned->check, to_string(step.outcome),
                  has_place ? format(" at {:#x} ({} GiB)", step.first_offset, gib(step.first_offset)) : "",
                  gib(step.memory_bytes));
}

}  // namespace

std::vector<std::string> reached_lines(const Ledger& ledger) {
    std::map<int, const Step*> gpus;
    std::map<std::string, std::vector<std::string>> ended;
    for (const auto* entry : ledger.of(Family::core)) {
        if (entry->record == nullptr || entry->planned->gpus.size() != 2) continue;
        for (const Step& step : entry->record->steps) {
            if (step.memory_bytes == 0) continue;
            const int gpu = owner_of(*entry->planned, step);
            const Step*& least = gpus[gpu];
            if (step.outcome != Outcome::delivered)
                ended[end_of(gpu, *entry, step)].push_back(place_of(*entry->planned));
            else if (least == nullptr || step.reached_bytes < least->reached_bytes)
                least = &step;
        }
    }
    std::vector<std::string> lines;
    for (const auto& [gpu, least] : gpus) lines.push_back(gpu_line(gpu, least));
    for (const auto& [text, places] : ended) lines.push_back(text + ": " + some_of(places, list_limit));
    if (lines.empty()) return lines;
    const int large = ledger.session().plan->large_step_mib;
    lines.push_back(large == 0 ? "no large step was asked for"
                               : format("large step of each core check: {} MiB, every byte", large));
    return lines;
}

}  // namespace peerproof
