// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLabel>
#include <QPushButton>
#include <QTimer>

namespace headroom::ui {

/// The way back from a prediction that took too long. It is hidden until it is offered; then it is clicked by itself
/// after a pause, as the machine may have been busy, a few times for one question, and can be clicked after that.
class AskAgain : public QPushButton {
    Q_OBJECT

public:
    static constexpr int kTriesByItself = 3;

    explicit AskAgain(QWidget* parent = nullptr);

    void offer();
    /// The question was answered, or is no longer asked.
    void withdraw();
    /// The next question begins with all its tries.
    void forget();

private:
    QTimer m_pause;
    int m_tries = 0; ///< that were made for the question without a person
};

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
