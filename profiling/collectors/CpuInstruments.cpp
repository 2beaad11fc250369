// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/CpuInstruments.h"

#include "profiling/measurement/HostProcess.h"
#include "profiling/simulator/ExactAllocator.h"

namespace headroom::collectors {
namespace {

// What BLAS, oneDNN and thread stacks may map beside the tensors under the address space limit.
constexpr Bytes kScratchAllowance = 2 * kGiB;

std::shared_ptr<AccountedMemory> makeCpuMemory(std::optional<Bytes> limitBytes)
{
    return std::make_shared<AccountedMemory>(
        std::make_unique<simulator::ExactAllocator>(limitBytes.value_or(simulator::kUnlimitedBytes)));
}

} // namespace

CpuInstruments::CpuInstruments(std::optional<Bytes> limitBytes)
    : m_limit(limitBytes)
    , m_memory(makeCpuMemory(limitBytes))
    , m_scope(m_memory)
{
    if (const auto mapped = addressSpaceBytes(); m_limit && mapped)
        limitAddressSpace(*mapped + *m_limit + kScratchAllowance);
    m_memory->setClock([this] { return now().count(); });
}

CpuInstruments::~CpuInstruments()
{
    // Tensors that outlive this object still report to the memory, but there is no clock any more.
    m_memory->observe(nullptr, {});
    m_memory->setClock(nullptr);
}

std::chrono::nanoseconds CpuInstruments::now()
{
    return std::chrono::steady_clock::now() - m_start;
}

protocol::MemoryFigures CpuInstruments::current()
{
    protocol::MemoryFigures figures = currentFigures(m_memory->stats(), m_memory->hostPool());
    figures.hostRss = residentBytes();
    return figures;
}

protocol::MemoryFigures CpuInstruments::peak()
{
    return peakFigures(m_memory->stats(), m_memory->hostPool());
}

void CpuInstruments::resetPeak()
{
    m_memory->resetPeaks();
}

std::optional<Bytes> CpuInstruments::residentPeak()
{
    return peakResidentBytes();
}

void CpuInstruments::restartResidentPeak()
{
    resetPeakResident();
}

void CpuInstruments::observeAllocations(TraceObserver observer)
{
    m_memory->observe(std::move(observer), now());
}

void CpuInstruments::startCapture()
{
    m_host.start(m_start);
}

Capture CpuInstruments::stopCapture()
{
    Capture capture;
    m_host.stop(capture);
    return capture;
}

} // namespace headroom::collectors
