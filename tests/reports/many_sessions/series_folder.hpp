// A folder of judged sessions, run01, run02, ...: whole and open ones of two GPUs, or changed ones.
//
//   SeriesFolder folder;
//   folder.runs(9).run([](Session& session) { ... });
#pragma once

#include <functional>

#include "session/format.hpp"
#include "tests/reports/report_program.hpp"

namespace peerproof {

class SeriesFolder : public Folder {
  public:
    SeriesFolder& run(const std::function<void(Session&)>& change) {
        Session session = sample::open_session(2);
        change(session);
        session.id = format("session-{:02}", ++count_);
        session.plan->session = session.id;
        for (Record& record : session.records) record.session = session.id;
        const std::filesystem::path folder = path / format("run{:02}", count_);
        sample::write(session, folder);
        if (run_report("verdict '" + folder.string() + "' --session " + session.id).output.empty())
            throw std::runtime_error("no verdict");
        return *this;
    }
    SeriesFolder& runs(int count) {
        for (int i = 0; i < count; ++i) run([](Session&) {});
        return *this;
    }

  private:
    int count_ = 0;
};

}  // namespace peerproof
