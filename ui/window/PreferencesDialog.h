// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/window/Preferences.h"

#include <QDialog>

class QCheckBox;
class QComboBox;

namespace headroom::ui {

class DecimalField;

/// Edits the preferences that have no better place on the screen.
class PreferencesDialog : public QDialog {
    Q_OBJECT

public:
    PreferencesDialog(const Preferences& preferences, QWidget* parent);

    /// The given preferences with the user's changes.
    Preferences preferences() const;

private:
    Preferences m_given;
    QComboBox* m_scheme;
    QCheckBox* m_tracing;
    QCheckBox* m_hasTimeout;
    DecimalField* m_timeout;
};

} // namespace headroom::ui
