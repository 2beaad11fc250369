// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/TimelineReadout.h"

#include "experiments/figures/memory/CategoryStack.h"
#include "experiments/figures/memory/PhaseSpans.h"

#include <QPainter>

#include <algorithm>

namespace headroom::ui {
namespace {

QString readoutSize(Bytes bytes)
{
    const SizeUnit unit = axisUnitFor(bytes);
    return QString::fromStdString(inUnit(bytes, unit) + " " + unit.name);
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

// The categories, largest first: "Saved activations 17.1 GiB (64.2 %)".
QStringList categoriesOf(const CursorValues* values)
{
    if (values == nullptr || !values->categories)
        return {QStringLiteral("…")};
    QStringList lines;
    for (const std::string& line : figures::categoryLines(*values->categories))
        lines.append(QString::fromStdString(line));
    return lines.isEmpty() ? QStringList{QStringLiteral("nothing is allocated")} : lines;
}

} // namespace

TimelineReadout::TimelineReadout(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("timelineReadout"));
    setAccessibleName(QStringLiteral("Values at the cursor"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
}

void TimelineReadout::show(const TimelineStack& stack)
{
    std::vector<Row> rows;
    if (stack.cursor() || stack.range()) {
        const QStringList range{
            QStringLiteral("Range"), QStringLiteral("Least"), QStringLiteral("Mean"), QStringLiteral("Most")};
        const QStringList header{{}, QStringLiteral("Time"), QStringLiteral("Phase"), QStringLiteral("Allocated"),
            QStringLiteral("Reserved")};
        rows.push_back({stack.range() ? header + range : header});
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
                {{name}, Row::Kind::Sentence, {values ? QString::fromStdString(values->told) : QStringLiteral("…")}});
        return;
    }
    rows.push_back(
        {QStringList{name} + cursorCells(slot, lane, stack.cursor()) + rangeCells(slot, lane, stack.range())});
    // Kept while the cursor moves, so that nothing jumps.
    if (stack.cursor() && !lane.figure->layers.empty())
        rows.push_back({{{}}, Row::Kind::Sentence, categoriesOf(values)});
}

void TimelineReadout::setRows(std::vector<Row> rows)
{
    if (rows.size() != m_rows.size()) {
        m_widths.clear();
        m_narrowWidth = 0;
    }
    m_rows = std::move(rows);
    QStringList lines;
    for (const Row& row : m_rows) {
        m_widths.resize(std::max(m_widths.size(), static_cast<std::size_t>(row.cells.size())));
        for (int i = 0; i < row.cells.size(); ++i)
            m_widths[i] = std::max(m_widths[i], fontMetrics().horizontalAdvance(row.cells[i]));
        lines.append((row.cells + row.lines).join(QStringLiteral(", ")));
    }
    for (const QString& line : linesOfTrack())
        m_narrowWidth = std::max(m_narrowWidth, fontMetrics().horizontalAdvance(line));
    setAccessibleDescription(lines.join(QStringLiteral("; ")));
    update();
}

bool TimelineReadout::isOneTrack() const
{
    const bool hasCells = m_rows.size() >= 2 && m_rows[1].kind == Row::Kind::Cells;
    const bool isAlone = m_rows.size() == 2 || (m_rows.size() == 3 && m_rows[2].cells == QStringList{QString()});
    return hasCells && isAlone && m_rows[1].cells.size() == 5;
}

QStringList TimelineReadout::linesOfTrack() const
{
    if (!isOneTrack())
        return {};
    const QStringList& cells = m_rows[1].cells;
    QStringList lines{cells[1] + QStringLiteral(", ") + cells[2],
        QStringLiteral("%1 allocated, %2 reserved").arg(cells[3], cells[4])};
    return m_rows.size() == 3 ? lines + m_rows[2].lines : lines;
}

int TimelineReadout::rowHeight() const
{
    return fontMetrics().height() + 1;
}

int TimelineReadout::gap() const
{
    return fontMetrics().averageCharWidth() * 2;
}

QSize TimelineReadout::sizeHint() const
{
    if (isOneTrack())
        return {m_narrowWidth + 2 * gap(), gap() + rowHeight() * std::max(1, static_cast<int>(linesOfTrack().size()))};
    int width = gap();
    for (const int column : m_widths)
        width += column + gap();
    int height = gap();
    for (const Row& row : m_rows) {
        height += rowHeight() * std::max<int>(1, static_cast<int>(row.lines.size()));
        const int beside = 2 * gap() + (m_widths.empty() ? 0 : m_widths.front());
        for (const QString& line : row.lines)
            width = std::max(width, beside + fontMetrics().horizontalAdvance(line) + gap() / 2);
    }
    return {width, height};
}

void TimelineReadout::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    QColor ground = palette().color(QPalette::Base);
    ground.setAlphaF(0.96F);
    painter.setBrush(ground);
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    if (isOneTrack())
        return paintTrack(painter);
    int top = gap() / 2;
    for (const Row& row : m_rows) {
        painter.setPen(palette().color(&row == &m_rows.front() ? QPalette::PlaceholderText : QPalette::WindowText));
        paintCells(painter, row, top);
        paintSentence(painter, row, top);
        top += rowHeight() * std::max<int>(1, static_cast<int>(row.lines.size()));
    }
}

void TimelineReadout::paintTrack(QPainter& painter) const
{
    painter.setPen(palette().color(QPalette::WindowText));
    int top = gap() / 2;
    for (const QString& line : linesOfTrack()) {
        painter.drawText(QRect(gap(), top, width() - gap(), rowHeight()), Qt::AlignVCenter | Qt::AlignLeft, line);
        top += rowHeight();
    }
}

void TimelineReadout::paintCells(QPainter& painter, const Row& row, int top) const
{
    int x = gap();
    for (int column = 0; column < row.cells.size(); ++column) {
        const QRect cell(x, top, m_widths[column], rowHeight());
        painter.drawText(cell, Qt::AlignVCenter | (column < 3 ? Qt::AlignLeft : Qt::AlignRight), row.cells[column]);
        x += m_widths[column] + gap();
    }
}

void TimelineReadout::paintSentence(QPainter& painter, const Row& row, int top) const
{
    const int left = 2 * gap() + m_widths.front();
    for (const QString& line : row.lines) {
        painter.drawText(QRect(left, top, width() - left, rowHeight()), Qt::AlignVCenter | Qt::AlignLeft, line);
        top += rowHeight();
    }
}

QString TimelineReadout::text(int row, int column) const
{
    if (row >= static_cast<int>(m_rows.size()))
        return {};
    const QStringList& cells = m_rows[row].cells;
    return column < cells.size() ? cells[column] : m_rows[row].lines.join(QStringLiteral(" · "));
}

} // namespace headroom::ui
