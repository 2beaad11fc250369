// SPDX-License-Identifier: Apache-2.0
//
// The program with headroom-worker itself: a profile is measured, shown, and predicts.
#include "tests/app/cli/program/Program.h"

#include <gmock/gmock.h>

namespace headroom::cli {
namespace {

using experiments::OrderedJson;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class RealCalibrateTest : public Program {
protected:
    void SetUp() override
    {
#ifdef REAL_WORKER
        setVariable("HEADROOM_WORKER", REAL_WORKER);
#else
        GTEST_SKIP() << "headroom-worker is not part of this build";
#endif
    }
};

using CalibrateErrorTest = Program;

double stepSeconds(const OrderedJson& trial)
{
    return trial.at("speed").at("step_seconds_median").get<double>();
}

TEST_F(RealCalibrateTest, aProfileOfTheProcessorPredictsStepTimes)
{
    const Ended measured = run("calibrate --device cpu --quick -o box.toml --format json");
    ASSERT_EQ(measured.exitCode, 0) << measured.err;
    EXPECT_THAT(measured.err, HasSubstr("written to box.toml: --device sim:box.toml"));
    EXPECT_EQ(measured.json().at("file"), "box.toml");
    EXPECT_THAT(contents("box.toml"), HasSubstr("kind = \"exact\""));

    const Ended shown = run("devices ./box.toml --format json");
    ASSERT_EQ(shown.exitCode, 0) << shown.err;
    EXPECT_EQ(shown.json("constants"), measured.json("constants"));
    for (const OrderedJson& constant : shown.json("constants"))
        EXPECT_THAT(constant.at("source").get<std::string>(), Not(IsEmpty()));

    const Ended ended =
        run("run --model ffn-stack-tiny --sequence-length 64,4096 --device sim:./box.toml --format json");
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    const OrderedJson trials = ended.json("trials");
    ASSERT_EQ(trials.size(), 2U);
    EXPECT_EQ(trials[0].at("device"), "sim:./box.toml");
    EXPECT_GT(stepSeconds(trials[0]), 0);
    EXPECT_GT(stepSeconds(trials[1]), stepSeconds(trials[0]));
    const OrderedJson plain =
        run("run --model ffn-stack-tiny --sequence-length 64 --device sim:cpu --format json").json("trials");
    EXPECT_TRUE(plain[0].at("speed").at("step_seconds_median").is_null()) << "the shipped profile claims no speed";
    EXPECT_EQ(plain[0].at("memory").at("peak"), trials[0].at("memory").at("peak"));
}

TEST_F(RealCalibrateTest, aFileThatIsThereIsKept)
{
    write("box.toml", "mine");
    const Ended kept = run("calibrate --device cpu --quick -o box.toml");
    EXPECT_EQ(kept.exitCode, 5);
    EXPECT_THAT(kept.err, HasSubstr("box.toml: is there already (valid: another file, or --force to replace it)"));
    EXPECT_EQ(contents("box.toml"), "mine");
    EXPECT_EQ(run("calibrate --device cpu --quick -o box.toml --force").exitCode, 0);
    EXPECT_THAT(contents("box.toml"), HasSubstr("name = \"box\""));
}

TEST_F(RealCalibrateTest, aGpuThatIsNotThereLeavesNoFile)
{
    const Ended ended = run("calibrate --device cuda:77 -o card.toml");
    EXPECT_EQ(ended.exitCode, 3);
    EXPECT_THAT(ended.err, HasSubstr("cuda:77"));
    EXPECT_TRUE(files().empty());
}

TEST_F(CalibrateErrorTest, whatCannotBeMeasuredOrWrittenIsRefusedBeforeAnythingRuns)
{
    EXPECT_EQ(run("calibrate -o x.toml").exitCode, 2);
    EXPECT_EQ(run("calibrate --device cpu").exitCode, 2);
    const Ended simulated = run("calibrate --device sim:t4 -o x.toml");
    EXPECT_EQ(simulated.exitCode, 2);
    EXPECT_THAT(simulated.err, HasSubstr("only a real device can be measured (valid: cpu, cuda:N)"));
    EXPECT_THAT(run("calibrate --device gpu -o x.toml").err, HasSubstr("device \"gpu\" is not known"));
    const Ended named = run("calibrate --device cpu -o x.json");
    EXPECT_EQ(named.exitCode, 2);
    EXPECT_THAT(named.err, HasSubstr("--output: found \"x.json\" (valid: FILE.toml)"));
    EXPECT_EQ(run("calibrate --device cpu -o a,b.toml").exitCode, 2);
    const Ended folder = run("calibrate --device cpu -o no/such/x.toml");
    EXPECT_EQ(folder.exitCode, 5);
    EXPECT_THAT(folder.err, HasSubstr("no/such"));
    EXPECT_EQ(run("calibrate --device cpu -o x.toml --format yaml").exitCode, 2);
    EXPECT_EQ(requests(), 0U);
    EXPECT_TRUE(files().empty());
}

TEST_F(CalibrateErrorTest, aProfileThatIsMissingOrBrokenIsNamed)
{
    const Ended missing = run("run --model ffn-stack-tiny --device sim:./none.toml");
    EXPECT_EQ(missing.exitCode, 2);
    EXPECT_THAT(missing.err, HasSubstr("there is no device profile './none.toml'"));
    write("broken.toml", "name = \"broken\"\ntitle = \"x\"\nkind = \"exact\"\nspeeds = 1\n");
    const Ended broken = run("run --model ffn-stack-tiny --device sim:./broken.toml");
    EXPECT_EQ(broken.exitCode, 2);
    EXPECT_THAT(broken.err, HasSubstr("broken.toml:4: 'speeds' is unknown"));
    EXPECT_EQ(run("devices ./broken.toml").exitCode, 2);
}

} // namespace
} // namespace headroom::cli
