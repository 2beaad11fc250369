// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/recordings/RecordingImporter.h"

#include <QLabel>
#include <QProgressBar>
#include <QToolButton>
#include <QWidget>

namespace headroom::ui {

/// How far a recording has been taken in, with a button that ends it. Hidden while there is none.
class ImportBar : public QWidget {
    Q_OBJECT

public:
    explicit ImportBar(RecordingImporter& importer, QWidget* parent = nullptr);

private:
    QLabel* m_what;
    QProgressBar* m_progress;
    QToolButton* m_cancel;
};

} // namespace headroom::ui
