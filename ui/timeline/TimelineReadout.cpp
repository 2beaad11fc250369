// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/TimelineReadout.h"

#include "experiments/figures/memory/CategoryStack.h"
#include "experiments/figures/memory/PhaseSpans.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace headroom::ui {
namespace {

QString readoutSize(Bytes bytes)
{
    const SizeUnit unit = axisUnitFor(bytes);
    return QString::fromStdString(inUnit(bytes, unit) + " " + unit.name);
}

QString exactly(Bytes bytes)
{
    return QString::fromStdString(exactSizeText(bytes));
}

// Nanoseconds could not be read while the cursor moves.
QString timed(std::int64_t ns)
{
    const TimeUnit unit = timeUnitFor(ns);
    return QString::fromStdString(significant(unit.of(ns), 6) + " " + unit.name);
}

const CursorValues* valuesOf(const TimelineSlot& slot, const std::string& track)
{
    const auto found = std::ranges::find(slot.cursor, track, &CursorValues::track);
    return found == slot.cursor.end() ? nullptr : &*found;
}

QStringList cursorCells(const TimelineSlot& slot, const LaneWindow& lane, std::optional<std::int64_t> cursorNs)
{
    if (!cursorNs)
        return {{}, {}, {}, {}};
    const trace::PhaseSpan* phase = slot.phaseAt(*cursorNs);
    const CursorValues* values = valuesOf(slot, lane.track);
    const QString words = phase ? QString::fromStdString(figures::phaseTitle(*phase)) : QLatin1String(kUnknownCell);
    return {timed(*cursorNs + slot.shiftNs), words, values ? readoutSize(values->allocated) : QStringLiteral("…"),
        !lane.hasReserved ? QLatin1String(kUnknownCell)
            : values      ? readoutSize(values->reserved)
                          : QStringLiteral("…")};
}

QStringList rangeCells(const TimelineSlot& slot, const LaneWindow& lane, std::optional<figures::TimeWindow> range)
{
    if (!range)
        return {};
    const auto found = std::ranges::find(slot.range, lane.track, &RangeValues::track);
    const QString length = timed(range->lengthNs());
    if (found == slot.range.end())
        return {length, QStringLiteral("…"), QStringLiteral("…"), QStringLiteral("…")};
    return {length, readoutSize(found->min), readoutSize(static_cast<Bytes>(found->mean)), readoutSize(found->max)};
}

/// The categories, largest first: "Saved activations 17.1 GiB (64.2 %) · Weights 3.60 GiB (13.5 %)".
QString categoriesOf(const CursorValues* values)
{
    if (values == nullptr || !values->categories)
        return QStringLiteral("…");
    QStringList words;
    for (const std::string& line : figures::categoryLines(*values->categories))
        words.append(QString::fromStdString(line));
    return words.isEmpty() ? QStringLiteral("nothing is allocated") : words.join(QStringLiteral(" · "));
}

QString categoryTip(const CursorValues* values)
{
    if (values == nullptr || !values->categories)
        return {};
    QStringList lines;
    for (const config::MemoryCategory category : config::kMemoryCategories)
        if (const Bytes bytes = values->categories->of(category); bytes != 0) {
            const std::string_view title = config::titleOf(category);
            lines.append(QStringLiteral("%1: %2").arg(
                QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size())), exactly(bytes)));
        }
    return lines.join(QLatin1Char('\n'));
}

QString tipOf(const TimelineSlot& slot, const LaneWindow& lane)
{
    const CursorValues* values = valuesOf(slot, lane.track);
    return values == nullptr
        ? QString()
        : QStringLiteral("allocated %1, reserved %2").arg(exactly(values->allocated), exactly(values->reserved));
}

} // namespace

TimelineReadout::TimelineReadout(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("timelineReadout"));
    setAccessibleName(QStringLiteral("Values at the cursor"));
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

void TimelineReadout::show(const TimelineStack& stack)
{
    std::vector<Row> rows;
    if (stack.cursor() || stack.range()) {
        const QStringList range{
            QStringLiteral("Range"), QStringLiteral("Least"), QStringLiteral("Mean"), QStringLiteral("Most")};
        const QStringList header{{}, QStringLiteral("Time"), QStringLiteral("Phase"), QStringLiteral("Allocated"),
            QStringLiteral("Reserved")};
        rows.push_back({stack.range() ? header + range : header, {}});
        for (const TimelineSlot& slot : stack.shown())
            if (slot.hasTrace())
                for (const LaneWindow& lane : slot.window->lanes)
                    addRows(rows, stack, slot, lane);
    }
    setRows(std::move(rows));
}

void TimelineReadout::addRows(
    std::vector<Row>& rows, const TimelineStack& stack, const TimelineSlot& slot, const LaneWindow& lane)
{
    QString name = QString::fromStdString(slot.subject.title);
    if (slot.window->lanes.size() > 1)
        name += QStringLiteral(": ") + QString::fromStdString(lane.track);
    const CursorValues* values = stack.cursor() ? valuesOf(slot, lane.track) : nullptr;
    if (lane.isWitness) {
        if (stack.cursor())
            rows.push_back(
                {{name, values ? QString::fromStdString(values->told) : QStringLiteral("…")}, {}, Row::Kind::Sentence});
        return;
    }
    rows.push_back({QStringList{name} + cursorCells(slot, lane, stack.cursor()) + rangeCells(slot, lane, stack.range()),
        tipOf(slot, lane)});
    // The line is kept while the cursor moves, so that nothing jumps.
    if (stack.cursor() && !lane.figure->layers.empty())
        rows.push_back({{{}, categoriesOf(values)}, categoryTip(values), Row::Kind::Sentence});
}

void TimelineReadout::setRows(std::vector<Row> rows)
{
    const bool changesHeight = rows.size() != m_rows.size();
    m_rows = std::move(rows);
    if (changesHeight) {
        m_widths.clear();
        updateGeometry();
    }
    QStringList lines;
    for (const Row& row : m_rows) {
        m_widths.resize(std::max(m_widths.size(), static_cast<std::size_t>(row.cells.size())));
        // A sentence extends beyond its column.
        const auto columns =
            row.kind == Row::Kind::Sentence ? std::min<qsizetype>(row.cells.size(), 1) : row.cells.size();
        for (int i = 0; i < columns; ++i)
            m_widths[i] = std::max(m_widths[i], fontMetrics().horizontalAdvance(row.cells[i]));
        lines.append(row.cells.join(QStringLiteral(", ")));
    }
    setAccessibleDescription(lines.join(QStringLiteral("; ")));
    update();
}

int TimelineReadout::rowHeight() const
{
    return fontMetrics().height() + 2;
}

QSize TimelineReadout::sizeHint() const
{
    return {fontMetrics().averageCharWidth() * 60, rowHeight() * std::max(static_cast<int>(m_rows.size()), 2) + 8};
}

QSize TimelineReadout::minimumSizeHint() const
{
    return {0, sizeHint().height()};
}

void TimelineReadout::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const int gap = fontMetrics().averageCharWidth() * 3;
    const QRect all = rect().adjusted(gap / 2, 4, -gap / 2, -4);
    if (m_rows.empty()) {
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(all, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextWordWrap,
            QStringLiteral(
                "Point at the timeline, or use the arrow keys, to read its values. Ctrl-drag measures a range."));
        return;
    }
    for (int row = 0; row < static_cast<int>(m_rows.size()); ++row) {
        painter.setPen(palette().color(row == 0 ? QPalette::PlaceholderText : QPalette::WindowText));
        int x = all.left();
        if (m_rows[row].kind == Row::Kind::Sentence) {
            paintSentence(painter, m_rows[row], all, row);
            continue;
        }
        for (int column = 0; column < m_rows[row].cells.size(); ++column) {
            const QRect cell(x, all.top() + row * rowHeight(), m_widths[column], rowHeight());
            painter.drawText(
                cell, Qt::AlignVCenter | (column < 3 ? Qt::AlignLeft : Qt::AlignRight), m_rows[row].cells[column]);
            x += m_widths[column] + gap;
        }
    }
}

void TimelineReadout::paintSentence(QPainter& painter, const Row& row, const QRect& all, int number) const
{
    const int gap = fontMetrics().averageCharWidth() * 3;
    const int top = all.top() + number * rowHeight();
    const QRect name(all.left(), top, m_widths.front(), rowHeight());
    const QRect words(name.right() + gap, top, all.right() - name.right() - gap, rowHeight());
    painter.drawText(name, Qt::AlignVCenter | Qt::AlignLeft, row.cells[0]);
    painter.drawText(
        words, Qt::AlignVCenter | Qt::AlignLeft, fontMetrics().elidedText(row.cells[1], Qt::ElideRight, words.width()));
}

bool TimelineReadout::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int row = (help->pos().y() - 4) / rowHeight();
    const bool isThere = row >= 0 && row < static_cast<int>(m_rows.size());
    QToolTip::showText(help->globalPos(), isThere ? m_rows[row].tip : QString(), this);
    return true;
}

QString TimelineReadout::text(int row, int column) const
{
    const bool isThere = row < static_cast<int>(m_rows.size()) && column < m_rows[row].cells.size();
    return isThere ? m_rows[row].cells[column] : QString();
}

} // namespace headroom::ui
