// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/simulated/RepeatedBlocks.h"

#include "profiling/collectors/simulated/ReplayedBlock.h"

#include <algorithm>
#include <utility>

namespace headroom::collectors {
namespace {

using BlockPart = RepeatPlan::Part;

std::vector<TensorIdentity> identitiesOf(const std::vector<at::Tensor>& tensors)
{
    std::vector<TensorIdentity> identities;
    for (const at::Tensor& tensor : tensors)
        identities.push_back(identityOf(tensor));
    return identities;
}

std::optional<InputOrigin> originOf(
    const at::Tensor& input, const TensorIdentity& first, const std::vector<TensorIdentity>& previousOutputs)
{
    if (!input.defined())
        return InputOrigin{};
    if (isSame(first, input))
        return InputOrigin{InputOrigin::Kind::Shared};
    for (std::size_t output = 0; output < previousOutputs.size(); ++output)
        if (isSame(previousOutputs[output], input))
            return InputOrigin{InputOrigin::Kind::Previous, output};
    return std::nullopt;
}

// Autograd's node then has an input for each output, in order.
bool haveOneUse(const std::vector<TensorForm>& outputs)
{
    return std::ranges::all_of(
        outputs, [&](const TensorForm& output) { return output.needsGradient == outputs.front().needsGradient; });
}

// What all of them are given is kept by blocks that run before the first of them in forward, and after it in backward.
void ignoreShared(BlockRecording& recording, const std::vector<InputOrigin>& origins)
{
    for (std::size_t input = 0; input < origins.size(); ++input)
        if (origins[input].kind == InputOrigin::Kind::Shared)
            recording.ignoreLabelsOf(input);
}

void require(bool isTrue, const char* what)
{
    if (!isTrue)
        throw UnlikeBlocks(what);
}

} // namespace

/// Says that a gradient has arrived for an output of a block that runs.
class RepeatedBlocks::ArrivalHook final : public torch::autograd::FunctionPreHook {
public:
    ArrivalHook(RepeatedBlocks& blocks, std::shared_ptr<BlockPass> pass, std::int64_t index, std::size_t output,
        std::size_t place)
        : m_blocks(blocks)
        , m_pass(std::move(pass))
        , m_index(index)
        , m_output(output)
        , m_place(place)
    {
    }

    torch::autograd::variable_list operator()(const torch::autograd::variable_list& gradients) override
    {
        m_blocks.gradientArrives(m_pass, m_index, m_output, gradients.at(m_place));
        return gradients;
    }

private:
    RepeatedBlocks& m_blocks;
    std::shared_ptr<BlockPass> m_pass;
    std::int64_t m_index;
    std::size_t m_output;
    std::size_t m_place; ///< among the node's gradients
};

RepeatedBlocks::RepeatedBlocks(models::Model& model, techniques::BlockAccounts* accounts,
    std::shared_ptr<AccountedMemory> memory, Spend spend, OtherUses otherUses)
    : m_plan(model)
    , m_places(model)
    , m_accounts(accounts)
    , m_memory(std::move(memory))
    , m_spend(std::move(spend))
    , m_otherUses(std::move(otherUses))
{
    m_memory->addRequestListener(*this);
}

RepeatedBlocks::~RepeatedBlocks()
{
    m_memory->removeRequestListener(*this);
}

std::vector<at::Tensor> RepeatedBlocks::run(
    std::int64_t index, const std::function<std::vector<at::Tensor>()>& real, const std::vector<at::Tensor>& inputs)
{
    if (m_plan.groups() == 0)
        return real();
    if (index == 0) {
        verify();
        m_pass = std::make_shared<BlockPass>(m_plan);
        if (m_accounts != nullptr)
            m_accounts->forwardBegins();
    }
    const BlockPart part = m_plan.placeOf(index).part;
    const bool repeats = part == BlockPart::Repeats && canRepeat(index, inputs);
    std::vector<at::Tensor> outputs = repeats                 ? repeated(index, inputs)
        : part == BlockPart::First || part == BlockPart::Last ? recorded(index, real, inputs)
                                                              : real();
    if (!repeats)
        watch(index, outputs);
    m_pass->previousOutputs = identitiesOf(outputs);
    return outputs;
}

std::vector<at::Tensor> RepeatedBlocks::recorded(
    std::int64_t index, const std::function<std::vector<at::Tensor>()>& real, const std::vector<at::Tensor>& inputs)
{
    const RepeatPlan::Place& place = m_plan.placeOf(index);
    GroupRun& group = m_pass->groups[place.group];
    const bool isLast = place.part == BlockPart::Last;
    if (isLast && group.isRepeated)
        require(originsOf(group, inputs) == group.origins, "the last of them reads other tensors");
    const auto recording =
        std::make_shared<BlockRecording>(m_plan.parametersOf(index), [this, index](const tensor::MemoryLabel& label) {
            return m_places.common(static_cast<std::size_t>(index), label);
        });
    (isLast ? group.last : group.first) = recording;
    (isLast ? group.lastBlock : group.firstBlock) = index;
    m_pass->recordings[static_cast<std::size_t>(index)] = recording;
    if (!isLast)
        group.firstInputs = identitiesOf(inputs);
    else if (group.isRepeated)
        ignoreShared(*recording, group.origins);
    std::vector<at::Tensor> outputs = runRecorded(*recording, real, inputs);
    if (isLast && group.isRepeated)
        require(recording->problem().empty() && recording->repeatsForwardOf(*group.first),
            "the last of them asks for other memory in its forward pass than the first");
    return outputs;
}

std::vector<at::Tensor> RepeatedBlocks::runRecorded(BlockRecording& recording,
    const std::function<std::vector<at::Tensor>()>& real, const std::vector<at::Tensor>& inputs)
{
    recording.beginForward(inputs);
    std::vector<bool> kept = keptOf(inputs);
    const Bytes keptBefore = m_accounts == nullptr ? 0 : m_accounts->keptBytes();
    begin(recording);
    std::vector<at::Tensor> outputs = real();
    end();
    recording.endForward(outputs);
    if (m_accounts == nullptr)
        return outputs;
    Bytes own = m_accounts->keptBytes() - keptBefore;
    const std::vector<bool> keptAfter = keptOf(inputs);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        kept[i] = keptAfter[i] && !kept[i] && recording.isOwnInput(i);
        own -= kept[i] ? recording.inputs()[i].bytes : 0;
    }
    recording.keeps(own, std::move(kept));
    return outputs;
}

std::vector<bool> RepeatedBlocks::keptOf(const std::vector<at::Tensor>& inputs) const
{
    std::vector<bool> kept(inputs.size());
    for (std::size_t i = 0; i < inputs.size() && m_accounts != nullptr; ++i)
        kept[i] = m_accounts->isKept(inputs[i]);
    return kept;
}

std::optional<std::vector<InputOrigin>> RepeatedBlocks::originsOf(
    const GroupRun& group, const std::vector<at::Tensor>& inputs) const
{
    if (inputs.size() != group.firstInputs.size())
        return std::nullopt;
    std::vector<InputOrigin> origins;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const auto origin = originOf(inputs[i], group.firstInputs[i], m_pass->previousOutputs);
        if (!origin || formOf(inputs[i]) != group.first->inputs()[i])
            return std::nullopt;
        origins.push_back(*origin);
    }
    return origins;
}

// The first one that repeats settles where inputs come from, and which of them a graph holds: by then the model has let
// go of what the first block was given.
bool RepeatedBlocks::canRepeat(std::int64_t index, const std::vector<at::Tensor>& inputs)
{
    GroupRun& group = m_pass->groups[m_plan.placeOf(index).group];
    if (!group.first->problem().empty() || !haveOneUse(group.first->outputs()))
        return false;
    auto origins = originsOf(group, inputs);
    if (!origins || (group.isRepeated && *origins != group.origins))
        return false;
    if (group.isRepeated)
        return true;
    group.isRepeated = true;
    group.origins = std::move(*origins);
    for (std::size_t i = 0; i < inputs.size(); ++i)
        group.holds.push_back(group.origins[i].kind == InputOrigin::Kind::Previous && group.first->holdsInput(i));
    ignoreShared(*group.first, group.origins);
    return true;
}

std::vector<at::Tensor> RepeatedBlocks::repeated(std::int64_t index, const std::vector<at::Tensor>& inputs)
{
    const GroupRun& group = m_pass->groups[m_plan.placeOf(index).group];
    ++m_repeats;
    ProgramMemory memory(m_memory);
    KeptInputs kept = playForward(index, memory, inputs);
    count(index, group.firstBlock, group.first->forwardTally());
    std::vector<at::Tensor> outputs;
    for (const TensorForm& form : group.first->outputs())
        outputs.push_back(tensorOf(form, memory.handOn(form)));
    memory.forgetHandedOn();
    if (!group.first->outputs().front().needsGradient)
        return outputs;
    const std::shared_ptr<ReplayedBlock> node(
        new ReplayedBlock(*this, m_pass, index, std::move(memory), std::move(kept)), torch::autograd::deleteNode);
    node->connect(inputs, group);
    for (at::Tensor& output : outputs)
        torch::autograd::create_gradient_edge(output, node);
    return outputs;
}

// The first block's graph is the first to keep what the block before hands on, and so is this one's.
KeptInputs RepeatedBlocks::playForward(std::int64_t index, ProgramMemory& memory, const std::vector<at::Tensor>& inputs)
{
    const GroupRun& group = m_pass->groups[m_plan.placeOf(index).group];
    const std::vector<bool>& isKept = group.first->keptInputs();
    KeptInputs kept(inputs.size());
    const auto keep = [&](std::size_t input, const tensor::LabelChange& change) {
        require(group.holds[input], "the first of them keeps what it does not hold");
        kept[input] = m_accounts->keep(inputs[input].storage(), change);
    };
    ProgramMemory::Actions actions = actionsOf(index);
    actions.release = [](MemoryRole) {
        throw UnlikeBlocks("the first of them releases memory of others in its forward pass");
    };
    actions.relabel = [&](MemoryRole role, const tensor::LabelChange& change) {
        require(role.kind == MemoryRole::Kind::Input && role.number < isKept.size() && isKept[role.number]
                && !kept[role.number] && change.rule == tensor::LabelChange::Rule::Keep,
            "the first of them labels memory of others in its forward pass");
        keep(role.number, change);
    };
    memory.play(group.first->forward(), group.first->forward().steps, actions);
    for (std::size_t input = 0; input < isKept.size(); ++input)
        if (isKept[input] && !kept[input])
            keep(input, {{config::MemoryCategory::SavedActivations}, tensor::LabelChange::Rule::Keep});
    return kept;
}

ProgramMemory::Actions RepeatedBlocks::actionsOf(std::int64_t index)
{
    return {.spend = m_spend, .release = {}, .relabel = {}, .labelOf = [this, index](const tensor::MemoryLabel& label) {
                return m_places.inBlock(static_cast<std::size_t>(index), label);
            }};
}

void RepeatedBlocks::count(std::int64_t block, std::int64_t like, const BlockTally& tally)
{
    if (m_accounts == nullptr)
        return;
    require(m_accounts->countRepeated(block, like, tally.counted), "a technique counts in them what it cannot repeat");
    m_accounts->addKept(tally.kept);
}

void RepeatedBlocks::watch(std::int64_t index, const std::vector<at::Tensor>& outputs)
{
    for (std::size_t output = 0; output < outputs.size(); ++output)
        if (outputs[output].defined() && outputs[output].grad_fn())
            outputs[output].grad_fn()->add_pre_hook(
                std::make_unique<ArrivalHook>(*this, m_pass, index, output, outputs[output].output_nr()));
}

void RepeatedBlocks::gradientArrives(
    const std::shared_ptr<BlockPass>& pass, std::int64_t index, std::size_t output, const at::Tensor& gradient)
{
    enterBackward(*pass, index);
    const auto place = static_cast<std::size_t>(index);
    if (place + 1 < pass->recordings.size() && pass->recordings[place + 1])
        pass->recordings[place + 1]->gave(output, gradient);
    if (pass->recordings[place])
        pass->recordings[place]->gradientArrives(output, gradient);
}

// The engine runs nodes in the reverse order of their making. So the backward pass of a block is over when that of the
// block before it begins.
void RepeatedBlocks::enterBackward(BlockPass& pass, std::int64_t index)
{
    if (pass.inBackward == index)
        return;
    if (pass.inBackward >= 0)
        if (const auto& before = pass.recordings[static_cast<std::size_t>(pass.inBackward)]) {
            end();
            before->endBackward();
        }
    pass.inBackward = index;
    if (const auto& recording = pass.recordings[static_cast<std::size_t>(index)]) {
        recording->beginBackward();
        begin(*recording);
    }
}

void RepeatedBlocks::begin(BlockRecording& recording)
{
    m_otherUsesBefore = m_otherUses();
    if (m_accounts != nullptr)
        m_countersBefore = m_accounts->counters();
    m_running = &recording;
}

void RepeatedBlocks::end()
{
    if (m_running != nullptr && m_otherUses() != m_otherUsesBefore)
        m_running->cannotRepeat("it transfers data, or waits");
    if (m_running != nullptr && m_accounts != nullptr)
        m_running->counted(techniques::countedBetween(m_countersBefore, m_accounts->counters()));
    m_running = nullptr;
}

void RepeatedBlocks::verify()
{
    const std::shared_ptr<BlockPass> pass = std::exchange(m_pass, nullptr);
    if (!pass)
        return;
    for (const GroupRun& group : pass->groups) {
        if (!group.isRepeated)
            continue;
        require(group.last != nullptr, "the last of them did not run");
        group.first->close();
        group.last->close();
        for (const auto& recording : {group.first, group.last})
            require(recording->problem().empty(), recording->problem().c_str());
        if (const auto difference = group.first->differenceInBackward(*group.last); !difference.empty())
            throw UnlikeBlocks("the first and the last of them differ in the backward pass: " + difference);
    }
}

void RepeatedBlocks::allocated(Handle handle, Bytes bytes, const tensor::MemoryLabel& label)
{
    if (m_running != nullptr)
        m_running->allocated(handle, bytes, label);
}

void RepeatedBlocks::relabelled(Handle handle, const tensor::LabelChange& change)
{
    if (m_running != nullptr)
        m_running->relabelled(handle, change);
}

void RepeatedBlocks::allocatedOnHost(Handle, tensor::HostMemory, Bytes)
{
    if (m_running != nullptr)
        m_running->cannotRepeat("it takes host memory");
}

void RepeatedBlocks::released(Handle handle)
{
    if (!m_pass)
        return;
    for (const auto& recording : m_pass->recordings)
        if (recording)
            recording->released(handle);
}

void RepeatedBlocks::spent(const simulator::OpCost& cost)
{
    if (m_running != nullptr)
        m_running->spent(cost);
}

} // namespace headroom::collectors
