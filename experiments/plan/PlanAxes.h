// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/plan/FitSpace.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headroom::experiments {

/// One way to set a technique, or the batch, in a space of combinations.
struct PlanSetting {
    std::vector<SettingChange> changes; ///< from the trial that was asked about; empty: as it is there
    int effort = 0; ///< what it demands of the user (config::Candidate); 0: the technique is not used
    /// Settings of one kind differ by their extent (a share, or the logarithm of a count): what an estimate may
    /// interpolate between.
    std::string kind = {};
    double extent = 0;

    bool operator==(const PlanSetting&) const = default;
};

/// What is known of two settings of one axis before anything is predicted, all else being equal.
class SettingOrder {
public:
    SettingOrder() = default;
    explicit SettingOrder(std::size_t settings)
        : m_holds(settings, std::vector<char>(settings, 0))
    {
        for (std::size_t i = 0; i < settings; ++i)
            m_holds[i][i] = 1;
    }

    void add(std::size_t lower, std::size_t higher) { m_holds[lower][higher] = 1; }
    /// One more setting, of which nothing is known.
    void addSetting()
    {
        for (std::vector<char>& row : m_holds)
            row.push_back(0);
        m_holds.emplace_back(m_holds.size() + 1, 0).back() = 1;
    }
    bool holds(std::size_t lower, std::size_t higher) const { return m_holds[lower][higher] != 0; }

private:
    std::vector<std::vector<char>> m_holds;
};

/// The settings of one technique, or of the batch.
struct PlanAxis {
    std::string key; ///< "checkpointing", "batch"
    std::vector<PlanSetting> settings = {};
    std::size_t start = 0; ///< the setting of the trial that was asked about
    SettingOrder memory = {}; ///< memory.holds(a, b): a needs no more device memory than b
    SettingOrder time = {}; ///< time.holds(a, b): a takes no more time than b
    /// Whether what it costs does not depend on the other axes, so that settings can be compared in one place.
    bool isIndependent = false;

    /// The settings of each kind, by extent; the kinds by name.
    std::vector<std::vector<std::size_t>> kinds() const;
};

/// An order of an axis that holds only while another axis, on both sides, has one of some settings.
struct PlanGuard {
    enum class Of { Memory, Time };
    Of of = Of::Memory;
    std::size_t axis = 0;
    std::size_t other = 0;
    std::vector<char> settings; ///< of the other axis: whether the order holds with it
};

/// Two settings that cannot work together.
struct PlanExclusion {
    std::size_t axis = 0;
    std::size_t setting = 0;
    std::size_t otherAxis = 0;
    std::size_t otherSetting = 0;
};

/// The setting of each axis.
using PlanPoint = std::vector<std::size_t>;

/// A space of combinations: every setting of every axis with every other, but for the exclusions.
struct PlanAxes {
    std::vector<PlanAxis> axes;
    std::vector<PlanGuard> guards;
    std::vector<PlanExclusion> exclusions;

    PlanPoint start() const;
    std::vector<SettingChange> changesOf(const PlanPoint& point) const;
    /// Techniques that are used, then their effort: the smaller, the simpler.
    std::pair<int, int> simplicityOf(const PlanPoint& point) const;
};

} // namespace headroom::experiments
