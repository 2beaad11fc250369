// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/PeakTreeModel.h"

#include "core/base/Quantities.h"
#include "experiments/figures/Figure.h"
#include "experiments/figures/memory/CategoryStack.h"
#include "ui/look/CategoryBrush.h"

#include <QPainter>
#include <QPixmap>

#include <algorithm>

namespace headroom::ui {
namespace {

constexpr int kSwatchPx = 12;
constexpr double kSwatchScale = 2; ///< pixels per px
constexpr double kCrumb = 0.05; ///< categories below this share of a row do not stand for it
constexpr float kPointedGround = 0.22F; ///< opacity of the accent behind rows that stand out

config::MemoryCategory largestOf(const trace::CategoryBytes& categories)
{
    const auto& bytes = categories.bytes;
    return static_cast<config::MemoryCategory>(std::ranges::max_element(bytes) - bytes.begin());
}

} // namespace

PeakTreeModel::PeakTreeModel(Theme& theme, QObject* parent)
    : QAbstractItemModel(parent)
    , m_theme(theme)
{
    connect(&theme, &Theme::changed, this, &PeakTreeModel::repaint);
}

// A reset would fold every row.
void PeakTreeModel::repaint()
{
    if (!m_nodes.empty())
        Q_EMIT dataChanged(index(0, Name), index(0, Mostly), {Qt::DecorationRole, Qt::BackgroundRole});
}

void PeakTreeModel::setPointed(const Categories& categories)
{
    if (categories == m_pointed)
        return;
    m_pointed = categories;
    repaint();
}

Categories PeakTreeModel::categoriesOf(const QModelIndex& index) const
{
    Categories held;
    if (!index.isValid() || !index.parent().isValid())
        return held;
    const trace::CategoryBytes& categories = nodeOf(index).row->categories;
    for (const config::MemoryCategory category : config::kMemoryCategories)
        if (static_cast<double>(categories.of(category)) > kCrumb * static_cast<double>(categories.total()))
            held.insert(category);
    return held;
}

void PeakTreeModel::setTrees(PeakTreesPtr trees)
{
    beginResetModel();
    m_trees = std::move(trees);
    rebuild();
    endResetModel();
}

void PeakTreeModel::setGrouping(trace::Grouping grouping)
{
    if (grouping == m_grouping)
        return;
    beginResetModel();
    m_grouping = grouping;
    rebuild();
    endResetModel();
}

const figures::PeakTreeRow* PeakTreeModel::root() const
{
    if (!m_trees)
        return nullptr;
    const auto found = m_trees->by.find(m_grouping);
    return found == m_trees->by.end() ? nullptr : &found->second;
}

void PeakTreeModel::rebuild()
{
    m_nodes.clear();
    if (const figures::PeakTreeRow* whole = root())
        add(*whole, -1, 0);
}

int PeakTreeModel::add(const figures::PeakTreeRow& row, int parent, int inParent)
{
    const int place = static_cast<int>(m_nodes.size());
    m_nodes.push_back({&row, parent, inParent, {}});
    for (int i = 0; i < static_cast<int>(row.rows.size()); ++i) {
        const int child = add(row.rows[static_cast<std::size_t>(i)], place, i);
        m_nodes[static_cast<std::size_t>(place)].children.push_back(child);
    }
    return place;
}

QString PeakTreeModel::csv() const
{
    const figures::PeakTreeRow* whole = root();
    return whole == nullptr ? QString() : QString::fromStdString(figures::toCsv(figures::toTable(*whole)));
}

QModelIndex PeakTreeModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    const int place = parent.isValid() ? nodeOf(parent).children[static_cast<std::size_t>(row)] : 0;
    return createIndex(row, column, static_cast<quintptr>(place));
}

QModelIndex PeakTreeModel::parent(const QModelIndex& index) const
{
    if (!index.isValid() || nodeOf(index).parent < 0)
        return {};
    const int place = nodeOf(index).parent;
    return createIndex(m_nodes[static_cast<std::size_t>(place)].inParent, 0, static_cast<quintptr>(place));
}

int PeakTreeModel::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid())
        return m_nodes.empty() ? 0 : 1;
    return parent.column() > 0 ? 0 : static_cast<int>(nodeOf(parent).children.size());
}

int PeakTreeModel::columnCount(const QModelIndex&) const
{
    return ColumnCount;
}

QString PeakTreeModel::text(const figures::PeakTreeRow& row, int column) const
{
    switch (column) {
    case Name: {
        const QString name = QString::fromStdString(row.name);
        const bool isSeveral = row.kind == figures::PeakTreeRow::Kind::Node && row.alike > 1;
        return isSeveral ? QStringLiteral("%1  (%2 alike)").arg(name).arg(row.alike) : name;
    }
    case Size:
        return QString::fromStdString(sizeText(row.bytes()));
    case Share:
        return QString::fromStdString(shareText(row.bytes(), root()->bytes()));
    default:
        return QString::fromStdString(figures::mostlyText(row.categories));
    }
}

QString PeakTreeModel::tip(const figures::PeakTreeRow& row) const
{
    QStringList lines{QString::fromStdString(exactSizeText(row.bytes()))};
    if (!row.whole.empty())
        lines.prepend(QString::fromStdString(row.whole));
    for (const std::string& line : figures::categoryLines(row.categories))
        lines.append(QString::fromStdString(line));
    return lines.join(QLatin1Char('\n'));
}

// The fill of the largest category, which the last column names.
QVariant PeakTreeModel::swatch(const figures::PeakTreeRow& row) const
{
    const auto largest = static_cast<std::size_t>(largestOf(row.categories));
    QPixmap picture(QSize(kSwatchPx, kSwatchPx) * kSwatchScale);
    picture.setDevicePixelRatio(kSwatchScale);
    QPainter painter(&picture);
    painter.fillRect(QRect(0, 0, kSwatchPx, kSwatchPx), categoryBrush(m_theme.palette(), largest, kSwatchScale));
    return picture;
}

QVariant PeakTreeModel::ground(const QModelIndex& index) const
{
    const bool isPeak = nodeOf(index).parent < 0;
    if (isPeak || !m_pointed.contains(largestOf(nodeOf(index).row->categories)))
        return {};
    QColor accent = m_theme.accent();
    accent.setAlphaF(kPointedGround);
    return accent;
}

QVariant PeakTreeModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const figures::PeakTreeRow& row = *nodeOf(index).row;
    const bool isNumber = index.column() == Size || index.column() == Share;
    switch (role) {
    case Qt::DisplayRole:
        return text(row, index.column());
    case kBytesRole:
        return static_cast<qlonglong>(row.bytes());
    case Qt::ToolTipRole:
        return tip(row);
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignVCenter | (isNumber ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::DecorationRole:
        return index.column() == Name ? swatch(row) : QVariant();
    case Qt::BackgroundRole:
        return ground(index);
    case Qt::AccessibleTextRole:
        return QStringList{text(row, Name), text(row, Size), text(row, Share), text(row, Mostly)}.join(
            QStringLiteral(", "));
    default:
        return {};
    }
}

QVariant PeakTreeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignVCenter | (section == Size || section == Share ? Qt::AlignRight : Qt::AlignLeft));
    if (role != Qt::DisplayRole)
        return {};
    const QStringList titles{
        QStringLiteral("Held by"), QStringLiteral("Bytes"), QStringLiteral("Share"), QStringLiteral("What for")};
    return titles.value(section);
}

} // namespace headroom::ui
