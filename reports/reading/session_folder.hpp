// What a session left behind, as read from its folder: the plan, the records, and whatever could not be taken
// for one. It is the whole input of the judge and of the writers.
//
//   const Session session = read_session("runs/20261201T051500Z-3f2a9c", "20261201T051500Z-3f2a9c");
//   const Verdict verdict = judge(session);
//
// A folder without a plan, or without anything, is a Session too.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "session/plan.hpp"
#include "session/plan_parts.hpp"
#include "session/record.hpp"

namespace peerproof {

// A file in records/ that is not a record, or not the one that its name says.
struct Stray {
    std::string file;    // its name within records/
    std::string reason;  // one sentence
};

struct Session {
    std::string id;            // the session that was asked for, whatever the plan says
    std::string folder;        // where it was read from: printed, never opened again
    std::string seen_from_ci;  // the same from the folder that a CI job calls its own; empty without one
    std::optional<Plan> plan;
    std::string why_no_plan;  // where there is none
    // Every file that could be read, of whatever session, in the order of file names.
    std::vector<Record> records;
    std::vector<Stray> strays;
    // Files in parts/ that do not say what the plan says: their cases ran on something else.
    std::vector<OddPart> odd_parts;
};

// Never throws because of what is in the folder.
Session read_session(const std::filesystem::path& folder, const std::string& id);

}  // namespace peerproof
