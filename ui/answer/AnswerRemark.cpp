// SPDX-License-Identifier: Apache-2.0
#include "ui/answer/AnswerRemark.h"

#include <QHBoxLayout>

namespace headroom::ui {

AnswerRemark::AnswerRemark(QWidget* parent)
    : QWidget(parent)
    , m_label(new QLabel(this))
    , m_again(new AskAgain(this))
{
    m_label->setObjectName(QStringLiteral("answerRemark"));
    m_label->setTextFormat(Qt::PlainText);
    m_label->setWordWrap(true);
    m_again->setObjectName(QStringLiteral("answerAgain"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(m_label, 1);
    layout->addWidget(m_again, 0, Qt::AlignTop);
}

void AnswerRemark::setText(const QString& text)
{
    m_label->setText(text);
    setVisible(!text.isEmpty());
}

} // namespace headroom::ui
