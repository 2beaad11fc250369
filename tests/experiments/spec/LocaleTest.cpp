// SPDX-License-Identifier: Apache-2.0
#include "experiments/results/MergedRepeats.h"
#include "experiments/results/TrialRecordJson.h"
#include "experiments/spec/SpecLoader.h"
#include "experiments/sweep/Sweep.h"

#include <gtest/gtest.h>

#include <clocale>
#include <locale>

namespace headroom::experiments {
namespace {

// A C++ locale of our own, so that the test does not depend on what is installed.
struct CommaDecimals : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

class InCommaLocaleTest : public testing::Test {
protected:
    InCommaLocaleTest()
        : m_before(std::locale::global(std::locale(std::locale::classic(), new CommaDecimals)))
    {
        for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"})
            if (std::setlocale(LC_ALL, name) != nullptr)
                break;
    }
    ~InCommaLocaleTest() override
    {
        std::locale::global(m_before);
        std::setlocale(LC_ALL, "C");
    }

private:
    std::locale m_before;
};

TEST_F(InCommaLocaleTest, specsLabelsIdsAndRecordsAreTheSame)
{
    SpecOverrides overrides;
    overrides.assign("workload.clip_grad_norm=0.25,1000.5");
    const auto trials = expand(loadSpecText(
        "[model]\nname = \"ffn-stack-tiny\"\ndropout = 0.125\n[workload]\nbatch = 12345", "spec.toml", overrides));
    ASSERT_EQ(trials.size(), 2u);
    EXPECT_EQ(trials[1].label, "clip_grad_norm 1000.5 | baseline");
    EXPECT_EQ(trials[0].trial.configuration.modelFields.at("dropout"), config::Value(0.125));
    protocol::RepeatResult result;
    result.outcome = Outcome::Completed;
    result.stepSeconds = {0.5};
    const std::string text = toJson(trialResult("x", trials[0], {result})).dump();
    EXPECT_NE(text.find("\"step_seconds_median\":0.5"), std::string::npos);
    EXPECT_NE(text.find("\"batch\":12345"), std::string::npos);
}

} // namespace
} // namespace headroom::experiments
