#include "reports/commands/session_commands.hpp"

#include <cstdlib>
#include <fstream>
#include <functional>
#include <ostream>
#include <system_error>

#include "reports/judging/judge.hpp"
#include "reports/many_sessions/comparison.hpp"
#include "reports/reading/plain_text.hpp"
#include "reports/writing/html/html_report.hpp"
#include "reports/writing/json_report.hpp"
#include "reports/writing/junit_report.hpp"
#include "reports/writing/markdown_report.hpp"
#include "reports/writing/terminal/summary.hpp"
#include "reports/writing/text_report.hpp"
#include "session/exit_code.hpp"
#include "session/json.hpp"
#include "session/latest.hpp"

namespace peerproof {
namespace {

namespace fs = std::filesystem;

struct Writer {
    const char* file;
    std::string (*text)(const Verdict&, const Session&);
};

// report.json comes last: where it is, the others are.
constexpr Writer writers[] = {{"report.txt", text_report},
                              {"report.html", html_report},
                              {"report.md", markdown_report},
                              {"junit.xml", junit_report},
                              {"report.json", json_report}};

// Why not; empty if it was written. What cannot be replaced must not stay: it would be of another verdict.
std::string trouble_writing(const Writer& writer, const Verdict& verdict, const Session& session,
                            const fs::path& folder) {
    try {
        write_file_atomically(folder / writer.file, writer.text(verdict, session));
        return "";
    } catch (const std::exception& reason) {
        std::error_code ignored;
        fs::remove(folder / writer.file, ignored);
        return reason.what();
    }
}

std::vector<Reason> write_reports(const Verdict& verdict, const Session& session, const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);  // if it fails, writing says why
    std::vector<Reason> troubles;
    for (const Writer& writer : writers) {
        if (std::string why = trouble_writing(writer, verdict, session, folder); !why.empty())
            troubles.push_back({"report", "a report could not be written: " + one_line(why, 300), {}});
    }
    return troubles;
}

// GitLab and Jenkins take paths as seen from the folder of the job.
std::string seen_from_ci(const fs::path& folder) {
    for (const char* name : {"CI_PROJECT_DIR", "WORKSPACE"}) {
        const char* base = std::getenv(name);
        if (base == nullptr || *base == '\0') continue;
        std::error_code error;
        const fs::path path =
            fs::weakly_canonical(folder, error).lexically_relative(fs::weakly_canonical(base, error));
        if (!error && !path.empty() && *path.begin() != "..") return path.string();
    }
    return "";
}

}  // namespace

int verdict_command(const fs::path& folder, const std::string& id, const std::string& not_listed,
                    std::ostream& out) {
    Session session = read_session(folder, id);
    session.seen_from_ci = seen_from_ci(folder);
    if (!not_listed.empty()) {
        session.plan.reset();
        session.why_no_plan = "the bench could not be listed: " + not_listed;
    }
    Verdict verdict = judge(session);
    if (auto troubles = write_reports(verdict, session, folder); !troubles.empty()) {
        // Those that can be written must say the same as the exit code.
        if (verdict.word != VerdictWord::no_verdict) verdict.reasons.clear();
        verdict.reasons.insert(verdict.reasons.begin(), troubles.begin(), troubles.end());
        verdict.word = VerdictWord::no_verdict;
        verdict.as_expected = false;
        verdict.exit_code = exit_no_verdict;
        verdict.common_factor.clear();
        (void)write_reports(verdict, session, folder);
    }
    if (!not_listed.empty()) point_latest_at(fs::absolute(folder));
    out << printed_report(verdict, session) << std::flush;
    return verdict.exit_code;
}

namespace {

// What report.json says of the verdict; where it cannot be read, that there is none.
std::pair<Verdict, std::string> closing_of(const fs::path& folder) {
    Verdict verdict;
    std::string reports = (folder / "report.txt").string() + " report.html report.md report.json junit.xml";
    try {
        verdict = read_json_report(folder / "report.json");
    } catch (const std::exception& reason) {
        verdict.reasons = {{"report", one_line(reason.what(), 400), {}}};
        reports = "none (session folder " + folder.string() + ")";
    }
    return {verdict, closing_lines(verdict, reports)};
}

int show_report(const fs::path& folder, std::ostream& out) {
    const fs::path file = folder / "report.txt";
    std::ifstream in(file, std::ios::binary);
    if (!in || !fs::is_regular_file(file)) {
        out << "peerproof-report: " << file.string() << " cannot be read\n";
        return exit_no_verdict;
    }
    if (in.peek() != std::ifstream::traits_type::eof()) out << in.rdbuf();
    out << std::flush;
    return out.good() && in.good() ? exit_held : exit_no_verdict;
}

}  // namespace

int lines_command(const fs::path& folder, std::ostream& out) {
    const auto [verdict, lines] = closing_of(folder);
    out << lines << std::flush;
    return verdict.exit_code;
}

int show_command(const fs::path& folder, bool whole, const Paint& paint, std::ostream& out) {
    if (whole) return show_report(folder, out);
    if (!fs::is_directory(folder)) {
        out << "peerproof-report: there is no folder " << folder.string() << "\n";
        return exit_no_verdict;
    }
    auto [verdict, lines] = closing_of(folder);
    bool has_its_own = true;
    // Without a plan (the bench could not be listed) there is nothing but the reason.
    if (fs::exists(folder / "plan.json")) {
        const Judged judged = read_judged(folder);
        out << terminal_summary(judged.verdict, judged.session, paint);
        has_its_own = judged.no_verdict_of_its_own.empty();
        if (!has_its_own) {
            verdict = judged.verdict;
            lines = closing_lines(verdict,
                                  "none that is of these files (session folder " + folder.string() + ")");
        }
    }
    out << painted_closing(lines, verdict, paint) << std::flush;
    return has_its_own && out.good() ? exit_held : exit_no_verdict;
}

}  // namespace peerproof
