// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace headroom::training {

/// Told of the phases of a step: forward, backward, optimizer. Called on the thread that runs the step.
class StepObserver {
public:
    virtual ~StepObserver() = default;
    virtual void phaseBegins(const std::string& phase, std::int64_t step) = 0;
    virtual void phaseEnds(const std::string& phase, std::int64_t step) = 0;
};

/// A phase that ends with its scope, by an exception too.
class PhaseScope {
public:
    PhaseScope(StepObserver& observer, std::string phase, std::int64_t step)
        : m_observer(observer)
        , m_phase(std::move(phase))
        , m_step(step)
    {
        m_observer.phaseBegins(m_phase, m_step);
    }
    ~PhaseScope() { m_observer.phaseEnds(m_phase, m_step); }
    PhaseScope(const PhaseScope&) = delete;
    PhaseScope& operator=(const PhaseScope&) = delete;

private:
    StepObserver& m_observer;
    std::string m_phase;
    std::int64_t m_step;
};

} // namespace headroom::training
