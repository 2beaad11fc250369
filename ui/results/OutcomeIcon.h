// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/Theme.h"

#include <QIcon>

namespace headroom::ui {

/// The meaning of a sign; each has its own shape as well as its own colour.
enum class Sign { Done, Warning, Bad, Paused, Open };

QIcon signIcon(const Theme& theme, Sign sign);

/// The sign of a trial record's outcome: "completed", "out_of_memory", "not_run", ...
Sign signOf(const QString& outcome);

} // namespace headroom::ui
