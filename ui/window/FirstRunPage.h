// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QScrollArea>

class QLabel;

namespace headroom::ui {

/// The page that is shown until there are results: the purpose of the program, two examples that run on any machine,
/// and the next steps.
class FirstRunPage : public QScrollArea {
    Q_OBJECT

public:
    explicit FirstRunPage(QWidget* parent = nullptr);

    void setMachine(const QString& sentence);

Q_SIGNALS:
    /// The user wants to open and run this preset.
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
