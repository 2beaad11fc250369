// SPDX-License-Identifier: Apache-2.0
#include "ui/answer/AnswerRemark.h"

#include <QHBoxLayout>

#include <chrono>

namespace headroom::ui {
namespace {

using namespace std::chrono_literals;
constexpr auto kPause = 3s;

} // namespace

AskAgain::AskAgain(QWidget* parent)
    : QPushButton(QStringLiteral("Predict &again"), parent)
{
    setToolTip(QStringLiteral("The machine may have been busy: asks for the same prediction once more."));
    hide();
    m_pause.setSingleShot(true);
    m_pause.setInterval(kPause);
    connect(&m_pause, &QTimer::timeout, this, [this] {
        ++m_tries;
        click();
    });
}

void AskAgain::offer()
{
    show();
    if (m_tries < kTriesByItself)
        m_pause.start();
}

void AskAgain::withdraw()
{
    m_pause.stop();
    hide();
}

void AskAgain::forget()
{
    withdraw();
    m_tries = 0;
}

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
