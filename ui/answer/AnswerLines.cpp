// SPDX-License-Identifier: Apache-2.0
#include "ui/answer/AnswerLines.h"

#include "ui/look/ElidedLabel.h"

#include <QBoxLayout>
#include <QEvent>

#include <algorithm>

namespace headroom::ui {

AnswerLines::AnswerLines(QLayout* first, QLayout* second, QWidget* parent)
    : QWidget(parent)
    , m_first(new QWidget(this))
    , m_second(new QWidget(this))
    , m_layout(new QBoxLayout(QBoxLayout::LeftToRight, this))
{
    first->setContentsMargins({});
    second->setContentsMargins({});
    m_first->setLayout(first);
    m_second->setLayout(second);
    m_layout->setContentsMargins({});
    m_layout->setSpacing(fontMetrics().averageCharWidth());
    m_layout->addWidget(m_first, 1);
    m_layout->addWidget(m_second);
}

// The wider group alone: that both are beside each other now must not keep them from being below each other.
QSize AnswerLines::minimumSizeHint() const
{
    const int width = std::max(m_first->minimumSizeHint().width(), m_second->minimumSizeHint().width());
    return {width, QWidget::minimumSizeHint().height()};
}

// Other words need another width, too: the layout asks for it as it does after a change of size.
bool AnswerLines::event(QEvent* event)
{
    const bool isTaken = QWidget::event(event);
    if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest)
        choose();
    return isTaken;
}

void AnswerLines::choose()
{
    const int second = m_second->minimumSizeHint().width() + m_layout->spacing();
    const bool isBeside = width() >= m_first->minimumSizeHint().width() + second;
    m_layout->setDirection(isBeside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    shorten(isBeside ? width() - second : width());
}

// As few lines as needed, the first ones first, so that no line has more room than what it shows.
void AnswerLines::shorten(int room)
{
    const auto labels = m_first->findChildren<ElidedLabel*>(Qt::FindDirectChildrenOnly);
    int needed = m_first->sizeHint().width();
    for (const ElidedLabel* label : labels)
        if (!label->isHidden())
            needed += label->wholeWidth() - label->sizeHint().width();
    for (ElidedLabel* label : labels) {
        const bool isShort = needed > room;
        label->setShort(isShort);
        if (!label->isHidden())
            needed -= label->wholeWidth() - label->sizeHint().width();
    }
}

} // namespace headroom::ui
