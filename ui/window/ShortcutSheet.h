// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>
#include <QList>

class QAction;

namespace headroom::ui {

/// All keyboard shortcuts in a table, made from the actions themselves.
class ShortcutSheet : public QDialog {
    Q_OBJECT

public:
    ShortcutSheet(const QList<QAction*>& actions, QWidget* parent);
};

} // namespace headroom::ui
