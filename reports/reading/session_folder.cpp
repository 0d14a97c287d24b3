#include "reports/reading/session_folder.hpp"

#include <algorithm>
#include <atomic>
#include <optional>
#include <system_error>
#include <thread>

#include "session/earlier_words.hpp"
#include "session/format.hpp"
#include "session/json.hpp"

namespace peerproof {
namespace {

namespace fs = std::filesystem;

// What write_file_atomically leaves behind where the writer was killed: ".NAME.tmp.PID".
bool is_unfinished_write(const std::string& name) {
    return name.starts_with('.') && name.find(".tmp.") != std::string::npos;
}

struct ReadFile {
    std::optional<Record> record;
    std::string why_none;
};

ReadFile read_file(const fs::path& file) {
    if (file.extension() != ".json") return {{}, "not a record: unplanned"};
    try {
        return {read_record(file), ""};
    } catch (const std::exception& reason) {
        return {{}, reason.what()};
    }
}

// Of thousands of records most of the time goes into parsing, each file for itself.
std::vector<ReadFile> read_all(const std::vector<fs::path>& files) {
    constexpr std::size_t files_worth_a_thread = 100, most_threads = 8;
    std::vector<ReadFile> read(files.size());
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t i = next++; i < files.size(); i = next++) read[i] = read_file(files[i]);
    };
    const std::size_t wanted = std::min<std::size_t>(
        {files.size() / files_worth_a_thread, most_threads, std::thread::hardware_concurrency()});
    std::vector<std::jthread> helpers;
    try {
        while (helpers.size() + 1 < wanted) helpers.emplace_back(work);
    } catch (const std::system_error&) {
        // No thread is to be had: this one reads what there is.
    }
    work();
    helpers.clear();  // joins
    return read;
}

void read_records(const fs::path& folder, Session& session) {
    std::error_code error;
    std::vector<fs::path> files;
    auto entry = fs::directory_iterator(folder, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        files.push_back(entry->path());
    }
    if (error && error != std::errc::no_such_file_or_directory) {
        session.strays.push_back({".", "the folder cannot be read: " + error.message()});
    }
    std::erase_if(files, [](const fs::path& file) { return is_unfinished_write(file.filename().string()); });
    std::sort(files.begin(), files.end());
    std::vector<ReadFile> read = read_all(files);
    session.records.reserve(read.size());
    for (std::size_t i = 0; i < files.size(); ++i) {
        const std::string name = files[i].filename().string();
        if (!read[i].record) {
            session.strays.push_back({name, read[i].why_none});
            continue;
        }
        if (name != read[i].record->case_id + ".json" &&
            todays_case_id(files[i].stem().string()) != read[i].record->case_id) {
            session.strays.push_back(
                {name, "holds the record of " + printable(read[i].record->case_id, 200)});
        }
        session.records.push_back(std::move(*read[i].record));
    }
}

}  // namespace

Session read_session(const fs::path& folder, const std::string& id) {
    Session session;
    session.id = id;
    session.folder = folder.string();
    const fs::path plan = folder / "plan.json";
    std::error_code error;
    if (!fs::exists(fs::symlink_status(plan, error))) {
        session.why_no_plan = format(
            "there is no {}: bench.open did not run, or failed (were its fixtures stripped by -FS or -FA?)",
            plan.string());
    } else {
        try {
            session.plan = read_plan(plan);
            session.odd_parts = odd_parts(*session.plan, folder);
        } catch (const std::exception& reason) {
            session.why_no_plan = reason.what();
        }
    }
    read_records(folder / "records", session);
    return session;
}

}  // namespace peerproof
