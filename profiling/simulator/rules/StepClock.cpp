// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/rules/StepClock.h"

#include <algorithm>

namespace headroom::simulator {

double StepClock::enqueue(double hostSeconds, double deviceSeconds, Stream stream)
{
    m_hostSeconds += hostSeconds;
    double& end = m_streamSeconds[stream];
    end = std::max(end, m_hostSeconds) + deviceSeconds;
    return end;
}

void StepClock::waitFor(Stream waiting, Stream awaited)
{
    const double until = m_streamSeconds[awaited];
    double& end = m_streamSeconds[waiting];
    end = std::max(end, until);
}

void StepClock::synchronize(Stream stream)
{
    m_hostSeconds = std::max(m_hostSeconds, m_streamSeconds[stream]);
}

void StepClock::synchronizeAll()
{
    m_hostSeconds = elapsedSeconds();
}

double StepClock::elapsedSeconds() const
{
    double last = m_hostSeconds;
    for (const auto& [stream, end] : m_streamSeconds)
        last = std::max(last, end);
    return last;
}

void StepClock::reset()
{
    m_hostSeconds = 0.0;
    m_streamSeconds.clear();
}

} // namespace headroom::simulator
