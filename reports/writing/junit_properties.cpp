#include "reports/writing/junit_properties.hpp"

#include <filesystem>
#include <set>

#include "reports/judging/again.hpp"
#include "reports/judging/crowd.hpp"
#include "reports/judging/soak.hpp"
#include "reports/judging/ways.hpp"
#include "reports/reading/plain_text.hpp"
#include "session/fingerprint.hpp"
#include "session/format.hpp"

namespace peerproof {

Properties junit_properties(const Verdict& verdict, const Session& session,
                            const std::vector<const Ledger::Entry*>& entries) {
    Properties all{{"simulated", verdict.simulated ? "yes" : "no"},
                   {"self_check", verdict.self_check ? "yes" : "no"},
                   {"bench", verdict.simulated.value_or("real")},
                   {"session", session.id},
                   {"verdict", std::string{to_string(verdict.word)}},
                   {"expected", verdict.expected_text},
                   {"signature", verdict.signature ? verdict.signature->text() : "unknown"}};
    if (!session.plan) return all;
    all.emplace_back("ways", ways_line(Ledger(session)));
    if (const std::string line = crowd_line(Ledger(session)); !line.empty()) all.emplace_back("crowd", line);
    if (const std::string line = soak_line(Ledger(session)); !line.empty()) all.emplace_back("soak", line);
    if (const std::string line = again_line(Ledger(session)); !line.empty()) all.emplace_back("again", line);
    const Fingerprint print = fingerprint_of(*session.plan);
    all.emplace_back("driver", print.at("driver").empty() ? "unknown" : print.at("driver"));
    all.emplace_back("fingerprint", code_of(print));
    std::set<int> gpus;
    for (const auto* entry : entries) gpus.insert(entry->planned->gpus.begin(), entry->planned->gpus.end());
    for (const Gpu& gpu : session.plan->gpus) {
        if (gpus.empty() || gpus.contains(gpu.index))
            all.emplace_back(format("gpu{}", gpu.index), gpu.uuid + " " + gpu.bus_id + " " + gpu.name);
    }
    for (const auto* entry : entries) {
        if (entry->planned->family != Family::measurement || !entry->is_measured()) continue;
        for (const Measurement& measurement : entry->record->measurements)
            all.emplace_back(format("{}.{}", entry->planned->check, measurement.name),
                             format("{:.4g} {} ({:.4g} to {:.4g})", measurement.median, measurement.unit,
                                    measurement.p5, measurement.p95));
    }
    return all;
}

std::string junit_attachment(const Session& session, const std::string& file) {
    const std::string path =
        (std::filesystem::path(session.seen_from_ci.empty() ? session.folder : session.seen_from_ci) / file)
            .string();
    if (path.find("]]") != std::string::npos || one_line(path, 1000) != path) return "";
    return format("[[ATTACHMENT|{}]]", path);
}

}  // namespace peerproof
