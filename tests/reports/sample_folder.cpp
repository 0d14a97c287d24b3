// Writes a sample session for what is no C++: the tests in a browser, the test of the schemas, the
// benchmarks.
//
//   sample_folder KIND GPUS DIR     KIND: open, locked, silent, full, hostile, simulated, self-check, empty

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "session/exit_code.hpp"
#include "session/format.hpp"
#include "session/ways.hpp"
#include "tests/reports/sample_session.hpp"

namespace {

using namespace peerproof;

// Every family, and something of everything that can be drawn.
Session full_session(int gpus) {
    Session session = sample::open_session(gpus);
    sample::add_links(session);
    sample::add_every_measurement(session);
    sample::add_every_sum(session);
    sample::add_ways(session);
    sample::add_crowd(session);
    sample::add_soak(session);
    session.plan->required_ways = names_of_ways();
    return session;
}

Session session_of(const std::string& kind, int gpus) {
    if (kind == "locked") return sample::locked_session(gpus);
    if (kind == "full") return full_session(gpus);
    Session session = sample::open_session(gpus);
    if (kind == "open") return session;
    if (kind == "silent") {
        for (const Case& one : session.plan->cases) {
            if (one.check == "write") sample::observe(session, one.id, Outcome::missing);
            if (one.check == "read") sample::observe(session, one.id, Outcome::wrong);
        }
    } else if (kind == "hostile") {
        session = full_session(gpus);
        sample::observe(session, "core.read.gpu0_to_gpu1", Outcome::wrong);
        sample::spoil_texts(
            session,
            "<b>x</b>\"'><img src=http://x.invalid/ onerror=alert(1)>]]></script><script>alert(2)</script>"
            "<!--\x01\x1b[2J&lt;\xe2\x80\xae</style>`$(x)`");
    } else if (kind == "simulated") {
        session.plan->simulated = "open-x3";
        for (Record& record : session.records) record.simulated = "open-x3";
    } else if (kind == "self-check") {
        session = sample::locked_session(gpus);
        session.plan->self_check = true;
    } else if (kind == "empty") {
        session = {};
    } else {
        throw std::runtime_error("no such kind: " + kind);
    }
    return session;
}

}  // namespace

int main(int argc, char** argv) try {
    const int gpus = argc == 4 ? std::atoi(argv[2]) : 0;
    if (gpus < 2 || gpus > 64) throw std::runtime_error("sample_folder KIND GPUS DIR, GPUS from 2 to 64");
    sample::write(session_of(argv[1], gpus), argv[3]);
    return exit_held;
} catch (const std::exception& reason) {
    print(stderr, "{}\n", reason.what());
    return exit_usage;
}
