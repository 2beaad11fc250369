// SPDX-License-Identifier: Apache-2.0
//
// `headroom validate` with headroom-worker itself: what is measured on this processor against sim:cpu.
#include "tests/app/cli/program/Program.h"
#include "tests/support/Checkout.h"

#include <gmock/gmock.h>

#include <cmath>

namespace headroom::cli {
namespace {

using experiments::OrderedJson;
using testing::SizeIs;

class RealValidateTest : public Program {
protected:
    void SetUp() override
    {
#ifdef REAL_WORKER
        setVariable("HEADROOM_WORKER", REAL_WORKER);
        // What threads take side by side inside of an op depends on whether they overlap.
        setVariable("OMP_NUM_THREADS", "1");
#else
        GTEST_SKIP() << "headroom-worker is not part of this build";
#endif
    }
};

TEST_F(RealValidateTest, peaksAreMeasuredAsTheyArePredicted)
{
    const Ended ended = run("validate --device cpu --against sim:cpu --trials 6 --seed 2026 --jobs 2 --format json");
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    ASSERT_THAT(ended.json("rows"), SizeIs(6));
    for (const OrderedJson& row : ended.json("rows")) {
        const std::string name = row.at("command").get<std::string>();
        EXPECT_LE(std::abs(row.at("allocated_rel").get<double>()), 0.005) << name;
        EXPECT_EQ(row.at("measured").at("host_pageable_bytes"), row.at("predicted").at("host_pageable_bytes")) << name;
    }
    for (const OrderedJson& cause : ended.json("causes"))
        EXPECT_FALSE(cause.at("text").get<std::string>().empty());
}

TEST_F(RealValidateTest, exportedModelsAreMeasuredAsTheyArePredicted)
{
    const std::string archive = checkout("tests/reference/imported/llama.pt2").string();
    const Ended ended =
        run("validate --device cpu --against sim:cpu --trials 6 --seed 1 --jobs 2 --format json --model " + archive);
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    ASSERT_THAT(ended.json("rows"), SizeIs(6));
    for (const OrderedJson& row : ended.json("rows"))
        EXPECT_EQ(row.at("allocated_rel").get<double>(), 0) << row.at("command");
}

TEST_F(RealValidateTest, oneAtATimeTheStepsAreTimed)
{
    const Ended ended = run("validate --device cpu --against sim:cpu --trials 1 --steps 2 --format json");
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    EXPECT_GT(ended.json("rows").at(0).at("measured").at("step_seconds").get<double>(), 0);
}

} // namespace
} // namespace headroom::cli
