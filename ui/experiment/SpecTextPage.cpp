// SPDX-License-Identifier: Apache-2.0
#include "ui/experiment/SpecTextPage.h"

#include "core/base/Error.h"
#include "core/config/catalogue/Catalogue.h"
#include "experiments/spec/SettingField.h"
#include "ui/experiment/EditorGuard.h"
#include "ui/experiment/PlanView.h"
#include "ui/experiment/SpecTextEdit.h"
#include "ui/experiment/TechniqueText.h"
#include "ui/look/Theme.h"
#include "ui/spec/SpecSession.h"

#include <QFontDatabase>
#include <QLabel>
#include <QTextBlock>
#include <QVBoxLayout>

#include <array>

namespace headroom::ui {
namespace {

constexpr std::array kTables{"model", "workload", "techniques", "device", "protocol"};

QString quoted(const QString& text)
{
    return QLatin1Char('"') + text + QLatin1Char('"');
}

// "[workload]" and "workload.batch" name the same key.
QString fullPath(const SpecPlace& place)
{
    QString path = place.table.isEmpty() ? place.key : place.table + QLatin1Char('.') + place.key;
    if (path.startsWith(QLatin1String("part.")))
        path.remove(0, 5);
    return path;
}

QStringList keysOf(const QString& table, const std::string& model)
{
    QStringList keys;
    if (std::ranges::find(kTables, table.section(QLatin1Char('.'), 0, 0)) == kTables.end())
        return keys;
    const QString prefix = table.section(QLatin1Char('.'), 1);
    for (const config::FieldSet fields =
             experiments::tableFields(table.section(QLatin1Char('.'), 0, 0).toStdString(), model, {});
        const config::Field& field : fields.all()) {
        const QString name = QString::fromStdString(field.name);
        if (prefix.isEmpty())
            keys.append(name);
        else if (name.startsWith(prefix + QLatin1Char('.')))
            keys.append(name.mid(prefix.size() + 1));
    }
    return keys;
}

QStringList valuesOf(const config::Field& field)
{
    QStringList values;
    const bool isText = field.type == config::FieldType::Text || field.type == config::FieldType::Choice;
    for (const auto& choice : field.choices)
        values.append(isText ? quoted(QString::fromStdString(choice)) : QString::fromStdString(choice));
    if (field.type == config::FieldType::Boolean)
        values << QStringLiteral("true") << QStringLiteral("false");
    return values;
}

} // namespace

SpecTextPage::SpecTextPage(SpecSession& session, Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_theme(theme)
    , m_edit(new SpecTextEdit(
          theme, [this](const SpecPlace& place) { return wordsAt(place); }, this))
    , m_problem(new QLabel(this))
{
    setObjectName(QStringLiteral("specTextPage"));
    m_edit->setObjectName(QStringLiteral("specText"));
    m_edit->setAccessibleName(QStringLiteral("Text of the spec"));
    m_edit->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_edit->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_edit->setUndoRedoEnabled(false);
    m_edit->setTabChangesFocus(true);
    m_problem->setObjectName(QStringLiteral("specText.problem"));
    m_problem->setWordWrap(true);
    m_problem->setMargin(fontMetrics().averageCharWidth());
    auto* guard = new EditorGuard(session, this);
    guard->watch(m_edit);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_edit, 1);
    layout->addWidget(m_problem); // below: what comes and goes while one types does not move the text
    connect(m_edit, &QPlainTextEdit::textChanged, this, &SpecTextPage::takeText);
    connect(&m_session, &SpecSession::textChanged, this, &SpecTextPage::showText);
    connect(&m_session, &SpecSession::planChanged, this, &SpecTextPage::showProblems);
    connect(&m_theme, &Theme::changed, this, &SpecTextPage::showProblems);
    showText();
    showProblems();
}

QStringList SpecTextPage::wordsAt(const SpecPlace& place) const
{
    QStringList words;
    const PlanView view(m_session.plan(), m_session.part());
    const std::string model = isKnownModel(view.model()) ? view.model() : config::modelNames().front();
    const QString path = fullPath(place);
    try {
        if (place.key.isEmpty() && place.table.isEmpty()) {
            for (const char* table : kTables)
                words.append(QLatin1String(table));
        } else if (place.key.isEmpty()) {
            words = keysOf(fullPath({place.table, {}}).chopped(1), model);
        } else if (path == QLatin1String("model.name")) {
            for (const std::string& name : config::modelNames())
                words.append(quoted(QString::fromStdString(name)));
        } else if (path == QLatin1String("device.name")) {
            for (const DeviceChoice& device : m_session.devices())
                words.append(quoted(device.notation));
        } else if (path.startsWith(QLatin1String("techniques.")) && path.count(QLatin1Char('.')) == 1) {
            const auto& technique = config::findTechnique(path.section(QLatin1Char('.'), 1).toStdString(), {});
            for (const SettingRow::Choice& choice : notationChoices(technique, std::nullopt))
                words.append(quoted(choice.value));
        } else {
            words = valuesOf(experiments::settingField(path.toStdString(), model, {}));
        }
    } catch (const Error&) {
        // Nothing is known about a place that is not valid (yet); the mark at its line explains why.
    }
    return words;
}

void SpecTextPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    showText();
    showProblems();
}

// Said of colours, fonts and underlines, too, and while the page is hidden and has an older text than the session:
// only a text that the page did not have before was typed by somebody.
void SpecTextPage::takeText()
{
    const QString text = m_edit->toPlainText();
    if (text == m_held)
        return;
    m_held = text;
    m_session.setText(text);
}

// A hidden page is not updated.
void SpecTextPage::showText()
{
    if (!isVisible())
        return;
    QString text = QString::fromStdString(m_session.text());
    text.replace(QLatin1String("\r\n"), QLatin1String("\n"));
    if (text != m_edit->toPlainText())
        replaceWhatDiffers(text);
}

// The cursor and the scroll position are kept.
void SpecTextPage::replaceWhatDiffers(const QString& text)
{
    const QString old = m_edit->toPlainText();
    const auto shorter = std::min(old.size(), text.size());
    const auto begin = std::mismatch(old.begin(), old.begin() + shorter, text.begin()).first - old.begin();
    qsizetype end = 0;
    while (end < shorter - begin && old[old.size() - 1 - end] == text[text.size() - 1 - end])
        ++end;
    const QSignalBlocker blocker(m_edit);
    QTextCursor cursor(m_edit->document());
    cursor.setPosition(static_cast<int>(begin));
    cursor.setPosition(static_cast<int>(old.size() - end), QTextCursor::KeepAnchor);
    cursor.insertText(text.mid(begin, text.size() - end - begin));
    m_held = m_edit->toPlainText();
    if (old.isEmpty())
        m_edit->moveCursor(QTextCursor::Start);
}

// At their lines; above the text what has no line.
void SpecTextPage::showProblems()
{
    QStringList lines;
    for (const PlanProblem& problem : m_session.plan()->problems) {
        const QString what = QString::fromStdString(problem.message);
        lines << (problem.line > 0 ? QStringLiteral("Line %1: %2").arg(problem.line).arg(what) : what);
    }
    m_edit->setRemarks(remarksOf(*m_session.plan(), *m_edit->document()));
    QPalette palette = m_problem->palette();
    palette.setColor(QPalette::WindowText, m_theme.alarm());
    m_problem->setPalette(palette);
    m_problem->setText(lines.join(QLatin1Char('\n')));
    m_problem->setVisible(!lines.isEmpty());
}

} // namespace headroom::ui
