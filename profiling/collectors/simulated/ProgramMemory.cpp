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

void ProgramMemory::play(const BlockProgram& program, std::span<const ProgramStep> steps, const Spend& spend,
    const std::function<void(MemoryRole)>& others)
{
    for (const ProgramStep& step : steps)
        if (step.kind == ProgramStep::Kind::Allocate)
            m_handles.push_back(m_memory->allocate(step.bytes));
        else if (step.kind == ProgramStep::Kind::AllocateOnHost)
            m_handles.push_back(m_memory->allocateHost(step.host, step.bytes));
        else if (step.kind == ProgramStep::Kind::Spend)
            spend(program.costs[step.cost]);
        else if (step.role.kind == MemoryRole::Kind::Own)
            m_memory->release(std::exchange(m_handles.at(step.role.number), 0));
        else
            others(step.role);
}

} // namespace headroom::collectors
