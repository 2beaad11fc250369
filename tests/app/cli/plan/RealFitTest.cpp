// SPDX-License-Identifier: Apache-2.0
//
// `headroom fit` with headroom-worker itself: LoRA of LTX-Video 13B on a 24 GB card.
#include "core/base/Bytes.h"
#include "core/base/ShellWords.h"
#include "tests/app/cli/program/Program.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace headroom::cli {
namespace {

using experiments::OrderedJson;

class RealFitTest : public Program {
protected:
    void SetUp() override
    {
#ifdef REAL_WORKER
        setVariable("HEADROOM_WORKER", REAL_WORKER);
#else
        GTEST_SKIP() << "headroom-worker is not part of this build";
#endif
    }

    const std::vector<std::string> m_lora{"--model", "ltx-video-13b", "--set", "workload.frames=121", "--set",
        "workload.height=512", "--set", "workload.width=768", "--set", "workload.step=train", "--set",
        "workload.dtype=bfloat16", "--trainable", "lora:32", "--optimizer", "adamw", "--device", "sim:rtx4090"};

    Ended runWith(const std::string& command, std::vector<std::string> words)
    {
        words.insert(words.begin(), command);
        words.insert(words.end(), {"--format", "json"});
        return run(words);
    }
};

std::string changesOf(const OrderedJson& found)
{
    std::string text;
    for (const OrderedJson& change : found.at("changes"))
        text += (text.empty() ? "" : ", ") + change.at("path").get<std::string>().substr(11) + " "
            + change.at("after").get<std::string>();
    return text;
}

double speedOf(const OrderedJson& found)
{
    return found.at("trial").at("speed").at("steps_per_second").get<double>();
}

TEST_F(RealFitTest, theSimplestChangesComeFirstAndTheRoomThatIsLeftIsUsed)
{
    const Ended ended = runWith("fit", m_lora);
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    const OrderedJson found = ended.json("found");
    ASSERT_GE(found.size(), 2U);
    EXPECT_EQ(changesOf(found.at(0)), "casting e4m3, checkpointing all");
    EXPECT_EQ(found.at(0).at("host_pinned_bytes"), 0);
    for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_EQ(found.at(i).at("trial").at("memory").at("fits"), true);
        EXPECT_GE(found.at(i).at("free_bytes").get<Bytes>(), 0);
        EXPECT_NE(changesOf(found.at(i)), "casting e4m3, checkpointing all+offload"); // equally fast, needs host memory
    }
    const auto partial = std::ranges::find_if(found, [](const OrderedJson& one) {
        return changesOf(one).starts_with("casting e4m3, checkpointing ") && one != OrderedJson()
            && changesOf(one).find(':') != std::string::npos;
    });
    ASSERT_NE(partial, found.end()) << ended.out;
    EXPECT_GT(speedOf(*partial), speedOf(found.at(0)));
    EXPECT_LT(partial->at("free_bytes").get<Bytes>(), found.at(0).at("free_bytes").get<Bytes>());
    EXPECT_EQ(partial->at("host_pinned_bytes"), 0);
    EXPECT_LT(ended.json("simulations").get<int>(), 120);
}

TEST_F(RealFitTest, theLineOfAChangeRunsWhatWasFound)
{
    std::vector<std::string> small = m_lora;
    small.insert(small.end(),
        {"--casting", "e4m3", "--set", "model.num_layers=4", "--set", "device.memory_limit_bytes=3221225472"});
    const Ended ended = runWith("fit", small);
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    const OrderedJson found = ended.json("found").at(0);
    std::vector<std::string> words = experiments::shellWords(found.at("command").get<std::string>());
    words.erase(words.begin(), words.begin() + 2); // headroom run
    const Ended ran = runWith("run", words);
    ASSERT_EQ(ran.exitCode, 0) << ran.err;
    const OrderedJson trial = ran.json("trials").at(0);
    for (const char* key :
        {"trial_id", "config_id", "outcome", "memory", "breakdown", "speed", "engagement", "effective"})
        EXPECT_EQ(trial.at(key), found.at("trial").at(key)) << key;
}

} // namespace
} // namespace headroom::cli
