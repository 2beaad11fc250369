// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/plan/PlanBounds.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace headroom::experiments {

/// What combinations are expected to need and to take, from those that are known: decides what is predicted next, and
/// nothing else.
///
/// Around a base, whose neighbours along each axis are known, each short axis multiplies memory and a long one (such as
/// policies over blocks) adds to it. Of several settings that take time the slowest alone is expected to count: what
/// one transfers while the other computes. That is hopeful, so that combinations are tried once; what is found of a
/// combination then corrects all that are like it.
class PlanEstimate {
public:
    PlanEstimate(const PlanAxes& axes, const PlanBounds& bounds, const PlanPoint& base);

    /// Takes note of what has become known.
    void learn();
    /// Of a combination that is open; zeros where nothing is known.
    PlanFigures of(std::size_t index) const;

private:
    struct Known {
        std::size_t index = 0;
        PlanFigures figures;
        PlanFigures modelled; ///< without correction
    };
    /// What a setting does to the base: factors of a short axis, terms of a long one.
    struct Effect {
        double bytes = 0;
        double seconds = 0;
    };
    struct Sample {
        double extent = 0;
        Effect effect;
    };

    void measureEffects();
    void measureEffects(std::size_t axis, const PlanFigures& base);
    static Effect between(std::vector<Sample> samples, double extent);
    /// `isHopeful`: places whose time is not counted; may be empty.
    PlanFigures modelled(std::size_t index, const std::vector<char>& isHopeful) const;
    bool mayHide(const PlanGuard& guard, const PlanPoint& point) const;
    void takeAsNearest(std::uint32_t known);
    std::size_t settingOf(std::size_t index, std::size_t place) const
    {
        return index / m_varied[place].stride % m_varied[place].settings;
    }

    /// An axis with more than one setting.
    struct Varied {
        std::size_t axis = 0;
        std::size_t stride = 0;
        std::size_t settings = 0;
        bool isLong = false;
        std::vector<Effect> effects;
        std::vector<float> distances; ///< between two settings, row by row
    };

    const PlanAxes& m_axes;
    const PlanBounds& m_bounds;
    PlanPoint m_base;
    std::optional<PlanFigures> m_baseFigures; ///< nullopt: not known yet
    std::vector<Varied> m_varied;
    std::vector<Known> m_known;
    std::vector<std::size_t> m_open;
    std::vector<float> m_distance; ///< of a combination to the nearest that is known
    std::vector<std::uint32_t> m_nearest;
};

} // namespace headroom::experiments
