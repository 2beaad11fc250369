// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/offload/GroupOffload.h"

#include "core/recompute/Recomputation.h"

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>

namespace headroom::techniques {
namespace {

using Pass = LoadOrder::Pass;

WeightLoader::Stream streamOf(const config::OffloadNotation& offload)
{
    return offload.stream ? WeightLoader::Stream::Side : WeightLoader::Stream::Compute;
}

} // namespace

bool OffloadUnit::isUsed() const
{
    return std::ranges::all_of(weights, [](const auto& weight) { return weight->isUsed(); });
}

WeightLoader::WeightLoader(c10::Device device, Stream stream)
{
    if (stream == Stream::Side)
        m_stream.emplace(device);
}

// Those that had no copy yet.
OffloadedWeights WeightLoader::hold(OffloadUnit& unit)
{
    OffloadedWeights empty;
    std::size_t held = 0;
    try {
        for (; held < unit.weights.size(); ++held)
            if (unit.weights[held]->hold())
                empty.push_back(unit.weights[held]);
    } catch (...) {
        while (held > 0)
            unit.weights[--held]->letGo();
        throw;
    }
    unit.isHeld = true;
    return empty;
}

void WeightLoader::load(OffloadUnit& unit)
{
    awaitPrefetch();
    if (!unit.isHeld)
        for (const auto& weight : hold(unit))
            weight->fill();
    for (const auto& weight : unit.weights)
        weight->use();
}

void WeightLoader::prefetch(OffloadUnit& unit)
{
    if (!m_stream || unit.isHeld)
        return;
    OffloadedWeights empty = hold(unit);
    if (empty.empty())
        return;
    m_stream->waitForCompute();
    m_stream->run([weights = std::move(empty)] {
        for (const auto& weight : weights)
            weight->fill();
    });
    m_isCopying = true;
}

void WeightLoader::unload(OffloadUnit& unit) noexcept
{
    for (const auto& weight : unit.weights) {
        weight->stopUsing();
        weight->letGo();
    }
    unit.isHeld = false;
}

void WeightLoader::discard(OffloadUnit& unit)
{
    awaitPrefetch();
    for (const auto& weight : unit.weights)
        weight->letGo();
    unit.isHeld = false;
}

void WeightLoader::awaitPrefetch()
{
    if (std::exchange(m_isCopying, false))
        m_stream->letComputeWait();
}

void LoadOrder::begin()
{
    if (std::exchange(m_lacksSome, false))
        m_order = m_watched;
    m_watched.clear();
    m_position = 0;
}

// Without gradients no repetition follows.
LoadOrder::Load LoadOrder::passed(const Load& load)
{
    m_watched.push_back(load);
    const auto found = std::find(m_order.begin() + static_cast<std::ptrdiff_t>(m_position), m_order.end(), load);
    if (found == m_order.end()) {
        m_lacksSome = true;
        return {};
    }
    const auto next = found + 1;
    m_position = static_cast<std::size_t>(next - m_order.begin());
    const bool follows = next != m_order.end() && (next->pass == Pass::Forward || at::GradMode::is_enabled());
    return follows ? *next : Load{};
}

OffloadGroup::OffloadGroup(
    std::vector<const torch::nn::Module*> members, OffloadedWeights weights, WeightLoader& loader)
    : m_members(std::move(members))
    , m_unit{std::move(weights)}
    , m_loader(loader)
{
    for (const auto& weight : m_unit.weights)
        m_weights[weight->parameter().unsafeGetTensorImpl()] = weight;
}

const std::shared_ptr<OffloadedWeight>& OffloadGroup::weightOf(const at::Tensor& parameter) const
{
    return m_weights.at(parameter.unsafeGetTensorImpl());
}

at::Tensor OffloadGroup::copyOnDevice(const at::Tensor& parameter)
{
    return weightOf(parameter)->copyOnDevice();
}

OffloadUnit OffloadGroup::unitOf(const std::vector<at::Tensor>& parameters) const
{
    OffloadUnit unit;
    for (const at::Tensor& parameter : parameters)
        unit.weights.push_back(weightOf(parameter));
    return unit;
}

void OffloadGroup::bring(const std::vector<at::Tensor>& parameters)
{
    OffloadUnit unit = unitOf(parameters);
    m_loader.load(unit);
}

void OffloadGroup::rest(const std::vector<at::Tensor>& parameters, tensor::ParameterUse use)
{
    OffloadUnit unit = unitOf(parameters);
    if (use == tensor::ParameterUse::Change)
        for (const auto& weight : unit.weights)
            weight->takeBack();
    m_loader.unload(unit);
}

// A module that is running: what it brought itself, and how autograd is told of the copies.
class GroupOffload::Frame {
public:
    // `inUse`: the weights that came to the device for this module or its group; null: none.
    Frame(OffloadUnit* inUse, OffloadUnit* own)
        : m_own(own)
    {
        if (inUse == nullptr || !at::GradMode::is_enabled())
            return;
        m_copies.emplace();
        for (const auto& weight : inUse->weights)
            m_copies->add(weight->deviceCopy(), [weight] { return weight->copyOnDevice(); });
        m_scope.emplace(*m_copies);
    }

    /// To be unloaded with it; null: none.
    OffloadUnit* own() const { return m_own; }

private:
    OffloadUnit* m_own;
    std::optional<tensor::WorkingCopies> m_copies;
    std::optional<tensor::SavedTensorHookScope> m_scope;
};

GroupOffload::GroupOffload(
    models::Model& model, const config::OffloadNotation& offload, c10::Device device, const OffloadedWeights& weights)
    : m_root(&model)
    , m_loader(device, streamOf(offload))
{
    WeightOf byParameter;
    for (const auto& weight : weights)
        byParameter[weight->parameter().unsafeGetTensorImpl()] = weight;
    const std::vector<OffloadGroupPlan> plans = offloadGroups(model, offload);
    for (const OffloadGroupPlan& plan : plans)
        addGroup(plan, byParameter);
    addRoles(model, offload, plans, byParameter);
    listen(model);
}

GroupOffload::~GroupOffload() = default;

void GroupOffload::addGroup(const OffloadGroupPlan& plan, const WeightOf& weights)
{
    OffloadedWeights own;
    std::vector<at::Tensor> parameters;
    for (const OwnedParameter& item : plan.parameters) {
        own.push_back(weights.at(item.parameter.unsafeGetTensorImpl()));
        parameters.push_back(item.parameter);
    }
    m_groups.push_back(std::make_unique<OffloadGroup>(plan.members, std::move(own), m_loader));
    m_homes.push_back(std::make_unique<tensor::ParameterHomeRegistration>(parameters, *m_groups.back()));
}

void GroupOffload::addRoles(models::Model& model, const config::OffloadNotation& offload,
    const std::vector<OffloadGroupPlan>& plans, const WeightOf& weights)
{
    std::unordered_map<const torch::nn::Module*, const OffloadGroupPlan*> planOf;
    for (std::size_t index = 0; index < plans.size(); ++index)
        for (const torch::nn::Module* member : plans[index].members) {
            planOf[member] = &plans[index];
            m_roles[member].group = m_groups[index].get();
        }
    for (const auto& module : model.modules()) {
        const auto plan = planOf.find(module.get());
        const auto alone = parametersAlone(*module, offload, plan == planOf.end() ? nullptr : plan->second);
        for (const OwnedParameter& item : alone)
            m_roles[module.get()].alone.weights.push_back(weights.at(item.parameter.unsafeGetTensorImpl()));
    }
    m_roles.try_emplace(m_root);
}

// The root is told of also where it has no weights: rounds begin and end with it.
void GroupOffload::listen(models::Model& model)
{
    for (const auto& module : model.modules())
        if (m_roles.contains(module.get()))
            m_hooks.emplace_back(*module, *this);
}

void GroupOffload::before(const torch::nn::Module& module)
{
    Role& role = m_roles.at(&module);
    const Pass pass = tensor::isRecomputing() ? Pass::Repetition : Pass::Forward;
    if (&module == m_root && pass == Pass::Forward)
        beginRound();
    if (pass == Pass::Forward) { // what is no member runs inside of one, or around members
        OffloadUnit* inUse = role.group == nullptr ? nullptr : enterGroup(*role.group);
        m_frames.push_back(std::make_unique<Frame>(inUse, nullptr));
        return;
    }
    OffloadUnit* own = enterAlone(role.alone);
    m_frames.push_back(std::make_unique<Frame>(own, own));
}

void GroupOffload::after(const torch::nn::Module& module) noexcept
{
    OffloadUnit* own = m_frames.back()->own();
    m_frames.pop_back();
    if (own != nullptr)
        m_loader.unload(*own);
    if (tensor::isRecomputing())
        return;
    OffloadGroup* group = m_roles.at(&module).group;
    if (group != nullptr && group->endsWith(module))
        leave(*group);
    if (&module == m_root)
        endForward();
}

// What an earlier round left behind is nobody's: it ended early, or no backward pass followed.
void GroupOffload::beginRound()
{
    discardAhead();
    for (const auto& group : m_groups)
        leave(*group);
    m_order.begin();
}

OffloadUnit* GroupOffload::enterGroup(OffloadGroup& group)
{
    if (group.isLoaded)
        return &group.unit();
    load(group.unit());
    group.isLoaded = true;
    try {
        lookAhead(group.unit(), Pass::Forward);
    } catch (...) {
        leave(group);
        throw;
    }
    return &group.unit();
}

// Null where everything is there already, for a module around this one.
OffloadUnit* GroupOffload::enterAlone(OffloadUnit& unit)
{
    if (unit.isUsed())
        return nullptr;
    load(unit);
    try {
        lookAhead(unit, Pass::Repetition);
    } catch (...) {
        m_loader.unload(unit);
        throw;
    }
    return &unit;
}

// Where another unit than expected runs, the expected one makes room.
void GroupOffload::load(OffloadUnit& unit)
{
    if (m_ahead.unit == &unit)
        m_ahead = {};
    else
        discardAhead();
    m_loader.load(unit);
}

void GroupOffload::lookAhead(OffloadUnit& unit, Pass pass)
{
    const LoadOrder::Load next = m_order.passed({&unit, pass});
    if (next.unit == nullptr || next.unit->isHeld)
        return;
    m_loader.prefetch(*next.unit);
    m_ahead = next.unit->isHeld ? next : LoadOrder::Load{};
}

void GroupOffload::discardAhead()
{
    if (OffloadUnit* ahead = std::exchange(m_ahead, {}).unit)
        m_loader.discard(*ahead);
}

void GroupOffload::leave(OffloadGroup& group) noexcept
{
    if (std::exchange(group.isLoaded, false))
        m_loader.unload(group.unit());
}

// What waits for a repetition stays, if the backward pass can still come.
void GroupOffload::endForward() noexcept
{
    for (const auto& left : m_groups)
        leave(*left);
    if (m_ahead.pass == Pass::Repetition && std::uncaught_exceptions() == 0)
        return;
    try {
        discardAhead();
    } catch (const std::exception&) { // of a copy that nobody needs
    }
}

} // namespace headroom::techniques
