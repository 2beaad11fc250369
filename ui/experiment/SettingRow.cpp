// SPDX-License-Identifier: Apache-2.0
#include "ui/experiment/SettingRow.h"

#include "ui/experiment/EditorGuard.h"
#include "ui/experiment/FieldGlyph.h"
#include "ui/experiment/PlanView.h"
#include "ui/experiment/SpecSession.h"
#include "ui/look/Theme.h"

#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QCompleter>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

namespace headroom::ui {
namespace {

using config::FieldType;

QString toQt(const std::string& text)
{
    return QString::fromStdString(text);
}

void setWidgetInk(QWidget* widget, QPalette::ColorRole role, const QColor& colour)
{
    QPalette palette = widget->palette();
    palette.setColor(role, colour);
    widget->setPalette(palette);
}

std::vector<SettingRow::Choice> ownChoices(const Setting& setting)
{
    std::vector<SettingRow::Choice> choices;
    for (const std::string& choice : setting.field.choices)
        choices.push_back({toQt(choice), {}});
    for (const std::string& choice : setting.suggestions)
        choices.push_back({toQt(choice), {}});
    return choices;
}

} // namespace

SettingRow::SettingRow(Setting setting, SpecSession& session, Theme& theme, EditorGuard& guard, QWidget* parent)
    : QWidget(parent)
    , m_setting(std::move(setting))
    , m_session(session)
    , m_theme(theme)
    , m_choices(ownChoices(m_setting))
    , m_default(m_setting.field.defaultValue)
{
    setObjectName(toQt(m_setting.path));
    build(guard);
    connect(&m_theme, &Theme::changed, this, &SettingRow::refreshColours);
    setEditorText(toQt(textOf(m_setting.field.defaultValue, m_setting.field)));
    refresh();
    refreshColours();
}

void SettingRow::build(EditorGuard& guard)
{
    m_label = new QLabel(toQt(m_setting.label), this);
    m_label->setWordWrap(true);
    m_note = new QLabel(this);
    m_note->setObjectName(objectName() + QStringLiteral(".note"));
    m_note->setWordWrap(true);
    buildEditor(guard);
    m_label->setBuddy(editor());
    m_axis = button(QStringLiteral(".axis"), tr("Make a sweep axis of %1: try several values").arg(m_label->text()));
    m_axis->setCheckable(true);
    m_reset = button(QStringLiteral(".reset"), tr("Set %1 back to its default").arg(m_label->text()));
    connect(m_axis, &QToolButton::clicked, this, &SettingRow::toggleAxis);
    connect(m_reset, &QToolButton::clicked, this, [this] {
        m_isUnfinished = false;
        m_problem.clear();
        m_session.clear(objectName());
    });

    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setHorizontalSpacing(fontMetrics().averageCharWidth() / 2);
    layout->setVerticalSpacing(0);
    layout->addWidget(m_label, 0, 0);
    layout->addWidget(m_combo != nullptr ? static_cast<QWidget*>(m_combo) : m_line, 0, 1);
    if (m_check != nullptr)
        layout->addWidget(m_check, 0, 1);
    layout->addWidget(m_axis, 0, 2);
    layout->addWidget(m_reset, 0, 3);
    layout->addWidget(m_note, 1, 0, 1, 4);
    layout->setColumnStretch(0, 4);
    layout->setColumnStretch(1, 6);
}

void SettingRow::buildEditor(EditorGuard& guard)
{
    const QString help = toQt(m_setting.field.help);
    const QString tip = QStringLiteral("<b>%1</b><br>%2<br><i>%3</i>")
                            .arg(toQt(m_setting.path).toHtmlEscaped(), help.toHtmlEscaped(),
                                toQt(m_setting.field.validValues()).toHtmlEscaped());
    if (!m_choices.empty()) {
        m_combo = new QComboBox(this);
        m_combo->setEditable(true);
        m_combo->setInsertPolicy(QComboBox::NoInsert);
        m_combo->setCompleter(nullptr);
        m_combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        m_combo->setMinimumContentsLength(6);
        m_line = m_combo->lineEdit();
        guard.watch(m_combo);
        fillChoices();
        connect(m_combo, &QComboBox::activated, this, &SettingRow::choose);
    } else {
        m_line = new QLineEdit(this);
    }
    if (m_setting.field.type == FieldType::Boolean) {
        m_check = new QCheckBox(this);
        m_check->setText(tr("on"));
        connect(m_check, &QCheckBox::clicked, this, [this](bool isOn) { commit(config::Value(isOn), false); });
    }
    guard.watch(m_line);
    connect(m_line, &QLineEdit::textEdited, this, &SettingRow::readTyped);
    for (QWidget* widget :
        {static_cast<QWidget*>(m_combo), static_cast<QWidget*>(m_line), static_cast<QWidget*>(m_check)})
        if (widget != nullptr) {
            widget->setObjectName(objectName() + QStringLiteral(".editor"));
            widget->setAccessibleName(m_label->text());
            widget->setAccessibleDescription(help);
            widget->setToolTip(tip);
        }
    if (m_combo != nullptr)
        m_line->setObjectName(objectName() + QStringLiteral(".line"));
    if (m_check != nullptr)
        m_line->setObjectName(objectName() + QStringLiteral(".values"));
    m_line->setPlaceholderText(tr("not set"));
    m_label->setToolTip(tip);
}

QToolButton* SettingRow::button(const QString& name, const QString& help)
{
    auto* made = new QToolButton(this);
    made->setObjectName(objectName() + name);
    made->setAutoRaise(true);
    made->setFocusPolicy(Qt::StrongFocus);
    made->setToolTip(help);
    made->setAccessibleName(help);
    QSizePolicy policy = made->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    made->setSizePolicy(policy);
    return made;
}

QWidget* SettingRow::editor() const
{
    if (m_check != nullptr && !isAxis() && !m_isUnfinished)
        return m_check;
    return m_combo != nullptr ? static_cast<QWidget*>(m_combo) : m_line;
}

QList<QWidget*> SettingRow::stops() const
{
    QList<QWidget*> stops{m_combo != nullptr ? static_cast<QWidget*>(m_combo) : m_line};
    if (m_check != nullptr)
        stops.prepend(m_check);
    return stops << m_axis << m_reset;
}

void SettingRow::setChoices(const std::vector<Choice>& choices)
{
    const auto same = [](const Choice& a, const Choice& b) { return a.value == b.value && a.meaning == b.meaning; };
    if (m_combo == nullptr || std::equal(choices.begin(), choices.end(), m_choices.begin(), m_choices.end(), same))
        return;
    m_choices = choices;
    fillChoices();
}

// The list shows what each means; the field itself takes the value alone.
void SettingRow::fillChoices()
{
    const QString text = m_line->text();
    const QSignalBlocker blocker(m_combo);
    m_combo->clear();
    for (const Choice& choice : m_choices)
        m_combo->addItem(
            choice.meaning.isEmpty() ? choice.value : QStringLiteral("%1 \u2013 %2").arg(choice.value, choice.meaning),
            choice.value);
    m_combo->view()->setTextElideMode(Qt::ElideRight);
    m_combo->view()->setMinimumWidth(fontMetrics().averageCharWidth() * 46);
    setEditorText(text);
}

void SettingRow::enableFilter()
{
    auto* completer = new QCompleter(m_combo->model(), m_combo);
    completer->setFilterMode(Qt::MatchContains);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    completer->setCompletionMode(QCompleter::PopupCompletion);
    m_combo->setCompleter(completer);
    connect(completer, qOverload<const QModelIndex&>(&QCompleter::activated), this,
        [this](const QModelIndex& index) { choose(m_combo->findText(index.data().toString())); });
}

void SettingRow::setEditorText(const QString& text)
{
    if (m_line->text() == text)
        return;
    const QSignalBlocker blocker(m_combo != nullptr ? static_cast<QObject*>(m_combo) : m_line);
    if (m_combo != nullptr)
        m_combo->setEditText(text);
    else
        m_line->setText(text);
    m_line->setCursorPosition(0);
}

void SettingRow::readTyped()
{
    const std::string text = m_line->text().trimmed().toStdString();
    const TypedValue typed = text.empty() ? TypedValue{{}, 1, {}} : typedValue(text, m_setting);
    m_isUnfinished = !typed.problem.empty();
    m_problem = toQt(typed.problem);
    if (!m_isUnfinished)
        commit(typed.value, true);
    refresh();
}

void SettingRow::choose(int index)
{
    if (index < 0)
        return;
    const QString chosen = m_combo->itemData(index).toString();
    const config::Value picked = typedValue(chosen.toStdString(), m_setting).value;
    config::Value::List values = singleValues(m_value, m_setting.field);
    // In an axis the list adds and takes away.
    if (isAxis() && std::erase(values, picked) == 0)
        values.push_back(picked);
    const config::Value value = !isAxis() ? picked : values.size() == 1 ? values.front() : config::Value(values);
    setEditorText(toQt(textOf(value, m_setting.field)));
    commit(value, false);
}

void SettingRow::commit(const config::Value& value, bool isTyped)
{
    m_isUnfinished = false;
    m_problem.clear();
    m_value = value;
    m_count = value.isNull() ? 1 : valuesIn(value, m_setting.field);
    if (value.isNull())
        m_session.clear(objectName());
    else
        m_session.set(objectName(), toQt(config::toToml(value)), isTyped ? EditKind::Typing : EditKind::Choice);
    refresh();
}

void SettingRow::toggleAxis()
{
    if (!isAxis() && !m_isUnfinished)
        return makeAxis();
    const config::Value value = m_value.isNull() ? m_default : m_value;
    const config::Value first = singleValues(value, m_setting.field).front();
    setEditorText(toQt(textOf(first, m_setting.field)));
    commit(isAxis() ? first : m_value, false);
}

QString SettingRow::unusedChoice() const
{
    if (m_setting.field.type == FieldType::Boolean)
        return m_check->isChecked() ? QStringLiteral("false") : QStringLiteral("true");
    for (const Choice& choice : m_choices)
        if (choice.value != m_line->text())
            return choice.value;
    return {};
}

// A second value where one can be guessed; else the field waits for it.
void SettingRow::makeAxis()
{
    const config::Value value = m_value.isNull() ? m_default : m_value;
    const QString more = unusedChoice();
    const QString text = toQt(textOf(value, m_setting.field));
    m_isUnfinished = true;
    refresh();
    setEditorText(text.isEmpty() ? more : text + QStringLiteral(", ") + more);
    m_line->setFocus(Qt::OtherFocusReason);
    m_line->setCursorPosition(static_cast<int>(m_line->text().size()));
    if (more.isEmpty())
        m_problem = tr("Type the next value behind the comma");
    else
        readTyped();
    refresh();
}

void SettingRow::showValue(const PlanView& view)
{
    const config::Value value = view.value(m_setting.path);
    const bool isNew = value != m_value;
    m_value = value;
    m_default = view.defaultOf(m_setting.path, m_setting.field);
    m_reasonOfDefault = toQt(view.reasonOfDefault(m_setting.path, m_setting.field));
    m_isOwn = view.isOwn(m_setting.path);
    m_count = value.isNull() ? 1 : valuesIn(value, m_setting.field);
    const config::Value shown = value.isNull() ? m_default : value;
    if (isNew || !m_isUnfinished) {
        m_isUnfinished = false;
        m_problem = toQt(view.problem(m_setting.path));
        // What was typed may be written otherwise and mean the same.
        const TypedValue typed = typedValue(m_line->text().toStdString(), m_setting);
        const bool isMeant = typed.problem.empty() && typed.value == value && m_line->hasFocus();
        const bool isEmptied = value.isNull() && m_line->text().isEmpty() && m_line->hasFocus();
        if (!isMeant && !isEmptied)
            setEditorText(toQt(textOf(shown, m_setting.field)));
    }
    if (m_check != nullptr && shown.isBoolean())
        m_check->setChecked(shown.boolean());
    refresh();
    refreshColours();
}

void SettingRow::setConflict(const QString& conflict)
{
    m_conflict = conflict;
    refresh();
}

void SettingRow::setRemark(const QString& remark)
{
    m_remark = remark;
    refresh();
}

QString SettingRow::noteText() const
{
    QStringList lines;
    if (m_isUnfinished && !m_problem.isEmpty())
        lines << tr("Not applied yet. %1.").arg(m_problem);
    else if (!m_problem.isEmpty())
        lines << tr("Wrong: %1").arg(m_problem);
    if (!m_conflict.isEmpty())
        lines << m_conflict;
    if (isAxis())
        lines << tr("Sweep axis, %1 values").arg(m_count);
    if (!m_reasonOfDefault.isEmpty() && m_value.isNull())
        lines << m_reasonOfDefault;
    if (!m_remark.isEmpty())
        lines << m_remark;
    return lines.join(QLatin1Char('\n'));
}

void SettingRow::refresh()
{
    m_note->setText(noteText());
    m_note->setVisible(!m_note->text().isEmpty());
    m_axis->setChecked(isAxis());
    m_axis->setToolTip(isAxis() ? tr("Keep the first value only: no sweep axis") : m_axis->accessibleName());
    m_reset->setVisible(m_isOwn || m_isUnfinished);
    if (m_check != nullptr) {
        const bool isText = isAxis() || m_isUnfinished;
        m_check->setVisible(!isText);
        m_line->setVisible(isText);
        m_check->setText(m_check->isChecked() ? tr("on") : tr("off"));
    }
    Q_EMIT stateChanged();
}

void SettingRow::refreshColours()
{
    const int side = fontMetrics().height();
    const QColor state = m_isOwn ? m_theme.ink() : m_theme.muted();
    m_axis->setIcon(fieldIcon(FieldGlyph::Axis, isAxis() ? m_theme.accent() : m_theme.muted(), side));
    m_reset->setIcon(fieldIcon(FieldGlyph::Reset, m_theme.ink(), side));
    setWidgetInk(m_label, QPalette::WindowText, state);
    setWidgetInk(m_line, QPalette::Text, state);
    if (m_combo != nullptr) // hands its palette on to its line
        setWidgetInk(m_combo, QPalette::Text, state);
    if (m_check != nullptr)
        setWidgetInk(m_check, QPalette::WindowText, state);
    setWidgetInk(m_note, QPalette::WindowText,
        hasProblem()   ? m_theme.alarm()
            : isAxis() ? m_theme.accent()
                       : m_theme.muted());
}

} // namespace headroom::ui
