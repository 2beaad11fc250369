// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/budget/StepMarks.h"

#include <algorithm>

namespace headroom::collectors {

Bytes MarkedStep::peak() const
{
    Bytes peak = restPeak;
    for (const MarkedPass& pass : passes) {
        peak = std::max(peak, pass.turn.peak);
        for (const std::vector<MarkedInterval>* intervals : {&pass.forward, &pass.backward})
            for (const MarkedInterval& interval : *intervals)
                peak = std::max(peak, interval.peak);
    }
    return peak;
}

bool MarkedStep::recomputesLt() const
{
    return recomputesLtElsewhere || std::ranges::any_of(passes, [](const MarkedPass& pass) {
        return std::ranges::any_of(pass.backward, &MarkedInterval::recomputesLt);
    });
}

StepMarks::StepMarks(SimulatedInstruments& instruments, std::size_t blocks)
    : m_instruments(instruments)
    , m_blocks(blocks)
{
}

double StepMarks::now()
{
    return std::chrono::duration<double>(m_instruments.now()).count();
}

void StepMarks::beginStep(IntervalTimes times)
{
    m_times = times;
    m_step = {};
    m_rest = {};
    m_open = nullptr;
    m_instruments.synchronise();
    m_began = now();
    openRest();
}

MarkedStep StepMarks::endStep()
{
    close();
    m_instruments.synchronise();
    m_step.restPeak = m_rest.peak;
    m_step.recomputesLtElsewhere = m_rest.recomputesLt
        || std::ranges::any_of(m_step.passes, [](const MarkedPass& pass) { return pass.turn.recomputesLt; });
    m_step.seconds = now() - m_began;
    return std::move(m_step);
}

void StepMarks::close()
{
    if (m_open == nullptr)
        return;
    if (m_times == IntervalTimes::On)
        m_instruments.synchronise();
    m_open->peak = std::max(m_open->peak, m_instruments.peak().allocated.value_or(0));
    m_open->seconds += now() - m_opened;
    m_open->recomputesLt = m_open->recomputesLt || m_instruments.recomputedLtProducts() > m_ltProducts;
    m_open = nullptr;
}

void StepMarks::open(MarkedInterval& interval)
{
    close();
    m_open = &interval;
    interval.begin = m_instruments.current().allocated.value_or(0);
    interval.isReached = true;
    m_instruments.resetPeak();
    m_opened = now();
    m_ltProducts = m_instruments.recomputedLtProducts();
}

void StepMarks::openRest()
{
    open(m_rest);
}

void StepMarks::forwardBegins(std::size_t block)
{
    open(m_step.passes.back().forward.at(block));
}

void StepMarks::forwardEnds(std::size_t block)
{
    if (block + 1 == m_blocks)
        open(m_step.passes.back().turn);
}

void StepMarks::backwardBegins(std::size_t block)
{
    if (block >= m_lowestBackward)
        return;
    m_lowestBackward = block;
    open(m_step.passes.back().backward.at(block));
}

void StepMarks::phaseBegins(const std::string& phase, std::int64_t step)
{
    m_instruments.phaseBegins(phase, step);
    if (phase != "forward")
        return;
    openRest();
    m_step.passes.push_back({std::vector<MarkedInterval>(m_blocks), {}, std::vector<MarkedInterval>(m_blocks)});
    m_lowestBackward = m_blocks;
}

void StepMarks::phaseEnds(const std::string& phase, std::int64_t step)
{
    if (phase == "backward")
        openRest();
    m_instruments.phaseEnds(phase, step);
}

} // namespace headroom::collectors
