// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QScrollArea>

class QLabel;

namespace headroom::ui {

/// What is shown before there is any result: what the program is for, two examples that run on any machine, and what
/// can be done here.
class FirstRunPage : public QScrollArea {
    Q_OBJECT

public:
    explicit FirstRunPage(QWidget* parent = nullptr);

    void setMachine(const QString& sentence);

Q_SIGNALS:
    /// The user wants this preset opened and run.
    void exampleChosen(const QString& preset);
    void openSpecWanted();
    void openWorkspaceWanted();
    void ownExperimentWanted();

private:
    QWidget* makeExample(const QString& preset, const QString& title, const QString& what);
    QWidget* makeLinks();

    QLabel* m_machine;
};

} // namespace headroom::ui
