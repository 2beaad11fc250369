// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/plan/PlanBounds.h"

namespace headroom::experiments {

/// Estimates memory and time of combinations from those that are known, by kernel regression over the settings they
/// share. Decides only in which order combinations are predicted: nothing is concluded from it.
class PlanEstimate {
public:
    explicit PlanEstimate(const PlanAxes& axes);

    /// Learns from all of these anew.
    void learn(const PlanBounds& bounds);
    /// Expects something learned.
    PlanFigures of(const PlanPoint& point) const;

private:
    double kernel(const PlanPoint& one, const PlanPoint& other) const;

    std::vector<std::vector<std::vector<double>>> m_likeness; ///< of two settings, by axis
    std::vector<PlanPoint> m_points;
    double m_meanBytes = 0;
    double m_meanSeconds = 0;
    std::vector<double> m_bytesWeights;
    std::vector<double> m_secondsWeights;
};

} // namespace headroom::experiments
