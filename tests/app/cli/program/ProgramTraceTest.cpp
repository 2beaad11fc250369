// SPDX-License-Identifier: Apache-2.0
//
// `headroom trace show` as people and scripts use it, on a workspace with hand-made traces.
#include "core/protocol/RepeatResult.h"
#include "core/protocol/TrialCodec.h"
#include "profiling/store/workspace/Workspace.h"
#include "tests/app/cli/program/DocumentedKeys.h"
#include "tests/app/cli/program/Program.h"
#include "tests/profiling/trace/peaks/OwnedTrace.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>

#include <filesystem>

namespace headroom::cli {
namespace {

using config::MemoryCategory;
using experiments::OrderedJson;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;
using trace::Action;

constexpr int kBlocks = 4;

class ProgramTraceTest : public Program {
protected:
    ProgramTraceTest()
    {
        store::Workspace workspace = store::Workspace::open(path("headroom.db"), store::Access::Create);
        const std::int64_t experiment = workspace.addExperiment({.name = "sweep"});
        const auto trials = workspace.addTrials(experiment,
            std::vector{trialOf("aa11", "cpu | baseline", "none"), trialOf("aa22", "cpu | checkpointing all", "all"),
                trialOf("bb33", "cpu | checkpointing every:2", "every:2")});
        add(workspace, trials[0], 100, MemoryCategory::SavedActivations, "");
        add(workspace, trials[1], 10, MemoryCategory::RecomputedActivations, "checkpointing");
        store::RepeatImport untraced;
        untraced.repeat.trial = trials[2];
        untraced.repeat.resultJson = protocol::toJson(protocol::RepeatResult{}).dump();
        workspace.importRepeat(untraced);
    }

    static store::TrialRow trialOf(const std::string& id, const std::string& label, const std::string& checkpointing)
    {
        config::Trial trial;
        trial.configuration = config::defaultConfiguration("ffn-stack-tiny", "model");
        trial.configuration.workload.step = config::StepKind::ForwardBackward;
        trial.configuration.techniques.at("checkpointing").notation = checkpointing;
        store::TrialRow row;
        row.trialId = id + std::string(12, '0');
        row.configId = row.trialId;
        row.label = label;
        row.device = "cpu";
        row.requestJson = protocol::toJson(trial).dump();
        return row;
    }

    // Adds weights of 8 KiB per block before the step, then `kept` KiB per block, then as much again in the last block.
    static void add(
        store::Workspace& workspace, std::int64_t trial, Bytes kept, MemoryCategory last, const std::string& technique)
    {
        store::RepeatImport source;
        source.repeat.trial = trial;
        protocol::RepeatResult result;
        result.outcome = Outcome::Completed;
        result.breakdown.emplace().leaks = {{"ema", 512}};
        source.repeat.resultJson = protocol::toJson(result).dump();
        trace::OwnerTable owners;
        std::vector<trace::AllocatorEvent> events{trace::acted(Action::SegmentAlloc, 1, 0x100000, 4 * kMiB)};
        std::uint64_t address = 0x100000;
        const auto hold = [&](std::int64_t timeNs, MemoryCategory category, const std::string& module, Bytes bytes,
                              const std::string& by) {
            events.push_back(trace::allocated(timeNs, address, bytes, owners.idOf({category, module, by})));
            address += static_cast<std::uint64_t>(bytes);
        };
        for (int i = 0; i < kBlocks; ++i)
            hold(10, MemoryCategory::Weights, "layers." + std::to_string(i) + ".net.0.proj", 8 * kKiB, "");
        for (int i = 0; i < kBlocks; ++i)
            hold(1'000 + i, MemoryCategory::SavedActivations, "layers." + std::to_string(i), kept * kKiB, technique);
        hold(2'500, last, "layers.3", 4 * kKiB, technique);
        const trace::AllocatorEvent block = events.back();
        events.push_back(trace::freed(2'600, block.address, block.bytes, block.owner));
        events.push_back(trace::acted(Action::FreeCompleted, 2'600, block.address, block.bytes));
        source.phases = {{"forward", 0, 900, 2'000}, {"backward", 0, 2'000, 3'000}};
        source.tracks.push_back({"device", events, {}});
        source.owners.assign(owners.all().begin(), owners.all().end());
        workspace.importRepeat(source);
    }

    std::string refusal(const std::string& arguments, int exitCode)
    {
        const Ended ended = run("trace " + arguments);
        EXPECT_EQ(ended.exitCode, exitCode) << ended.err;
        EXPECT_EQ(ended.out, "");
        EXPECT_THAT(ended.err, StartsWith("headroom: error: "));
        return ended.err;
    }
    std::string refusal(const std::vector<std::string>& arguments, int exitCode)
    {
        const Ended ended = run(arguments);
        EXPECT_EQ(ended.exitCode, exitCode) << ended.err;
        return ended.err;
    }
    OrderedJson shown(const std::string& arguments)
    {
        const Ended ended = run("trace show " + arguments + " --format json");
        EXPECT_EQ(ended.exitCode, 0) << ended.err;
        return ended.json();
    }
};

TEST_F(ProgramTraceTest, aDamagedResultHidesNoTrace)
{
    SQLite::Database(path("headroom.db"), SQLite::OPEN_READWRITE)
        .exec("UPDATE repeats SET result_json = 'nonsense' WHERE trial = 2");
    EXPECT_EQ(shown("aa11").at("peak").at("total_bytes"), (4 * 8 + 4 * 100 + 4) * kKiB);
    const OrderedJson damaged = shown("aa22");
    EXPECT_GT(damaged.at("peak").at("total_bytes"), 0);
    ASSERT_EQ(damaged.at("diagnostics").size(), 1U) << damaged.at("diagnostics");
    EXPECT_THAT(damaged.at("diagnostics")[0].dump(), HasSubstr("is damaged"));
    EXPECT_THAT(damaged.at("diagnostics")[0].dump(), Not(HasSubstr("json.exception")));
    EXPECT_EQ(run("trace show aa11 --against bb33").exitCode, 2) << "which has neither trace nor breakdown";
}

TEST_F(ProgramTraceTest, thePeakIsTheSumOfItsCategoriesAndOfItsTree)
{
    const OrderedJson document = shown("aa11");
    EXPECT_EQ(document.at("peak").at("total_bytes"), (4 * 8 + 4 * 100 + 4) * kKiB);
    EXPECT_EQ(document.at("peak").at("phase"), "backward");
    EXPECT_EQ(document.at("at").at("categories").at("weights"), 32 * kKiB);
    EXPECT_EQ(document.at("at").at("categories").at("saved_activations"), 404 * kKiB);
    Bytes own = 0;
    for (const OrderedJson& node : document.at("tree"))
        own += node.at("own_bytes").get<Bytes>();
    EXPECT_EQ(own, document.at("peak").at("total_bytes"));
    EXPECT_EQ(document.at("phases").at(0).at("total_bytes"), 432 * kKiB);
    EXPECT_EQ(document.at("owner").at("part"), "layers.*");
    EXPECT_THAT(document.at("owner").at("relieved_by").dump(), HasSubstr("\"checkpointing\""));
    EXPECT_EQ(document.at("fragmentation").at("at").at("largest_hole_bytes"), 4 * kMiB - 436 * kKiB);
    EXPECT_EQ(document.at("fragmentation").at("at").at("slack_bytes"), 0);
    EXPECT_TRUE(document.at("witnesses").is_null());
    EXPECT_EQ(document.at("leaks").at(0).at("per_step_bytes"), 512);
}

TEST_F(ProgramTraceTest, theTableFoldsEqualBlocks)
{
    const Ended ended = run({"trace", "show", "baseline"});
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    EXPECT_THAT(ended.out, HasSubstr("Measured on cpu."));
    EXPECT_THAT(ended.out, HasSubstr("0-2  (3 x)"));
    EXPECT_THAT(ended.out, HasSubstr("Saved activations"));
    EXPECT_THAT(ended.out, HasSubstr("Peak of allocated memory: 436 KiB (446,464 bytes), in backward of step 0"));
}

TEST_F(ProgramTraceTest, anotherInstantAndAnotherTree)
{
    const OrderedJson document = shown("aa11 --at 0.000000995 --by phase"); // 5 ns before the first block's
    EXPECT_FALSE(document.at("at").at("is_peak"));
    EXPECT_EQ(document.at("at").at("allocated_bytes"), 32 * kKiB);
    EXPECT_EQ(document.at("tree").at(1).at("path"), "outside of phases");
    EXPECT_EQ(shown("aa22 --by technique --depth 1").at("tree").size(), 3U);
    EXPECT_EQ(shown("aa22 --by category --depth 1").at("tree").size(), 4U);
}

TEST_F(ProgramTraceTest, whyOnePeaksAboveTheOther)
{
    const OrderedJson against = shown("aa11 --against aa22").at("against");
    EXPECT_EQ(against.at("difference_bytes"), 4 * 90 * kKiB);
    EXPECT_THAT(against.at("text").get<std::string>(),
        StartsWith("baseline peaks 360 KiB above checkpointing all: 364 KiB more saved activations in layers.*."));
    EXPECT_THAT(against.at("text").get<std::string>(), HasSubstr("Both peak in backward."));
    EXPECT_EQ(shown("aa22 --against aa11").at("against").at("difference_bytes"), -4 * 90 * kKiB);
}

TEST_F(ProgramTraceTest, aTechniqueSaysWhatItHoldsAndHowHighItStands)
{
    const OrderedJson technique = shown("aa22").at("techniques").at(0);
    EXPECT_EQ(technique.at("technique"), "checkpointing");
    EXPECT_EQ(technique.at("held_bytes"), 44 * kKiB);
    EXPECT_EQ(technique.at("below_peak_bytes"), 0);
    EXPECT_THAT(shown("aa11").at("techniques"), IsEmpty());
}

TEST_F(ProgramTraceTest, csvHasANodeALine)
{
    const Ended ended = run("trace show aa11 --format csv --depth 1");
    EXPECT_THAT(ended.out, StartsWith("path,level,total_bytes,own_bytes,categories.weights,"));
    EXPECT_EQ(linesOf(ended.out).size(), 3U);
}

TEST_F(ProgramTraceTest, whatIsNotThereIsRefusedWithWhatThereIs)
{
    EXPECT_THAT(refusal("show zz", 2), HasSubstr("valid: aa110000 (cpu | baseline), aa220000"));
    EXPECT_THAT(refusal("show aa", 2), HasSubstr("\"aa\" may be any of 2 trials"));
    EXPECT_THAT(refusal("show bb33", 2), HasSubstr("has no trace: run it again with --trace"));
    EXPECT_THAT(refusal("show aa11 --against bb33", 2), HasSubstr("neither a trace nor a breakdown"));
    EXPECT_THAT(refusal("show aa11 --at 9", 2), HasSubstr("--at"));
    EXPECT_THAT(refusal("show aa11 --at soon", 2), HasSubstr("valid: peak, or seconds"));
    EXPECT_THAT(refusal("show aa11 --by layer", 2), HasSubstr("valid: module, category, technique, phase"));
    EXPECT_THAT(refusal("show aa11 --depth 0", 2), HasSubstr("--depth"));
    EXPECT_THAT(refusal("show aa11 --experiment other", 2), HasSubstr("--experiment"));
    EXPECT_THAT(refusal("show aa11 --workspace none.db", 5), HasSubstr("none.db"));
}

TEST_F(ProgramTraceTest, aLabelMayBeWrittenWithCommas)
{
    const Ended ended = run({"trace", "show", "checkpointing all, cpu", "--format", "json"});
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    EXPECT_EQ(ended.json("label"), "cpu | checkpointing all");
    EXPECT_EQ(run({"trace", "show", "checkpointing all, split_ffn 4"}).exitCode, 2);
}

TEST_F(ProgramTraceTest, aFileIsNoTrialYet)
{
    write("oom.pickle", "anything");
    const Ended there = run({"trace", "show", "oom.pickle"});
    EXPECT_EQ(there.exitCode, 2);
    EXPECT_THAT(there.err, HasSubstr("headroom trace import oom.pickle, then headroom trace show oom"));
    for (const std::vector<std::string>& command :
        std::vector<std::vector<std::string>>{{"trace", "show", "nope.pickle"}, {"trace", "replay", "nope.pickle"},
            {"compare", "headroom.db", "nope.db"}}) {
        const Ended missing = run(command);
        EXPECT_EQ(missing.exitCode, 5) << missing.err;
        EXPECT_THAT(missing.err, HasSubstr("no such file"));
    }
}

TEST_F(ProgramTraceTest, twoTrialsAreComparedByWhatTheyHoldAtTheirPeaks)
{
    const Ended ended = run({"compare", "cpu | checkpointing all", "cpu | baseline", "--format", "json"});
    EXPECT_EQ(ended.exitCode, 4) << ended.err; // their records have no peaks
    const OrderedJson pair = ended.json("pairs").at(0);
    EXPECT_EQ(pair.at("at_peaks").at("categories").at(0).at("name"), "saved_activations");
    EXPECT_EQ(pair.at("settings").at(0).at("key"), "techniques.checkpointing");
}

TEST_F(ProgramTraceTest, theWorkspaceIsAnArgumentOrAnOption)
{
    std::filesystem::rename(path("headroom.db"), path("other.db"));
    for (const std::string workspace : {"other.db", "--workspace other.db", "other.db --workspace ./other.db"})
        for (const char* command : {"trace show aa11 ", "trace export aa11 --as chrome -o a.json ", "trace compact ",
                 "trace drop bb33 ", "doctor "}) {
            const Ended ended = run(command + workspace);
            EXPECT_EQ(ended.exitCode, 0) << command << workspace << "\n" << ended.err;
        }
    EXPECT_FALSE(exists("headroom.db"));
}

TEST_F(ProgramTraceTest, eachWayToNameAWorkspaceDropsATrace)
{
    std::filesystem::rename(path("headroom.db"), path("other.db"));
    std::filesystem::copy_file(path("other.db"), path("copy.db"));
    EXPECT_THAT(run("trace drop aa11 aa22 other.db").err, HasSubstr("2 traces dropped"));
    EXPECT_THAT(run("trace drop --all copy.db").err, HasSubstr("2 traces dropped"));
}

TEST_F(ProgramTraceTest, twoWorkspacesAreBadUsage)
{
    std::filesystem::copy_file(path("headroom.db"), path("other.db"));
    for (const char* command : {"show aa11 other.db", "export aa11 other.db --as chrome -o a.json",
             "drop aa11 other.db", "drop --all other.db", "compact other.db"})
        EXPECT_THAT(refusal(std::string(command) + " --workspace headroom.db", 2),
            HasSubstr("--workspace: found \"headroom.db\", and the workspace \"other.db\" as an argument too"));
    EXPECT_THAT(refusal("drop aa11 other.db headroom.db", 2), HasSubstr("(valid: one workspace)"));
    EXPECT_EQ(run("report other.db --workspace headroom.db -o r.md").exitCode, 2);
    EXPECT_EQ(run("doctor other.db --workspace headroom.db").exitCode, 2);
    EXPECT_EQ(shown("aa11").at("trial_id"), "aa11000000000000");
}

TEST_F(ProgramTraceTest, anExportIsNoFileOfItsWorkspace)
{
    std::filesystem::create_hard_link(path("headroom.db"), path("hard"));
    std::filesystem::create_symlink("headroom.db", path("soft"));
    const std::string before = contents("headroom.db");
    for (const char* file :
        {"headroom.db", "hard", "soft", "headroom.db-wal", "headroom.db-shm", "headroom.db-journal"})
        EXPECT_THAT(refusal("export aa11 --as chrome -o " + std::string(file), 2), HasSubstr("the workspace itself"));
    EXPECT_EQ(contents("headroom.db"), before);
}

TEST_F(ProgramTraceTest, withoutACommandItSaysWhatThereIs)
{
    EXPECT_THAT(refusal(std::vector<std::string>{"trace"}, 2), HasSubstr("show"));
    EXPECT_THAT(refusal("shwo", 2), HasSubstr("did you mean \"show\""));
    EXPECT_THAT(run("trace --help").out, HasSubstr("--trace"));
}

TEST_F(ProgramTraceTest, anEmptyWorkspaceIsAFileError)
{
    store::Workspace::open(path("empty.db"), store::Access::Create);
    EXPECT_THAT(refusal("show aa11 --workspace empty.db", 5), HasSubstr("no experiments"));
}

TEST_F(ProgramTraceTest, everyKeyIsInTheContractAndTheOtherWayRound)
{
    DocumentedKeys keys("trace");
    for (const char* arguments : {"aa11 --against aa22", "aa22 --against aa11", "aa11"})
        EXPECT_THAT(keys.undocumented(shown(arguments)), IsEmpty());
    // Keys that occur only with a device with a driver, a failure or a remark.
    std::vector<std::string> unseen = keys.unseen();
    std::erase_if(unseen, [](const std::string& key) {
        return key.starts_with("witnesses.") || key.starts_with("out_of_memory[]") || key.starts_with("diagnostics[]")
            || key == "against.phases[].own_categories" || key == "against.phases[].other_categories"
            || key == "reserved_peak" || key == "owner" || key == "fragmentation"
            || key == "fragmentation.over_time[].<bound>";
    });
    EXPECT_THAT(unseen, IsEmpty());
}

#ifdef REAL_WORKER
TEST_F(ProgramTraceTest, ofARealRunItIsWhatTheRecordSays)
{
    setVariable("HEADROOM_WORKER", REAL_WORKER);
    const Ended ended = run("run --model ffn-stack-tiny --set workload.step=forward_backward --checkpointing all "
                            "--device cpu,sim:t4 --quick --trace --workspace real.db --format json");
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    for (const OrderedJson& record : ended.json("trials")) {
        const OrderedJson document =
            shown(record.at("trial_id").get<std::string>() + " --workspace real.db --by category");
        const OrderedJson& breakdown = record.at("breakdown");
        EXPECT_EQ(document.at("peak").at("total_bytes"), breakdown.at("total_bytes")) << record.at("label");
        for (const auto& [category, bytes] : document.at("at").at("categories").items())
            EXPECT_EQ(bytes, breakdown.at("categories").at(category)) << record.at("label") << " " << category;
    }
}
#endif

} // namespace
} // namespace headroom::cli
