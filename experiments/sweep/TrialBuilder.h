// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"
#include "experiments/sweep/SweepAxis.h"

#include <chrono>
#include <optional>

namespace headroom::experiments {

/// The complete trial at a point of the sweep; what the point leaves out has its default, but the dtype is that of the
/// model's published weights where the step is implied. Throws UsageError at the place of a value of the wrong type or
/// range, or of a notation that does not parse.
config::Trial buildTrial(const SweepPoint& point);

/// [protocol] timeout_seconds at the point; nothing where it is not given.
std::optional<std::chrono::duration<double>> timeoutAt(const SweepPoint& point);

/// A setting of a trial by its full path, as a rule compares it; nothing where the trial has none (a field of another
/// model). A device is its notation in full.
std::optional<config::Value> valueIn(const config::Trial& trial, const std::string& path);

/// The notation as text: `split_ffn = 4` means "4". Throws UsageError at `where` for other types.
std::string notationText(const config::Value& value, const std::string& where);

} // namespace headroom::experiments
