// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/Theme.h"
#include "ui/results/TrialDetails.h"

#include <QString>

namespace headroom::ui {

/// Details as the rich text that QTextDocument knows.
QString detailsPage(const TrialDetails& details, const Theme& theme);

} // namespace headroom::ui
