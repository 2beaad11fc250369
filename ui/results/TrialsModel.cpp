// SPDX-License-Identifier: Apache-2.0
#include "ui/results/TrialsModel.h"

#include "core/config/catalogue/Catalogue.h"
#include "experiments/report/TrialTable.h"
#include "ui/results/RowFilter.h"

#include <QCollator>
#include <QFont>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace headroom::ui {
namespace {

using report::CellKind;
using report::ReportCell;
using report::ReportColumn;
using report::ReportTable;

bool isSame(const ReportCell& left, const ReportCell& right)
{
    return left.text == right.text && left.origin == right.origin && left.sortKey == right.sortKey;
}

bool isSame(const report::ReportRow& left, const report::ReportRow& right)
{
    return std::equal(left.cells.begin(), left.cells.end(), right.cells.begin(), right.cells.end(),
        [](const ReportCell& a, const ReportCell& b) { return isSame(a, b); });
}

bool isSame(const ReportColumn& left, const ReportColumn& right)
{
    return left.title == right.title && left.kind == right.kind;
}

bool isUnknown(const ReportCell& cell)
{
    return cell.text == report::kUnknownCell;
}

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

double cellTextNumber(const std::string& text)
{
    double value = kUnknown;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

std::vector<double> numberKeys(const ReportTable& table, std::size_t column)
{
    std::vector<double> keys;
    for (const report::ReportRow& row : table.rows)
        keys.push_back(cellTextNumber(row.cells[column].sortKey));
    return keys;
}

// The rank of each text among the distinct ones: they are compared once, not for every sort.
std::vector<double> textKeys(const ReportTable& table, std::size_t column)
{
    QCollator collator(QLocale(QLocale::English)); // the collator of the C locale has no numeric mode
    collator.setNumericMode(true);
    collator.setCaseSensitivity(Qt::CaseInsensitive);
    QHash<QString, double> places;
    for (const report::ReportRow& row : table.rows)
        places.insert(QString::fromStdString(row.cells[column].text), kUnknown);
    QStringList texts = places.keys();
    texts.removeAll(QLatin1String(report::kUnknownCell));
    std::sort(texts.begin(), texts.end(), collator);
    for (qsizetype i = 0; i < texts.size(); ++i)
        places[texts[i]] = double(i);
    std::vector<double> keys;
    for (const report::ReportRow& row : table.rows)
        keys.push_back(places.value(QString::fromStdString(row.cells[column].text)));
    return keys;
}

bool isIdleSetting(const ReportColumn& column, const ReportCell& cell)
{
    return column.isSetting
        && std::ranges::any_of(config::techniqueCatalogue(), [&](const config::TechniqueDescriptor& technique) {
               return technique.key == column.title && technique.off == cell.text;
           });
}

// The exact size, if the column's unit is a multiple of bytes and the cell is known.
QString exactBytes(const ReportColumn& column, const ReportCell& cell)
{
    const bool isInBytes = column.title.ends_with("iB)") || column.title.ends_with("(B)");
    if (!isInBytes || cell.sortKey.empty())
        return {};
    return QString::fromStdString(exactSizeText(std::stoll(cell.sortKey)));
}

} // namespace

TrialsModel::TrialsModel(QObject* parent)
    : QAbstractTableModel(parent)
{
}

const ReportTable& TrialsModel::table() const
{
    static const ReportTable kNone;
    return m_results ? m_results->table() : kNone;
}

void TrialsModel::setResults(Results results)
{
    if (results == m_results)
        return;
    static const ReportTable kNone;
    const Results before = m_results;
    const ReportTable& table = results ? results->table() : kNone;
    if (before && hasShapeOf(table)) {
        m_results = std::move(results);
        m_sortKeys.assign(table.columns.size(), {});
        announceChanges(before->table());
        return;
    }
    beginResetModel();
    m_results = std::move(results);
    m_sortKeys.assign(table.columns.size(), {});
    m_rows.clear();
    for (std::size_t row = 0; row < table.rows.size(); ++row)
        m_rows.insert(QString::fromStdString(table.rows[row].trial), static_cast<int>(row));
    m_front = columnOf(QStringLiteral("front"));
    endResetModel();
}

bool TrialsModel::isOnFront(int row) const
{
    return m_front >= 0 && cell(row, m_front).text == "yes";
}

bool TrialsModel::isLabel(int column) const
{
    const auto& columns = table().columns;
    const std::string& title = columns[static_cast<std::size_t>(column)].title;
    const bool hasAxes = std::ranges::any_of(columns, [](const ReportColumn& other) { return other.isSetting; });
    return hasAxes && (title == report::kLabelColumn || title == report::kCaseColumn);
}

bool TrialsModel::hasShapeOf(const ReportTable& other) const
{
    const ReportTable& mine = table();
    return std::equal(mine.columns.begin(), mine.columns.end(), other.columns.begin(), other.columns.end(),
               [](const ReportColumn& a, const ReportColumn& b) { return isSame(a, b); })
        && std::equal(mine.rows.begin(), mine.rows.end(), other.rows.begin(), other.rows.end(),
            [](const auto& a, const auto& b) { return a.trial == b.trial; });
}

void TrialsModel::announceChanges(const ReportTable& before)
{
    const auto& rows = table().rows;
    const auto isChanged = [&](std::size_t row) { return !isSame(before.rows[row], rows[row]); };
    for (std::size_t first = 0; first < rows.size(); ++first) {
        if (!isChanged(first))
            continue;
        std::size_t last = first;
        while (last + 1 < rows.size() && isChanged(last + 1))
            ++last;
        Q_EMIT dataChanged(index(static_cast<int>(first), 0), index(static_cast<int>(last), columnCount() - 1));
        first = last;
    }
}

int TrialsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(table().rows.size());
}

int TrialsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(table().columns.size());
}

const ReportCell& TrialsModel::cell(int row, int column) const
{
    return table().rows[static_cast<std::size_t>(row)].cells[static_cast<std::size_t>(column)];
}

QString TrialsModel::trialId(int row) const
{
    return QString::fromStdString(table().rows[static_cast<std::size_t>(row)].trial);
}

int TrialsModel::rowOf(const QString& trialId) const
{
    return m_rows.value(trialId, -1);
}

int TrialsModel::columnOf(const QString& key) const
{
    const auto& columns = table().columns;
    const auto found = std::find_if(
        columns.begin(), columns.end(), [&](const ReportColumn& column) { return columnKey(column) == key; });
    return found == columns.end() ? -1 : static_cast<int>(found - columns.begin());
}

const std::vector<double>& TrialsModel::sortKeys(int column) const
{
    const auto index = static_cast<std::size_t>(column);
    std::vector<double>& keys = m_sortKeys[index];
    if (keys.empty())
        keys = table().columns[index].kind == CellKind::Number ? numberKeys(table(), index) : textKeys(table(), index);
    return keys;
}

QVariant TrialsModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const ReportCell& content = cell(index.row(), index.column());
    const bool isPredicted = content.origin != report::Origin::Plain && !isUnknown(content);
    switch (role) {
    case Qt::DisplayRole:
        return QString::fromStdString(content.text);
    case Qt::TextAlignmentRole:
        return QVariant(table().columns[static_cast<std::size_t>(index.column())].kind == CellKind::Number
                ? Qt::AlignRight | Qt::AlignVCenter
                : Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::ToolTipRole:
        return toolTip(index.row(), index.column());
    case Qt::AccessibleTextRole:
        return QString::fromStdString(content.text)
            + (!isPredicted                                       ? QString()
                    : content.origin == report::Origin::Predicted ? QStringLiteral(", predicted")
                                                                  : QStringLiteral(", rehearsed"));
    case TrialIdRole:
        return trialId(index.row());
    case OutcomeRole:
        return QString::fromUtf8(
            toText(m_results->content().trials[static_cast<std::size_t>(index.row())].result.outcome));
    case IsPredictedRole:
        return isPredicted;
    case IsUnknownRole:
        return isUnknown(content);
    case IsIdleRole:
        return isIdleSetting(table().columns[static_cast<std::size_t>(index.column())], content);
    case IsOnFrontRole:
        return index.column() == m_front && isOnFront(index.row());
    default:
        return {};
    }
}

QString TrialsModel::toolTip(int row, int column) const
{
    const ReportCell& content = cell(row, column);
    const ReportColumn& head = table().columns[static_cast<std::size_t>(column)];
    if (head.isSetting)
        return QString::fromStdString(m_results->content().trials[static_cast<std::size_t>(row)].label());
    if (isUnknown(content))
        return QStringLiteral("Not known, or does not apply");
    if (head.title == "outcome") {
        const auto& trial = m_results->content().trials[static_cast<std::size_t>(row)];
        const QString ending = QString::fromStdString(trial.ending());
        return ending.isEmpty() ? QString::fromStdString(content.text) : ending;
    }
    QStringList lines;
    if (const QString bytes = exactBytes(head, content); !bytes.isEmpty())
        lines.append(bytes);
    if (content.origin != report::Origin::Plain) {
        QString meaning = QString::fromUtf8(report::meaningOf(content.origin));
        meaning[0] = meaning[0].toUpper();
        lines.append(meaning);
    }
    return lines.join(QLatin1Char('\n'));
}

QVariant TrialsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const ReportColumn& column = table().columns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole)
        return QString::fromStdString(column.title);
    if (role == Qt::ToolTipRole)
        return QString::fromStdString(column.help);
    if (role == Qt::TextAlignmentRole)
        return QVariant(
            column.kind == CellKind::Number ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    return {};
}

} // namespace headroom::ui
