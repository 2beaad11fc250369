// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDateTime>
#include <QString>

namespace headroom::ui {

/// "just now", "3 minutes ago", "yesterday", "5 days ago", "2026-03-01"
QString relativeTime(const QDateTime& then, const QDateTime& now);

/// "2026-03-01 12:30", in local time
QString exactTime(const QDateTime& time);

} // namespace headroom::ui
