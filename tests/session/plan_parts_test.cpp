#include "session/plan_parts.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

#include "session/json.hpp"

namespace peerproof {
namespace {

namespace fs = std::filesystem;

using Gpus = std::vector<int>;

void add_case(Plan& plan, Family family, const std::string& check, const Gpus& gpus,
              const std::string& place = "") {
    const std::string at = place.empty() ? place_name(gpus) : place;
    plan.cases.push_back({.id = case_id(family, check, at),
                          .test = check + "/" + at,
                          .family = family,
                          .check = check,
                          .gpus = gpus,
                          .accepted = {Outcome::delivered},
                          .after = {},
                          .title = check});
}

Plan plan_of(int gpus) {
    Plan plan{.session = "s", .run = 7, .suite = "0.1.0", .started = "2026-01-01T00:00:00Z"};
    plan.hints = {{"iommu", Hint::none, Hint::none, "off", "sysfs"}};
    Gpus all;
    for (int a = 0; a < gpus; ++a) {
        plan.gpus.push_back({a, "GPU-" + std::to_string(a), "0000:01:00.0", "GPU", 64, "9.0"});
        plan.links.push_back({.gpu = a, .root = "pci0000:00"});
        plan.hints.push_back({"bar1", a, Hint::none, "64", "NVML"});
        add_case(plan, Family::control, "positive", {a});
        all.push_back(a);
        for (int b = 0; b < gpus; ++b) {
            if (a == b) continue;
            plan.hints.push_back({"access_supported", a, b, "1", "CUDA"});
            add_case(plan, Family::core, "read", {a, b});
            if (a < b)
                add_case(plan, Family::collective, "all_reduce", {a, b},
                         "gpu" + std::to_string(a) + "_gpu" + std::to_string(b));
        }
    }
    add_case(plan, Family::collective, "all_reduce", all, "bench");
    return plan;
}

class PlanPartsInAFolder : public ::testing::Test {
  protected:
    void SetUp() override {
        char name[] = "/tmp/peerproof parts XXXXXX";
        folder = ::mkdtemp(name);
    }
    void TearDown() override { fs::remove_all(folder); }

    void write(const Plan& plan) const {
        const std::string text = to_json(plan).dump();
        write_parts(plan, folder, text.size());
        write_file_atomically(folder / "plan.json", text);
    }
    std::vector<std::string> odd(const Plan& plan) const {
        std::vector<std::string> files;
        for (const OddPart& part : odd_parts(plan, folder)) files.push_back(part.file);
        return files;
    }

    fs::path folder;
};

std::vector<std::string> ids_of(const Plan& plan) {
    std::vector<std::string> ids;
    for (const Case& one : plan.cases) ids.push_back(one.id);
    return ids;
}

TEST(PlanParts, KnowTheGpusOfAPlace) {
    EXPECT_EQ(gpus_of_part("gpu12"), Gpus{12});
    EXPECT_EQ(gpus_of_part("gpu3_to_gpu1"), (Gpus{1, 3}));
    EXPECT_EQ(gpus_of_part("gpu1_gpu3"), (Gpus{1, 3}));
    for (const char* none : {"", "bench", "gpu", "gpu1_to_", "gpu1gpu2", "gpu1_to_bench", "gpu-1", "gpu1 "})
        EXPECT_EQ(gpus_of_part(none), Gpus{}) << none;
}

TEST_F(PlanPartsInAFolder, AreTheCasesLinksAndHintsOfTheirGpus) {
    write(plan_of(3));
    const Plan part = read_plan_of(folder, "gpu2_to_gpu0");
    EXPECT_EQ(ids_of(part), (std::vector<std::string>{"control.positive.gpu0", "core.read.gpu0_to_gpu2",
                                                      "collective.all_reduce.gpu0_gpu2",
                                                      "control.positive.gpu2", "core.read.gpu2_to_gpu0"}));
    EXPECT_EQ(part.links.size(), 2u);
    EXPECT_EQ(part.hints.size(), 5u) << "of the machine, of each of the two GPUs, and of each direction";
    EXPECT_EQ(part.gpus.size(), 3u) << "a case finds its GPUs by their index";
    EXPECT_EQ(part.run, 7u);
    EXPECT_EQ(ids_of(read_plan_of(folder, "gpu1")), std::vector<std::string>{"control.positive.gpu1"});
    EXPECT_EQ(ids_of(read_plan_of(folder, "bench")), ids_of(plan_of(3)));
}

TEST_F(PlanPartsInAFolder, DoNotGrowWithTheNumberOfGpus) {
    write(plan_of(3));
    const auto size = [&] { return read_plan_of(folder, "gpu0_to_gpu1").cases.size(); };
    const std::size_t of_three = size();
    write(plan_of(9));
    EXPECT_EQ(size(), of_three);
    Plan plan = plan_of(9);
    plan.cases[1].after = ids_of(plan);  // core.read.gpu0_to_gpu1
    write(plan);
    EXPECT_TRUE(read_plan_of(folder, "gpu0_to_gpu1").find("core.read.gpu0_to_gpu1")->after.empty());
    EXPECT_EQ(odd(plan), std::vector<std::string>{});
}

TEST_F(PlanPartsInAFolder, OfAnEarlierOpeningAreGone) {
    write(plan_of(4));
    ASSERT_TRUE(fs::exists(part_file(folder, {2, 3})));
    write(plan_of(3));
    EXPECT_FALSE(fs::exists(part_file(folder, {2, 3})));
}

TEST_F(PlanPartsInAFolder, ThatAreNotThereAreReadFromTheWhole) {
    write(plan_of(3));
    fs::remove(part_file(folder, {0, 1}));
    EXPECT_EQ(ids_of(read_plan_of(folder, "gpu0_to_gpu1")), ids_of(plan_of(3)));
    EXPECT_EQ(odd(plan_of(3)), std::vector<std::string>{});
}

TEST_F(PlanPartsInAFolder, OfAnotherPlanAreRefused) {
    write(plan_of(3));
    Plan other = plan_of(3);
    other.session = "another";
    write_file_atomically(folder / "plan.json", to_json(other).dump());
    EXPECT_THROW(read_plan_of(folder, "gpu0_to_gpu1"), FormatError);
}

TEST_F(PlanPartsInAFolder, OfOtherGpusAreRefused) {
    write(plan_of(4));
    fs::copy_file(part_file(folder, {2, 3}), part_file(folder, {0, 1}), fs::copy_options::overwrite_existing);
    EXPECT_THROW(read_plan_of(folder, "gpu0_to_gpu1"), FormatError);
    EXPECT_EQ(odd(plan_of(4)), std::vector<std::string>{"gpu0_gpu1.json"});
}

TEST_F(PlanPartsInAFolder, ThatSayAnythingElseAreFound) {
    write(plan_of(3));
    EXPECT_EQ(odd(plan_of(3)), std::vector<std::string>{});
    Plan changed = plan_of(3);
    changed.cases[1].accepted = {Outcome::missing};  // core.read.gpu0_to_gpu1
    EXPECT_EQ(odd(changed), std::vector<std::string>{"gpu0_gpu1.json"});
    std::ofstream{part_file(folder, {1})} << "{";
    std::ofstream{folder / "parts" / "left.json"} << "{}";
    EXPECT_EQ(odd(plan_of(3)), (std::vector<std::string>{"gpu1.json", "left.json"}));
}

}  // namespace
}  // namespace peerproof
