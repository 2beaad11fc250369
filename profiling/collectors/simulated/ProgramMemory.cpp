// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/simulated/ProgramMemory.h"

#include "core/memory/MetaMemory.h"

namespace headroom::collectors {

ProgramMemory::~ProgramMemory()
{
    if (m_memory)
        for (const Handle handle : m_handles)
            if (handle != 0)
                m_memory->release(handle);
}

c10::Storage ProgramMemory::handOn(const TensorForm& form)
{
    for (const auto& [number, storage] : m_handedOn)
        if (number == form.role.number)
            return storage;
    const Handle handle = std::exchange(m_handles.at(form.role.number), 0);
    c10::Storage storage = tensor::metaStorage(m_memory, handle, form.bytes);
    m_handedOn.emplace_back(form.role.number, storage);
    return storage;
}

void ProgramMemory::play(const BlockProgram& program, std::span<const ProgramStep> steps, const Actions& actions)
{
    for (const ProgramStep& step : steps)
        play(program, step, actions);
}

void ProgramMemory::play(const BlockProgram& program, const ProgramStep& step, const Actions& actions)
{
    switch (step.kind) {
    case ProgramStep::Kind::Allocate:
        m_handles.push_back(m_memory->allocateFor(actions.labelIn(step), step.bytes));
        break;
    case ProgramStep::Kind::AllocateOnHost:
        m_handles.push_back(m_memory->allocateHost(step.host, step.bytes));
        break;
    case ProgramStep::Kind::Spend:
        actions.spend(program.costs[step.cost]);
        break;
    case ProgramStep::Kind::Relabel:
        relabel(step, actions);
        break;
    case ProgramStep::Kind::Release:
        if (step.role.kind == MemoryRole::Kind::Own)
            m_memory->release(std::exchange(m_handles.at(step.role.number), 0));
        else
            actions.release(step.role);
        break;
    }
}

void ProgramMemory::relabel(const ProgramStep& step, const Actions& actions)
{
    const tensor::LabelChange change{actions.labelIn(step), step.rule};
    const bool isOwn = step.role.kind == MemoryRole::Kind::Own && m_handles.at(step.role.number) != 0;
    if (isOwn)
        m_memory->relabel(m_handles[step.role.number], change);
    else
        actions.relabel(step.role, change);
}

} // namespace headroom::collectors
