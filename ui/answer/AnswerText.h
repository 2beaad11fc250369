// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/plan/FitSpace.h"
#include "ui/answer/Prediction.h"

#include <QStringList>

namespace headroom::ui {

/// The settings in which two trials differ, as "checkpointing none → all". The card counts as one, the protocol does
/// not.
QStringList differences(const config::Trial& before, const config::Trial& now);

/// "checkpointing none → all: -17.2 GiB (-65.2 %), speed -24.0 %"; empty if the two do not differ.
QString changeText(const Prediction& before, const Prediction& now);

/// Of that text what the change did to the peak: ": -17.2 GiB".
QString shortEffect(const QString& change);

/// The known prediction error for this model, from docs/measurements; empty if none has been measured.
QString knownError(const config::Configuration& configuration);

/// What the predicted speed is of: what is said where someone asks for more.
QString speedNote(const Prediction& prediction);

/// "checkpointing every:4, batch 2"
QString changesText(const std::vector<experiments::SettingChange>& changes);

/// Why there is no verdict.
QString failureOf(const Prediction& prediction);

} // namespace headroom::ui
