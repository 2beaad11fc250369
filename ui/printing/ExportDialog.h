// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/printing/ReportExporter.h"
#include "ui/session/ResultSet.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace headroom::ui {

/// Asks what a report of an experiment shall be and where it goes.
class ExportDialog : public QDialog {
    Q_OBJECT

public:
    /// `folder` is where the file is proposed; empty: the workspace's.
    ExportDialog(const ResultSet& results, const QString& folder, ReportExporter& exporter, QWidget* parent = nullptr);

    ExportRequest request() const;
    /// The folder that was chosen, to be proposed the next time.
    QString folder() const;

    /// Asks before another file than its own is replaced; without a yes it goes on.
    void accept() override;

private:
    void makeFields();
    bool mayReplace();
    void layOut();
    ExportFormat format() const;
    void takeFormat();
    void takePath(const QString& path);
    void choosePath();

    ReportExporter& m_exporter;
    QString m_workspace;
    qint64 m_experiment;
    bool m_isLooking = false; ///< whether there is such a file
    QComboBox* m_format;
    QLabel* m_about;
    QCheckBox* m_anonymous;
    QLineEdit* m_path;
    QPushButton* m_browse;
    QPushButton* m_export;
};

} // namespace headroom::ui
