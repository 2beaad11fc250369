// SPDX-License-Identifier: Apache-2.0
#include "ui/results/TimeText.h"

#include <QLocale>

namespace headroom::ui {
namespace {

QString ago(qint64 count, const char* unit)
{
    return QStringLiteral("%1 %2%3 ago")
        .arg(count)
        .arg(QLatin1String(unit), count == 1 ? QString() : QStringLiteral("s"));
}

} // namespace

QString relativeTime(const QDateTime& then, const QDateTime& now)
{
    const qint64 seconds = then.secsTo(now);
    if (seconds < 60)
        return QStringLiteral("just now");
    if (seconds < 3600)
        return ago(seconds / 60, "minute");
    const qint64 days = then.date().daysTo(now.date());
    if (days == 0 || seconds < 6 * 3600)
        return ago(seconds / 3600, "hour");
    if (days == 1)
        return QStringLiteral("yesterday");
    return days < 30 ? ago(days, "day") : QLocale::c().toString(then.date(), QStringLiteral("yyyy-MM-dd"));
}

QString exactTime(const QDateTime& time)
{
    return QLocale::c().toString(time, QStringLiteral("yyyy-MM-dd HH:mm"));
}

} // namespace headroom::ui
