// SPDX-License-Identifier: Apache-2.0
#include "ui/recordings/ImportBar.h"

#include <QHBoxLayout>

namespace headroom::ui {
namespace {

constexpr int kSteps = 1'000;
constexpr int kBarLetters = 20;

} // namespace

ImportBar::ImportBar(RecordingImporter& importer, QWidget* parent)
    : QWidget(parent)
    , m_what(new QLabel)
    , m_progress(new QProgressBar)
    , m_cancel(new QToolButton)
{
    setObjectName(QStringLiteral("importBar"));
    m_what->setObjectName(QStringLiteral("importWhat"));
    m_progress->setObjectName(QStringLiteral("importProgress"));
    m_progress->setAccessibleName(QStringLiteral("How far the recording has been taken in"));
    m_progress->setRange(0, kSteps);
    m_progress->setTextVisible(false);
    m_progress->setMaximumWidth(kBarLetters * fontMetrics().averageCharWidth());
    m_progress->setMaximumHeight(fontMetrics().height());
    m_cancel->setObjectName(QStringLiteral("importCancel"));
    m_cancel->setText(QStringLiteral("Cancel"));
    m_cancel->setToolTip(QStringLiteral("Stop reading; nothing of the recording stays in the workspace"));
    m_cancel->setAutoRaise(true);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(m_what);
    layout->addWidget(m_progress);
    layout->addWidget(m_cancel);
    connect(m_cancel, &QToolButton::clicked, &importer, &RecordingImporter::cancel);
    connect(&importer, &RecordingImporter::busyChanged, this, [this, &importer] { setVisible(importer.isBusy()); });
    connect(&importer, &RecordingImporter::progressed, this, [this](const QString& what, double share) {
        m_what->setText(what);
        m_progress->setValue(static_cast<int>(share * kSteps));
    });
    hide();
}

} // namespace headroom::ui
