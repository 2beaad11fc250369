// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "experiments/plan/PlanAxes.h"

#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace headroom::experiments {

/// What a prediction says about one combination.
struct PlanFigures {
    Bytes bytes = 0; ///< device memory that has to be there: reserved in either order of segments, see demandOf
    /// Allocated memory at its highest: what `bytes` cannot be below, and, unlike it, free of fragmentation, so that
    /// the orders hold for it.
    Bytes allocatedBytes = 0;
    double seconds = 0; ///< of a step

    bool operator==(const PlanFigures&) const = default;
};

/// Of those that need no more than the capacity, all that no other beats in memory and time, the fastest first; of
/// equal ones the simplest.
std::vector<PlanPoint> frontOf(
    const std::map<PlanPoint, PlanFigures>& predicted, const PlanAxes& axes, Bytes capacityBytes);

/// What predictions of some combinations imply, by the orders of the axes, for all others: the least memory and the
/// least time that each can have.
///
/// Where two predictions contradict an order, the disorder says by how much; bounds hold but for that.
class PlanBounds {
public:
    explicit PlanBounds(const PlanAxes& axes);

    std::size_t size() const { return m_states.size(); }
    /// Without those that cannot work.
    std::size_t combinations() const { return m_combinations; }
    PlanPoint pointOf(std::size_t index) const;
    std::size_t indexOf(const PlanPoint& point) const;

    void add(std::size_t index, const PlanFigures& figures);
    /// The combination cannot work, or its prediction failed.
    void exclude(std::size_t index);
    /// No combination with this setting is looked at any more.
    void dismiss(std::size_t axis, std::size_t setting);

    /// Whether nothing is known of the combination itself.
    bool isOpen(std::size_t index) const { return m_states[index] == State::Open; }
    double leastBytes(std::size_t index) const { return m_leastBytes[index] * (1 - m_memoryDisorder); }
    double leastSeconds(std::size_t index) const { return m_leastSeconds[index]; }
    const std::map<std::size_t, PlanFigures>& known() const { return m_known; }
    double memoryDisorder() const { return m_memoryDisorder; }
    double timeDisorder() const { return m_timeDisorder; }

    using Visit = std::function<void(std::size_t index)>;
    /// Combinations that need at least as much memory as this one, itself included.
    void visitMilder(std::size_t index, const Visit& visit) const;
    /// Combinations that take at least as much time as this one, itself included.
    void visitSlower(std::size_t index, const Visit& visit) const;

private:
    enum class State : char { Open, Known, Excluded };

    void visitAbove(std::size_t index, PlanGuard::Of of, const Visit& visit) const;
    bool isGuarded(const PlanPoint& one, const PlanPoint& other, PlanGuard::Of of) const;
    bool isExcluded(const PlanPoint& point) const;
    void noteDisorder(std::size_t index, const PlanFigures& figures);

    const PlanAxes& m_axes;
    std::vector<std::size_t> m_strides;
    std::vector<State> m_states;
    std::vector<double> m_leastBytes;
    std::vector<double> m_leastSeconds;
    std::map<std::size_t, PlanFigures> m_known;
    std::size_t m_combinations = 0;
    double m_memoryDisorder = 0;
    double m_timeDisorder = 0;
};

} // namespace headroom::experiments
