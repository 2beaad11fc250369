// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/start/StartQuestion.h"

#include <QScrollArea>

class QLabel;

namespace headroom::ui {

class QuestionForm;
class ScriptForm;

/// The page that is shown until there are results: it asks for model, card, what one does and its size, which a plan
/// answers; for a training script, which a rehearsal answers; two examples that run on any machine; and files to open.
class FirstRunPage : public QScrollArea {
    Q_OBJECT

public:
    explicit FirstRunPage(QWidget* parent = nullptr);

    void setMachine(const QString& sentence);
    QuestionForm& form() { return *m_form; }
    ScriptForm& script() { return *m_script; }

Q_SIGNALS:
    /// The user wants the best combination for this.
    void asked(const headroom::ui::StartQuestion& question);
    /// The user wants to open and run this preset.
    void exampleChosen(const QString& preset);
    void openSpecWanted();
    void openWorkspaceWanted();
    void ownExperimentWanted();

private:
    QWidget* makeExample(const QString& preset, const QString& title, const QString& what);
    QWidget* makeLinks();

    QuestionForm* m_form;
    ScriptForm* m_script;
    QLabel* m_machine;
};

} // namespace headroom::ui
