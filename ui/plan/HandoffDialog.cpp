// SPDX-License-Identifier: Apache-2.0
#include "ui/plan/HandoffDialog.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "experiments/handoff/Handoff.h"
#include "ui/figures/FigureExport.h"
#include "ui/look/FileDialog.h"

#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <utility>

namespace headroom::ui {
namespace {

constexpr int kHandoffColumns = 104; ///< of the text, in characters
constexpr int kHandoffLines = 36;

QString lackingText(const experiments::Handoff& handoff)
{
    return handoff.lacking.empty()
        ? QStringLiteral("Every setting is in it. Usual name: %1").arg(QString::fromStdString(handoff.file))
        : QStringLiteral("%1 lacking or different, named at the top. Usual name: %2")
              .arg(QString::fromStdString(counted(std::ssize(handoff.lacking), "setting")),
                  QString::fromStdString(handoff.file));
}

} // namespace

HandoffDialog::HandoffDialog(config::Trial trial, QWidget* parent)
    : QDialog(parent)
    , m_trial(std::move(trial))
    , m_targets(new QComboBox(this))
    , m_message(new QLabel(this))
    , m_text(new QPlainTextEdit(this))
    , m_copy(new QPushButton(QStringLiteral("Cop&y"), this))
    , m_save(new QPushButton(QStringLiteral("&Save as…"), this))
    , m_jobs(QStringLiteral("handoff"))
{
    setObjectName(QStringLiteral("handoffDialog"));
    setWindowTitle(QStringLiteral("Settings for my trainer"));
    for (const experiments::HandoffTarget& each : experiments::handoffTargets())
        m_targets->addItem(QString::fromStdString(each.title), QString::fromStdString(each.name));
    build();
    connect(m_targets, &QComboBox::currentIndexChanged, this, [this] { showText(target()); });
    connect(m_copy, &QPushButton::clicked, this, &HandoffDialog::copy);
    connect(m_save, &QPushButton::clicked, this, &HandoffDialog::askForFile);
    setTarget(firstUsableTarget(m_trial));
    showText(target());
}

void HandoffDialog::build()
{
    m_targets->setObjectName(QStringLiteral("handoffTarget"));
    m_targets->setAccessibleName(QStringLiteral("Trainer"));
    m_copy->setObjectName(QStringLiteral("handoffCopy"));
    m_message->setObjectName(QStringLiteral("handoffMessage"));
    m_message->setWordWrap(true);
    m_text->setObjectName(QStringLiteral("handoffText"));
    m_text->setAccessibleName(QStringLiteral("Settings for the trainer"));
    m_text->setReadOnly(true);
    m_text->setTabChangesFocus(true);
    m_text->setLineWrapMode(QPlainTextEdit::WidgetWidth); // what is copied is not wrapped
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    const QFontMetrics metrics(m_text->font());
    m_text->setMinimumSize(metrics.averageCharWidth() * kHandoffColumns, metrics.lineSpacing() * kHandoffLines / 2);
    auto* label = new QLabel(QStringLiteral("&Trainer"), this);
    label->setBuddy(m_targets);
    auto* above = new QHBoxLayout;
    above->addWidget(label);
    above->addWidget(m_targets, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->addButton(m_copy, QDialogButtonBox::ActionRole);
    buttons->addButton(m_save, QDialogButtonBox::ActionRole);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(above);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_message);
    layout->addWidget(buttons);
    resize(sizeHint().width(), metrics.lineSpacing() * kHandoffLines);
    m_targets->setFocus();
}

QString HandoffDialog::firstUsableTarget(const config::Trial& trial)
{
    for (const experiments::HandoffTarget& each : experiments::handoffTargets())
        try {
            experiments::handOff(trial, each.name);
            return QString::fromStdString(each.name);
        } catch (const UsageError&) {
            continue; // that trainer cannot run the trial
        }
    return QString::fromStdString(experiments::handoffTargets().front().name);
}

QString HandoffDialog::target() const
{
    return m_targets->currentData().toString();
}

void HandoffDialog::setTarget(const QString& name)
{
    m_targets->setCurrentIndex(qMax(0, m_targets->findData(name)));
}

QString HandoffDialog::text() const
{
    return m_text->toPlainText();
}

void HandoffDialog::showText(const QString& target)
{
    bool isUsable = true;
    try {
        const experiments::Handoff handoff = experiments::handOff(m_trial, target.toStdString());
        m_file = QString::fromStdString(handoff.file);
        m_text->setPlainText(QString::fromStdString(handoff.text));
        m_message->setText(lackingText(handoff));
    } catch (const UsageError& error) {
        isUsable = false;
        m_text->clear();
        m_message->setText(QString::fromStdString(
            error.problem() + (error.valid().empty() ? std::string() : " (valid: " + error.valid() + ")")));
    }
    m_copy->setEnabled(isUsable);
    m_save->setEnabled(isUsable);
}

void HandoffDialog::copy()
{
    QGuiApplication::clipboard()->setText(text());
    m_message->setText(QStringLiteral("Copied."));
}

void HandoffDialog::askForFile()
{
    FileDialog dialog(this, QStringLiteral("Save settings"));
    dialog.setObjectName(QStringLiteral("saveHandoffDialog"));
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.selectFile(m_file);
    if (dialog.exec() == QDialog::Accepted)
        save(dialog.selectedFiles().first());
}

void HandoffDialog::save(const QString& path)
{
    m_jobs.run(
        this, [path, bytes = text().toUtf8()](const std::stop_token& stop) { writeFile(path, bytes, stop); },
        [this, path] { m_message->setText(QStringLiteral("Written: %1").arg(path)); },
        [this](const QString& message) { m_message->setText(message); });
}

} // namespace headroom::ui
