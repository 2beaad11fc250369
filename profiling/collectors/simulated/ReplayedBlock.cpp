// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/simulated/ReplayedBlock.h"

#include "core/memory/MetaMemory.h"

#include <algorithm>

namespace headroom::collectors {
namespace {

using RoleKind = MemoryRole::Kind;

bool haveSameShape(const TensorForm& left, const TensorForm& right)
{
    return left.isDefined == right.isDefined && left.type == right.type && left.sizes == right.sizes
        && left.strides == right.strides && left.offset == right.offset && left.bytes == right.bytes;
}

} // namespace

void ReplayedBlock::connect(const std::vector<at::Tensor>& inputs, const GroupRun& group)
{
    torch::autograd::edge_list edges;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        m_held.push_back(group.holds[i] ? inputs[i].storage() : c10::Storage());
        if (group.origins[i].kind != InputOrigin::Kind::Previous || !inputs[i].requires_grad())
            continue;
        edges.push_back(torch::autograd::impl::gradient_edge(inputs[i]));
        m_outputsBefore.push_back(group.origins[i].output);
    }
    set_next_edges(std::move(edges));
}

const GroupRun& ReplayedBlock::group() const
{
    return m_pass->groups[m_blocks.m_plan.placeOf(m_index).group];
}

// Everything that the last block of the group does is known by now: its backward pass ran before.
const BlockRecording& ReplayedBlock::model() const
{
    if (!group().last || !group().last->hasBackward() || group().last->isRunning())
        throw UnlikeBlocks("the last of them has no backward pass");
    group().last->close();
    if (!group().last->problem().empty())
        throw UnlikeBlocks(group().last->problem());
    return *group().last;
}

torch::autograd::variable_list ReplayedBlock::apply(torch::autograd::variable_list&& gradients)
{
    for (std::size_t output = 0; output < gradients.size(); ++output)
        m_blocks.gradientArrives(m_pass, m_index, output, gradients[output]);
    const BlockRecording& known = model();
    requireArrived(known, gradients);
    std::vector<c10::Storage> arrived(gradients.size());
    for (const TensorForm& form : known.given())
        if (form.isDefined && form.role.kind == RoleKind::Gradient)
            arrived.at(form.role.number) = gradients.at(form.role.number).storage();
    play(known, gradients);
    m_blocks.count(m_index, group().lastBlock, known.backwardTally());
    leaveGradients(known);
    torch::autograd::variable_list results;
    for (const std::size_t output : m_outputsBefore)
        results.push_back(given(known, output, arrived));
    m_memory.forgetHandedOn();
    return results;
}

void ReplayedBlock::requireArrived(const BlockRecording& model, const torch::autograd::variable_list& gradients) const
{
    if (gradients.size() != model.arrived().size())
        throw UnlikeBlocks("other gradients arrive");
    for (std::size_t i = 0; i < gradients.size(); ++i)
        if (!haveSameShape(formOf(gradients[i]), model.arrived()[i]))
            throw UnlikeBlocks("gradients of another shape arrive");
    for (std::size_t i = 0; i < m_held.size(); ++i)
        if (model.backward().releases({RoleKind::Input, static_cast<std::uint32_t>(i)}) != static_cast<bool>(m_held[i]))
            throw UnlikeBlocks("the last of them holds other inputs than the first");
}

void ReplayedBlock::play(const BlockRecording& model, torch::autograd::variable_list& gradients)
{
    const std::vector<at::Tensor>& parameters = m_blocks.m_plan.parametersOf(m_index);
    ProgramMemory::Actions actions = m_blocks.actionsOf(m_index);
    actions.release = [&](MemoryRole role) {
        if (role.kind == RoleKind::Gradient) {
            gradients.at(role.number).reset();
        } else if (role.kind == RoleKind::Input) {
            m_kept.at(role.number).reset();
            m_held.at(role.number) = c10::Storage();
        } else {
            parameters.at(role.number).mutable_grad().reset();
        }
    };
    actions.relabel = [&](MemoryRole role, const tensor::LabelChange& change) { relabel(role, change, gradients); };
    m_memory.play(model.backward(), model.backward().steps, actions);
}

// An input that the graph lets go of while others hold it is kept by nobody then.
void ReplayedBlock::relabel(
    MemoryRole role, const tensor::LabelChange& change, const torch::autograd::variable_list& gradients)
{
    if (role.kind == RoleKind::Input) {
        if (change.rule != tensor::LabelChange::Rule::Drop || !m_kept.at(role.number))
            throw UnlikeBlocks("the last of them labels an input in its backward pass");
        return m_kept[role.number]->drop(change);
    }
    const at::Tensor known = role.kind == RoleKind::Gradient ? gradients.at(role.number)
        : role.kind == RoleKind::OldGradient ? m_blocks.m_plan.parametersOf(m_index).at(role.number).grad()
                                             : at::Tensor();
    if (!tensor::metaHandleOf(known))
        throw UnlikeBlocks("the last of them labels memory that it has handed on");
    tensor::relabelMetaStorage(known.storage().data_ptr(), change);
}

void ReplayedBlock::leaveGradients(const BlockRecording& model)
{
    const std::vector<at::Tensor>& parameters = m_blocks.m_plan.parametersOf(m_index);
    for (const LeftGradient& gradient : model.left())
        parameters.at(gradient.parameter).mutable_grad() = tensorOf(gradient.form, m_memory.handOn(gradient.form));
}

at::Tensor ReplayedBlock::given(
    const BlockRecording& model, std::size_t output, const std::vector<c10::Storage>& arrived)
{
    if (output >= model.given().size() || !model.given()[output].isDefined)
        return {};
    const TensorForm& form = model.given()[output];
    if (form.role.kind == RoleKind::Own)
        return tensorOf(form, m_memory.handOn(form));
    if (form.role.kind == RoleKind::Gradient)
        return tensorOf(form, arrived.at(form.role.number));
    throw UnlikeBlocks("the gradient of an input is in memory of others");
}

} // namespace headroom::collectors
