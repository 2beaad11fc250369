// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/stack/StepHookLists.h"

#include <gmock/gmock.h>

namespace headroom::techniques {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class NoUpdate final : public ParameterUpdater {
public:
    void update(const std::vector<at::Tensor>&) override { }
};

class StepHookListsTest : public testing::Test {
protected:
    /// Hooks of every kind that write down the technique's key.
    StepHooks hooksOf(const std::string& key)
    {
        const auto note = [this, key](const auto&...) { m_calls.push_back(key); };
        return {.holdInputs = note,
            .beginStep = note,
            .prepareInputs = note,
            .microStepDone = note,
            .parametersUpdated = note,
            .updateDone = note};
    }
    std::vector<std::string> calls() { return std::exchange(m_calls, {}); }

    StepHookLists m_lists;
    models::Inputs m_inputs;

private:
    std::vector<std::string> m_calls;
};

TEST_F(StepHookListsTest, techniquesAreCalledInTheOrderInWhichTheyAreApplied)
{
    for (const char* key : {"first", "second", "third"})
        m_lists.append(key, hooksOf(key));
    m_lists.holdInputs(m_inputs);
    EXPECT_THAT(calls(), ElementsAre("first", "second", "third"));
    m_lists.beginStep();
    EXPECT_THAT(calls(), ElementsAre("first", "second", "third"));
    m_lists.microStepDone({});
    EXPECT_THAT(calls(), ElementsAre("first", "second", "third"));
    m_lists.updateDone({});
    EXPECT_THAT(calls(), ElementsAre("first", "second", "third"));
}

TEST_F(StepHookListsTest, aBatchGoesFromTheLastTechniqueToTheFirst)
{
    for (const char* key : {"first", "second", "third"})
        m_lists.append(key, hooksOf(key));
    m_lists.prepareInputs(m_inputs);
    EXPECT_THAT(calls(), ElementsAre("third", "second", "first"));
}

TEST_F(StepHookListsTest, whatFollowsTheOptimizerHasAPhaseWithTheTechniquesKey)
{
    for (const char* key : {"first", "second"})
        m_lists.append(key, hooksOf(key));
    std::vector<std::string> phases;
    for (const UpdatePhase& phase : m_lists.parametersUpdated) {
        phases.push_back(phase.name);
        phase.run();
    }
    EXPECT_THAT(phases, ElementsAre("first", "second"));
    EXPECT_EQ(calls(), phases);
}

TEST_F(StepHookListsTest, hooksThatAreNotSetAreNotCalled)
{
    m_lists.append("none", {});
    m_lists.append("one", {.beginStep = hooksOf("one").beginStep});
    m_lists.holdInputs(m_inputs);
    m_lists.prepareInputs(m_inputs);
    m_lists.microStepDone({});
    m_lists.updateDone({});
    EXPECT_THAT(calls(), IsEmpty());
    EXPECT_THAT(m_lists.parametersUpdated, IsEmpty());
    EXPECT_EQ(m_lists.optimizer, nullptr);
    m_lists.beginStep();
    EXPECT_THAT(calls(), ElementsAre("one"));
}

TEST_F(StepHookListsTest, theFirstOptimizerIsTheOne)
{
    NoUpdate first, second;
    m_lists.append("plain", {});
    m_lists.append("first", {.optimizer = &first});
    m_lists.append("second", {.optimizer = &second});
    EXPECT_EQ(m_lists.optimizer, &first);
}

} // namespace
} // namespace headroom::techniques
