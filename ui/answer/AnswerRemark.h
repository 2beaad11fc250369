// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/answer/AskAgain.h"

#include <QLabel>

namespace headroom::ui {

/// Reasons and advice below the answer, on as many lines as they need, and beside them the way to ask once more.
class AnswerRemark : public QWidget {
    Q_OBJECT

public:
    explicit AnswerRemark(QWidget* parent = nullptr);

    void setText(const QString& text);
    const QLabel& label() const { return *m_label; }
    AskAgain& again() { return *m_again; }

private:
    QLabel* m_label;
    AskAgain* m_again;
};

} // namespace headroom::ui
