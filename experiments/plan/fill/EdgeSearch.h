// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>

namespace headroom::experiments {

/// The answer for one value.
struct EdgeProbe {
    enum class Answer { Fits, Fails, Unknown };

    Answer answer = Answer::Unknown; ///< Unknown: the prediction failed or was interrupted, and the search ends
    std::optional<Bytes> neededBytes = {}; ///< speeds the search up
};

/// Values that may be asked about.
struct EdgeValues {
    std::function<std::optional<std::int64_t>(std::int64_t)> atOrBelow; ///< the nearest one
    std::function<std::optional<std::int64_t>(std::int64_t)> above; ///< the next one
};

/// Where along an axis a trial stops fitting.
struct Edge {
    enum class End {
        Found, ///< `value` fits, `next` and the values looked at behind it do not
        NothingFits, ///< not even the least value, which is `next`
        LargestFits, ///< the largest value there is fits
        Unaffected, ///< more of it takes no more memory; `value` is the largest one looked at
        Interrupted, ///< an answer was Unknown; `value` is the largest one that is known to fit
    };

    End end = End::Interrupted;
    std::optional<std::int64_t> value;
    std::optional<std::int64_t> next; ///< the value after it, which was asked about and does not fit
    std::size_t probes = 0;
};

/// Finds the largest value of an axis that fits.
///
/// Goes up from a value by guesses along the line of the needs found so far, then halves what is left between a value
/// that fits and one that does not, until these two are neighbours. Whether something fits need not be monotone along
/// the axis (an allocator's reserved bytes are not): a few values behind the edge are asked about as well, and the
/// search goes on from one that fits. What is promised is about the values that were asked: `value` fits, `next` and
/// the values looked at behind it do not.
class EdgeSearch {
public:
    using Ask = std::function<EdgeProbe(std::int64_t)>;

    /// Values behind the edge that are asked about, `next` included.
    static constexpr int kLookBehind = 3;
    /// Doublings without growth after which a count of repetitions is taken to need no memory.
    static constexpr int kDoublingsWithoutGrowth = 4;
    /// Guesses before what is left is only halved.
    static constexpr int kGuesses = 4;

    struct Limits {
        Bytes budgetBytes = 0; ///< what the need of a value that fits stays within, for guesses
        bool endsWithoutGrowth = false; ///< for an axis that may need no memory at all
    };

    EdgeSearch(EdgeValues values, Ask ask, Limits limits);

    /// `start` is where it begins; any value.
    Edge run(std::int64_t start);

private:
    using Answer = EdgeProbe::Answer;

    bool ask(std::int64_t value);
    std::optional<std::int64_t> largestThatFits() const;
    std::optional<std::int64_t> leastThatFailsAbove(std::int64_t value) const;
    std::optional<std::int64_t> nextToAsk(std::int64_t start) const;
    std::optional<std::int64_t> furtherUp(std::int64_t fitting) const;
    std::optional<std::int64_t> between(std::int64_t fitting, std::int64_t failing) const;
    std::optional<std::int64_t> behind(std::int64_t failing) const;
    std::optional<std::int64_t> furtherDown() const;
    std::optional<std::int64_t> guess() const;
    bool hasStoppedGrowing() const;
    Edge edge() const;

    EdgeValues m_values;
    Ask m_ask;
    Limits m_limits;
    std::map<std::int64_t, EdgeProbe> m_known;
};

} // namespace headroom::experiments
