// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/compare/CompareTables.h"

namespace headroom::ui {

/// Facts of the machines and programs that trials ran on, where they are not the same everywhere; a row has the fact
/// and its value for each trial, "-" where it is not known. Of a recording nothing is known.
QList<CompareRow> environmentRows(const ComparedTrials& compared);

} // namespace headroom::ui
