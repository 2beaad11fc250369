// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/program/Program.h"

#include <gmock/gmock.h>

namespace headroom::cli {
namespace {

using experiments::OrderedJson;
using testing::HasSubstr;

class ProgramDoctorTest : public Program {
protected:
    static std::string stateOf(const OrderedJson& document, const std::string& check)
    {
        for (const OrderedJson& entry : document.at("checks"))
            if (entry.at("check") == check)
                return entry.at("state").get<std::string>();
        return "not checked";
    }
};

TEST_F(ProgramDoctorTest, isContentWithoutAGpu)
{
    const Ended ended = run("doctor --format json");
    EXPECT_EQ(ended.exitCode, 0) << ended.out;
    const OrderedJson document = ended.json();
    EXPECT_EQ(document.at("works"), true);
    for (const char* check : {"worker", "LibTorch", "resources", "workspace", "cores", "memory"})
        EXPECT_EQ(stateOf(document, check), "ok") << check;
    EXPECT_EQ(stateOf(document, "CUDA"), "missing");
    EXPECT_EQ(stateOf(document, "GPU"), "missing");
}

TEST_F(ProgramDoctorTest, saysWhatAMissingThingMeans)
{
    for (const OrderedJson& check : run("doctor --format json").json("checks"))
        if (check.at("state") == "missing") {
            EXPECT_TRUE(check.at("meaning").is_string()) << check;
        }
}

TEST_F(ProgramDoctorTest, findsAWorkerThatDoesNotWork)
{
    for (const char* worker : {"/no/such/worker", "/bin/true", "/etc/passwd"}) {
        setVariable("HEADROOM_WORKER", worker);
        const Ended ended = run("doctor --format json");
        EXPECT_EQ(ended.exitCode, 3) << worker;
        EXPECT_EQ(stateOf(ended.json(), "worker"), "broken") << worker;
    }
}

TEST_F(ProgramDoctorTest, findsMissingResources)
{
    setVariable("HEADROOM_RESOURCES", "/no/such/folder");
    const Ended ended = run("doctor --format json");
    EXPECT_EQ(ended.exitCode, 5);
    EXPECT_EQ(stateOf(ended.json(), "resources"), "broken");
}

TEST_F(ProgramDoctorTest, findsAWorkspaceThatIsNone)
{
    write("notes.db", "not a database");
    const Ended ended = run("doctor --workspace notes.db --format json");
    EXPECT_EQ(ended.exitCode, 5);
    EXPECT_EQ(stateOf(ended.json(), "workspace"), "broken");
    EXPECT_EQ(contents("notes.db"), "not a database");
    EXPECT_EQ(stateOf(run("doctor --workspace ./no/folder/w.db --format json").json(), "workspace"), "broken");
}

// What a killed run left, or one that starts now: nothing is lost, and any run may go on into it.
TEST_F(ProgramDoctorTest, anEmptyWorkspaceIsNotBroken)
{
    write("empty.db", "");
    const Ended ended = run("doctor --workspace empty.db --format json");
    EXPECT_EQ(ended.exitCode, 0) << ended.out;
    EXPECT_EQ(stateOf(ended.json(), "workspace"), "note");
}

TEST_F(ProgramDoctorTest, writesNothing)
{
    ASSERT_EQ(run("run --model ffn-stack-tiny --device cpu").exitCode, 0);
    const auto before = files();
    EXPECT_EQ(run("doctor").exitCode, 0);
    EXPECT_EQ(files(), before);
}

TEST_F(ProgramDoctorTest, refusesAModelOrADeviceItCannotSurvey)
{
    EXPECT_EQ(run("doctor --model no-such-model").exitCode, 2);
    const Ended ended = run("doctor --model ffn-stack-tiny --device cpu");
    EXPECT_EQ(ended.exitCode, 2);
    EXPECT_NE(ended.err.find("--device: found \"cpu\""), std::string::npos) << ended.err;
}

#ifdef REAL_WORKER

TEST_F(ProgramDoctorTest, listsTheOpsOfAModelThatHaveNoRule)
{
    setVariable("HEADROOM_WORKER", REAL_WORKER);
    const Ended ended = run("doctor --model ffn-stack-tiny,ltx-video-tiny --format json");
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    EXPECT_EQ(ended.json("models").size(), 6U) << "two models, three kinds of step";
    EXPECT_EQ(ended.json("complete"), true) << ended.out;
}

#endif

} // namespace
} // namespace headroom::cli
