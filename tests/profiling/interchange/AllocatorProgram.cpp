// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/interchange/AllocatorProgram.h"

#include "profiling/simulator/CachingAllocator.h"
#include "profiling/simulator/ExactAllocator.h"
#include "profiling/simulator/OutOfMemory.h"

#include <algorithm>
#include <map>
#include <memory>
#include <random>

namespace headroom::interchange {
namespace {

using config::MemoryCategory;
using trace::Action;
using trace::AllocatorEvent;

constexpr Bytes kDeviceBytes = 4 * kGiB;
constexpr std::size_t kMostLive = 400;

std::vector<trace::MemoryOwner> someOwners()
{
    std::vector<trace::MemoryOwner> owners{trace::MemoryOwner{}};
    for (std::size_t i = 0; i < 30; ++i)
        owners.push_back({config::kMemoryCategories[i % config::kMemoryCategoryCount],
            i % 4 == 0 ? "" : "transformer_blocks." + std::to_string(i) + ".ff.net.0.proj",
            i % 3 == 0 ? "checkpointing" : ""});
    return owners;
}

std::unique_ptr<simulator::SimulatedAllocator> allocatorFor(ProgramDevice device, const std::string& settings)
{
    if (device == ProgramDevice::Cpu)
        return std::make_unique<simulator::ExactAllocator>(kDeviceBytes);
    return std::make_unique<simulator::CachingAllocator>(
        simulator::DeviceCapacity{.limitBytes = kDeviceBytes}, simulator::parseAllocatorSettings(settings));
}

class Machine {
public:
    Machine(std::uint32_t seed, ProgramDevice device, const std::string& settings)
        : m_random(seed)
        , m_allocator(allocatorFor(device, settings))
    {
        m_trace.owners = someOwners();
        m_allocator->setClock([this] { return m_nowNs; });
        m_allocator->setObserver([this](const AllocatorEvent& event) { record(event); });
    }

    ProgramTrace run(std::size_t steps)
    {
        for (std::size_t i = 0; i < steps; ++i)
            step();
        nestPhases();
        return m_trace;
    }

private:
    void step()
    {
        m_nowNs += static_cast<std::int64_t>(m_random() % 5'000);
        const auto choice = m_random() % 100;
        if (choice < 55 && m_live.size() < kMostLive)
            allocate();
        else if (choice < 85 && !m_live.empty())
            release();
        else if (choice < 90 && !m_live.empty())
            m_allocator->recordStream(anyLive(), static_cast<simulator::Stream>(m_random() % 3));
        else if (choice < 97 && !m_live.empty())
            relabel();
        else if (choice == 98)
            m_allocator->synchronizeAll();
        else if (choice == 99 && m_random() % 4 == 0)
            m_allocator->emptyCache();
    }

    void allocate()
    {
        const Bytes bytes = 1 + static_cast<Bytes>(m_random() % (m_random() % 3 == 0 ? 60 * kMiB : 2 * kMiB));
        try {
            m_live.push_back(m_allocator->allocate(bytes, static_cast<simulator::Stream>(m_random() % 3)));
        } catch (const simulator::OutOfMemory&) {
            for (std::size_t i = 0; i < m_live.size() / 2; ++i)
                release();
        }
    }

    void release()
    {
        const std::size_t index = m_random() % m_live.size();
        m_allocator->free(m_live[index]);
        std::swap(m_live[index], m_live.back());
        m_live.pop_back();
    }

    void relabel()
    {
        AllocatorEvent event = m_blocks.at(anyLive());
        event.timeNs = m_nowNs;
        event.action = Action::Relabelled;
        event.previousOwner = event.owner;
        event.owner = anyOwner();
        m_blocks.at(event.address).owner = event.owner;
        m_trace.events.push_back(event);
    }

    void record(AllocatorEvent event)
    {
        if (event.action == Action::Alloc) {
            event.owner = anyOwner();
            m_blocks[event.address] = event;
        } else if (event.action == Action::FreeRequested || event.action == Action::FreeCompleted) {
            event.owner = m_blocks.at(event.address).owner;
        }
        m_trace.events.push_back(event);
    }

    // Two steps with a forward and a backward pass each, and what lies before and behind them outside of all.
    void nestPhases()
    {
        const std::int64_t part = m_nowNs / 6 + 1;
        m_trace.phases = {{"load", -1, 0, part}};
        for (std::int64_t step = 0; step < 2; ++step) {
            const std::int64_t begin = part * (1 + 2 * step);
            m_trace.phases.push_back({"forward", step, begin, begin + part});
            m_trace.phases.push_back({"backward", step, begin + part, begin + 2 * part});
            m_trace.phases.push_back({"step", step, begin, begin + 2 * part});
        }
    }

    simulator::Address anyLive() { return m_live[m_random() % m_live.size()]; }
    trace::OwnerId anyOwner() { return static_cast<trace::OwnerId>(m_random() % m_trace.owners.size()); }

    std::mt19937 m_random;
    std::unique_ptr<simulator::SimulatedAllocator> m_allocator;
    std::vector<simulator::Address> m_live;
    std::map<std::uint64_t, AllocatorEvent> m_blocks;
    ProgramTrace m_trace;
    std::int64_t m_nowNs = 0;
};

} // namespace

ProgramTrace runAllocatorProgram(
    std::uint32_t seed, std::size_t steps, ProgramDevice device, const std::string& settings)
{
    return Machine(seed, device, settings).run(steps);
}

std::vector<trace::MemoryCounters> countersAfterEach(
    const std::vector<AllocatorEvent>& events, const trace::MemoryCounters& before)
{
    std::vector<trace::MemoryCounters> counters;
    trace::MemoryCounters now = before;
    for (const AllocatorEvent& event : events) {
        now.apply(event);
        if (event.action != Action::OutOfMemory && event.action != Action::Relabelled)
            counters.push_back(now);
    }
    return counters;
}

} // namespace headroom::interchange
