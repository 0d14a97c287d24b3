// Fuzzes whatever is read from a session's folder: the plan, the records, and everything that is made of
// them. Input: the plan, then records, each after a zero byte. Nothing may crash, and nothing but FormatError
// may be thrown.
//
//   cmake --preset fuzz && cmake --build --preset fuzz
//   build/fuzz/bin/fuzz_session -max_total_time=600 CORPUS build/fuzz/seeds
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "reports/judging/judge.hpp"
#include "reports/writing/html/html_report.hpp"
#include "reports/writing/json_report.hpp"
#include "reports/writing/junit_report.hpp"
#include "reports/writing/markdown_report.hpp"
#include "reports/writing/text_report.hpp"
#include "session/json.hpp"

using namespace peerproof;

namespace {

// What must hold of a verdict, whatever it was made of.
void check(const Verdict& verdict, const Session& session) {
    if (verdict.word != VerdictWord::open && verdict.word != VerdictWord::locked) {
        if (verdict.as_expected || verdict.exit_code == 0) std::abort();
        return;
    }
    if (!session.plan || session.plan->gpus.size() < 2) std::abort();
    if (verdict.word == VerdictWord::open && !verdict.failing.empty()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view rest(reinterpret_cast<const char*>(data), size);
    Session session;
    session.id = "fuzz";
    session.folder = "/fuzz";
    session.why_no_plan = "none";
    for (bool first = true; !rest.empty(); first = false) {
        const auto end = rest.find('\0');
        const auto json = nlohmann::json::parse(rest.substr(0, end), nullptr, false);
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        if (json.is_discarded()) continue;
        try {
            if (first) {
                session.plan = plan_from_json(json, "plan.json");
                session.id = session.plan->session;
            } else {
                session.records.push_back(record_from_json(json, "record.json"));
            }
        } catch (const FormatError& error) {
            session.strays.push_back({"record.json", error.what()});
        }
    }
    const Verdict verdict = judge(session);
    check(verdict, session);
    for (const auto writer :
         {text_report, junit_report, json_report, markdown_report, html_report, printed_report}) {
        const std::string text = writer(verdict, session);
        if (text.empty()) std::abort();
    }
    return 0;
}
