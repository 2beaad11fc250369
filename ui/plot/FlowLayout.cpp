// SPDX-License-Identifier: Apache-2.0
#include "ui/plot/FlowLayout.h"

#include <QWidget>

#include <algorithm>

namespace headroom::ui {

FlowLayout::FlowLayout(QWidget* parent)
    : QLayout(parent)
{
}

FlowLayout::~FlowLayout() = default;

void FlowLayout::addItem(QLayoutItem* item)
{
    m_items.emplace_back(item);
}

QLayoutItem* FlowLayout::itemAt(int index) const
{
    return index >= 0 && index < count() ? m_items[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index)
{
    if (index < 0 || index >= count())
        return nullptr;
    QLayoutItem* item = m_items[static_cast<std::size_t>(index)].release();
    m_items.erase(m_items.begin() + index);
    return item;
}

template <typename Place> int FlowLayout::flow(const QRect& rect, const Place& place) const
{
    const QRect area = rect.marginsRemoved(contentsMargins());
    const int gap = std::max(spacing(), 0);
    QPoint corner = area.topLeft();
    int line = 0; // of all lines, so that what stands in one has a common middle
    for (const auto& item : m_items)
        line = std::max(line, item->isEmpty() ? 0 : item->sizeHint().height());
    for (const auto& item : m_items) {
        if (item->isEmpty())
            continue;
        const QSize size = item->sizeHint();
        if (corner.x() > area.left() && corner.x() + size.width() > area.right() + 1)
            corner = {area.left(), corner.y() + line + gap};
        place(*item, QRect(corner, QSize(std::min(size.width(), area.width()), line)));
        corner.rx() += size.width() + gap;
    }
    return corner.y() + line - rect.top() + contentsMargins().bottom();
}

int FlowLayout::heightForWidth(int width) const
{
    return flow({0, 0, width, 0}, [](QLayoutItem&, const QRect&) { });
}

QSize FlowLayout::sizeHint() const
{
    return minimumSize();
}

QSize FlowLayout::minimumSize() const
{
    QSize size;
    for (const auto& item : m_items)
        if (!item->isEmpty())
            size = size.expandedTo(item->minimumSize());
    return size.grownBy(contentsMargins());
}

void FlowLayout::setGeometry(const QRect& rect)
{
    QLayout::setGeometry(rect);
    flow(rect, [](QLayoutItem& item, const QRect& place) { item.setGeometry(place); });
}

} // namespace headroom::ui
