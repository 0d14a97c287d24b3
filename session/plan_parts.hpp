// Parts of a plan: what it says of some of the GPUs, in a file of their own, so that the start of a case does
// not take longer the more GPUs there are. plan.json of 16 GPUs has thousands of cases, and a case needs those
// between its own GPUs.
//
//   write_parts(plan, "runs/20261201T051500Z-3f2a9c", text_of_plan.size());   // parts/gpu0.json, parts/gpu0_gpu1.json ...
//   const Plan plan = read_plan_of("runs/20261201T051500Z-3f2a9c", "gpu1_to_gpu0");
//
// A part is a plan of the same format (session/plan.hpp) that has every case whose GPUs are all among those of
// the part, whatever comes of them, and the links and hints of these GPUs; all else is that of the whole. What
// a case comes after is not in it: that is for ctest, and may be every case of the bench. It says how large the
// plan.json is that it is of. What concerns other GPUs as well, "bench" for one, reads plan.json, and so does a
// case whose part is not there: it is only slower. The judge holds every part to plan.json.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "session/plan.hpp"

namespace peerproof {

// "gpu1_to_gpu0", "gpu0_gpu1" and "gpu0" have one, of these GPUs in rising order; "bench" has none.
std::vector<int> gpus_of_part(std::string_view place);
std::filesystem::path part_file(const std::filesystem::path& session_folder, const std::vector<int>& gpus);

// The parts of a plan, which must outlive it. What all have in common is copied once.
class PlanParts {
  public:
    explicit PlanParts(const Plan& plan);
    Plan of(const std::vector<int>& gpus) const;

  private:
    const Plan& plan_;
    Plan common_;
};

// One for each set of GPUs that a case of the plan is of, but for that of all. What an earlier opening left is
// removed. `plan_bytes`: the size of plan.json.
void write_parts(const Plan& plan, const std::filesystem::path& session_folder, std::uintmax_t plan_bytes);

// The plan as far as cases of this place need it. Throws FormatError where the part is not of the plan.json
// beside it, or of other GPUs.
Plan read_plan_of(const std::filesystem::path& session_folder, std::string_view place);

// Each file in parts/ that does not say what this plan says of its GPUs, with the reason.
struct OddPart {
    std::string file;  // "gpu0_gpu1.json"
    std::string reason;
};
std::vector<OddPart> odd_parts(const Plan& plan, const std::filesystem::path& session_folder);

}  // namespace peerproof
