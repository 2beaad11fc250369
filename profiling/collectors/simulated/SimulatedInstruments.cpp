// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/simulated/SimulatedInstruments.h"

#include "profiling/simulator/devices/AllocatorFactory.h"
#include "profiling/simulator/devices/Fit.h"

#include <cmath>

namespace headroom::collectors {
namespace {

// What the allocator may take: the device's own limit, or the trial's if that is less.
std::optional<Bytes> effectiveLimit(
    const simulator::DeviceProfile& device, std::optional<Bytes> limit, DeviceLimit deviceLimit)
{
    if (deviceLimit == DeviceLimit::Lifted)
        return std::nullopt;
    const Bytes own = simulator::capacityOf(device).limitBytes;
    if (own == simulator::kUnlimitedBytes)
        return limit;
    return std::min(own, limit.value_or(own));
}

// Memory beyond the allocator's limit counts as taken by others. The same requests are also served in the other order
// of segment addresses: the difference is the uncertainty of reserved memory.
std::shared_ptr<AccountedMemory> makeSimulatedMemory(
    simulator::SimulatedDevice device, std::optional<Bytes> limit, DeviceLimit deviceLimit)
{
    if (deviceLimit == DeviceLimit::Lifted)
        device.device.memory.reset();
    const Bytes own = simulator::capacityOf(device.device).limitBytes;
    const Bytes others = own - limit.value_or(own);
    auto allocator = simulator::makeAllocator(device, device.allocator, others);
    if (device.device.kind == simulator::AllocatorKind::Exact)
        return std::make_shared<AccountedMemory>(std::move(allocator));
    device.device.segmentAddresses = config::otherThan(device.device.segmentAddresses);
    return std::make_shared<AccountedMemory>(
        std::move(allocator), simulator::makeAllocator(device, device.allocator, others));
}

// Where the host computes, each op takes its time, and a view is one.
OpCostCollector::Views viewsOn(const simulator::DeviceProfile& device)
{
    const bool isInline = device.kind == simulator::AllocatorKind::Exact && device.speed;
    return isInline ? OpCostCollector::Views::Reported : OpCostCollector::Views::LeftOut;
}

} // namespace

SimulatedInstruments::SimulatedInstruments(
    const simulator::SimulatedDevice& device, std::optional<Bytes> limitBytes, DeviceLimit deviceLimit)
    : m_device(device)
    , m_limit(effectiveLimit(device.device, limitBytes, deviceLimit))
    , m_memory(makeSimulatedMemory(device, m_limit, deviceLimit))
    , m_timeline(simulator::CostModel::of(device.device))
    , m_workspaces(device, m_memory)
    , m_reductions(device, m_memory)
    , m_softmax(m_memory)
    , m_cpuTemporaries(m_memory)
    , m_costs([this](const simulator::OpCost& cost) { spend(cost); }, viewsOn(device.device))
    , m_rules(device)
    , m_metaMemory(m_memory)
    , m_kernels(m_rules)
    , m_autocastLists(m_rules.imitatesCpu() ? tensor::AutocastLists::Cpu : tensor::AutocastLists::Cuda)
    , m_interception(m_interceptor)
    , m_activeTimeline(m_timeline)
{
    m_interceptor.addObserver(m_costs);
    m_interceptor.addObserver(m_survey);
    m_interceptor.addObserver(m_workspaces);
    if (device.device.kind == simulator::AllocatorKind::Exact) {
        m_interceptor.addObserver(m_cpuTemporaries);
    } else {
        m_interceptor.addObserver(m_reductions);
        m_interceptor.addObserver(m_softmax);
    }
    m_interceptor.setTransformer(&m_accumulation);
    m_memory->setClock([this] { return now().count(); });
}

SimulatedInstruments::~SimulatedInstruments()
{
    // Tensors that outlive this object still report to the memory, but there is no clock any more.
    m_memory->observe(nullptr, {});
    m_memory->setClock(nullptr);
}

void SimulatedInstruments::spend(const simulator::OpCost& cost)
{
    m_timeline.spend(cost);
    if (m_timeline.countsFreshMemory())
        m_timeline.holds(m_memory->stats().allocatedBytes.aggregate.current);
    if (m_repeatedBlocks)
        m_repeatedBlocks->spent(cost);
    if (m_repeatedStep)
        m_repeatedStep->spent(cost);
}

std::chrono::nanoseconds SimulatedInstruments::now()
{
    return std::chrono::nanoseconds(std::llround(m_timeline.elapsedSeconds() * 1e9));
}

void SimulatedInstruments::synchronise()
{
    m_timeline.synchronise();
    if (m_repeatedBlocks)
        m_repeatedBlocks->verify();
}

models::BlockShortcut* SimulatedInstruments::shortcutFor(models::Model& model, techniques::BlockAccounts* accounts)
{
    m_repeatedBlocks = std::make_unique<RepeatedBlocks>(
        model, accounts, m_memory, [this](const simulator::OpCost& cost) { spend(cost); },
        [this] { return m_timeline.otherUses(); });
    return m_repeatedBlocks.get();
}

training::StepShortcut* SimulatedInstruments::stepShortcut()
{
    m_repeatedStep = std::make_unique<RepeatedStep>(m_memory, [this](const simulator::OpCost& cost) { spend(cost); });
    m_timeline.setUseListener(
        [this](const SimulatedTimeline::Use& use) { m_repeatedStep->did([this, use] { use(m_timeline); }); });
    return m_repeatedStep.get();
}

protocol::MemoryFigures SimulatedInstruments::completed(protocol::MemoryFigures figures, const Reserved& reserved) const
{
    if (m_device.device.kind == simulator::AllocatorKind::Caching) {
        figures.reserved = reserved.bytes;
        figures.reservedOtherAddresses = reserved.otherBytes;
        figures.device = reserved.bytes + (m_device.device.memory ? m_device.device.memory->contextBytes.value : 0);
    }
    return figures;
}

protocol::MemoryFigures SimulatedInstruments::current()
{
    const simulator::DeviceStats stats = m_memory->stats();
    return completed(currentFigures(stats, m_memory->hostPool()),
        {stats.reservedBytes.aggregate.current, m_memory->mirroredBytes()});
}

protocol::MemoryFigures SimulatedInstruments::peak()
{
    const simulator::DeviceStats stats = m_memory->stats();
    return completed(
        peakFigures(stats, m_memory->hostPool()), {stats.reservedBytes.aggregate.peak, m_memory->mirroredPeakBytes()});
}

void SimulatedInstruments::resetPeak()
{
    m_memory->resetPeaks();
}

void SimulatedInstruments::emptyCache()
{
    m_memory->emptyCache();
}

std::optional<config::SegmentAddresses> SimulatedInstruments::segmentAddresses() const
{
    if (m_device.device.kind != simulator::AllocatorKind::Caching)
        return std::nullopt;
    return m_device.device.segmentAddresses;
}

std::vector<std::string> SimulatedInstruments::opsWithoutRule() const
{
    return {m_survey.withoutRule().begin(), m_survey.withoutRule().end()};
}

std::optional<std::int64_t> SimulatedInstruments::allocRetries()
{
    if (m_device.device.kind != simulator::AllocatorKind::Caching)
        return std::nullopt;
    return m_memory->stats().numAllocRetries;
}

void SimulatedInstruments::observeAllocations(TraceObserver observer)
{
    m_memory->observe(std::move(observer), now());
}

void SimulatedInstruments::phaseBegins(const std::string& phase, std::int64_t)
{
    if (phase == "backward")
        m_workspaces.setThread(OpThread::Backward);
    if (m_repeatedStep)
        m_repeatedStep->phaseBegins(phase);
}

void SimulatedInstruments::phaseEnds(const std::string& phase, std::int64_t)
{
    if (phase == "backward")
        m_workspaces.setThread(OpThread::Forward);
    if (m_repeatedStep)
        m_repeatedStep->phaseEnds();
}

} // namespace headroom::collectors
