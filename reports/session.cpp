#include "reports/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "session/json.hpp"

namespace peerproof {
namespace {

namespace fs = std::filesystem;

// What write_file_atomically leaves behind where the writer was killed: ".NAME.tmp.PID".
bool is_unfinished_write(const std::string& name) {
    return name.starts_with('.') && name.find(".tmp.") != std::string::npos;
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
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
        const std::string name = file.filename().string();
        if (is_unfinished_write(name)) continue;
        if (file.extension() != ".json") {
            session.strays.push_back({name, "not a record: unplanned"});
            continue;
        }
        try {
            Record record = read_record(file);
            if (name != record.case_id + ".json") {
                session.strays.push_back({name, "holds the record of " + printable(record.case_id, 200)});
            }
            session.records.push_back(std::move(record));
        } catch (const std::exception& reason) {
            session.strays.push_back({name, reason.what()});
        }
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
        session.why_no_plan = fmt::format(
            "there is no {}: bench.open did not run, or failed (were its fixtures stripped by -FS or -FA?)",
            plan.string());
    } else {
        try {
            session.plan = read_plan(plan);
        } catch (const std::exception& reason) {
            session.why_no_plan = reason.what();
        }
    }
    read_records(folder / "records", session);
    return session;
}

}  // namespace peerproof
