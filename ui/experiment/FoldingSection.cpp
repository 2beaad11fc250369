// SPDX-License-Identifier: Apache-2.0
#include "ui/experiment/FoldingSection.h"

#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

namespace headroom::ui {

FoldingSection::FoldingSection(const QString& title, State state, QWidget* parent)
    : QWidget(parent)
    , m_title(title)
    , m_state(state)
    , m_heading(new QToolButton(this))
    , m_line(new QHBoxLayout)
    , m_always(new QVBoxLayout)
    , m_body(new QWidget(this))
    , m_layout(new QVBoxLayout(m_body))
{
    m_heading->setObjectName(QStringLiteral("heading"));
    m_heading->setAutoRaise(true);
    m_heading->setFocusPolicy(Qt::StrongFocus);
    m_heading->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    QFont bold = font();
    bold.setBold(true);
    m_heading->setFont(bold);
    const int indent = fontMetrics().averageCharWidth();
    m_layout->setContentsMargins(indent, 0, 0, indent / 2);
    m_layout->setSpacing(indent / 3);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_line->setContentsMargins(0, 0, 0, 0);
    m_line->addWidget(m_heading);
    m_line->addStretch(1);
    m_always->setContentsMargins(indent, 0, 0, 0);
    layout->addLayout(m_line);
    layout->addLayout(m_always);
    layout->addWidget(m_body);
    connect(m_heading, &QToolButton::clicked, this, [this] { setOpen(isOpen() ? State::Folded : State::Open); });
    refresh();
}

void FoldingSection::add(QWidget* widget)
{
    m_layout->addWidget(widget);
}

void FoldingSection::addAlways(QWidget* widget)
{
    m_always->addWidget(widget);
}

// Indented as the fields of the body are, so that editors stand below each other.
void FoldingSection::setHead(QWidget* head)
{
    m_line->removeWidget(m_heading);
    m_line->setContentsMargins(m_layout->contentsMargins().left(), 0, 0, 0);
    m_line->insertWidget(0, head, 1);
    m_line->setStretch(1, 0);
}

void FoldingSection::addTool(QWidget* tool)
{
    m_line->addWidget(tool);
}

void FoldingSection::setOpen(State state)
{
    m_state = state;
    refresh();
}

bool FoldingSection::isOpen() const
{
    return m_state == State::Open;
}

void FoldingSection::setRemark(const QString& remark)
{
    m_remark = remark;
    refresh();
}

void FoldingSection::refresh()
{
    m_heading->setText(m_remark.isEmpty() ? m_title : QStringLiteral("%1 \u00b7 %2").arg(m_title, m_remark));
    m_heading->setArrowType(isOpen() ? Qt::DownArrow : Qt::RightArrow);
    m_heading->setAccessibleDescription(isOpen() ? QStringLiteral("open") : QStringLiteral("folded"));
    m_body->setVisible(isOpen());
}

} // namespace headroom::ui
