// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/answer/Card.h"
#include "ui/look/Theme.h"
#include "ui/rehearse/RehearsalProcess.h"

#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace headroom::ui {

class LiveMemory;
class ScriptForm;

/// Rehearses a training script on a card that is not there: what to start, what it takes while it runs, and whether it
/// fits. The trial is in the workspace then, like any other.
class RehearseView : public QWidget {
    Q_OBJECT

public:
    explicit RehearseView(Theme& theme, QWidget* parent = nullptr);
    ~RehearseView() override;

    void setCards(const CardList& cards);
    /// Where trials go; empty: there is no workspace yet.
    void setWorkspace(const QString& workspace) { m_workspace = workspace; }
    /// Rehearses in the place of what the form has.
    void begin(const ScriptQuestion& question);
    bool isRunning() const { return m_process.isRunning(); }
    bool hasAsked() const { return !m_asked.command.isEmpty(); }

    ScriptForm& form() { return *m_form; }
    RehearsalProcess& process() { return m_process; }
    /// The verdict in a sentence, or how far it is.
    QString sentence() const;

    QVariantMap state() const;
    void restore(const QVariantMap& state);

Q_SIGNALS:
    /// A trial has come into the workspace.
    void stored(const QString& trial);
    /// The user wants to see what the trial consists of.
    void trialWanted(const QString& trial);
    void refused(const QString& why);

private:
    void buildLayout();
    void ask(const ScriptQuestion& question);
    void showMoment(const ScriptMoment& moment);
    void showVerdict(const ScriptVerdict& verdict);
    void showFailure(const QString& why);
    void say(const QString& sentence, const QColor& colour);
    Bytes usable() const;

    Theme& m_theme;
    CardList m_cards;
    QString m_workspace;
    QString m_trial; ///< of the last answer
    ScriptQuestion m_asked;
    ScriptForm* m_form;
    LiveMemory* m_memory;
    QLabel* m_sentence;
    QLabel* m_before; ///< the answer before this one, to compare with
    QPushButton* m_open;
    QPlainTextEdit* m_output;
    RehearsalProcess m_process;
};

} // namespace headroom::ui
