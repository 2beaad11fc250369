// SPDX-License-Identifier: Apache-2.0
#include "ui/results/ExperimentsModel.h"

#include "core/base/Wording.h"

#include <QLocale>

#include <algorithm>

namespace headroom::ui {
namespace {

QString ago(qint64 count, const char* unit)
{
    return QStringLiteral("%1 %2%3 ago")
        .arg(count)
        .arg(QLatin1String(unit), count == 1 ? QString() : QStringLiteral("s"));
}

Sign signOfEntry(const ExperimentEntry& entry)
{
    if (entry.hasFailures)
        return Sign::Bad;
    switch (entry.state) {
    case report::RunState::Finished:
        return Sign::Done;
    case report::RunState::Interrupted:
        return Sign::Paused;
    case report::RunState::Open:
        break;
    }
    return Sign::Open;
}

// A process that was killed does not record its end, so an open run may or may not still be running.
QString stateWord(const ExperimentEntry& entry)
{
    switch (entry.state) {
    case report::RunState::Finished:
        return QStringLiteral("finished");
    case report::RunState::Interrupted:
        return QStringLiteral("interrupted");
    case report::RunState::Open:
        break;
    }
    return QStringLiteral("not finished");
}

QString countText(const ExperimentEntry& entry)
{
    if (entry.reached < entry.trials)
        return QString::fromStdString(countedOf(entry.reached, entry.trials, "trial"));
    return QString::fromStdString(counted(entry.trials, "trial"));
}

QString stateText(const ExperimentEntry& entry)
{
    return stateWord(entry) + QStringLiteral(", ") + countText(entry)
        + (entry.hasFailures ? QStringLiteral(", with failures") : QString());
}

// The text for screen readers after the name: the models, unless no trial has been reached yet, and the state.
QString spokenText(const ExperimentEntry& entry)
{
    return entry.models.isEmpty() ? stateText(entry) : entry.models + QStringLiteral(", ") + stateText(entry);
}

QString toolTip(const ExperimentEntry& entry)
{
    QStringList lines{QStringLiteral("%1, number %2").arg(entry.name).arg(entry.id),
        QStringLiteral("started ") + exactTime(entry.startedAt), stateText(entry)};
    for (const QString& more : {entry.outcomes, entry.models, entry.devices})
        if (!more.isEmpty())
            lines.append(more);
    return lines.join(QLatin1Char('\n'));
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

ExperimentsModel::ExperimentsModel(QObject* parent)
    : QAbstractListModel(parent)
    , m_now(QDateTime::currentDateTime())
{
}

void ExperimentsModel::setExperiments(const Experiments& experiments)
{
    const auto sameId = [](const ExperimentEntry& a, const ExperimentEntry& b) { return a.id == b.id; };
    const bool isSameList = m_experiments && experiments
        && std::equal(m_experiments->begin(), m_experiments->end(), experiments->begin(), experiments->end(), sameId);
    m_now = QDateTime::currentDateTime();
    if (isSameList) {
        m_experiments = experiments;
        announce({});
        return;
    }
    beginResetModel();
    m_experiments = experiments;
    endResetModel();
}

void ExperimentsModel::setShown(const QList<qint64>& ids)
{
    m_shown = ids;
    announce({IsShownRole, Qt::AccessibleTextRole});
}

void ExperimentsModel::setNow(const QDateTime& now)
{
    m_now = now;
    announce({AgeRole});
}

void ExperimentsModel::announce(const QList<int>& roles)
{
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0), index(rowCount() - 1), roles);
}

int ExperimentsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_experiments ? 0 : static_cast<int>(m_experiments->size());
}

const ExperimentEntry& ExperimentsModel::entry(int row) const
{
    return (*m_experiments)[static_cast<std::size_t>(row)];
}

int ExperimentsModel::rowOf(qint64 id) const
{
    for (int row = 0; row < rowCount(); ++row)
        if (entry(row).id == id)
            return row;
    return -1;
}

QVariant ExperimentsModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const ExperimentEntry& content = entry(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return content.name;
    case Qt::ToolTipRole:
        return toolTip(content);
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1, %2, %3%4")
            .arg(content.name, spokenText(content), relativeTime(content.startedAt, m_now),
                m_shown.contains(content.id) ? QStringLiteral(", shown") : QString());
    case IdRole:
        return content.id;
    case SearchRole:
        return QStringList{content.name, content.models, content.devices}.join(QLatin1Char(' '));
    case SignRole:
        return static_cast<int>(signOfEntry(content));
    case StateRole:
        return stateText(content);
    case AgeRole:
        return relativeTime(content.startedAt, m_now);
    case ModelsRole:
        return content.models;
    case PlacesRole:
        return content.devices;
    case IsShownRole:
        return m_shown.contains(content.id);
    default:
        return {};
    }
}

} // namespace headroom::ui
