#include "session/plan_parts.hpp"

#include <algorithm>
#include <charconv>
#include <set>

#include "session/format.hpp"
#include "session/json.hpp"

namespace peerproof {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t part_limit = 4 * 1024 * 1024;
constexpr std::int64_t largest_plan = std::int64_t{1} << 40;

fs::path folder_of_parts(const fs::path& session_folder) { return session_folder / "parts"; }

bool are_among(const std::vector<int>& some, const std::vector<int>& all) {
    return std::all_of(some.begin(), some.end(),
                       [&](int gpu) { return std::find(all.begin(), all.end(), gpu) != all.end(); });
}

bool is_of(const Hint& hint, const std::vector<int>& gpus) {
    return (hint.gpu == Hint::none || are_among({hint.gpu}, gpus)) &&
           (hint.peer == Hint::none || are_among({hint.peer}, gpus));
}

struct ReadPart {
    Plan plan;
    std::uintmax_t plan_bytes = 0;
};

ReadPart read_part(const fs::path& file, const std::vector<int>& gpus) {
    const nlohmann::json json = read_json(file, part_limit);
    ReadPart part{plan_from_json(json, file.string()), 0};
    const Member root = Member(json, file.string()).at("part");
    if (root.indices("gpus") != gpus) root.at("gpus").fail("are not those of its name");
    part.plan_bytes = static_cast<std::uintmax_t>(root.integer("plan_bytes", 1, largest_plan));
    return part;
}

std::string text_of_part(const Plan& part, const std::vector<int>& gpus, std::uintmax_t plan_bytes) {
    nlohmann::json json = to_json(part);
    json["part"] = {{"gpus", gpus}, {"plan_bytes", plan_bytes}};
    return json.dump() + "\n";
}

}  // namespace

PlanParts::PlanParts(const Plan& plan) : plan_(plan), common_(plan) {
    common_.cases.clear();
    common_.links.clear();
    common_.hints.clear();
}

Plan PlanParts::of(const std::vector<int>& gpus) const {
    Plan part = common_;
    std::copy_if(plan_.cases.begin(), plan_.cases.end(), std::back_inserter(part.cases),
                 [&](const Case& one) { return are_among(one.gpus, gpus); });
    for (Case& one : part.cases) one.after.clear();
    std::copy_if(plan_.links.begin(), plan_.links.end(), std::back_inserter(part.links),
                 [&](const GpuLinks& links) { return are_among({links.gpu}, gpus); });
    std::copy_if(plan_.hints.begin(), plan_.hints.end(), std::back_inserter(part.hints),
                 [&](const Hint& hint) { return is_of(hint, gpus); });
    return part;
}

std::vector<int> gpus_of_part(std::string_view place) {
    constexpr std::string_view gpu = "gpu", to = "_to_", beside = "_";
    std::vector<int> gpus;
    for (std::string_view rest = place; !rest.empty();) {
        if (!gpus.empty()) {
            const std::string_view between = rest.starts_with(to) ? to : beside;
            if (!rest.starts_with(between)) return {};
            rest.remove_prefix(between.size());
        }
        if (!rest.starts_with(gpu)) return {};
        rest.remove_prefix(gpu.size());
        int index = -1;
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), index);
        if (error != std::errc{} || index < 0) return {};
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
        gpus.push_back(index);
    }
    std::sort(gpus.begin(), gpus.end());
    return gpus;
}

fs::path part_file(const fs::path& session_folder, const std::vector<int>& gpus) {
    std::vector<std::string> names;
    for (const int gpu : gpus) names.push_back(format("gpu{}", gpu));
    return folder_of_parts(session_folder) / (join(names, "_") + ".json");
}

void write_parts(const Plan& plan, const fs::path& session_folder, std::uintmax_t plan_bytes) {
    fs::remove_all(folder_of_parts(session_folder));
    fs::create_directories(folder_of_parts(session_folder));
    std::set<std::vector<int>> sets;
    for (const Case& one : plan.cases) {
        std::vector<int> gpus = one.gpus;
        std::sort(gpus.begin(), gpus.end());
        if (gpus.size() < plan.gpus.size()) sets.insert(std::move(gpus));
    }
    const PlanParts parts(plan);
    for (const std::vector<int>& gpus : sets)
        write_file_atomically(part_file(session_folder, gpus),
                              text_of_part(parts.of(gpus), gpus, plan_bytes));
}

Plan read_plan_of(const fs::path& session_folder, std::string_view place) {
    const fs::path whole = session_folder / "plan.json";
    const std::vector<int> gpus = gpus_of_part(place);
    const fs::path file = part_file(session_folder, gpus);
    if (gpus.empty() || !fs::exists(file)) return read_plan(whole);
    ReadPart part = read_part(file, gpus);
    if (part.plan_bytes != fs::file_size(whole))
        throw FormatError(format("{}: is a part of another plan than {}", file.string(), whole.string()));
    return std::move(part.plan);
}

std::vector<OddPart> odd_parts(const Plan& plan, const fs::path& session_folder) {
    std::vector<OddPart> odd;
    const PlanParts parts(plan);
    std::error_code error;
    auto entry = fs::directory_iterator(folder_of_parts(session_folder), error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (name.starts_with('.')) continue;  // the writer was ended at it, and nobody read it
        const std::vector<int> gpus = gpus_of_part(entry->path().stem().string());
        try {
            if (to_json(read_part(entry->path(), gpus).plan) != to_json(parts.of(gpus)))
                odd.push_back({name, "says something else of its GPUs than plan.json"});
        } catch (const std::exception& reason) {
            odd.push_back({name, reason.what()});
        }
    }
    std::sort(odd.begin(), odd.end(), [](const OddPart& a, const OddPart& b) { return a.file < b.file; });
    return odd;
}

}  // namespace peerproof
