// SPDX-License-Identifier: Apache-2.0
#include "ui/printing/ExportDialog.h"

#include "ui/look/FileDialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QStandardPaths>
#include <QVBoxLayout>

#include <array>
#include <utility>

namespace headroom::ui {
namespace {

struct FormatWords {
    ExportFormat format;
    const char* name;
    const char* about;
};

constexpr std::array<FormatWords, 5> kFormats{
    {{ExportFormat::Html, "Web page (HTML)",
         "For people: one file without any link to the network, to be sent around."},
        {ExportFormat::Pdf, "Paper (PDF)", "The same on numbered A4 pages; figures stay sharp at any size."},
        {ExportFormat::Markdown, "Markdown", "Words and tables, for issues and pull requests."},
        {ExportFormat::Csv, "Table (CSV)", "A row per trial with fixed columns and exact numbers."},
        {ExportFormat::Json, "Data (JSON)", "The results document that headroom run --format json prints."}}};

// Beside the workspace, unless that is where programs keep their data: nobody looks for a report there.
QString usualFolder(const QString& workspace)
{
    const QString own = QFileInfo(workspace).path();
    if (own != QStandardPaths::writableLocation(QStandardPaths::AppDataLocation))
        return own;
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    return QDir(documents).exists() ? documents : QDir::homePath();
}

} // namespace

ExportDialog::ExportDialog(const ResultSet& results, const QString& folder, ReportExporter& exporter, QWidget* parent)
    : QDialog(parent)
    , m_exporter(exporter)
    , m_workspace(QString::fromStdString(results.workspace()))
    , m_experiment(results.content().number)
    , m_format(new QComboBox)
    , m_about(new QLabel)
    , m_anonymous(new QCheckBox(QStringLiteral("&Anonymous: without names of machines and users, paths and addresses")))
    , m_path(new QLineEdit)
    , m_browse(new QPushButton(QStringLiteral("Browse...")))
    , m_export(nullptr)
{
    setObjectName(QStringLiteral("exportDialog"));
    setWindowTitle(QStringLiteral("Export a report of %1").arg(QString::fromStdString(results.content().experiment)));
    makeFields();
    const QDir proposed(folder.isEmpty() ? usualFolder(m_workspace) : folder);
    m_path->setText(proposed.filePath(FileDialog::nameOf(results.fileWords())));
    layOut();
    takeFormat();
}

void ExportDialog::makeFields()
{
    m_format->setObjectName(QStringLiteral("exportFormat"));
    for (const FormatWords& words : kFormats)
        m_format->addItem(QLatin1String(words.name), static_cast<int>(words.format));
    m_about->setObjectName(QStringLiteral("exportAbout"));
    m_about->setWordWrap(true);
    m_anonymous->setObjectName(QStringLiteral("exportAnonymous"));
    m_anonymous->setToolTip(QStringLiteral("Leaves out names of machines and users, paths, addresses and ids of GPUs"));
    m_path->setObjectName(QStringLiteral("exportPath"));
    m_path->setAccessibleName(QStringLiteral("File"));
    m_path->setMinimumWidth(fontMetrics().averageCharWidth() * 48);
    m_browse->setObjectName(QStringLiteral("exportBrowse"));
    connect(m_format, &QComboBox::currentIndexChanged, this, &ExportDialog::takeFormat);
    connect(m_path, &QLineEdit::textEdited, this, &ExportDialog::takePath);
    connect(m_browse, &QPushButton::clicked, this, &ExportDialog::choosePath);
}

void ExportDialog::layOut()
{
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    m_export = buttons->addButton(QStringLiteral("Export"), QDialogButtonBox::AcceptRole);
    m_export->setObjectName(QStringLiteral("exportAccept"));
    m_browse->setAutoDefault(false);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);

    auto* fileLabel = new QLabel(QStringLiteral("F&ile"));
    fileLabel->setBuddy(m_path);
    auto* file = new QHBoxLayout;
    file->addWidget(m_path, 1);
    file->addWidget(m_browse);
    auto* form = new QFormLayout;
    form->addRow(QStringLiteral("&Format"), m_format);
    form->addRow(QString(), m_about);
    form->addRow(fileLabel, file);
    form->addRow(QString(), m_anonymous);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addStretch(1);
    layout->addWidget(buttons);
    // Only a button that is in its dialog can be what Enter presses there.
    buttons->button(QDialogButtonBox::Cancel)->setAutoDefault(false);
    m_export->setDefault(true);
}

ExportFormat ExportDialog::format() const
{
    return static_cast<ExportFormat>(m_format->currentData().toInt());
}

// The ending follows the format; another one that was typed is taken for a part of the name.
void ExportDialog::takeFormat()
{
    m_about->setText(QLatin1String(kFormats.at(static_cast<std::size_t>(m_format->currentIndex())).about));
    QString path = m_path->text();
    if (exportFormatOf(path))
        path.chop(QFileInfo(path).suffix().size() + 1);
    m_path->setText(path + QLatin1Char('.') + endingOf(format()));
    m_export->setEnabled(true);
}

// And the format follows the ending.
void ExportDialog::takePath(const QString& path)
{
    const auto known = exportFormatOf(path);
    m_export->setEnabled(known && !QFileInfo(path).completeBaseName().isEmpty());
    if (!known || *known == format())
        return;
    const QSignalBlocker quiet(m_format);
    m_format->setCurrentIndex(m_format->findData(static_cast<int>(*known)));
    m_about->setText(QLatin1String(kFormats.at(static_cast<std::size_t>(m_format->currentIndex())).about));
}

void ExportDialog::choosePath()
{
    auto* dialog = new FileDialog(this, QStringLiteral("Export to"), folder());
    dialog->setObjectName(QStringLiteral("exportFileDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(endingOf(format()));
    dialog->selectFile(QFileInfo(m_path->text()).fileName());
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        m_path->setText(path);
        takePath(path);
    });
    dialog->open();
}

// The file is looked at in the background.
void ExportDialog::accept()
{
    if (std::exchange(m_isLooking, true))
        return;
    m_exporter.lookAt(request(), this, [this, path = m_path->text()](bool isOther) {
        m_isLooking = false;
        if (path == m_path->text() && (!isOther || mayReplace()))
            QDialog::accept();
    });
}

bool ExportDialog::mayReplace()
{
    const QFileInfo file(m_path->text());
    QMessageBox question(QMessageBox::Warning, QStringLiteral("Replace a file"),
        QStringLiteral("There is a file \"%1\" already. Replace it?").arg(file.fileName()), QMessageBox::Cancel, this);
    question.setObjectName(QStringLiteral("replaceFileQuestion"));
    question.setInformativeText(QStringLiteral("It is not a report that this window wrote of this experiment. What is "
                                               "in it now would be lost."));
    const QPushButton* replace = question.addButton(QStringLiteral("Replace"), QMessageBox::DestructiveRole);
    question.setDefaultButton(QMessageBox::Cancel);
    question.exec();
    return question.clickedButton() == replace;
}

ExportRequest ExportDialog::request() const
{
    return {m_workspace, m_experiment, format(),
        m_anonymous->isChecked() ? report::Identity::Removed : report::Identity::Shown, m_path->text()};
}

QString ExportDialog::folder() const
{
    return QFileInfo(m_path->text()).path();
}

} // namespace headroom::ui
