// SPDX-License-Identifier: Apache-2.0
#include "ui/plan/CostTableModel.h"

#include "core/base/Numbers.h"
#include "core/base/Quantities.h"

#include <algorithm>

namespace headroom::ui {
namespace {

using experiments::CardCost;
using experiments::FitVerdict;

// "rtx4090" of "sim:rtx4090@torch-2.11"
QString cardOf(const CardCost& cost)
{
    return QString::fromStdString(cost.device).section(QLatin1Char('@'), 0, 0).remove(QStringLiteral("sim:"));
}

const QString kNotKnown = QStringLiteral("–");

QString sizeCell(const std::optional<Bytes>& bytes)
{
    return bytes ? QString::fromStdString(sizeText(*bytes)) : kNotKnown;
}

QString freeCell(const std::optional<Bytes>& bytes)
{
    return bytes && *bytes < 0 ? QStringLiteral("%1 too much").arg(sizeCell(-*bytes)) : sizeCell(bytes);
}

QString fitCell(FitVerdict::Kind kind)
{
    switch (kind) {
    case FitVerdict::Kind::Fits:
        return QStringLiteral("yes");
    case FitVerdict::Kind::Tight:
        return QStringLiteral("tight");
    case FitVerdict::Kind::DoesNotFit:
        return QStringLiteral("no");
    case FitVerdict::Kind::Unknown:
        break;
    }
    return QStringLiteral("not known");
}

QString numberCell(const std::optional<double>& number)
{
    return number ? QString::fromStdString(significant(*number)) : kNotKnown;
}

QString stepCell(const CardCost& cost)
{
    return cost.runs() && cost.stepSeconds ? QString::fromStdString(stepTimeText(1 / *cost.stepSeconds)) : kNotKnown;
}

// Where a figure comes from.
QString sourceOf(const CardCost& cost, CostTableModel::Column column)
{
    if (column == CostTableModel::Money && cost.price)
        return QStringLiteral("%1 an hour: %2, %3")
            .arg(QString::fromStdString(fixed(cost.price->perHour, 2)), QString::fromStdString(cost.price->source),
                QString::fromStdString(cost.price->date));
    if (column == CostTableModel::Step || column == CostTableModel::Hours)
        return cost.stepError ? QStringLiteral("Step times predicted for this card were off by up to %1")
                                    .arg(QString::fromStdString(percentText(*cost.stepError)))
                              : QStringLiteral("Predicted; by how much such step times are off was not measured here");
    return QString::fromStdString(cost.reason);
}

} // namespace

void CostTableModel::setSteps(std::int64_t steps)
{
    beginResetModel();
    m_steps = steps;
    experiments::sortByCost(m_costs, m_steps);
    endResetModel();
}

void CostTableModel::setCosts(std::vector<CardCost> costs, const std::string& currency)
{
    beginResetModel();
    m_costs = std::move(costs);
    m_currency = currency;
    experiments::sortByCost(m_costs, m_steps);
    endResetModel();
}

int CostTableModel::rowOf(const std::string& card) const
{
    const auto isIt = [&](const CardCost& cost) { return cardOf(cost).toStdString() == card; };
    const auto found = std::ranges::find_if(m_costs, isIt);
    return found == m_costs.end() ? -1 : static_cast<int>(found - m_costs.begin());
}

int CostTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_costs.size());
}

int CostTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_currency.empty() ? Money : Columns;
}

QString CostTableModel::text(const CardCost& cost, Column column) const
{
    switch (column) {
    case Card:
        return cardOf(cost);
    case Fits:
        return fitCell(cost.verdict.kind);
    case Need:
        return sizeCell(cost.verdict.neededBytes());
    case Free:
        return freeCell(cost.verdict.freeBytes());
    case Step:
        return stepCell(cost);
    case Hours:
        return numberCell(cost.hours(m_steps));
    case Money: {
        const auto money = cost.cost(m_steps);
        return money ? QString::fromStdString(fixed(*money, 2)) : kNotKnown;
    }
    case Columns:
        break;
    }
    return {};
}

QVariant CostTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const auto column = static_cast<Column>(index.column());
    if (role == Qt::DisplayRole)
        return text(cost(index.row()), column);
    if (role == Qt::ToolTipRole)
        return sourceOf(cost(index.row()), column);
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(Qt::AlignVCenter | (column <= Fits ? Qt::AlignLeft : Qt::AlignRight));
    return {};
}

QVariant CostTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const QStringList titles{QStringLiteral("Card"), QStringLiteral("Fits"), QStringLiteral("Needs"),
        QStringLiteral("Free"), QStringLiteral("A step"), QStringLiteral("Hours"), QString::fromStdString(m_currency)};
    if (role == Qt::DisplayRole)
        return titles.at(section);
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(Qt::AlignVCenter | (section <= Fits ? Qt::AlignLeft : Qt::AlignRight));
    return {};
}

} // namespace headroom::ui
