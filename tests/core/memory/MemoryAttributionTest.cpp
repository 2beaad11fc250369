// SPDX-License-Identifier: Apache-2.0
#include "core/memory/MemoryAttribution.h"

#include "core/base/Error.h"
#include "core/memory/CpuMemory.h"
#include "core/memory/GradientLabels.h"
#include "core/memory/MemoryScopes.h"
#include "core/memory/MetaMemory.h"
#include "core/memory/SavedTensorLabels.h"
#include "core/recompute/CheckpointScope.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <thread>

namespace headroom::tensor::memory_attribution_test {
namespace {

using config::MemoryCategory;

// Keeps whose each live storage is.
class LabellingBackend final : public MemoryBackend {
public:
    Handle allocate(Bytes bytes) override
    {
        const MemoryLabel label = currentLabel();
        const std::scoped_lock lock(m_mutex);
        m_live[++m_last] = {bytes, label};
        m_births.push_back({bytes, label});
        return m_last;
    }
    void release(Handle handle) noexcept override
    {
        const std::scoped_lock lock(m_mutex);
        m_live.erase(handle);
    }
    void relabel(Handle handle, const LabelChange& change) noexcept override
    {
        const std::scoped_lock lock(m_mutex);
        m_live[handle].label = changed(m_live[handle].label, change);
        m_changes.push_back(m_live[handle].label);
    }

    struct Block {
        Bytes bytes = 0;
        MemoryLabel label;
    };
    /// The labels of live storages of that size.
    std::vector<MemoryLabel> of(Bytes bytes) const
    {
        std::vector<MemoryLabel> result;
        for (const auto& [handle, block] : m_live)
            if (block.bytes == bytes)
                result.push_back(block.label);
        return result;
    }
    bool hasBecome(const MemoryLabel& label) const { return std::ranges::count(m_changes, label) > 0; }
    const std::vector<Block>& births() const { return m_births; }
    void forgetBirths() { m_births.clear(); }

private:
    std::mutex m_mutex;
    Handle m_last = 0;
    std::map<Handle, Block> m_live;
    std::vector<Block> m_births;
    std::vector<MemoryLabel> m_changes;
};

// hidden * first, then * second: elementwise, so that each storage is as large as the other.
class Product final : public torch::nn::Module {
public:
    explicit Product(std::int64_t size, const at::TensorOptions& options)
        : weight(register_parameter("weight", at::ones({size}, options)))
    {
    }
    at::Tensor forward(const at::Tensor& input) const
    {
        const ModuleScope scope(*this);
        return input * weight;
    }
    at::Tensor weight;
};

class Chain final : public torch::nn::Module {
public:
    explicit Chain(const at::TensorOptions& options)
        : first(register_module("first", std::make_shared<Product>(kSize, options)))
        , second(register_module("second", std::make_shared<Product>(kSize, options)))
    {
    }
    at::Tensor forward(const at::Tensor& input) const { return second->forward(first->forward(input)); }

    static constexpr std::int64_t kSize = 1000;
    std::shared_ptr<Product> first;
    std::shared_ptr<Product> second;
};

constexpr Bytes kBytes = Chain::kSize * 4;

class MemoryAttributionTest : public testing::TestWithParam<c10::DeviceType> {
protected:
    MemoryAttributionTest()
    {
        if (GetParam() == c10::kCPU)
            m_cpu.emplace(m_backend);
        else
            m_meta.emplace(m_backend);
        m_chain = std::make_shared<Chain>(options());
        prepareSavedTensorHooks();
    }

    at::TensorOptions options() const { return at::TensorOptions().device(GetParam()).dtype(at::kFloat); }
    const std::string& pathOf(const MemoryLabel& label) const { return m_attribution.pathOf(label.module); }
    /// Of the live storages of the chain's size and this category.
    std::multiset<std::string> pathsOf(MemoryCategory category) const
    {
        std::multiset<std::string> paths;
        for (const MemoryLabel& label : m_backend->of(kBytes))
            if (label.category == category)
                paths.insert(pathOf(label));
        return paths;
    }

    std::shared_ptr<LabellingBackend> m_backend = std::make_shared<LabellingBackend>();
    std::optional<CpuMemory> m_cpu;
    std::optional<MetaMemory> m_meta;
    std::shared_ptr<Chain> m_chain;
    MemoryAttribution m_attribution;
};

TEST_P(MemoryAttributionTest, isOneAtATime)
{
    EXPECT_THROW(MemoryAttribution(), TrialError);
    EXPECT_EQ(MemoryAttribution::active(), &m_attribution);
}

TEST_P(MemoryAttributionTest, givesWhatAModuleAllocatesItsPath)
{
    m_attribution.addModel(*m_chain);
    const at::NoGradGuard noGradients;
    const at::Tensor input = at::ones({Chain::kSize}, options());
    m_backend->forgetBirths();
    m_chain->forward(input);
    ASSERT_EQ(m_backend->births().size(), 2U);
    EXPECT_EQ(pathOf(m_backend->births()[0].label), "first");
    EXPECT_EQ(pathOf(m_backend->births()[1].label), "second");
    EXPECT_EQ(m_backend->births()[0].label.category, MemoryCategory::Temporaries);
    EXPECT_EQ(currentLabel().module, kNoModule);
}

TEST_P(MemoryAttributionTest, givesABackwardOpTheModuleAndTheTechniqueOfItsForward)
{
    m_attribution.addModel(*m_chain);
    const at::Tensor input = at::ones({Chain::kSize}, options()).requires_grad_();
    at::Tensor output = m_chain->first->forward(input);
    {
        const MemoryScope technique("split_ffn");
        output = m_chain->second->forward(output);
    }
    const at::Tensor loss = output.sum();
    m_backend->forgetBirths();
    loss.backward();
    std::map<std::pair<std::string, std::string>, int> origins;
    for (const auto& birth : m_backend->births())
        if (birth.bytes == kBytes)
            ++origins[{pathOf(birth.label), std::string(birth.label.technique)}];
    // Each product has two gradients.
    EXPECT_EQ((origins[{"first", ""}]), 2);
    EXPECT_EQ((origins[{"second", "split_ffn"}]), 2);
}

TEST_P(MemoryAttributionTest, knowsTheLineOfTheSourceThatRanForwardAndBackward)
{
    const std::string line = "model.py:12";
    const std::string inner = "model.py:13";
    m_attribution.addModel(*m_chain);
    const at::Tensor input = at::ones({Chain::kSize}, options()).requires_grad_();
    m_backend->forgetBirths();
    at::Tensor output;
    {
        const SourceScope source(line);
        output = m_chain->first->forward(input);
        const SourceScope within(inner);
        output = m_chain->second->forward(output);
    }
    const at::Tensor loss = m_chain->second->forward(output).sum();
    loss.backward();
    std::map<std::pair<std::string, std::string>, int> origins;
    for (const auto& birth : m_backend->births())
        if (birth.bytes == kBytes)
            ++origins[{pathOf(birth.label), m_attribution.sourceOf(birth.label.module)}];
    // A result and two gradients each. The weight that is used twice has the sum of two: meta tensors make a new one of
    // it.
    EXPECT_EQ((origins[{"first", line}]), 3);
    EXPECT_EQ((origins[{"second", inner}]), GetParam() == c10::kMeta ? 4 : 3);
    EXPECT_GE((origins[{"second", ""}]), 3);
}

TEST_P(MemoryAttributionTest, labelsGradientsWhenTheyAreAccumulated)
{
    m_attribution.addModel(*m_chain);
    const GradientLabels gradients(m_chain->parameters());
    const at::Tensor input = at::ones({Chain::kSize}, options());
    m_chain->forward(input).sum().backward();
    const std::multiset<std::string> both{"first", "second"};
    EXPECT_EQ(pathsOf(MemoryCategory::Gradients), both);
    m_chain->forward(input).sum().backward(); // adds in place
    EXPECT_EQ(pathsOf(MemoryCategory::Gradients), both);
}

TEST_P(MemoryAttributionTest, labelsGradientsThatAreThereAlready)
{
    m_chain->forward(at::ones({Chain::kSize}, options())).sum().backward();
    m_attribution.addModel(*m_chain);
    const GradientLabels gradients(m_chain->parameters());
    EXPECT_EQ(pathsOf(MemoryCategory::Gradients), (std::multiset<std::string>{"first", "second"}));
}

// The gradients of the parts of a concatenation are views of one storage, which autograd gives both parameters.
TEST_P(MemoryAttributionTest, labelsAStorageOfTwoGradientsOnce)
{
    m_attribution.addModel(*m_chain);
    const GradientLabels gradients(m_chain->parameters());
    const at::Tensor factor = at::ones({2 * Chain::kSize}, options());
    at::cat({m_chain->first->weight, m_chain->second->weight}).mul(factor).sum().backward();
    const at::Tensor& one = m_chain->first->weight.grad();
    ASSERT_TRUE(one.is_alias_of(m_chain->second->weight.grad()));
    int count = 0;
    for (const MemoryLabel& label : m_backend->of(2 * kBytes))
        count += label.category == MemoryCategory::Gradients;
    EXPECT_EQ(count, 1);
}

TEST_P(MemoryAttributionTest, labelsWhatAutogradSavesUntilTheGraphIsGone)
{
    m_attribution.addModel(*m_chain);
    SavedTensorLabels saved;
    const at::Tensor weight = m_chain->second->weight;
    relabel(weight, {{MemoryCategory::Weights, m_attribution.moduleOf(weight)}});
    at::Tensor output;
    {
        const SavedTensorHookScope scope(saved);
        const at::Tensor hidden = m_chain->first->forward(at::ones({Chain::kSize}, options()));
        output = hidden * weight.view({1, Chain::kSize}); // saves hidden and a view of the weight
        output = output.exp(); // saves its own output
    }
    EXPECT_EQ(pathsOf(MemoryCategory::SavedActivations).size(), 3U); // the input, hidden, the output
    EXPECT_EQ(pathsOf(MemoryCategory::Weights).size(), 1U);
    output.sum().backward();
    output = output.detach(); // the graph is gone, the output lives on
    EXPECT_TRUE(pathsOf(MemoryCategory::SavedActivations).empty());
    EXPECT_EQ(pathsOf(MemoryCategory::Weights).size(), 1U);
}

TEST_P(MemoryAttributionTest, countsWhatAutogradSavesOnce)
{
    SavedTensorLabels saved;
    const at::Tensor weight = m_chain->second->weight;
    at::Tensor output;
    {
        const SavedTensorHookScope scope(saved);
        const at::Tensor hidden = m_chain->first->forward(at::ones({Chain::kSize}, options()));
        output = (hidden * weight + hidden * weight).exp();
        EXPECT_TRUE(saved.isKept(hidden));
    }
    EXPECT_EQ(saved.keptBytes({}), 4 * kBytes); // the input, hidden, the weight, the output
    EXPECT_EQ(saved.keptBytes({weight.storage().unsafeGetStorageImpl()}), 3 * kBytes);
    output.sum().backward();
    EXPECT_EQ(saved.keptBytes({}), 0);
}

TEST_P(MemoryAttributionTest, whatABlockWouldKeepIsLabelledUntilTheLastLetsItGo)
{
    if (GetParam() != c10::kMeta)
        GTEST_SKIP() << "only blocks of simulated devices are not run";
    using Rule = LabelChange::Rule;
    SavedTensorLabels saved;
    const at::Tensor tensor = at::ones({3 * Chain::kSize}, options());
    const auto category = [&] { return m_backend->of(3 * kBytes).at(0).category; };
    const LabelChange keep{{MemoryCategory::SavedActivations}, Rule::Keep};
    const auto first = saved.keep(tensor.storage(), keep);
    auto second = saved.keep(tensor.storage(), keep);
    EXPECT_EQ(category(), MemoryCategory::SavedActivations);
    first->drop({{}, Rule::Drop});
    EXPECT_EQ(category(), MemoryCategory::SavedActivations);
    EXPECT_TRUE(saved.isKept(tensor));
    second->drop({{}, Rule::Drop});
    EXPECT_EQ(category(), MemoryCategory::Temporaries);
    EXPECT_FALSE(saved.isKept(tensor));
}

TEST_P(MemoryAttributionTest, aPlaceHasACounterpartInAnotherModule)
{
    m_attribution.addModel(*m_chain);
    const ModuleId first = m_attribution.moduleOf(*m_chain->first);
    EXPECT_EQ(m_attribution.counterpartOf(first, "second"), m_attribution.moduleOf(*m_chain->second));
    EXPECT_EQ(m_attribution.counterpartOf(first, "first"), first);
}

TEST_P(MemoryAttributionTest, labelsWhatACheckpointKeepsAndWhatItRebuilds)
{
    m_attribution.addModel(*m_chain);
    for (const at::Tensor& weight : m_chain->parameters())
        relabel(weight, {{MemoryCategory::Weights, m_attribution.moduleOf(weight)}});
    SavedTensorLabels saved;
    const at::Tensor input = at::ones({Chain::kSize}, options()).requires_grad_();
    const auto region = [this](const std::vector<at::Tensor>& inputs) {
        const MemoryScope technique("checkpointing");
        m_chain->second->forward(m_chain->second->forward(inputs[0]));
    };
    at::Tensor output;
    {
        const SavedTensorHookScope hooks(saved);
        const at::Tensor hidden = m_chain->first->forward(input);
        const CheckpointScope scope({"test", region}, {hidden});
        output = m_chain->second->forward(m_chain->second->forward(hidden));
    }
    // The input of the first product, and that of the region, which the first product made.
    EXPECT_EQ(pathsOf(MemoryCategory::SavedActivations), (std::multiset<std::string>{"", "first"}));
    output.sum().backward();
    EXPECT_TRUE(m_backend->hasBecome(
        {MemoryCategory::RecomputedActivations, m_attribution.moduleOf(*m_chain->second), "checkpointing"}));
    EXPECT_TRUE(pathsOf(MemoryCategory::RecomputedActivations).empty());
}

TEST_P(MemoryAttributionTest, takesScopesForCategoriesAndTechniques)
{
    const auto labelOf = [&](const at::Tensor& tensor) {
        return m_backend->of(static_cast<Bytes>(tensor.nbytes())).front();
    };
    const MemoryScope technique("ema");
    {
        const MemoryScope category(MemoryCategory::Ema);
        EXPECT_EQ(labelOf(at::empty({11}, options())), (MemoryLabel{MemoryCategory::Ema, kNoModule, "ema"}));
    }
    at::Tensor state = at::empty({13}, options());
    EXPECT_EQ(labelOf(state).category, MemoryCategory::Temporaries);
    relabel(state, {{MemoryCategory::OptimizerState}});
    EXPECT_EQ(labelOf(state), (MemoryLabel{MemoryCategory::OptimizerState}));
    const MemoryScope workspace(MemoryCategory::Workspaces);
    EXPECT_EQ(labelOf(at::empty({17}, options())), MemoryLabel{MemoryCategory::Workspaces});
}

TEST_P(MemoryAttributionTest, givesWhatOtherThreadsAllocateForAKernelTheModuleThatRuns)
{
    m_attribution.addModel(*m_chain);
    const ModuleScope scope(*m_chain->first);
    MemoryLabel label;
    std::thread([&] { label = currentLabel(); }).join();
    EXPECT_EQ(pathOf(label), "first");
}

INSTANTIATE_TEST_SUITE_P(Devices, MemoryAttributionTest, testing::Values(c10::kCPU, c10::kMeta),
    [](const auto& device) { return device.param == c10::kCPU ? "cpu" : "meta"; });

TEST(NoMemoryAttributionTest, isNothingToScopesWithoutOne)
{
    const MemoryScope scope(MemoryCategory::Harness);
    EXPECT_EQ(scopedLabel(), ScopedLabel{});
    EXPECT_EQ(currentLabel(), MemoryLabel{});
}

} // namespace
} // namespace headroom::tensor::memory_attribution_test
