#include "reports/reading/session_folder.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <iterator>

#include "reports/judging/judge.hpp"
#include "tests/reports/folder.hpp"

namespace peerproof {
namespace {

namespace fs = std::filesystem;

Session read(const Folder& folder) { return read_session(folder.path, sample::session_id); }

TEST(SessionFolder, IsReadWhole) {
    const Session written = sample::locked_session(3);
    const Folder folder(written);
    const Session session = read(folder);
    ASSERT_TRUE(session.plan) << session.why_no_plan;
    EXPECT_EQ(session.records.size(), written.records.size());
    EXPECT_TRUE(session.strays.empty());
    EXPECT_EQ(judge(session).word, VerdictWord::locked);
}

// Many enough for several threads: nothing is lost, nothing is twice, and the order is that of the names.
TEST(SessionFolder, OfManyGpusIsReadWholeAndInOrder) {
    const Folder folder(sample::locked_session(8));
    std::vector<std::string> names, broken;
    for (const auto& entry : fs::directory_iterator(folder.path / "records"))
        names.push_back(entry.path().filename().string());
    ASSERT_GT(names.size(), 200u);
    std::sort(names.begin(), names.end());
    for (std::size_t i = 0; i < names.size(); i += 7) {
        Folder::put(folder.path / "records" / names[i], "{");
        broken.push_back(names[i]);
    }
    const Session session = read(folder);
    std::vector<std::string> strays, records, expected;
    for (const Stray& stray : session.strays) strays.push_back(stray.file);
    for (const Record& record : session.records) records.push_back(record.case_id + ".json");
    std::set_difference(names.begin(), names.end(), broken.begin(), broken.end(),
                        std::back_inserter(expected));
    EXPECT_EQ(strays, broken);
    EXPECT_EQ(records, expected);
}

// Cases ran on these: what they say must be what the judge reads in plan.json.
TEST(SessionFolder, HasPartsThatSayTheSameAsThePlan) {
    const Session written = sample::open_session(3);
    const Folder folder(written);
    write_parts(*written.plan, folder.path, fs::file_size(folder.path / "plan.json"));
    EXPECT_EQ(judge(read(folder)).word, VerdictWord::open);
    Plan other = *written.plan;
    for (Case& one : other.cases) one.accepted.push_back(Outcome::missing);
    write_parts(other, folder.path, fs::file_size(folder.path / "plan.json"));
    const Verdict verdict = judge(read(folder));
    EXPECT_EQ(verdict.word, VerdictWord::no_verdict);
    ASSERT_FALSE(verdict.reasons.empty());
    EXPECT_EQ(verdict.reasons[0].text, "parts/gpu0.json: says something else of its GPUs than plan.json");
}

TEST(SessionFolder, IsNotThere) {
    const Folder folder;
    const Session session = read(folder);
    EXPECT_FALSE(session.plan);
    EXPECT_NE(session.why_no_plan.find("bench.open did not run"), std::string::npos);
    EXPECT_TRUE(session.strays.empty());
}

TEST(SessionFolder, HasThingsThatAreNoRecords) {
    const Folder folder(sample::open_session(2));
    Folder::put(folder.path / "records/notes.txt", "x");
    Folder::put(folder.path / "records/core.read.gpu0_to_gpu1.json~", "x");
    Folder::put(folder.path / "records/.hidden", "x");
    fs::create_directory(folder.path / "records/folder.json");
    ASSERT_EQ(::mkfifo((folder.path / "records/pipe.json").c_str(), 0600), 0);
    fs::create_symlink("nowhere", folder.path / "records/link.json");
    const Session session = read(folder);
    EXPECT_EQ(session.strays.size(), 6u);
    EXPECT_EQ(judge(session).word, VerdictWord::no_verdict);
}

TEST(SessionFolder, AWriteThatWasCutIsNoRecord) {
    const Folder folder(sample::open_session(2));
    Folder::put(folder.path / "records/.core.read.gpu0_to_gpu1.json.tmp.123", "{");
    EXPECT_EQ(judge(read(folder)).word, VerdictWord::open);
}

TEST(SessionFolder, ARecordUnderAnotherName) {
    const Folder folder(sample::open_session(2));
    fs::copy_file(folder.record("core.read.gpu0_to_gpu1"), folder.record("core.read.gpu0_to_gpu2"));
    const Session session = read(folder);
    ASSERT_EQ(session.strays.size(), 1u);
    EXPECT_EQ(session.strays[0].reason, "holds the record of core.read.gpu0_to_gpu1");
    EXPECT_EQ(judge(session).word, VerdictWord::no_verdict);
}

TEST(SessionFolder, RecordsIsAFile) {
    const Folder folder;
    Folder::put(folder.path / "records", "x");
    EXPECT_EQ(read(folder).strays.size(), 1u);
}

}  // namespace
}  // namespace peerproof
