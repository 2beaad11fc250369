// SPDX-License-Identifier: Apache-2.0
#include "profiling/kernels/OpSupport.h"

#include "core/config/imported/ImportedRefusals.h"
#include "profiling/kernels/KernelRules.h"
#include "profiling/kernels/OpRules.h"
#include "tests/profiling/kernels/OpCases.h"

#include <gmock/gmock.h>

#include <iostream>
#include <set>

namespace headroom::collectors::op_support_test {
namespace {

using c10::DispatchKey;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::array kComposite{DispatchKey::CompositeImplicitAutograd, DispatchKey::CompositeExplicitAutograd,
    DispatchKey::CompositeExplicitAutogradNonFunctional};

bool hasAny(const c10::OperatorHandle& op, std::span<const DispatchKey> keys)
{
    return std::ranges::any_of(keys, [&](DispatchKey key) { return op.hasKernelForDispatchKey(key); });
}

std::string nameOf(const c10::OperatorName& name)
{
    return name.overload_name.empty() ? name.name : name.name + "." + name.overload_name;
}

/// ATen's ops with a kernel for the CPU or a composite one.
std::vector<c10::OperatorHandle> opsOfAten()
{
    std::vector<c10::OperatorHandle> ops;
    for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames()) {
        const auto op = c10::Dispatcher::singleton().findSchema(name);
        if (op && name.name.starts_with("aten::")
            && (op->hasKernelForDispatchKey(DispatchKey::CPU) || hasAny(*op, kComposite)))
            ops.push_back(*op);
    }
    return ops;
}

std::set<std::string> withoutMetaKernel()
{
    std::set<std::string> names;
    for (const c10::OperatorHandle& op : opsOfAten())
        if (!op.hasKernelForDispatchKey(DispatchKey::Meta) && !hasAny(op, kComposite))
            names.insert(nameOf(op.operator_name()));
    return names;
}

class Warnings final : public c10::WarningHandler {
public:
    void process(const c10::Warning& warning) override { texts.push_back(warning.msg()); }

    std::vector<std::string> texts;
};

/// What there is before our kernels, and what LibTorch says when they come.
struct Registration {
    Registration()
        : lacking(withoutMetaKernel())
    {
        Warnings handler;
        const c10::WarningUtils::WarningHandlerGuard guard(&handler);
        registerMetaKernels();
        warnings = handler.texts;
    }

    std::set<std::string> lacking;
    std::vector<std::string> warnings;
};

// Before any test registers them.
const Registration kRegistration;

bool isCore(const std::string& name)
{
    const std::size_t dot = name.find('.');
    const auto op = c10::Dispatcher::singleton().findSchema(
        {name.substr(0, dot), dot == std::string::npos ? "" : name.substr(dot + 1)});
    return op && op->hasTag(at::Tag::core);
}

std::vector<std::string> withLack(const std::set<std::string>& ops, OpLack lack)
{
    std::vector<std::string> names;
    for (const OpGap& gap : opGaps({ops.begin(), ops.end()}, Passes::Forward))
        if (gap.lack == lack)
            names.push_back(gap.op);
    return names;
}

TEST(OpSupportTest, noKernelOfOursReplacesOneOfLibTorch)
{
    EXPECT_THAT(kRegistration.warnings, IsEmpty());
}

TEST(OpSupportTest, everyCoreOpRunsOrDependsOnValues)
{
    std::set<std::string> core;
    for (const std::string& name : kRegistration.lacking)
        if (isCore(name))
            core.insert(name);
    EXPECT_EQ(core.size(), 28U) << "of LibTorch alone";
    EXPECT_THAT(withLack(core, OpLack::MetaKernel), IsEmpty());
    EXPECT_THAT(withLack(core, OpLack::Values), ElementsAre("aten::_local_scalar_dense", "aten::nonzero"));
    EXPECT_THAT(withLack(core, OpLack::CostRule), IsEmpty());
}

bool lacksAKernel(const std::string& op, Passes passes)
{
    return std::ranges::any_of(opGaps({op}, passes), [](const OpGap& gap) { return gap.lack == OpLack::MetaKernel; });
}

// What refuses a model before a worker is asked.
TEST(OpSupportTest, theListOfOpsWithoutAKernelIsWhatIsLacking)
{
    for (const c10::OperatorHandle& each : opsOfAten()) {
        const std::string op = nameOf(each.operator_name());
        EXPECT_EQ(config::lacksKernel(op, config::StepKind::Inference), lacksAKernel(op, Passes::Forward)) << op;
        EXPECT_EQ(config::lacksKernel(op, config::StepKind::Train), lacksAKernel(op, Passes::ForwardAndBackward)) << op;
    }
}

TEST(OpSupportTest, everyCoreOpHasACostRule)
{
    for (const c10::OperatorHandle& op : opsOfAten())
        if (op.hasTag(at::Tag::core)) {
            EXPECT_THAT(withLack({nameOf(op.operator_name())}, OpLack::CostRule), IsEmpty());
        }
}

// Prints what docs/simulated-ops.md sums up: run it with --gtest_also_run_disabled_tests.
TEST(OpSupportTest, DISABLED_listsWhatIsLacking)
{
    const std::set<std::string> lacking = withoutMetaKernel();
    std::set<std::string> all;
    for (const c10::OperatorHandle& op : opsOfAten())
        all.insert(nameOf(op.operator_name()));
    const std::vector<std::string> byValues = withLack(all, OpLack::Values);
    const std::vector<std::string> withoutRule = withLack(all, OpLack::CostRule);
    const auto refused = withLack(kRegistration.lacking, OpLack::Values).size();
    std::cout << all.size()
              << " ops with a CPU or composite kernel; without one for meta: " << kRegistration.lacking.size()
              << " in LibTorch, of which " << kRegistration.lacking.size() - lacking.size() - refused
              << " have one here, " << refused << " refuse as they depend on values and " << lacking.size()
              << " have none; with parts, " << byValues.size() << " depend on values; " << withoutRule.size()
              << " have no cost rule\n";
    for (const bool core : {true, false})
        for (const std::string& name : lacking)
            if (isCore(name) == core)
                std::cout << (core ? "core " : "") << "no kernel: " << name << "\n";
    for (const std::string& name : withoutRule)
        std::cout << "no rule: " << name << "\n";
}

std::vector<OpLack> lacksOf(const std::string& op)
{
    std::vector<OpLack> lacks;
    for (const OpGap& gap : opGaps({op}, Passes::ForwardAndBackward))
        lacks.push_back(gap.lack);
    return lacks;
}

TEST(OpSupportTest, namesAreTakenInEveryForm)
{
    for (const char* known : {"torch.ops.aten.relu.default", "aten.add.Tensor", "aten::add.Tensor", "add.Tensor",
             "relu", "aten::relu", "sort.stable", "torch.ops.aten.linear.default", "aten::index"})
        EXPECT_THAT(lacksOf(known), IsEmpty()) << known;
    for (const char* unknown : {"torch.ops.byom.twice.default", "byom.twice.default", "aten::no_such_op", "", ".",
             "::", "torch.ops.", "aten.relu.no_such_overload"})
        EXPECT_THAT(lacksOf(unknown), ElementsAre(OpLack::Operator)) << unknown;
}

TEST(OpSupportTest, aGapNamesTheOpThatIsLacking)
{
    const std::vector<OpGap> gaps =
        opGaps({"torch.ops.aten.nonzero.default", "aten.item.default", "aten::linalg_eig"}, Passes::Forward);
    EXPECT_THAT(opGaps({"mode"}, Passes::Forward), ElementsAre(Field(&OpGap::lack, OpLack::CostRule)));
    EXPECT_THAT(opGaps({"combinations"}, Passes::Forward),
        Contains(OpGap{"combinations", "aten::masked_select", OpLack::Values}));
    EXPECT_THAT(gaps,
        ElementsAre(OpGap{"torch.ops.aten.nonzero.default", "torch.ops.aten.nonzero.default", OpLack::Values},
            OpGap{"aten.item.default", "aten::_local_scalar_dense", OpLack::Values},
            OpGap{"aten::linalg_eig", "aten::linalg_eig", OpLack::MetaKernel}));
    EXPECT_THAT(describe(gaps[1]), HasSubstr("aten::_local_scalar_dense (for aten.item.default): "));
    EXPECT_TRUE(preventsSimulation(gaps[0].lack));
    EXPECT_FALSE(preventsSimulation(OpLack::CostRule));
}

TEST(OpSupportTest, anOpThatDependsOnValuesRefusesByName)
{
    const at::Tensor tensor = at::empty({4}, at::TensorOptions().device(at::kMeta));
    try {
        at::nonzero(tensor);
        FAIL() << "nonzero ran on meta";
    } catch (const c10::Error& error) {
        EXPECT_THAT(error.what_without_backtrace(), HasSubstr("aten::nonzero depends on the values"));
    }
}

class Seen final : public tensor::OpObserver {
public:
    void before(const tensor::OpCall& call) override { names.insert(nameOf(call.op.operator_name())); }
    void after(const tensor::OpCall&) override { }

    std::set<std::string> names;
};

// The ops that run below autograd on a simulated device, forward and backward.
std::set<std::string> seenOps(const OpCase& each)
{
    Draw draw(0);
    const c10::OperatorHandle op = operatorOf(each);
    torch::jit::Stack stack;
    for (const c10::IValue& argument : argumentsOf(each, draw))
        stack.push_back(onMeta(argument));
    if (each.gradients == Gradients::Compared)
        for (const at::Tensor& tensor : trainedAmong(op, stack))
            tensor.set_requires_grad(true);
    Seen seen;
    tensor::OpInterceptor interceptor;
    interceptor.addObserver(seen);
    const tensor::OpInterceptor::Scope scope(interceptor);
    op.callBoxed(stack);
    if (const at::Tensor result = stack.front().toTensor(); result.requires_grad())
        torch::autograd::backward({result}, {at::ones_like(result)});
    return seen.names;
}

// What turns out to be lacking when an op runs was told before.
TEST(OpSupportTest, gapsOfAnOpIncludeThoseOfItsPartsAndItsBackwardPass)
{
    const simulator::ProfileCatalogue profiles(std::filesystem::path(HEADROOM_SOURCE_DIR) / "resources");
    const KernelRules rules(profiles.parseSimulatedDevice("sim:h100-80gb"));
    const KernelRules::Scope scope(rules);
    for (const auto cases : {elementwiseCases, reductionCases, imageCases, gatherCases, normCases, otherCases})
        for (const OpCase& each : cases()) {
            std::set<std::string> told;
            for (const OpGap& gap : opGaps({each.op}, Passes::ForwardAndBackward))
                told.insert(gap.lacking);
            const std::set<std::string> seen = seenOps(each);
            for (const OpGap& gap : opGaps({seen.begin(), seen.end()}, Passes::Forward))
                EXPECT_TRUE(told.contains(gap.op)) << each.op << " runs " << describe(gap);
        }
}

} // namespace
} // namespace headroom::collectors::op_support_test
