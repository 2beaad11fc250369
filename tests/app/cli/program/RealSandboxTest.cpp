// SPDX-License-Identifier: Apache-2.0
//
// headroom-worker itself, held to what it is given: asked for more, and with an intruder in it.
#include "core/config/Installation.h"
#include "core/protocol/WorkerMessages.h"
#include "experiments/run/WorkerProcess.h"
#include "tests/app/cli/program/RealDevice.h"
#include "tests/support/Checkout.h"
#include "tests/support/EnvironmentVariable.h"

#include <gmock/gmock.h>

namespace headroom::cli::real_sandbox_test {
namespace {

using namespace std::chrono_literals;
using experiments::OrderedJson;
using experiments::WorkerProcess;
using protocol::EventKind;
using protocol::RequestKind;
using protocol::WorkerRights;
using testing::HasSubstr;

class RealSandboxTest : public RealDevice {
protected:
    RealSandboxTest()
    {
        for (const char* folder : {"spool", "elsewhere"})
            std::filesystem::create_directory(path(folder));
        write("elsewhere/secret", "secret");
    }

    void SetUp() override
    {
        RealDevice::SetUp();
        const protocol::Json rules = experiments::describeWorker(worker()).details.at("confinement");
        if (rules.at("landlock") == 0 || !rules.at("filtered").get<bool>())
            GTEST_SKIP() << "this kernel does not hold the worker: " << rules.dump();
    }

    static protocol::WorkerRequest request(RequestKind kind, const std::string& device)
    {
        config::Trial trial;
        trial.configuration = config::defaultConfiguration("ffn-stack-tiny", "test");
        trial.device = config::parseDevice(device, "test");
        trial.protocol.warmupSteps = 0;
        trial.protocol.maxWarmupSteps = 0;
        return {.kind = kind, .id = 1, .trial = trial};
    }

    static protocol::RepeatResult answer(const WorkerRights& rights, const protocol::WorkerRequest& request)
    {
        WorkerProcess process(worker(), {}, {.variables = {}, .rights = rights});
        process.send(toLine(request));
        for (;;) {
            const auto reading = process.readLine(WorkerProcess::Clock::now() + 60s);
            if (reading.end != WorkerProcess::ReadEnd::Line)
                throw TrialError(process.logTail(), "the worker");
            const protocol::WorkerEvent event = protocol::eventFromLine(reading.line);
            if (event.kind == EventKind::Outcome)
                return *event.result;
        }
    }

    protocol::RepeatResult tracedInto(const std::string& spool) const
    {
        protocol::WorkerRequest traced = request(RequestKind::Simulate, "sim:t4");
        traced.spoolPath = path(spool);
        return answer({.spoolFolder = path("spool")}, traced);
    }

    const EnvironmentVariable m_resources{"HEADROOM_RESOURCES", shippedResources().string()};
};

TEST_F(RealSandboxTest, aTraceGoesIntoTheFolderOfTheSpoolAndNowhereElse)
{
    EXPECT_THAT(tracedInto("spool/1-0.spool").diagnostics, testing::IsEmpty());
    EXPECT_TRUE(exists("spool/1-0.spool"));
    const protocol::RepeatResult refused = tracedInto("elsewhere/1-0.spool");
    EXPECT_EQ(refused.outcome, Outcome::Completed);
    EXPECT_THAT(refused.diagnostics, testing::ElementsAre(HasSubstr("the trace is incomplete")));
    EXPECT_FALSE(exists("elsewhere/1-0.spool"));
}

TEST_F(RealSandboxTest, weightsThatItWasNotGivenAreNotRead)
{
    protocol::WorkerRequest measured = request(RequestKind::Run, "cpu");
    measured.trial->configuration.modelFields["weights"] = path("elsewhere/secret");
    EXPECT_THAT(answer({}, measured).reason, HasSubstr("cannot be opened for reading"));
    const protocol::RepeatResult read = answer({.reads = {path("elsewhere/secret")}}, measured);
    EXPECT_EQ(read.outcome, Outcome::Failed);
    EXPECT_THAT(read.reason, testing::Not(HasSubstr("cannot be opened for reading"))) << "it is no safetensors file";
}

// The cache of Hugging Face: a folder of links to files beside it.
TEST_F(RealSandboxTest, aFolderOfLinksIsGivenWithWhatTheyName)
{
    std::filesystem::create_directory(path("weights"));
    std::filesystem::create_symlink("../elsewhere/secret", path("weights/model.safetensors"));
    protocol::WorkerRequest measured = request(RequestKind::Run, "cpu");
    measured.trial->configuration.modelFields["weights"] = path("weights");
    EXPECT_THAT(
        answer({.reads = {path("weights")}}, measured).reason, testing::Not(HasSubstr("cannot be opened for reading")));
}

TEST_F(RealSandboxTest, anIntruderInItCanDoNothing)
{
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "nothing can be loaded before the sanitizer's own library";
#endif
    const EnvironmentVariable preload("LD_PRELOAD", WORKER_INTRUDER);
    const EnvironmentVariable read("INTRUDER_READ", path("elsewhere/secret"));
    const EnvironmentVariable written("INTRUDER_WRITE", path("elsewhere/new"));
    const EnvironmentVariable spool("INTRUDER_SPOOL", path("spool/new"));
    const auto told = [&] {
        WorkerProcess process(worker(), {}, {.variables = {}, .rights = {.spoolFolder = path("spool")}});
        process.closeInput();
        while (process.readLine(WorkerProcess::Clock::now() + 60s).end == WorkerProcess::ReadEnd::Line) { }
        return process.logTail();
    };
    EXPECT_THAT(told(),
        testing::MatchesRegex(
            "intruder read 13 write 13 spool 0 peak 0 permissions 1 connect 13 signal (0|1) start 1\n"));
    EXPECT_FALSE(exists("elsewhere/new"));
    EXPECT_TRUE(exists("spool/new"));
    {
        const EnvironmentVariable off("HEADROOM_SANDBOX", "off");
        EXPECT_EQ(told(), "") << "it has become /bin/true";
    }
    EXPECT_TRUE(exists("elsewhere/new")) << "without the rules the attempts succeed";
}

TEST_F(RealSandboxTest, theDoctorSaysWhatHolds)
{
    const auto checkOf = [](const OrderedJson& document) {
        for (const OrderedJson& check : document.at("checks"))
            if (check.at("check") == "sandbox")
                return check;
        return OrderedJson();
    };
    const OrderedJson held = checkOf(run("doctor --format json").json());
    EXPECT_THAT(held.at("found").get<std::string>(), testing::MatchesRegex(".*Landlock [0-9]+ and seccomp.*"));
    setVariable("HEADROOM_SANDBOX", "off");
    const Ended off = run("doctor --format json");
    EXPECT_EQ(off.exitCode, 0);
    EXPECT_EQ(checkOf(off.json()).at("state"), "missing");
    EXPECT_THAT(checkOf(off.json()).at("found").get<std::string>(), HasSubstr("HEADROOM_SANDBOX is off"));
    setVariable("HEADROOM_SANDBOX", "of");
    EXPECT_THAT(run("doctor").out, HasSubstr("valid: off, on"));
}

} // namespace
} // namespace headroom::cli::real_sandbox_test
