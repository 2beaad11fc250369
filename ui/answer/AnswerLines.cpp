// SPDX-License-Identifier: Apache-2.0
#include "ui/answer/AnswerLines.h"

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
    const int both = m_first->minimumSizeHint().width() + m_second->minimumSizeHint().width() + m_layout->spacing();
    m_layout->setDirection(width() < both ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

} // namespace headroom::ui
