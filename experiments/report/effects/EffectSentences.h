// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/effects/Effects.h"

#include <string>
#include <vector>

namespace headroom::report {

/// What an interaction is, as it arises from its figures: "casting e4m3 saves nothing until checkpointing all drops the
/// upcast copies: it adds 0.347 GiB to the peak without it (2.30 GiB more upcast copies, 1.79 GiB less weights) and
/// saves 1.71 GiB with it (…)." Of step times only where they do not add up. Empty where no peak is known.
std::string sentenceFor(const Interaction& interaction);

/// Whether two settings do more or less together than the sum of what each does, by at least kNotableShare of the peak
/// or of the step.
bool isNotable(const Interaction& interaction);

/// Those that are, the strongest at the peak first.
std::vector<const Interaction*> notablePairs(const Effects& effects);

/// What is too little of the peak, or of the step, to be spoken of: 1 %.
inline constexpr double kNotableShare = 0.01;

/// "saves 1.71 GiB", "adds 112 MiB", "changes nothing"
std::string changeText(Bytes change);

/// What the effects are of and what they lack, for people: the combinations that are missing, and that the figures of
/// their settings are means over fewer pairs.
std::vector<std::string> cautionsOf(const Effects& effects);

} // namespace headroom::report
