// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/Theme.h"

#include <QIcon>

namespace headroom::ui {

/// What a sign means; each has a shape of its own beside its colour.
enum class Sign { Done, Warning, Bad, Paused, Open };

QIcon signIcon(const Theme& theme, Sign sign);

/// Of an outcome of a trial record: "completed", "out_of_memory", "not_run", ...
Sign signOf(const QString& outcome);

} // namespace headroom::ui
