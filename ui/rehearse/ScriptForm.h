// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/answer/Card.h"
#include "ui/rehearse/ScriptQuestion.h"

#include <QFrame>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace headroom::ui {

/// Asks what to rehearse: the command that starts a training, where, with which Python, and the card.
class ScriptForm : public QFrame {
    Q_OBJECT

public:
    explicit ScriptForm(QWidget* parent = nullptr);

    /// Cards are offered once they have been read.
    void setCards(const CardList& cards);
    ScriptQuestion question() const;
    void setQuestion(const ScriptQuestion& question);
    /// Asks, unless there is nothing to ask yet.
    void ask();
    /// While one goes on, nothing else is asked; the button ends it.
    void setRunning(bool isRunning);

Q_SIGNALS:
    void asked(const headroom::ui::ScriptQuestion& question);
    void stopWanted();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    QLineEdit* addText(const char* name, const QString& title, const QString& example);
    QWidget* withChooser(QLineEdit* folder, const QString& title);
    void chooseFolder(QLineEdit* folder, const QString& title);
    void buildLayout();
    void check();

    QLineEdit* m_command;
    QLineEdit* m_folder;
    QLineEdit* m_environment;
    QComboBox* m_card;
    QSpinBox* m_steps;
    QLabel* m_problem;
    QPushButton* m_ask;
    QString m_wantedCard; ///< until the cards are there
    bool m_isRunning = false;
};

} // namespace headroom::ui
