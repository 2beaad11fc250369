// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/simulated/RepeatedStep.h"

#include "core/memory/MetaMemory.h"

#include <algorithm>

namespace headroom::collectors {
namespace {

std::vector<TensorForm> gradientForms(const std::vector<at::Tensor>& parameters)
{
    std::vector<TensorForm> forms;
    for (const at::Tensor& parameter : parameters)
        forms.push_back(formOf(parameter.grad()));
    return forms;
}

// So that forgetting it gives its memory back.
bool hasOneOwner(const at::Tensor& gradient)
{
    return gradient.defined() && gradient.use_count() == 1 && gradient.storage().use_count() == 1;
}

} // namespace

/// A repeated step while it runs. Its phases end in reverse order, by an exception too.
class RepeatedStep::Playing {
public:
    Playing(training::StepObserver& observer, std::int64_t step)
        : m_observer(observer)
        , m_step(step)
    {
    }
    ~Playing()
    {
        while (!m_phases.empty())
            endPhase();
    }
    Playing(const Playing&) = delete;
    Playing& operator=(const Playing&) = delete;

    void beginPhase(const std::string& phase)
    {
        m_phases.push_back(std::make_unique<training::PhaseScope>(m_observer, phase, m_step));
    }
    void endPhase() { m_phases.pop_back(); }

private:
    training::StepObserver& m_observer;
    std::int64_t m_step;
    std::vector<std::unique_ptr<training::PhaseScope>> m_phases;
};

RepeatedStep::RepeatedStep(std::shared_ptr<AccountedMemory> memory, ProgramMemory::Spend spend)
    : m_memory(std::move(memory))
    , m_spend(std::move(spend))
{
    m_memory->addRequestListener(*this);
}

RepeatedStep::~RepeatedStep()
{
    m_memory->removeRequestListener(*this);
}

void RepeatedStep::stepBegins(const std::vector<at::Tensor>& parameters)
{
    m_parameters = parameters;
    m_gradientsBefore = gradientForms(m_parameters);
    m_events.clear();
    m_recording.emplace(m_parameters);
    m_recording->beginBackward();
}

void RepeatedStep::stepEnds()
{
    m_recording->endBackward();
    m_recording->close();
    ++m_steps;
}

bool RepeatedStep::canRepeat() const
{
    if (m_steps < 2 || isRunning() || !m_recording->problem().empty())
        return false;
    if (!meetsKnownGradients())
        return false;
    return std::ranges::all_of(m_recording->backward().steps, [&](const ProgramStep& step) {
        return step.kind != ProgramStep::Kind::Release || step.role.kind != MemoryRole::Kind::OldGradient
            || !m_parameters[step.role.number].grad().defined() || hasOneOwner(m_parameters[step.role.number].grad());
    });
}

// Those of the step before; or none, where the step begins with clearing them.
bool RepeatedStep::meetsKnownGradients() const
{
    const std::vector<TensorForm> forms = gradientForms(m_parameters);
    if (forms == m_gradientsBefore)
        return true;
    const auto isOfGradient = [](const ProgramStep& step) { return step.role.kind == MemoryRole::Kind::OldGradient; };
    const std::vector<ProgramStep>& steps = m_recording->backward().steps;
    const auto begin = std::ranges::find_if_not(steps, isOfGradient);
    const auto before = static_cast<std::size_t>(
        std::ranges::count_if(m_gradientsBefore, [](const TensorForm& form) { return form.isDefined; }));
    return std::ranges::none_of(forms, [](const TensorForm& form) { return form.isDefined; })
        && static_cast<std::size_t>(begin - steps.begin()) == before && std::none_of(begin, steps.end(), isOfGradient);
}

bool RepeatedStep::repeatStep(training::StepObserver& observer, std::int64_t step)
{
    if (!canRepeat())
        return false;
    ProgramMemory memory(m_memory);
    Playing playing(observer, step);
    play(memory, playing);
    leaveGradients(memory);
    ++m_repeats;
    return true;
}

void RepeatedStep::play(ProgramMemory& memory, Playing& playing)
{
    const BlockProgram& program = m_recording->backward();
    const auto gradientOf = [&](MemoryRole role) -> at::Tensor& { return m_parameters[role.number].mutable_grad(); };
    const ProgramMemory::Actions actions{.spend = m_spend,
        .release = [&](MemoryRole role) { gradientOf(role).reset(); },
        .relabel =
            [&](MemoryRole role, const tensor::LabelChange& change) {
                tensor::relabelMetaStorage(gradientOf(role).storage().data_ptr(), change);
            }};
    std::size_t place = 0;
    const auto playTo = [&](std::size_t end) {
        memory.play(program, std::span(program.steps).subspan(place, end - place), actions);
        place = end;
    };
    for (const Event& event : m_events) {
        playTo(event.place);
        event.action(playing);
    }
    playTo(program.steps.size());
}

void RepeatedStep::leaveGradients(ProgramMemory& memory)
{
    for (const LeftGradient& gradient : m_recording->left())
        m_parameters[gradient.parameter].mutable_grad() = tensorOf(gradient.form, memory.handOn(gradient.form));
}

void RepeatedStep::note(std::function<void(Playing&)> action)
{
    if (isRunning())
        m_events.push_back({m_recording->backward().steps.size(), std::move(action)});
}

void RepeatedStep::phaseBegins(const std::string& phase)
{
    note([phase](Playing& playing) { playing.beginPhase(phase); });
}

void RepeatedStep::phaseEnds()
{
    note([](Playing& playing) { playing.endPhase(); });
}

void RepeatedStep::did(std::function<void()> action)
{
    note([action = std::move(action)](Playing&) { action(); });
}

void RepeatedStep::allocated(Handle handle, Bytes bytes, const tensor::MemoryLabel& label)
{
    if (isRunning())
        m_recording->allocated(handle, bytes, label);
}

void RepeatedStep::relabelled(Handle handle, const tensor::LabelChange& change)
{
    if (isRunning())
        m_recording->relabelled(handle, change);
}

void RepeatedStep::allocatedOnHost(Handle handle, tensor::HostMemory kind, Bytes bytes)
{
    if (isRunning())
        m_recording->allocatedOnHost(handle, kind, bytes);
}

void RepeatedStep::released(Handle handle)
{
    if (isRunning())
        m_recording->released(handle);
}

// What the host computes has another price than what the device does.
void RepeatedStep::spent(const simulator::OpCost& cost)
{
    if (!isRunning())
        return;
    const tensor::HostMemory* host = tensor::HostMemoryScope::current();
    if (host == nullptr)
        return m_recording->spent(cost);
    did([this, cost, kind = *host] {
        const tensor::HostMemoryScope scope(kind);
        m_spend(cost);
    });
}

} // namespace headroom::collectors
