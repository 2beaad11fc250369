// SPDX-License-Identifier: Apache-2.0
#include "ui/recordings/WhatIfTableModel.h"

#include "core/base/Quantities.h"
#include "experiments/recordings/WhatIfWords.h"

#include <QFont>

#include <algorithm>

namespace headroom::ui {
namespace {

using experiments::WhatIfRow;

bool isWhatIfText(int column)
{
    return column == WhatIfTableModel::Setting || column == WhatIfTableModel::Outcome
        || column == WhatIfTableModel::SmallestCard;
}

QString whatIfSize(Bytes bytes)
{
    return QString::fromStdString(sizeText(bytes));
}

} // namespace

WhatIfTableModel::WhatIfTableModel(Theme& theme, QObject* parent)
    : QAbstractTableModel(parent)
    , m_theme(theme)
{
}

void WhatIfTableModel::clear(std::shared_ptr<const recordings::Recording> recording)
{
    m_recording = std::move(recording);
    m_asked.clear();
    m_tried.clear();
    m_best.clear();
    rebuild();
}

void WhatIfTableModel::setAsked(const std::vector<WhatIfRow>& rows)
{
    m_asked = rows;
    rebuild();
}

void WhatIfTableModel::clearTried()
{
    m_tried.clear();
    m_best.clear();
    rebuild();
}

void WhatIfTableModel::addTried(const WhatIfRow& row)
{
    m_tried.push_back(row);
    rebuild();
}

void WhatIfTableModel::setBest(const std::string& allocator)
{
    m_best = allocator;
    rebuild();
}

void WhatIfTableModel::rebuild()
{
    beginResetModel();
    m_rows = m_asked;
    for (const WhatIfRow& row : m_tried)
        if (std::ranges::find(m_asked, row.allocator, &WhatIfRow::allocator) == m_asked.end())
            m_rows.push_back(row);
    endResetModel();
}

int WhatIfTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int WhatIfTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString WhatIfTableModel::text(const WhatIfRow& row, int column) const
{
    switch (column) {
    case Setting:
        return QString::fromStdString(row.allocator) + (row.isRecorded ? QStringLiteral(" (recorded)") : QString());
    case PeakReserved:
        return whatIfSize(row.outcome.peakReservedBytes);
    case Unused:
        return QStringLiteral("%1 (%2)").arg(whatIfSize(row.unusedBytes()),
            QString::fromStdString(shareText(row.unusedBytes(), row.outcome.peakReservedBytes)));
    case Flushes:
        return QString::number(row.outcome.flushes);
    case Retries:
        return QString::number(row.outcome.retries);
    case SmallestMemory:
        return whatIfSize(row.smallestCapacityBytes);
    case SmallestCard:
        return row.smallestCard.empty() ? QStringLiteral("none known")
                                        : QString::fromStdString(row.smallestCard).remove(QStringLiteral("sim:"));
    default:
        return row.fits() ? QStringLiteral("served") : QStringLiteral("out of memory");
    }
}

// The setting may be cut; where memory runs out has no room in the table.
QString WhatIfTableModel::tip(const WhatIfRow& row, int column) const
{
    const QString remark = QString::fromStdString(experiments::remarkOn(row, *m_recording));
    return column == Outcome && !remark.isEmpty() ? remark : text(row, column);
}

QVariant WhatIfTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const WhatIfRow& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return text(row, index.column());
    case Qt::ToolTipRole:
        return tip(row, index.column());
    case Qt::ForegroundRole:
        return row.fits() || index.column() != Outcome ? QVariant() : QVariant(m_theme.alarm());
    case Qt::FontRole: {
        QFont font;
        font.setBold(row.allocator == m_best);
        return font;
    }
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignVCenter | (isWhatIfText(index.column()) ? Qt::AlignLeft : Qt::AlignRight));
    default:
        return {};
    }
}

QVariant WhatIfTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignVCenter | (isWhatIfText(section) ? Qt::AlignLeft : Qt::AlignRight));
    const QStringList titles{QStringLiteral("Setting"), QStringLiteral("Outcome"), QStringLiteral("Peak reserved"),
        QStringLiteral("Unused then"), QStringLiteral("Smallest memory"), QStringLiteral("Smallest card"),
        QStringLiteral("Flushes"), QStringLiteral("Retries")};
    if (role == Qt::DisplayRole)
        return titles.value(section);
    const QStringList tips{QString(), QStringLiteral("Whether all is served"),
        QStringLiteral("The most that segments take"), QStringLiteral("What of it nobody uses at that moment"),
        QStringLiteral("The least memory for segments with which everything is served"),
        QStringLiteral("The smallest card of the catalogue that has as much"),
        QStringLiteral("How often the whole cache is given back to the device"),
        QStringLiteral("How often a request finds memory only after that")};
    return role == Qt::ToolTipRole ? QVariant(tips.value(section)) : QVariant();
}

} // namespace headroom::ui
