// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Quantities.h"
#include "experiments/report/ReportTrial.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace headroom::report {

/// One setting of a trial, for people.
struct Facet {
    std::string key; ///< the spec's dotted path: "model.dim", "split_ffn", "device.name"
    std::string value; ///< kUnknownCell where the trial has no such setting

    bool operator==(const Facet&) const = default;
};

/// Which settings differ between trials, and which all of them share. An option of a technique is shared where all
/// trials with the technique agree in it.
class Facets {
public:
    /// Circumstances: all but the techniques.
    enum class Of { Everything, Circumstances };

    /// It keeps the values of these trials, which must outlive it.
    Facets(const std::vector<const ReportTrial*>& trials, Of what);

    /// Keys that differ, in the order of the spec.
    const std::vector<std::string>& varying() const { return m_varying; }
    /// What all trials have in common.
    const std::vector<Facet>& shared() const { return m_shared; }

    std::string value(const ReportTrial& trial, const std::string& key) const;
    /// What tells each of these trials from the others, no more: "sim:t4, batch 2"; a number comes with its key.
    std::vector<std::string> labels(const std::vector<const ReportTrial*>& trials) const;

private:
    /// The values of one key: each distinct one once, and which of them each trial has.
    struct Values {
        std::vector<std::string> texts{kUnknownCell};
        std::unordered_map<std::string, std::uint32_t> known{{kUnknownCell, 0}}; ///< places in `texts`
        std::vector<std::uint32_t> codes{}; ///< of the trials: places in `texts`

        void add(const std::string& value);
        std::optional<std::string> common(const std::string& key) const;
    };

    Of m_what;
    std::unordered_map<const ReportTrial*, std::size_t> m_places; ///< in which the values of each trial stand
    std::map<std::string, Values> m_values; ///< by key
    std::vector<std::string> m_varying;
    std::vector<Facet> m_shared;
};

/// Every setting of a trial; options of techniques that are off do not count.
std::vector<Facet> facetsOf(const ReportTrial& trial, Facets::Of what);

} // namespace headroom::report
