// SPDX-License-Identifier: Apache-2.0
#include "ui/segments/BlockTableModel.h"

#include "core/base/Quantities.h"
#include "profiling/trace/FrameText.h"
#include "ui/look/CategoryBrush.h"
#include "ui/segments/SegmentInk.h"
#include "ui/segments/SegmentWords.h"

#include <QPainter>
#include <QPixmap>

namespace headroom::ui {
namespace {

constexpr int kBlockSwatch = 12;
constexpr double kBlockSwatchScale = 2; ///< pixels per px
constexpr std::size_t kWhereLetters = 60;

bool isBlockText(int column)
{
    return column == BlockTableModel::What || column == BlockTableModel::Where;
}

} // namespace

BlockTableModel::BlockTableModel(Theme& theme, QObject* parent)
    : QAbstractTableModel(parent)
    , m_theme(theme)
{
    connect(&theme, &Theme::changed, this, [this] {
        if (!m_rows.empty())
            Q_EMIT dataChanged(index(0, Size), index(rowCount() - 1, Size), {Qt::DecorationRole});
    });
}

void BlockTableModel::show(SegmentMomentPtr moment, std::optional<std::size_t> segment)
{
    beginResetModel();
    m_moment = std::move(moment);
    m_rows.clear();
    if (m_moment && segment) {
        const trace::HeldSegment& held = m_moment->state.segments.at(*segment);
        auto gap = m_moment->uses.at(*segment).gaps.begin();
        const auto addGapsBefore = [&](std::uint64_t address) {
            for (; gap != m_moment->uses.at(*segment).gaps.end() && gap->address < address; ++gap)
                m_rows.push_back({gap->bytes});
        };
        for (const trace::HeldBlock& block : m_moment->state.blocksIn(held)) {
            addGapsBefore(block.address);
            m_rows.push_back({block.bytes, &block});
        }
        addGapsBefore(held.end());
    }
    endResetModel();
}

int BlockTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int BlockTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString BlockTableModel::text(const Row& row, int column) const
{
    if (column == Size)
        return QString::fromStdString(sizeText(row.bytes));
    if (row.block == nullptr)
        return column == What ? QStringLiteral("free") : QString();
    const trace::MemoryOwner& owner = m_moment->trace->owners.of(row.block->owner);
    switch (column) {
    case What: {
        const std::string_view title = config::titleOf(owner.category);
        const QString what = QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size()));
        return row.block->isPending ? QStringLiteral("%1, waits for a stream").arg(what) : what;
    }
    case Where:
        return QString::fromStdString(!owner.module.empty()
                ? owner.module
                : trace::shortFrame(trace::innermostFrame(owner.frames), kWhereLetters));
    default:
        return row.block->sinceNs < 0
            ? QStringLiteral("before")
            : QString::fromStdString(timeText(row.block->sinceNs - m_moment->trace->originNs));
    }
}

QString BlockTableModel::tip(const Row& row) const
{
    QStringList lines{QString::fromStdString(exactSizeText(row.bytes))};
    if (row.block == nullptr)
        return lines.first();
    if (row.block->requestedBytes != row.block->bytes)
        lines.append(
            QStringLiteral("asked for: %1").arg(QString::fromStdString(exactSizeText(row.block->requestedBytes))));
    const trace::MemoryOwner& owner = m_moment->trace->owners.of(row.block->owner);
    lines.append(ownerText(owner) + QStringLiteral(", ") + sinceText(*m_moment->trace, row.block->sinceNs));
    lines.append(QString::fromStdString(owner.frames));
    return lines.join(QLatin1Char('\n')).trimmed();
}

QVariant BlockTableModel::swatch(const Row& row) const
{
    QPixmap picture(QSize(kBlockSwatch, kBlockSwatch) * kBlockSwatchScale);
    picture.setDevicePixelRatio(kBlockSwatchScale);
    picture.fill(m_theme.surface());
    QPainter painter(&picture);
    const QRect all(0, 0, kBlockSwatch, kBlockSwatch);
    if (row.block == nullptr)
        painter.fillRect(all, SegmentInk(m_theme).stuck());
    else
        painter.fillRect(all,
            categoryBrush(m_theme.palette(),
                static_cast<std::size_t>(m_moment->trace->owners.of(row.block->owner).category), kBlockSwatchScale));
    return picture;
}

QVariant BlockTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return text(row, index.column());
    case Qt::ToolTipRole:
        return tip(row);
    case Qt::DecorationRole:
        return index.column() == Size ? swatch(row) : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignVCenter | (isBlockText(index.column()) ? Qt::AlignLeft : Qt::AlignRight));
    default:
        return {};
    }
}

QVariant BlockTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignVCenter | (isBlockText(section) ? Qt::AlignLeft : Qt::AlignRight));
    if (role != Qt::DisplayRole)
        return {};
    const QStringList titles{
        QStringLiteral("Block"), QStringLiteral("What for"), QStringLiteral("Where"), QStringLiteral("Since")};
    return titles.value(section);
}

} // namespace headroom::ui
