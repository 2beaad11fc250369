// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/plan/FitSpace.h"
#include "ui/answer/Prediction.h"

#include <QStringList>

namespace headroom::ui {

enum class SpeedUnits { Steps, StepsAndSeconds };

/// "2.35 it/s (0.425 s/it)" or "2.35 it/s"; empty where the speed is not known.
QString speedText(std::optional<double> stepSeconds, SpeedUnits units = SpeedUnits::StepsAndSeconds);

/// The settings in which two trials differ, as "checkpointing none → all"; the card among them, the protocol not.
QStringList differences(const config::Trial& before, const config::Trial& now);

/// "checkpointing none → all: -17.2 GiB (-65 %), it/s -24 %"; empty where the two do not differ.
QString changeText(const Prediction& before, const Prediction& now);

/// What is known of the error of predictions for this model, from docs/measurements; empty where nothing is.
QString knownError(const config::Configuration& configuration);

/// "checkpointing every:4, batch 2"
QString changesText(const std::vector<experiments::SettingChange>& changes);

} // namespace headroom::ui
