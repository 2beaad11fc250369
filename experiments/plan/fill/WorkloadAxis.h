// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Field.h"
#include "core/config/catalogue/Configuration.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headroom::experiments {

/// A whole number of a trial's workload along which its memory grows: batch, frames, sequence_length; a free size of an
/// exported model; micro-steps.
class WorkloadAxis {
public:
    /// `name` as in a spec ("batch", "workload.batch"; of an exported model also "input_ids.1" and usual names). Throws
    /// UsageError at `where`, naming the trial's axes, if its workload has no such number.
    WorkloadAxis(const std::string& name, const config::Trial& trial, const std::string& where);

    /// The workload's field: "batch", "input_ids.1"
    const std::string& field() const { return m_field.name; }
    /// Whether it counts repetitions, which take time rather than memory (accumulate, chunks).
    bool isCount() const;

    std::int64_t valueIn(const config::Trial& trial) const;
    config::Trial with(config::Trial trial, std::int64_t value) const;

    /// The bounds of the field, without regard to what else the trial says.
    std::int64_t least() const;
    std::int64_t most() const;

    /// The names of a trial's axes.
    static std::vector<std::string> namesIn(const config::Trial& trial);

private:
    config::Field m_field;
};

/// The values of an axis with which one trial can work: a video's frames may have to be one more than a multiple of 8,
/// a sequence has to divide into its slices, an export has guards. Asked of the catalogue, nothing is simulated.
class AxisValues {
public:
    /// A gap between two values that is larger than this is taken for the end of them.
    static constexpr std::int64_t kLargestGap = 1024;

    AxisValues(WorkloadAxis axis, config::Trial trial);

    std::optional<std::int64_t> atOrBelow(std::int64_t value) const;
    std::optional<std::int64_t> above(std::int64_t value) const;
    /// Why the trial cannot work with this value; empty if it can.
    std::string problemWith(std::int64_t value) const;

private:
    bool works(std::int64_t value) const;

    WorkloadAxis m_axis;
    config::Trial m_trial;
};

} // namespace headroom::experiments
