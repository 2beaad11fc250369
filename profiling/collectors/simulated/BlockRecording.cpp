// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/simulated/BlockRecording.h"

#include "core/memory/MetaMemory.h"

#include <algorithm>

namespace headroom::collectors {

using RoleKind = MemoryRole::Kind;

void BlockRecording::cannotRepeat(const std::string& why)
{
    if (m_problem.empty())
        m_problem = why;
}

void BlockRecording::know(const at::Tensor& tensor, MemoryRole role)
{
    if (const auto handle = tensor::metaHandleOf(tensor))
        m_roles.emplace(*handle, role); // a storage that has a role keeps it
}

std::optional<MemoryRole> BlockRecording::roleOf(const at::Tensor& tensor) const
{
    const auto handle = tensor::metaHandleOf(tensor);
    const auto found = handle ? m_roles.find(*handle) : m_roles.end();
    return found == m_roles.end() ? std::nullopt : std::optional(found->second);
}

TensorForm BlockRecording::formWithRole(const at::Tensor& tensor, const char* what)
{
    if (!tensor.defined())
        return {};
    const auto role = roleOf(tensor);
    if (!role)
        cannotRepeat(std::string(what) + " is in memory of others");
    return formOf(tensor, role.value_or(MemoryRole{}));
}

void BlockRecording::beginForward(const std::vector<at::Tensor>& inputs)
{
    m_running = &m_forward;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        m_inputForms.push_back(formOf(inputs[i]));
        m_inputHandles.push_back(tensor::metaHandleOf(inputs[i]).value_or(0));
        know(inputs[i], {RoleKind::Input, static_cast<std::uint32_t>(i)});
    }
}

void BlockRecording::endForward(const std::vector<at::Tensor>& outputs)
{
    m_running = nullptr;
    for (const at::Tensor& output : outputs) {
        m_outputForms.push_back(formWithRole(output, "an output"));
        if (!m_outputForms.back().isDefined || m_outputForms.back().role.kind != RoleKind::Own)
            cannotRepeat("an output is not memory of the block");
    }
}

void BlockRecording::beginBackward()
{
    if (m_hasBackward)
        return cannotRepeat("a second backward pass");
    m_hasBackward = true;
    m_running = &m_backward;
    for (std::size_t i = 0; i < m_parameters.size(); ++i)
        if (m_parameters[i].grad().defined())
            know(m_parameters[i].grad(), {RoleKind::OldGradient, static_cast<std::uint32_t>(i)});
}

void BlockRecording::gradientArrives(std::size_t output, const at::Tensor& gradient)
{
    know(gradient, {RoleKind::Gradient, static_cast<std::uint32_t>(output)});
    m_arrived.resize(std::max(m_arrived.size(), output + 1));
    m_arrived[output] = formWithRole(gradient, "an arriving gradient");
}

void BlockRecording::endBackward()
{
    m_running = nullptr;
    for (std::size_t i = 0; i < m_parameters.size(); ++i) {
        const at::Tensor& gradient = m_parameters[i].grad();
        if (!gradient.defined() || roleOf(gradient) == MemoryRole{RoleKind::OldGradient, static_cast<std::uint32_t>(i)})
            continue;
        m_left.push_back({i, formWithRole(gradient, "a parameter's gradient")});
        if (m_left.back().form.role.kind != RoleKind::Own)
            cannotRepeat("a parameter's gradient is not memory of the block");
    }
}

void BlockRecording::gave(std::size_t output, const at::Tensor& gradient)
{
    m_given.resize(std::max(m_given.size(), output + 1));
    m_given[output] = formWithRole(gradient, "the gradient of an input");
}

void BlockRecording::allocated(Handle handle, Bytes bytes, const tensor::MemoryLabel& label)
{
    if (m_running != nullptr)
        take(handle, {.kind = ProgramStep::Kind::Allocate, .bytes = bytes, .label = named(label)});
}

void BlockRecording::allocatedOnHost(Handle handle, tensor::HostMemory kind, Bytes bytes)
{
    take(handle, {.kind = ProgramStep::Kind::AllocateOnHost, .bytes = bytes, .host = kind});
}

void BlockRecording::take(Handle handle, ProgramStep step)
{
    if (m_running == nullptr)
        return;
    const auto number = static_cast<std::uint32_t>(m_allocations++);
    m_roles.insert_or_assign(handle, MemoryRole{RoleKind::Own, number});
    m_running->steps.push_back(step);
}

void BlockRecording::released(Handle handle)
{
    const auto found = m_roles.find(handle);
    if (m_running == nullptr) {
        if (found == m_roles.end())
            return;
        if (found->second.kind == RoleKind::Own && !isHandedOn(found->second))
            cannotRepeat("its memory is released by others");
        m_roles.erase(found);
        return;
    }
    if (found == m_roles.end())
        return cannotRepeat("it releases memory of others");
    m_running->steps.push_back({.kind = ProgramStep::Kind::Release, .role = found->second});
    m_roles.erase(found);
}

void BlockRecording::relabelled(Handle handle, const tensor::LabelChange& change)
{
    if (m_running == nullptr)
        return;
    const auto found = m_roles.find(handle);
    if (found == m_roles.end())
        return cannotRepeat("it labels memory of others");
    if (isIgnored(found->second))
        return;
    m_running->steps.push_back(
        {.kind = ProgramStep::Kind::Relabel, .role = found->second, .label = named(change.label), .rule = change.rule});
}

bool BlockRecording::isIgnored(MemoryRole role) const
{
    return role.kind == RoleKind::Input && role.number < m_ignoredInputs.size() && m_ignoredInputs[role.number];
}

void BlockRecording::ignoreLabelsOf(std::size_t input)
{
    m_ignoredInputs.resize(std::max(m_ignoredInputs.size(), input + 1));
    m_ignoredInputs[input] = true;
    std::erase_if(m_forward.steps,
        [&](const ProgramStep& step) { return step.kind == ProgramStep::Kind::Relabel && isIgnored(step.role); });
}

void BlockRecording::counted(const techniques::StackCounters& counters)
{
    (m_running == &m_forward ? m_forwardTally : m_backwardTally).counted = counters;
}

void BlockRecording::keeps(Bytes own, std::vector<bool> inputs)
{
    m_forwardTally.kept = own;
    m_keptInputs = std::move(inputs);
}

bool BlockRecording::isOwnInput(std::size_t input) const
{
    const auto first = std::ranges::find(m_inputHandles, m_inputHandles.at(input));
    return m_inputHandles[input] != 0 && static_cast<std::size_t>(first - m_inputHandles.begin()) == input;
}

// Outputs, and gradients that have left the block.
bool BlockRecording::isHandedOn(MemoryRole own) const
{
    const auto isIt = [&](const TensorForm& form) { return form.isDefined && form.role == own; };
    return std::ranges::any_of(m_outputForms, isIt) || std::ranges::any_of(m_given, isIt)
        || std::ranges::any_of(m_left, [&](const LeftGradient& gradient) { return isIt(gradient.form); });
}

void BlockRecording::spent(const simulator::OpCost& cost)
{
    if (m_running == nullptr)
        return;
    m_running->steps.push_back(
        {.kind = ProgramStep::Kind::Spend, .cost = static_cast<std::uint32_t>(m_running->costs.size())});
    m_running->costs.push_back(cost);
}

bool BlockRecording::holdsInput(std::size_t input) const
{
    const auto found = m_roles.find(m_inputHandles.at(input));
    return found != m_roles.end() && found->second == MemoryRole{RoleKind::Input, static_cast<std::uint32_t>(input)};
}

// What the block gives on it must have, and what it keeps it must give back.
void BlockRecording::close()
{
    for (const auto& [handle, role] : m_roles)
        if (role.kind == RoleKind::Own && !isHandedOn(role))
            cannotRepeat("memory of the block outlives it");
    for (const TensorForm& output : m_outputForms)
        if (m_forward.releases(output.role) || m_backward.releases(output.role))
            cannotRepeat("the block releases its own output");
}

bool BlockRecording::repeatsForwardOf(const BlockRecording& other) const
{
    return m_forward == other.m_forward && m_outputForms == other.m_outputForms && m_keptInputs == other.m_keptInputs
        && m_forwardTally == other.m_forwardTally;
}

std::string BlockRecording::differenceInBackward(const BlockRecording& other) const
{
    if (m_hasBackward != other.m_hasBackward)
        return "only one of them has a backward pass";
    if (m_arrived != other.m_arrived)
        return "other gradients arrive";
    if (m_given != other.m_given || m_left != other.m_left)
        return "they leave other gradients";
    if (m_backwardTally != other.m_backwardTally)
        return "techniques count something else";
    return m_backward.differenceFrom(other.m_backward);
}

} // namespace headroom::collectors
