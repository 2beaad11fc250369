// SPDX-License-Identifier: Apache-2.0
#include "ui/queue/LogModel.h"

#include <algorithm>

namespace headroom::ui {

LogModel::LogModel(const Theme& theme, qsizetype mostLines, QObject* parent)
    : QAbstractTableModel(parent)
    , m_theme(theme)
    , m_mostLines(mostLines)
{
}

void LogModel::append(const LogLines& lines, qint64 droppedBefore)
{
    m_dropped += droppedBefore;
    const qsizetype skipped = std::max<qsizetype>(0, lines.size() - m_mostLines);
    m_dropped += skipped;
    const qsizetype added = lines.size() - skipped;
    dropFirst(std::ssize(m_lines) + added - m_mostLines);
    if (added == 0)
        return;
    beginInsertRows({}, rowCount(), rowCount() + static_cast<int>(added) - 1);
    m_lines.insert(m_lines.end(), lines.begin() + skipped, lines.end());
    endInsertRows();
}

void LogModel::dropFirst(qsizetype count)
{
    if (count <= 0)
        return;
    beginRemoveRows({}, 0, static_cast<int>(count) - 1);
    m_lines.erase(m_lines.begin(), m_lines.begin() + count);
    m_dropped += count;
    endRemoveRows();
}

void LogModel::clear()
{
    beginResetModel();
    m_lines.clear();
    m_dropped = 0;
    endResetModel();
}

int LogModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_lines.size());
}

int LogModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant LogModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const LogLine& line = m_lines[static_cast<std::size_t>(index.row())];
    if (role == TrialIdRole)
        return line.trialId;
    if (role == SourceRole)
        return static_cast<int>(line.source);
    if (role == Qt::ToolTipRole)
        return index.column() == Time ? line.time.toString(Qt::ISODateWithMs) : index.data().toString();
    if (role == Qt::ForegroundRole && index.column() == Time)
        return m_theme.muted();
    if (role == Qt::ForegroundRole && index.column() == Trial && line.source == LogSource::Remark)
        return m_theme.accent();
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case Time:
        return line.time.toString(QStringLiteral("HH:mm:ss"));
    case Trial:
        return line.source == LogSource::Worker ? line.trialLabel : QStringLiteral("Headroom");
    default:
        return line.text;
    }
}

QVariant LogModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Time:
        return QStringLiteral("Time");
    case Trial:
        return QStringLiteral("Trial");
    default:
        return QStringLiteral("Message");
    }
}

} // namespace headroom::ui
