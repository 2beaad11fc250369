// SPDX-License-Identifier: Apache-2.0
#include "ui/plan/PlanTableModel.h"

#include "core/base/Quantities.h"

#include <algorithm>

namespace headroom::ui {
namespace {

QString freeText(const experiments::FitVerdict& verdict)
{
    const Bytes left = verdict.freeBytes().value_or(0);
    return left < 0 ? QStringLiteral("%1 too much").arg(QString::fromStdString(sizeText(-left)))
                    : QString::fromStdString(sizeText(left));
}

// "20.8 GiB reserved, and 0.436 GiB of the driver outside the allocator"
QString partsOfNeed(const experiments::FitVerdict& verdict)
{
    return QStringLiteral("%1 reserved, and %2 of the driver outside the allocator")
        .arg(QString::fromStdString(sizeText(verdict.reservedBytes.value_or(0))),
            QString::fromStdString(sizeText(verdict.contextBytes)));
}

QString meaningOfPlan(PlanTableModel::Column column)
{
    switch (column) {
    case PlanTableModel::Need:
        return QStringLiteral("Memory that the card must have: the most reserved, and the driver's part");
    case PlanTableModel::Free:
        return QStringLiteral("What then is left of the card's usable memory");
    case PlanTableModel::Speed:
        return QStringLiteral("Predicted by the cost model");
    case PlanTableModel::Lost:
        return QStringLiteral("Compared with the fastest that fits");
    default:
        return {};
    }
}

} // namespace

void PlanTableModel::setRows(std::vector<PlanRow> rows, std::optional<double> fastestSeconds)
{
    beginResetModel();
    m_rows = std::move(rows);
    m_fastestSeconds = fastestSeconds;
    endResetModel();
}

int PlanTableModel::rowOf(const config::Trial& trial) const
{
    const auto found = std::ranges::find_if(m_rows, [&](const PlanRow& row) { return row.choice.trial == trial; });
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

int PlanTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int PlanTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : Columns;
}

QString PlanTableModel::lostText(const PlanRow& row) const
{
    const double seconds = row.choice.figures.seconds;
    if (!m_fastestSeconds || seconds <= 0)
        return {};
    if (row.choice.verdict.kind != experiments::FitVerdict::Kind::Fits)
        return row.choice.verdict.freeBytes().value_or(0) < 0 ? QStringLiteral("does not fit")
                                                              : QStringLiteral("too tight");
    const double lost = 1 - *m_fastestSeconds / seconds;
    if (lost < -kLeastShownChange)
        return QStringLiteral("%1 faster").arg(QString::fromStdString(percentText(*m_fastestSeconds / seconds - 1)));
    return lost < kLeastShownChange ? QStringLiteral("none") : QString::fromStdString(percentText(lost));
}

QString PlanTableModel::text(const PlanRow& row, Column column) const
{
    const experiments::FitVerdict& verdict = row.choice.verdict;
    switch (column) {
    case Change:
        return changeOf(row.choice);
    case Role:
        return row.role;
    case Need:
        return QString::fromStdString(sizeText(verdict.neededBytes().value_or(0)));
    case Free:
        return freeText(verdict);
    case Speed:
        return QString::fromStdString(speedText(1 / row.choice.figures.seconds));
    case Lost:
        return lostText(row);
    case Columns:
        break;
    }
    return {};
}

QVariant PlanTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const auto column = static_cast<Column>(index.column());
    if (role == Qt::DisplayRole)
        return text(row(index.row()), column);
    if (role == Qt::ToolTipRole && column == Need)
        return partsOfNeed(row(index.row()).choice.verdict);
    if (role == Qt::ToolTipRole)
        return column == Speed ? QString::fromStdString(speedAndTimeText(1 / row(index.row()).choice.figures.seconds))
                               : text(row(index.row()), column);
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(Qt::AlignVCenter | (column <= Role ? Qt::AlignLeft : Qt::AlignRight));
    return {};
}

QVariant PlanTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= Columns)
        return {};
    const QStringList titles{QStringLiteral("Change (predicted)"), QStringLiteral("Kind"), QStringLiteral("Needs"),
        QStringLiteral("Free"), QStringLiteral("Speed"), QStringLiteral("Speed lost")};
    if (role == Qt::DisplayRole)
        return titles.at(section);
    if (role == Qt::ToolTipRole)
        return meaningOfPlan(static_cast<Column>(section));
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(Qt::AlignVCenter | (section <= Role ? Qt::AlignLeft : Qt::AlignRight));
    return {};
}

} // namespace headroom::ui
