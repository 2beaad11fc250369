// SPDX-License-Identifier: Apache-2.0
#include "ui/window/SpecFiles.h"

#include "experiments/spec/ModelFiles.h"
#include "ui/look/FileDialog.h"

#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

#include <utility>

namespace headroom::ui {
namespace {

const QString kFilter = QStringLiteral("Experiments (*.toml);;All files (*)");

} // namespace

SpecFiles::SpecFiles(SpecSession& spec, QWidget& window)
    : QObject(&window)
    , m_spec(spec)
    , m_window(window)
{
    connect(&spec, &SpecSession::saved, this, [this] {
        if (const auto then = std::exchange(m_afterSaving, nullptr))
            leave(then); // what was changed while the file was being written is asked about again
    });
    connect(&spec, &SpecSession::failed, this, [this] { m_afterSaving = nullptr; });
    connect(&spec, &SpecSession::changedElsewhere, this, &SpecFiles::askToReplace);
}

void SpecFiles::makeNew()
{
    leave([this] { m_spec.newSpec(); });
}

void SpecFiles::choose()
{
    FileDialog dialog(&m_window, QStringLiteral("Open experiment"), {}, kFilter);
    dialog.setObjectName(QStringLiteral("openSpecDialog"));
    dialog.setFileMode(QFileDialog::ExistingFile);
    if (dialog.exec() == QDialog::Accepted)
        open(dialog.selectedFiles().first());
}

void SpecFiles::open(const QString& file)
{
    leave([this, file] { m_spec.open(file); });
}

void SpecFiles::openPreset(const QString& name)
{
    leave([this, name] { m_spec.loadPreset(name); });
}

void SpecFiles::chooseModel()
{
    auto* dialog = new FileDialog(&m_window, QStringLiteral("Open a model file"), {},
        QStringLiteral("Models: exported (*.pt2) or their config.json (*.pt2 *.json);;All files (*)"));
    dialog->setObjectName(QStringLiteral("chooseModelDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &SpecFiles::openModel);
    dialog->open();
}

void SpecFiles::openModel(const QString& file)
{
    leave([this, file] {
        m_spec.newSpecOf(file);
        Q_EMIT modelOpened(file);
    });
}

bool SpecFiles::openDropped(const QString& file)
{
    const auto endsIn = [&](const QString& ending) { return file.endsWith(ending, Qt::CaseInsensitive); };
    const bool isModel = experiments::isExportedModel(file.toStdString()) || endsIn(QStringLiteral(".json"));
    if (isModel)
        openModel(file);
    else if (endsIn(QStringLiteral(".toml")))
        open(file);
    else
        return false;
    return true;
}

void SpecFiles::save()
{
    if (m_spec.path().isEmpty())
        saveAs();
    else
        m_spec.save();
}

void SpecFiles::saveAs()
{
    const QString proposed = m_spec.path().isEmpty() ? m_spec.title() + QStringLiteral(".toml") : m_spec.path();
    FileDialog dialog(&m_window, QStringLiteral("Save experiment"), QFileInfo(proposed).path(), kFilter);
    dialog.setObjectName(QStringLiteral("saveSpecDialog"));
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(QStringLiteral("toml"));
    dialog.selectFile(QFileInfo(proposed).fileName());
    if (dialog.exec() == QDialog::Accepted)
        m_spec.saveAs(dialog.selectedFiles().first());
    else
        m_afterSaving = nullptr;
}

void SpecFiles::askToReplace(const QString& file)
{
    QMessageBox question(QMessageBox::Warning, QStringLiteral("Replace a file"),
        QStringLiteral("\"%1\" was changed by another program. Replace it?").arg(QFileInfo(file).fileName()),
        QMessageBox::Cancel, &m_window);
    question.setObjectName(QStringLiteral("replaceSpecQuestion"));
    question.setInformativeText(QStringLiteral("What that program wrote would be lost."));
    const QPushButton* replace = question.addButton(QStringLiteral("Replace"), QMessageBox::DestructiveRole);
    const QPushButton* other = question.addButton(QStringLiteral("Save as…"), QMessageBox::AcceptRole);
    question.setDefaultButton(QMessageBox::Cancel);
    question.exec();
    if (question.clickedButton() == replace)
        m_spec.saveAs(file);
    else if (question.clickedButton() == other)
        saveAs();
    else
        m_afterSaving = nullptr;
}

// Files are written in the background: what follows a save waits for it.
void SpecFiles::leave(std::function<void()> then)
{
    if (!m_spec.isModified())
        return then();
    const auto answer = QMessageBox::question(&m_window, QStringLiteral("Unsaved experiment"),
        QStringLiteral("\"%1\" has changes that are not saved. Save them?").arg(m_spec.title()),
        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
    if (answer == QMessageBox::Discard)
        return then();
    if (answer == QMessageBox::Save) {
        m_afterSaving = std::move(then);
        save();
    }
}

} // namespace headroom::ui
