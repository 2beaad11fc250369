// SPDX-License-Identifier: Apache-2.0
#include "ui/segments/SegmentMap.h"

#include "ui/look/CategoryBrush.h"
#include "ui/look/DrawingRole.h"
#include "ui/segments/SegmentInk.h"
#include "ui/segments/SegmentWords.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace headroom::ui {
namespace {

constexpr double kMapZoom = 1.5; ///< of one key or one notch of the wheel
constexpr double kMostZoom = 1'000;
constexpr double kSeparated = 5; ///< px from which a block is told from the next one by a line
constexpr int kMapMargin = 6;

} // namespace

SegmentMap::SegmentMap(Theme& theme, QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_theme(theme)
{
    setObjectName(QStringLiteral("segmentMap"));
    speakAsDrawing(staticMetaObject);
    setAccessibleName(QStringLiteral("Segments of the allocator"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    makeBrushes();
    connect(&theme, &Theme::changed, this, [this] {
        makeBrushes();
        viewport()->update();
    });
}

void SegmentMap::makeBrushes()
{
    for (std::size_t category = 0; category < m_brushes.size(); ++category)
        m_brushes.at(category) = categoryBrush(m_theme.palette(), category, 2);
}

QSize SegmentMap::sizeHint() const
{
    return QSize(80, 24) * fontMetrics().averageCharWidth();
}

void SegmentMap::setMoment(SegmentMomentPtr moment)
{
    m_moment = std::move(moment);
    m_hovered.reset();
    arrange();
    describeChosen();
    Q_EMIT chosenChanged();
}

// For who does not see it.
void SegmentMap::describeChosen()
{
    const auto segment = chosen();
    setAccessibleDescription(segment ? segmentSentence(*m_moment, *segment) : QString());
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
}

void SegmentMap::setOrder(SegmentOrder order)
{
    m_order = order;
    arrange();
    lookAtChosen();
}

void SegmentMap::arrange()
{
    const QSizeF room(viewport()->width() - 2 * kMapMargin, viewport()->height() - 2 * kMapMargin);
    m_layout = m_moment ? SegmentLayout(m_moment->state, m_moment->uses, m_order, room, m_zoom) : SegmentLayout();
    const int height = static_cast<int>(std::ceil(m_layout.height())) + 2 * kMapMargin;
    verticalScrollBar()->setRange(0, std::max(0, height - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(static_cast<int>(SegmentLayout::kPitchPx));
    viewport()->update();
}

std::optional<std::size_t> SegmentMap::chosen() const
{
    if (!m_moment || !m_chosen)
        return std::nullopt;
    const auto& segments = m_moment->state.segments;
    const auto found = std::ranges::lower_bound(segments, *m_chosen, {}, &trace::HeldSegment::address);
    if (found == segments.end() || found->address != *m_chosen)
        return std::nullopt;
    return static_cast<std::size_t>(found - segments.begin());
}

void SegmentMap::choose(std::optional<std::size_t> segment)
{
    if (segment == chosen())
        return;
    m_chosen.reset();
    if (segment && m_moment && *segment < m_moment->state.segments.size())
        m_chosen = m_moment->state.segments[*segment].address;
    lookAtChosen();
    viewport()->update();
    describeChosen();
    Q_EMIT chosenChanged();
}

void SegmentMap::lookAtChosen()
{
    const auto segment = chosen();
    const SegmentPiece* piece = segment ? m_layout.firstOf(*segment) : nullptr;
    if (piece == nullptr)
        return;
    QScrollBar& bar = *verticalScrollBar();
    const int top = static_cast<int>(piece->box.top());
    const int bottom = static_cast<int>(piece->box.bottom()) + 2 * kMapMargin;
    if (top < bar.value())
        bar.setValue(top);
    else if (bottom > bar.value() + viewport()->height())
        bar.setValue(bottom - viewport()->height());
}

void SegmentMap::zoom(double factor)
{
    m_zoom = std::clamp(m_zoom * factor, 1.0, kMostZoom);
    arrange();
    lookAtChosen();
}

void SegmentMap::fit()
{
    m_zoom = 1;
    arrange();
}

QPointF SegmentMap::inPicture(const QPointF& place) const
{
    return place + QPointF(-kMapMargin, verticalScrollBar()->value() - kMapMargin);
}

void SegmentMap::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    arrange();
}

// ---- from segment to segment

void SegmentMap::step(int by)
{
    const std::vector<std::size_t>& order = m_layout.order();
    if (order.empty())
        return;
    const auto now = chosen();
    const auto place = now ? std::ranges::find(order, *now) - order.begin() + by : 0;
    choose(order[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(place, 0, std::ssize(order) - 1))]);
}

// The segment that lies above or below the middle of the chosen one.
void SegmentMap::stepRow(int by)
{
    const auto now = chosen();
    const SegmentPiece* piece = now ? m_layout.firstOf(*now) : nullptr;
    if (piece == nullptr)
        return step(0);
    for (double y = piece->box.center().y() + by * SegmentLayout::kPitchPx; y >= 0 && y < m_layout.height();
        y += by * SegmentLayout::kPitchPx) {
        const auto [first, last] = m_layout.between(y, y + 1);
        const SegmentPiece* nearest = nullptr;
        const double x = piece->box.center().x();
        for (std::size_t i = first; i < last; ++i) {
            const SegmentPiece& other = m_layout.pieces()[i];
            if (other.box.top() > y || other.box.bottom() < y)
                continue;
            const auto distance = [x](const SegmentPiece& of) { return std::abs(of.box.center().x() - x); };
            if (nearest == nullptr || distance(other) < distance(*nearest))
                nearest = &other;
        }
        if (nearest != nullptr && nearest->segment != piece->segment)
            return choose(nearest->segment);
    }
}

void SegmentMap::keyPressEvent(QKeyEvent* event)
{
    const std::size_t count = m_layout.order().size();
    switch (event->key()) {
    case Qt::Key_Right:
        return step(1);
    case Qt::Key_Left:
        return step(-1);
    case Qt::Key_Down:
        return stepRow(1);
    case Qt::Key_Up:
        return stepRow(-1);
    case Qt::Key_Home:
        return step(-static_cast<int>(count));
    case Qt::Key_End:
        return step(static_cast<int>(count));
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoom(kMapZoom);
    case Qt::Key_Minus:
        return zoom(1 / kMapZoom);
    case Qt::Key_0:
        return fit();
    case Qt::Key_Escape:
        return choose(std::nullopt);
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void SegmentMap::mousePressEvent(QMouseEvent* event)
{
    const SegmentPiece* piece = m_layout.at(inPicture(event->position()));
    choose(piece != nullptr ? std::optional(piece->segment) : std::nullopt);
}

void SegmentMap::mouseMoveEvent(QMouseEvent* event)
{
    const SegmentPiece* piece = m_layout.at(inPicture(event->position()));
    const auto hovered = piece != nullptr ? std::optional(piece->segment) : std::nullopt;
    if (hovered == m_hovered)
        return;
    m_hovered = hovered;
    viewport()->update();
}

void SegmentMap::wheelEvent(QWheelEvent* event)
{
    if (event->modifiers() & Qt::ControlModifier)
        zoom(event->angleDelta().y() > 0 ? kMapZoom : 1 / kMapZoom);
    else
        QAbstractScrollArea::wheelEvent(event);
}

bool SegmentMap::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::Leave && m_hovered) {
        m_hovered.reset();
        viewport()->update();
    }
    if (event->type() != QEvent::ToolTip || !m_moment)
        return QAbstractScrollArea::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QPointF place = inPicture(help->pos());
    const SegmentPiece* piece = m_layout.at(place);
    if (piece == nullptr) {
        QToolTip::hideText();
        return true;
    }
    const double share = (place.x() - piece->box.left()) / piece->box.width();
    const auto within =
        piece->begin + static_cast<Bytes>(std::clamp(share, 0.0, 0.999999) * static_cast<double>(piece->bytes));
    QToolTip::showText(help->globalPos(),
        placeText(*m_moment, piece->segment, within) + QStringLiteral("\n\n")
            + segmentSentence(*m_moment, piece->segment),
        this);
    return true;
}

// ---- painting

void SegmentMap::paintEvent(QPaintEvent* event)
{
    QPainter painter(viewport());
    painter.fillRect(event->rect(), m_theme.surface());
    if (!m_moment)
        return;
    const QPointF origin = inPicture({0, 0});
    painter.translate(-origin);
    painter.setRenderHint(QPainter::Antialiasing, false);
    const auto [first, last] = m_layout.between(origin.y(), origin.y() + viewport()->height());
    for (std::size_t i = first; i < last; ++i)
        paintPiece(painter, m_layout.pieces()[i]);
    for (std::size_t i = first; i < last; ++i)
        paintFrame(painter, m_layout.pieces()[i]);
}

void SegmentMap::paintPiece(QPainter& painter, const SegmentPiece& piece)
{
    const SegmentInk ink(m_theme);
    const bool isReleasable = m_moment->uses[piece.segment].isReleasable();
    painter.fillRect(piece.box, m_theme.surface());
    painter.fillRect(piece.box, isReleasable ? ink.releasable() : ink.stuck());
    paintBlocks(painter, piece);
}

void SegmentMap::paintBlocks(QPainter& painter, const SegmentPiece& piece)
{
    const trace::HeldSegment& segment = m_moment->state.segments[piece.segment];
    for (const trace::HeldBlock& block : m_moment->state.blocksIn(segment)) {
        const Bytes begin = static_cast<Bytes>(block.address - segment.address);
        if (begin >= piece.begin + piece.bytes || begin + block.bytes <= piece.begin)
            continue;
        const double left = piece.xOf(begin);
        const double right = piece.xOf(begin + block.bytes);
        const QRectF box(left, piece.box.top(), std::max(1.0, right - left), piece.box.height());
        const auto category = static_cast<std::size_t>(m_moment->trace->owners.of(block.owner).category);
        painter.setOpacity(block.isPending ? SegmentInk::kPendingOpacity : 1);
        painter.fillRect(box, m_brushes.at(category));
        painter.setOpacity(1);
        if (box.width() >= kSeparated)
            painter.fillRect(QRectF(right - 1, box.top(), 1, box.height()), m_theme.surface());
    }
}

// A piece that goes on in the next row is open there.
void SegmentMap::paintFrame(QPainter& painter, const SegmentPiece& piece)
{
    const bool isChosen = m_chosen && m_moment->state.segments[piece.segment].address == *m_chosen;
    const bool isHovered = m_hovered == piece.segment;
    QPen pen(isChosen ? m_theme.accent() : isHovered ? m_theme.ink() : m_theme.muted());
    pen.setWidthF(isChosen ? (hasFocus() ? 3 : 2) : 1);
    painter.setPen(pen);
    const QRectF box = piece.box.adjusted(-0.5, -0.5, 0.5, 0.5);
    painter.drawLine(box.topLeft(), box.topRight());
    painter.drawLine(box.bottomLeft(), box.bottomRight());
    const bool isLast = piece.begin + piece.bytes >= m_moment->state.segments[piece.segment].bytes;
    if (piece.isFirst())
        painter.drawLine(box.topLeft(), box.bottomLeft());
    if (isLast)
        painter.drawLine(box.topRight(), box.bottomRight());
}

} // namespace headroom::ui
