// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>
#include <QList>

class QAction;

namespace headroom::ui {

/// A table of all keyboard shortcuts, generated from the actions.
class ShortcutSheet : public QDialog {
    Q_OBJECT

public:
    ShortcutSheet(const QList<QAction*>& actions, QWidget* parent);
};

} // namespace headroom::ui
