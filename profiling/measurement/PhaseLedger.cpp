// SPDX-License-Identifier: Apache-2.0
#include "profiling/measurement/PhaseLedger.h"

#include <exception>

namespace headroom::collectors {

PhaseLedger::PhaseLedger(Instruments& instruments)
    : m_instruments(instruments)
{
}

void PhaseLedger::credit()
{
    const protocol::MemoryFigures peak = m_instruments.peak();
    m_instruments.resetPeak();
    m_spanPeak = largerOf(m_spanPeak, peak);
    m_wholeRunPeak = largerOf(m_wholeRunPeak, peak);
    m_phasePeaks[m_phase] = largerOf(m_phasePeaks[m_phase], peak);
}

void PhaseLedger::phaseBegins(const std::string& phase, std::int64_t step)
{
    credit();
    m_outerPhases.push_back(m_phase);
    m_phase = phase;
    m_beginNs.push_back(m_instruments.now().count());
    m_instruments.phaseBegins(phase, step);
    if (m_phaseListener)
        m_phaseListener(phase, step);
}

void PhaseLedger::phaseEnds(const std::string& phase, std::int64_t step)
{
    if (std::uncaught_exceptions() > 0 && m_failedPhase.empty())
        m_failedPhase = phase;
    if (m_endListener)
        m_endListener(phase, step);
    credit();
    m_instruments.phaseEnds(phase, step);
    if (m_spanListener)
        m_spanListener({phase, step, m_beginNs.back(), m_instruments.now().count()});
    m_beginNs.pop_back();
    m_phase = m_outerPhases.back();
    m_outerPhases.pop_back();
}

void PhaseLedger::beginSpan()
{
    creditSpan();
    m_instruments.restartResidentPeak();
    m_instruments.restartPinnedPeak();
    m_spanPeak = {};
    m_phasePeaks.clear();
}

void PhaseLedger::creditSpan()
{
    credit();
    m_spanPeak.hostRss = m_instruments.residentPeak();
    protocol::MemoryFigures host;
    host.hostPinned = m_instruments.pinnedPeak();
    m_spanPeak = largerOf(m_spanPeak, host);
    m_wholeRunPeak = largerOf(m_wholeRunPeak, m_spanPeak);
}

protocol::MemoryFigures PhaseLedger::spanPeak()
{
    creditSpan();
    return m_spanPeak;
}

protocol::MemoryFigures PhaseLedger::allocatorPeak()
{
    credit();
    return m_spanPeak;
}

protocol::MemoryFigures PhaseLedger::wholeRunPeak()
{
    creditSpan();
    return m_wholeRunPeak;
}

} // namespace headroom::collectors
