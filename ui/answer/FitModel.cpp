// SPDX-License-Identifier: Apache-2.0
#include "ui/answer/FitModel.h"

#include "ui/answer/AnswerText.h"

namespace headroom::ui {

void FitModel::setChanges(std::vector<experiments::FittingChange> changes, const experiments::FitVerdict& verdict)
{
    beginResetModel();
    m_changes = std::move(changes);
    m_verdict = verdict;
    endResetModel();
}

int FitModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_changes.size());
}

int FitModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : Columns;
}

QString FitModel::text(const experiments::FittingChange& change, Column column) const
{
    const Bytes needed = change.peakBytes + m_verdict.contextBytes;
    switch (column) {
    case Change:
        return changesText(change.changes);
    case Need:
        return QString::fromStdString(experiments::shortAmount(needed));
    case Free:
        return QString::fromStdString(experiments::shortAmount(m_verdict.usableBytes - needed));
    case Speed:
        return change.stepsPerSecond ? speedText(1 / *change.stepsPerSecond, SpeedUnits::Steps) : tr("not known");
    case Apply: // the view has a button there
    case Columns:
        break;
    }
    return {};
}

QVariant FitModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const auto column = static_cast<Column>(index.column());
    if (role == Qt::DisplayRole)
        return text(change(index.row()), column);
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(Qt::AlignVCenter | (column == Change ? Qt::AlignLeft : Qt::AlignRight));
    if (role == Qt::ToolTipRole && column == Speed && change(index.row()).stepsPerSecond)
        return speedText(1 / *change(index.row()).stepsPerSecond);
    if (role == Qt::ToolTipRole)
        return text(change(index.row()), column);
    return {};
}

QVariant FitModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= Columns)
        return {};
    const QStringList titles{tr("Change (figures predicted)"), tr("Needs"), tr("Free"), tr("Speed"), QString()};
    if (role == Qt::DisplayRole)
        return titles.at(section);
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(Qt::AlignVCenter | (section == Change ? Qt::AlignLeft : Qt::AlignRight));
    return {};
}

} // namespace headroom::ui
