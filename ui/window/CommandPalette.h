// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>
#include <QList>

class QAction;
class QLineEdit;
class QListWidget;

namespace headroom::ui {

/// Lists every action of the program by name, with its shortcut: type a few letters and press Enter to trigger it.
class CommandPalette : public QDialog {
    Q_OBJECT

public:
    /// Omits actions that are disabled or have no text.
    CommandPalette(const QList<QAction*>& actions, QWidget* parent);

    /// The action's menu and text: "View: Reset layout".
    static QString title(const QAction& action);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void filter(const QString& words);
    void carryOut();

    QList<QAction*> m_actions;
    QLineEdit* m_words;
    QListWidget* m_list;
};

} // namespace headroom::ui
