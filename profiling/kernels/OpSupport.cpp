// SPDX-License-Identifier: Apache-2.0
#include "profiling/kernels/OpSupport.h"

#include "profiling/kernels/KernelRules.h"
#include "profiling/kernels/OpArguments.h"
#include "profiling/kernels/OpParts.h"
#include "profiling/kernels/OpRules.h"
#include "profiling/kernels/ValueDependent.h"

#include <fmt/format.h>

#include <set>

namespace headroom::collectors {
namespace {

using Operator = c10::OperatorHandle;

bool isOperator(const std::string& name, const std::string& overload)
{
    return c10::Dispatcher::singleton().findSchema({name, overload}).has_value();
}

// "aten" of "torch.ops.aten.add.Tensor", "aten.add.Tensor" and "aten::add.Tensor", and the rest; "aten" where a name
// has no namespace, as "add.Tensor".
std::pair<std::string, std::string> namespaceAndRest(const std::string& text)
{
    constexpr std::string_view kPrefix = "torch.ops.";
    if (const std::size_t colons = text.find("::"); colons != std::string::npos)
        return {text.substr(0, colons), text.substr(colons + 2)};
    const std::string bare = text.starts_with(kPrefix) ? text.substr(kPrefix.size()) : text;
    const std::size_t dot = bare.find('.');
    const bool isOfAten = bare.size() == text.size() && !bare.starts_with("aten.")
        && (dot == std::string::npos || isOperator("aten::" + bare.substr(0, dot), bare.substr(dot + 1)));
    return isOfAten ? std::pair(std::string("aten"), bare) : std::pair(bare.substr(0, dot), bare.substr(dot + 1));
}

c10::OperatorName operatorNameOf(const std::string& text)
{
    const auto [space, rest] = namespaceAndRest(text);
    const std::size_t dot = rest.find('.');
    const std::string overload = dot == std::string::npos ? "" : rest.substr(dot + 1);
    return {space + "::" + rest.substr(0, dot), overload == "default" ? "" : overload};
}

// Where a name is given without its overload, the first overload stands for all of them.
std::optional<Operator> operatorOf(const std::string& text)
{
    const c10::OperatorName name = operatorNameOf(text);
    std::optional<Operator> found = c10::Dispatcher::singleton().findSchema(name);
    if (found || !name.overload_name.empty())
        return found;
    std::set<std::string> overloads;
    for (const c10::OperatorName& other : c10::Dispatcher::singleton().getAllOpNames())
        if (other.name == name.name)
            overloads.insert(other.overload_name);
    return overloads.empty() ? std::nullopt : c10::Dispatcher::singleton().findSchema({name.name, *overloads.begin()});
}

std::string nameOf(const Operator& op)
{
    const c10::OperatorName& name = op.operator_name();
    return name.overload_name.empty() ? name.name : name.name + "." + name.overload_name;
}

bool isComposite(const Operator& op)
{
    return op.hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd);
}

bool runsOnMeta(const Operator& op)
{
    using c10::DispatchKey;
    if (failsOnMeta(op.operator_name().name))
        return false;
    return op.hasKernelForDispatchKey(DispatchKey::Meta) || isComposite(op)
        || op.hasKernelForDispatchKey(DispatchKey::CompositeExplicitAutograd)
        || op.hasKernelForDispatchKey(DispatchKey::CompositeExplicitAutogradNonFunctional);
}

std::optional<OpLack> lackOf(const Operator& op)
{
    if (dependsOnValues(nameOf(op)))
        return OpLack::Values;
    if (!runsOnMeta(op))
        return OpLack::MetaKernel;
    // Composite ops never run themselves.
    return isComposite(op) || opRule(op.schema()) ? std::nullopt : std::optional(OpLack::CostRule);
}

void addGaps(std::vector<OpGap>& gaps, const std::string& asked, Passes passes)
{
    const std::optional<Operator> op = operatorOf(asked);
    if (!op) {
        gaps.push_back({asked, asked, OpLack::Operator});
        return;
    }
    if (const auto lack = lackOf(*op))
        gaps.push_back({asked, asked, *lack});
    for (const std::string& part : opsBehind(nameOf(*op), passes))
        if (const std::optional<Operator> other = operatorOf(part))
            if (const auto lack = lackOf(*other))
                gaps.push_back({asked, nameOf(*other), *lack});
}

std::string lackInWords(OpLack lack)
{
    switch (lack) {
    case OpLack::Operator:
        return "this LibTorch has no operator of that name";
    case OpLack::MetaKernel:
        return "a simulated device has no kernel for it, so it can be measured but not simulated";
    case OpLack::Values:
        return "its result depends on values, so it can be measured but not simulated";
    case OpLack::CostRule:
        break;
    }
    return "no rule of its own: counted as one pass over its tensors, without temporaries";
}

} // namespace

std::vector<OpGap> opGaps(const std::vector<std::string>& ops, Passes passes)
{
    registerMetaKernels();
    std::vector<OpGap> gaps;
    for (const std::string& op : ops)
        addGaps(gaps, op, passes);
    return gaps;
}

bool preventsSimulation(OpLack lack)
{
    return lack != OpLack::CostRule;
}

std::string describe(const OpGap& gap)
{
    return gap.lacking == gap.op ? fmt::format("{}: {}", gap.op, lackInWords(gap.lack))
                                 : fmt::format("{} (for {}): {}", gap.lacking, gap.op, lackInWords(gap.lack));
}

} // namespace headroom::collectors
