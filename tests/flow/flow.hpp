// One run of the installed folder through a real, nested ctest on a simulated bench: what a person would
// type, and what it left behind.
//
//   Flow flow;                                        // an own copy of the folder, an own output folder
//   flow.set("PEERPROOF_BENCH", "locked-x3");
//   const Ended ended = flow.ctest({"-j2"});
//   EXPECT_EQ(ended.code, 8);
//   EXPECT_EQ(flow.report()["verdict"], "locked");
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace peerproof::flow {

namespace fs = std::filesystem;

struct Ended {
    int code = -1;
    std::string output;  // stdout and stderr together
};

// Runs a program to its end, with these variables added to an environment without any PEERPROOF_ variable.
Ended run(const std::vector<std::string>& command, const std::map<std::string, std::string>& environment,
          const fs::path& folder = ".");

class Flow {
  public:
    Flow();
    ~Flow();
    Flow(const Flow&) = delete;
    Flow& operator=(const Flow&) = delete;

    void set(const std::string& name, const std::string& value) { environment_[name] = value; }
    void unset(const std::string& name) { environment_.erase(name); }
    // A bench of its own: the TOML text becomes a file, and PEERPROOF_BENCH.
    void bench_text(const std::string& name, const std::string& toml);

    Ended ctest(const std::vector<std::string>& arguments = {});
    Ended program(const std::string& name, const std::vector<std::string>& arguments);

    fs::path folder() const { return folder_; }  // the test folder: bin/, lib/, benches/
    fs::path out() const { return out_; }
    fs::path session() const;       // the session folder of the last run; fails the test if there is none
    nlohmann::json report() const;  // its report.json
    nlohmann::json record(const std::string& case_id) const;
    std::string outcome(const std::string& case_id) const { return record(case_id).at("outcome"); }
    bool has_report() const;

  private:
    fs::path root_, folder_, out_;
    std::map<std::string, std::string> environment_;
};

// Reasons of a report as one text, for looking into.
std::string reasons(const nlohmann::json& report);

std::string text_of(const fs::path& file);

}  // namespace peerproof::flow
