// SPDX-License-Identifier: Apache-2.0
#include "ui/answer/AskAgain.h"

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

} // namespace headroom::ui
