// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/reading/Redaction.h"

#include <gmock/gmock.h>

namespace headroom::report {
namespace {

using namespace experiments;
using testing::HasSubstr;
using testing::Not;

StoredExperiment identified()
{
    StoredExperiment experiment;
    experiment.environment = OrderedJson::parse(R"({"host":"gpu-box.corp.example","operating_system":"Debian",
        "kernel":"Linux 6.1.0-18-corp","cpu_model":"AMD EPYC","cuda_reason":"no /usr/lib/libcuda.so on gpu-box",
        "variables":{"CUDA_VISIBLE_DEVICES":"GPU-8932f937-d72c-4106-c12f-20bd9faed9f6"}})");
    experiment.environments = {experiment.environment};
    experiment.row.commandLine =
        "/home/alice/bin/headroom run ./secret/sweep.toml --workspace=/data/alice.db --device sim:t4@torch-2.5 "
        "--checkpointing ops:mm/2 --filter 'a=1 b=2'";
    experiment.row.specJson =
        R"({"exclude":[{"reason":"see /home/alice/notes","settings":{"model.dim":4}}],"name":"n"})";
    experiment.trials.emplace_back().repeats.emplace_back().result.reason =
        "Traceback: file '/home/alice/x y.py' on gpu-box, mail alice@example.com, from 10.1.2.3; ~bob/.cache";
    experiment.diagnostics.emplace_back().message = "trace kept as /data/runs/headroom.db.1-0.spool";
    return experiment;
}

std::string everything(const StoredExperiment& experiment)
{
    return experiment.row.commandLine + experiment.row.specJson + experiment.environment.dump()
        + experiment.environments.front().dump() + experiment.trials.front().repeats.front().result.reason
        + experiment.diagnostics.front().message;
}

TEST(RedactionTest, nothingTellsWhoRanItAndWhere)
{
    const StoredExperiment experiment = identified();
    const std::string left = everything(Redaction(experiment).applied(experiment));
    for (const char* secret : {"gpu-box", "corp", "alice", "bob", "/home", "/data", "/usr", "secret", "10.1.2.3",
             "example.com", "8932f937", "spool"})
        EXPECT_THAT(left, Not(HasSubstr(secret)));
}

TEST(RedactionTest, whatTheResultsDependOnStays)
{
    const StoredExperiment experiment = identified();
    const std::string left = everything(Redaction(experiment).applied(experiment));
    for (const char* fact : {"AMD EPYC", "Debian", "Linux 6.1", "Traceback"})
        EXPECT_THAT(left, HasSubstr(fact));
}

TEST(RedactionTest, theCommandCanStillBeRead)
{
    const StoredExperiment experiment = identified();
    EXPECT_EQ(Redaction(experiment).applied(experiment).row.commandLine,
        "headroom run PATH --workspace=PATH --device sim:t4@torch-2.5 --checkpointing ops:mm/2 --filter 'a=1 b=2'");
}

TEST(RedactionTest, wordsThatOnlyHoldANameStay)
{
    StoredExperiment experiment = identified();
    experiment.environment["host"] = "a100";
    experiment.environments.clear();
    EXPECT_EQ(
        Redaction(experiment).text("a100x at it/s 5 of ops:mm/2, v2.11.0"), "a100x at it/s 5 of ops:mm/2, v2.11.0");
    EXPECT_EQ(Redaction(experiment).text("on a100."), "on NAME.");
}

} // namespace
} // namespace headroom::report
