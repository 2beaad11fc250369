// SPDX-License-Identifier: Apache-2.0
#include "ui/answer/FitModel.h"

#include "core/base/Quantities.h"
#include "experiments/plan/PredictedFit.h"
#include "ui/answer/AnswerText.h"

#include <algorithm>

namespace headroom::ui {
namespace {

QVariant meaningOf(FitModel::Column column)
{
    if (column == FitModel::Need)
        return QStringLiteral("On the card: what the allocator reserves and what the driver takes.");
    if (column == FitModel::Lost)
        return QStringLiteral(
            "In samples per second, compared with the current settings on a card with enough memory.");
    if (column == FitModel::Host)
        return QStringLiteral("What techniques keep in the host's memory; pinned memory is not swapped out.");
    return {};
}

} // namespace

void FitModel::setChanges(std::vector<experiments::FittingChange> changes, const Prediction& asked)
{
    beginResetModel();
    m_changes = std::move(changes);
    m_asked = asked;
    endResetModel();
}

int FitModel::rowOf(const std::vector<experiments::SettingChange>& changes) const
{
    const auto found = std::ranges::find(m_changes, changes, &experiments::FittingChange::changes);
    return found == m_changes.end() ? -1 : static_cast<int>(found - m_changes.begin());
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
    const Bytes needed = change.peakBytes + m_asked.verdict.contextBytes;
    switch (column) {
    case Change:
        return changesText(change.changes);
    case Need:
        return QString::fromStdString(sizeText(needed));
    case Free:
        return QString::fromStdString(sizeText(m_asked.verdict.usableBytes - needed));
    case Speed:
        return change.stepsPerSecond ? QString::fromStdString(speedText(*change.stepsPerSecond))
                                     : QStringLiteral("not known");
    case Lost:
        return lostText(change);
    case Host:
        return QString::fromStdString(experiments::hostMemoryText(change));
    case Apply: // the view has a button there
    case Columns:
        break;
    }
    return {};
}

QString FitModel::lostText(const experiments::FittingChange& change) const
{
    const std::string text =
        experiments::speedLostText(experiments::speedLost(change, m_asked.trial, m_asked.stepSeconds()));
    return text.empty() ? QStringLiteral("not known") : QString::fromStdString(text);
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
        return QString::fromStdString(speedAndTimeText(*change(index.row()).stepsPerSecond));
    if (role == Qt::ToolTipRole)
        return text(change(index.row()), column);
    return {};
}

QVariant FitModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= Columns)
        return {};
    const QStringList titles{QStringLiteral("Change (figures predicted)"), QStringLiteral("Needs"),
        QStringLiteral("Free"), QStringLiteral("Speed"), QStringLiteral("Speed lost"), QStringLiteral("Host memory"),
        QString()};
    if (role == Qt::DisplayRole)
        return titles.at(section);
    if (role == Qt::ToolTipRole)
        return meaningOf(static_cast<Column>(section));
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(Qt::AlignVCenter | (section == Change ? Qt::AlignLeft : Qt::AlignRight));
    return {};
}

} // namespace headroom::ui
