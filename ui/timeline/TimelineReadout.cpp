// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/TimelineReadout.h"

#include "experiments/figures/PhaseSpans.h"

#include <algorithm>

namespace headroom::ui {
namespace {

QString sized(Bytes bytes)
{
    const figures::MemoryUnit unit = figures::memoryUnitFor(bytes);
    return QString::fromStdString(figures::tableText(bytes, unit) + " " + unit.name);
}

QString exactly(Bytes bytes)
{
    return QLocale().toString(static_cast<qlonglong>(bytes));
}

// To the nanosecond would be more than can be read while it moves.
QString timed(std::int64_t ns)
{
    const figures::TimeUnit unit = figures::timeUnitFor(ns);
    return QString::fromStdString(figures::significant(unit.of(ns), 6) + " " + unit.name);
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
    const QString words = phase ? QString::fromStdString(figures::phaseTitle(*phase)) : QStringLiteral("—");
    return {timed(*cursorNs + slot.shiftNs), words, values ? sized(values->allocated) : QStringLiteral("…"),
        !lane.hasReserved ? QStringLiteral("—")
            : values      ? sized(values->reserved)
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
    return {length, sized(found->min), sized(static_cast<Bytes>(found->mean)), sized(found->max)};
}

QString tipOf(const TimelineSlot& slot, const LaneWindow& lane)
{
    const CursorValues* values = valuesOf(slot, lane.track);
    return values == nullptr ? QString()
                             : TimelineReadout::tr("allocated %1 bytes, reserved %2 bytes")
                                   .arg(exactly(values->allocated), exactly(values->reserved));
}

} // namespace

TimelineReadout::TimelineReadout(QWidget* parent)
    : QWidget(parent)
    , m_grid(new QGridLayout(this))
    , m_hint(new QLabel(tr("Point at the timeline, or use the arrow keys, to read its values. Ctrl-drag measures a "
                           "range.")))
{
    setObjectName(QStringLiteral("timelineReadout"));
    setAccessibleName(tr("Values at the cursor"));
    m_hint->setWordWrap(true);
    m_grid->setHorizontalSpacing(fontMetrics().averageCharWidth() * 3);
    m_grid->setVerticalSpacing(2);
    m_grid->addWidget(m_hint, 0, 0, 1, 10);
    m_grid->setColumnStretch(9, 1);
}

void TimelineReadout::show(const TimelineStack& stack)
{
    const bool hasMarks = stack.cursor() || stack.range();
    m_hint->setVisible(!hasMarks);
    int row = 0;
    const QStringList range{tr("Range"), tr("Least"), tr("Mean"), tr("Most")};
    QStringList header{{}, tr("Time"), tr("Phase"), tr("Allocated"), tr("Reserved")};
    fill(row++, hasMarks ? header + (stack.range() ? range : QStringList()) : QStringList(), {});
    for (const TimelineSlot& slot : stack.shown())
        if (hasMarks && slot.hasTrace())
            for (const LaneWindow& lane : slot.window->lanes) {
                QString name = QString::fromStdString(slot.subject.title);
                if (slot.window->lanes.size() > 1)
                    name += QStringLiteral(": ") + QString::fromStdString(lane.track);
                fill(row++,
                    QStringList{name} + cursorCells(slot, lane, stack.cursor()) + rangeCells(slot, lane, stack.range()),
                    tipOf(slot, lane));
            }
    for (; row < m_labels.size(); ++row)
        fill(row, {}, {});
}

void TimelineReadout::fill(int row, const QStringList& cells, const QString& tip)
{
    for (int column = 0; column < std::max<qsizetype>(cells.size(), row < m_labels.size() ? m_labels[row].size() : 0);
        ++column) {
        QLabel* cell = label(row, column);
        cell->setVisible(column < cells.size());
        cell->setText(column < cells.size() ? cells[column] : QString());
        cell->setToolTip(tip);
    }
}

QLabel* TimelineReadout::label(int row, int column)
{
    while (m_labels.size() <= row)
        m_labels.append(QList<QLabel*>());
    while (m_labels[row].size() <= column) {
        auto* made = new QLabel;
        const auto at = static_cast<int>(m_labels[row].size());
        made->setObjectName(QStringLiteral("readout%1_%2").arg(row).arg(at));
        made->setTextFormat(Qt::PlainText);
        if (row == 0)
            made->setForegroundRole(QPalette::PlaceholderText);
        m_grid->addWidget(made, row + 1, at);
        m_labels[row].append(made);
    }
    return m_labels[row][column];
}

QString TimelineReadout::text(int row, int column) const
{
    const bool isThere = row < m_labels.size() && column < m_labels[row].size();
    return isThere ? m_labels[row][column]->text() : QString();
}

} // namespace headroom::ui
