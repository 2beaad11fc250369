// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/plan/Planner.h"

#include <QString>

#include <vector>

namespace headroom::ui {

/// A combination of a plan as the table and the plot show it.
struct PlanRow {
    experiments::PlannedChoice choice;
    QString role; ///< "answer", "least memory", "as asked"; empty: nothing but one of the front
};

/// Answer, least memory and front, the fastest first; last the trial as it was asked about, where it was predicted and
/// is none of these.
std::vector<PlanRow> rowsOf(const experiments::PlanResult& plan);
/// The front of a search that goes on.
std::vector<PlanRow> rowsOf(const experiments::PlanStatus& status);

/// "as it is", "checkpointing every:4, casting e4m3"
QString changeOf(const experiments::PlannedChoice& choice);

} // namespace headroom::ui
