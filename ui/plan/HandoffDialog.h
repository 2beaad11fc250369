// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"
#include "ui/jobs/JobThread.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace headroom::ui {

/// A combination as code or configuration for a trainer, to copy or save: what `headroom settings --for` prints.
class HandoffDialog : public QDialog {
    Q_OBJECT

public:
    HandoffDialog(config::Trial trial, QWidget* parent);

    QString target() const;
    void setTarget(const QString& name);
    QString text() const;

    static QString firstUsableTarget(const config::Trial& trial);

private:
    void build();
    void showText(const QString& target);
    void copy();
    void askForFile();
    void save(const QString& path);

    config::Trial m_trial;
    QComboBox* m_targets;
    QLabel* m_message;
    QPlainTextEdit* m_text;
    QPushButton* m_copy;
    QPushButton* m_save;
    QString m_file; ///< the name that the text usually has
    JobThread m_jobs; ///< last: its jobs end before what they are delivered to
};

} // namespace headroom::ui
