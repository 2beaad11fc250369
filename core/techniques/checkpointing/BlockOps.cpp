// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/checkpointing/BlockOps.h"

#include <algorithm>

namespace headroom::techniques {
namespace {

constexpr std::string_view kNamespace = "aten::";

std::string nameOf(const c10::FunctionSchema& schema)
{
    const std::string& name = schema.name();
    return name.starts_with(kNamespace) ? name.substr(kNamespace.size()) : name;
}

int positionOf(const c10::FunctionSchema& schema, const char* argument)
{
    const auto& arguments = schema.arguments();
    const auto found = std::ranges::find(arguments, argument, [](const c10::Argument& a) { return a.name(); });
    return found == arguments.end() ? -1 : static_cast<int>(found - arguments.begin());
}

// _unsafe_view is a view that autograd does not know as one.
bool isFree(const c10::FunctionSchema& schema, const std::string& name)
{
    const auto& returns = schema.returns();
    const bool isView = !returns.empty() && returns[0].alias_info() != nullptr && !returns[0].alias_info()->isWrite();
    return isView || name == "_unsafe_view" || name.starts_with("empty") || name.starts_with("new_empty");
}

} // namespace

OpRule::OpRule(
    const std::vector<std::string>& savedOps, std::int64_t productPeriod, std::optional<config::BlockList> calls)
    : m_savedOps(savedOps.begin(), savedOps.end())
    , m_productPeriod(productPeriod)
    , m_calls(std::move(calls))
{
}

const OpTraits& OpRule::traitsOf(const c10::OperatorHandle& op)
{
    const c10::FunctionSchema& schema = op.schema();
    const auto known = m_traits.find(&schema);
    return known != m_traits.end() ? known->second : m_traits.emplace(&schema, look(schema)).first->second;
}

OpTraits OpRule::look(const c10::FunctionSchema& schema) const
{
    const std::string name = nameOf(schema);
    OpTraits traits;
    traits.isFree = isFree(schema, name);
    traits.isSavable = m_savedOps.contains(name) && !schema.is_mutable() && !traits.isFree;
    traits.dropout = positionOf(schema, "dropout_p");
    traits.isPlainProduct = name == "mm";
    if (name == "mm" || name == "addmm")
        traits.rightOperand = positionOf(schema, "mat2");
    return traits;
}

BlockOpSelection::BlockOpSelection(
    std::shared_ptr<OpRule> rule, std::vector<OperandShape> recomputed, std::shared_ptr<BlockOpCount> count)
    : m_rule(std::move(rule))
    , m_recomputed(std::move(recomputed))
    , m_count(std::move(count))
{
    m_count->ran = 0;
    m_count->kept.clear();
}

BlockOpSelection::Choice BlockOpSelection::choose(const c10::OperatorHandle& op, at::ArrayRef<c10::IValue> arguments)
{
    const OpTraits& traits = m_rule->traitsOf(op);
    m_count->ran += traits.isFree ? 0 : 1;
    if (!traits.isSavable)
        return Choice::Untracked;
    if (traits.dropout >= 0 && arguments[static_cast<std::size_t>(traits.dropout)].toDouble() > 0)
        return Choice::Recompute;
    if (isRecomputedByShape(traits, arguments))
        return Choice::Recompute;
    if (!m_rule->keepsCall(m_calls++))
        return Choice::Recompute;
    if (traits.isPlainProduct && m_products++ % m_rule->productPeriod() != 0)
        return Choice::Recompute;
    return Choice::Keep;
}

bool BlockOpSelection::isRecomputedByShape(const OpTraits& traits, at::ArrayRef<c10::IValue> arguments) const
{
    if (traits.rightOperand < 0 || m_recomputed.empty())
        return false;
    const at::Tensor& right = arguments[static_cast<std::size_t>(traits.rightOperand)].toTensor();
    return std::ranges::find(m_recomputed, OperandShape(right.size(0), right.size(1))) != m_recomputed.end();
}

void BlockOpSelection::kept(const c10::OperatorHandle& op)
{
    ++m_count->kept[nameOf(op.schema())];
}

void BlockOpSelection::dropped(const c10::OperatorHandle& op)
{
    const auto count = m_count->kept.find(nameOf(op.schema()));
    if (--count->second == 0)
        m_count->kept.erase(count);
}

void BlockOpSelection::ranAgain(const c10::OperatorHandle& op)
{
    m_count->recomputed += m_rule->traitsOf(op).isFree ? 0 : 1;
}

} // namespace headroom::techniques
