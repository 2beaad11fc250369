// SPDX-License-Identifier: Apache-2.0
#include "ui/experiment/SettingRow.h"

#include "ui/experiment/EditorGuard.h"
#include "ui/experiment/FieldGlyph.h"
#include "ui/experiment/PlanView.h"
#include "ui/experiment/SettingNote.h"
#include "ui/look/LowWindowWatch.h"
#include "ui/look/Theme.h"
#include "ui/look/WidgetInk.h"
#include "ui/spec/SpecSession.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

namespace headroom::ui {
namespace {

QString toQt(const std::string& text)
{
    return QString::fromStdString(text);
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
    new LowWindowWatch(*this, [this] { refresh(); });
    connect(&m_theme, &Theme::changed, this, &SettingRow::refreshColours);
    connect(&m_session, &SpecSession::draftsDropped, this, &SettingRow::dropDraft);
    setEditorText(toQt(textOf(m_setting.field.defaultValue, m_setting)));
    refresh();
    refreshColours();
}

void SettingRow::build(EditorGuard& guard)
{
    m_label = new QLabel(toQt(m_setting.label), this);
    m_label->setWordWrap(true);
    m_note = new SettingNote(objectName(), m_session, m_theme, this);
    m_values = new QLabel(this);
    m_values->setObjectName(objectName() + QStringLiteral(".count"));
    buildEditor(guard);
    m_label->setBuddy(editor());
    m_axis = makeFieldButton(objectName() + QStringLiteral(".axis"),
        QStringLiteral("Make a sweep axis of %1: try several values").arg(m_label->text()), this);
    m_axis->setCheckable(true);
    m_reset = makeFieldButton(objectName() + QStringLiteral(".reset"),
        QStringLiteral("Set %1 back to its default").arg(m_label->text()), this);
    connect(m_axis, &QToolButton::clicked, this, &SettingRow::startAxis);
    connect(m_reset, &QToolButton::clicked, this, &SettingRow::reset);

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
    layout->addWidget(m_values, 0, 1, Qt::AlignRight | Qt::AlignVCenter);
    layout->addWidget(m_note, 2, 0, 1, 4);
    layout->setColumnStretch(0, 4);
    layout->setColumnStretch(1, 6);
}

void SettingRow::buildEditor(EditorGuard& guard)
{
    if (!m_choices.empty() && m_setting.field.type != config::FieldType::Boolean) {
        m_combo = new QComboBox(this);
        m_combo->setEditable(true);
        m_combo->setInsertPolicy(QComboBox::NoInsert);
        m_combo->setCompleter(nullptr);
        m_combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        m_combo->setMinimumContentsLength(4);
        m_combo->setIconSize({0, 0}); // its items have none, and would have room for it
        m_line = m_combo->lineEdit();
        guard.watch(m_combo);
        fillChoices();
        connect(m_combo, &QComboBox::activated, this, &SettingRow::choose);
    } else {
        m_line = new QLineEdit(this);
    }
    if (m_setting.field.type == config::FieldType::Boolean) {
        m_check = new QCheckBox(this);
        m_check->setText(QStringLiteral("on"));
        connect(m_check, &QCheckBox::clicked, this, [this](bool isOn) { commit(config::Value(isOn), false); });
    }
    guard.watch(m_line);
    connect(m_line, &QLineEdit::textEdited, this, &SettingRow::readTyped);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_combo, m_line, m_check})
        if (widget != nullptr) {
            widget->setObjectName(objectName() + QStringLiteral(".editor"));
            widget->setAccessibleName(m_label->text());
            widget->setAccessibleDescription(toQt(m_setting.field.help));
            widget->setToolTip(toolTipOf(m_setting));
        }
    if (m_combo != nullptr || m_check != nullptr)
        m_line->setObjectName(objectName() + QLatin1String(m_combo != nullptr ? ".line" : ".values"));
    m_line->setPlaceholderText(QStringLiteral("not set"));
    m_label->setToolTip(toolTipOf(m_setting));
}

void SettingRow::replaceLabel(QWidget* widget, LabelWidth width)
{
    auto* grid = qobject_cast<QGridLayout*>(layout());
    grid->removeWidget(m_label);
    m_label->hide();
    grid->addWidget(widget, 0, 0);
    m_labelWidth = width;
    if (width == LabelWidth::Own)
        grid->setColumnStretch(0, 0);
    QWidget* last = widget;
    for (QWidget* stop : stops()) { // it may be younger than they are
        setTabOrder(last, stop);
        last = stop;
    }
}

QWidget* SettingRow::editor() const
{
    if (m_check != nullptr && !isAxis() && !m_isDraft)
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
    if (m_combo == nullptr || choices == m_choices)
        return;
    m_choices = choices;
    fillChoices();
}

// The list shows the meaning of each choice; the field itself shows only the value. Someone may be typing in it.
void SettingRow::fillChoices()
{
    const QString text = m_line->text();
    const int cursor = m_line->cursorPosition();
    const QSignalBlocker blocker(m_combo);
    fill(*m_combo, m_choices);
    setEditorText(text);
    m_line->setCursorPosition(cursor);
}

void SettingRow::setEditorText(const QString& text)
{
    if (m_line->text() == text)
        return;
    const QSignalBlocker blocker(m_combo != nullptr ? static_cast<QObject*>(m_combo) : m_line);
    m_line->setText(text);
    m_line->setCursorPosition(text.contains(QLatin1Char('/')) ? int(text.size()) : 0); // of a path its end is seen
}

void SettingRow::readTyped()
{
    const std::string text = m_line->text().trimmed().toStdString();
    const TypedValue typed = text.empty() ? TypedValue{{}, 1, {}} : typedValue(text, m_setting);
    const bool isMissing = text.empty() && m_setting.need == Setting::Need::Required;
    if (isMissing)
        putDraft(QStringLiteral("A value is required here"));
    else if (!typed.problem.empty())
        putDraft(toQt(typed.problem));
    else
        commit(typed.value, true);
    refresh();
}

void SettingRow::putDraft(const QString& problem)
{
    m_isDraft = true;
    m_note->setDraftProblem(problem);
    const QString held = toQt(textOf(shownValue(), m_setting));
    m_session.putDraft({objectName(), m_label->text(), held.isEmpty() ? QStringLiteral("not set") : held});
}

void SettingRow::endDraft()
{
    m_isDraft = false;
    m_note->setDraftProblem({});
    m_session.dropDraft(objectName());
}

void SettingRow::dropDraft()
{
    if (!m_isDraft)
        return;
    endDraft();
    showSpecValue();
    refresh();
}

// The value in the spec, or the one that applies if it is not set.
config::Value SettingRow::shownValue() const
{
    return m_value.isNull() ? m_default : m_value;
}

void SettingRow::showSpecValue()
{
    setEditorText(toQt(textOf(shownValue(), m_setting)));
    m_count = m_value.isNull() ? 1 : valuesIn(m_value, m_setting.field);
}

// The first click discards typed text that is not valid; only another click removes the spec's value.
void SettingRow::reset()
{
    if (m_isDraft)
        return dropDraft();
    m_session.clear(objectName());
}

void SettingRow::choose(int index)
{
    if (index < 0)
        return;
    const config::Value picked = typedValue(m_combo->itemData(index).toString().toStdString(), m_setting).value;
    // For an axis, the list adds and removes values.
    if (isAxis())
        toggleValue(picked);
    else
        commit(picked, false);
    setEditorText(toQt(textOf(shownValue(), m_setting)));
}

// Adds the value to the sweep or removes it; the last value cannot be removed.
bool SettingRow::toggleValue(const config::Value& value)
{
    const config::Value all = withToggled(shownValue(), value, m_setting.field);
    if (!all.isNull())
        commit(all, false);
    return !all.isNull();
}

void SettingRow::commit(const config::Value& value, bool isTyped)
{
    endDraft();
    m_value = value;
    m_count = value.isNull() ? 1 : valuesIn(value, m_setting.field);
    if (value.isNull())
        m_session.clear(objectName());
    else
        m_session.set(objectName(), toQt(config::toToml(value)), isTyped ? EditKind::Typing : EditKind::Choice);
    refresh();
}

// A click alone adds nothing: values are checked in a list, or typed if there is none.
void SettingRow::startAxis()
{
    if (!m_choices.empty())
        openChecklist();
    else if (m_isDraft)
        dropDraft();
    else if (!isAxis())
        awaitNextValue();
    else {
        commit(singleValues(m_value, m_setting.field).front(), false);
        showSpecValue();
    }
    refresh();
}

void SettingRow::awaitNextValue()
{
    const QString text = toQt(textOf(shownValue(), m_setting));
    putDraft(QStringLiteral("Type the next value behind the comma"));
    setEditorText(text.isEmpty() ? text : text + QStringLiteral(", "));
    m_line->setFocus(Qt::OtherFocusReason);
    m_line->setCursorPosition(static_cast<int>(m_line->text().size()));
}

void SettingRow::openChecklist()
{
    dropDraft();
    const config::Value::List values = singleValues(shownValue(), m_setting.field);
    auto* list = new ValueChecklist(m_label->text(), checklistItems(m_choices, values, m_setting), this);
    list->setObjectName(objectName() + QStringLiteral(".list"));
    const auto showOutcome = [this, list] { list->showOutcome(sweepOutcome(m_count, m_session)); };
    connect(list, &ValueChecklist::toggled, this, [this, list, showOutcome](const QString& text, bool isChecked) {
        if (!toggleValue(typedValue(text.toStdString(), m_setting).value))
            list->setChecked(text, !isChecked);
        showSpecValue();
        showOutcome();
        refresh();
    });
    connect(&m_session, &SpecSession::planChanged, list, showOutcome);
    showOutcome();
    list->openAt(*editor());
}

void SettingRow::showValue(const PlanView& view)
{
    const config::Value value = view.value(m_setting.path);
    const bool isNew = value != m_value;
    m_value = value;
    m_default = view.defaultOf(m_setting.path, m_setting.field);
    m_isOwn = view.isOwn(m_setting.path);
    m_count = value.isNull() ? 1 : valuesIn(value, m_setting.field);
    if (isNew && m_isDraft)
        endDraft();
    m_note->setReason(toQt(view.reasonOfDefault(m_setting.path, m_setting.field)));
    if (!m_isDraft) {
        m_note->takeProblems(view, m_setting.path, isAxis() ? SettingNote::Axis::Yes : SettingNote::Axis::No);
        // The typed text may be a different notation for the same value.
        const TypedValue typed = typedValue(m_line->text().toStdString(), m_setting);
        const bool isMeant = typed.problem.empty() && typed.value == value && m_line->hasFocus();
        const bool isEmptied = value.isNull() && m_line->text().isEmpty() && m_line->hasFocus();
        if (!isMeant && !isEmptied)
            showSpecValue();
    }
    if (const config::Value shown = shownValue(); m_check != nullptr && shown.isBoolean())
        m_check->setChecked(shown.boolean());
    refresh();
    refreshColours();
}

bool SettingRow::hasProblem() const
{
    return m_note->hasProblem();
}

void SettingRow::refresh()
{
    m_axis->setChecked(isAxis());
    m_axis->setToolTip(isAxis() && m_choices.empty() ? QStringLiteral("Keep the first value only: no sweep axis")
                                                     : m_axis->accessibleName());
    const bool isShown = m_editor == Editor::Shown;
    m_reset->setVisible(isShown && (canReset() || m_isDraft));
    m_axis->setVisible(isShown && !(m_isDraft && isSwitched()));
    if (m_combo != nullptr)
        m_combo->setVisible(isShown);
    m_reset->setToolTip(m_isDraft ? QStringLiteral("Restore the experiment's value") : m_reset->accessibleName());
    if (m_check != nullptr) {
        const bool isText = isAxis() || m_isDraft;
        m_check->setVisible(!isText);
        m_line->setVisible(isText);
        m_check->setText(m_check->isChecked() ? QStringLiteral("on") : QStringLiteral("off"));
    }
    refreshPlace(); // whose room is what the buttons leave
    refreshInk();
    Q_EMIT stateChanged();
}

// The values of a sweep axis have a line of their own where they are longer than the field beside the name.
void SettingRow::refreshPlace()
{
    QWidget& field = m_combo != nullptr ? static_cast<QWidget&>(*m_combo) : *m_line;
    auto& row = *qobject_cast<QGridLayout*>(layout());
    keepRoom(*m_reset, !isTight() && !isSwitched());
    const EditorPlace where = isAxis() ? placeFor(m_line->text(), field, row) : EditorPlace::Beside;
    const bool isCounted = where == EditorPlace::Below && m_editor == Editor::Shown;
    m_values->setText(isCounted ? QStringLiteral("%1 values").arg(m_count) : QString());
    place(field, where, row);
}

void SettingRow::refreshInk()
{
    const QColor state = m_isOwn ? m_theme.ink() : m_theme.muted();
    setInk(m_label, hasProblem() ? m_theme.alarm() : state);
    setInk(m_line, m_isDraft ? m_theme.alarm() : state, QPalette::Text);
    if (m_combo != nullptr) // passes its palette on to its line edit
        setInk(m_combo, m_isDraft ? m_theme.alarm() : state, QPalette::Text);
    if (m_check != nullptr)
        setInk(m_check, state);
}

void SettingRow::refreshColours()
{
    const int side = fontMetrics().height();
    setInk(m_values, m_theme.accent());
    m_axis->setIcon(fieldIcon(FieldGlyph::Axis, isAxis() ? m_theme.accent() : m_theme.muted(), side));
    m_reset->setIcon(fieldIcon(FieldGlyph::Reset, m_theme.ink(), side));
    refreshInk();
}

} // namespace headroom::ui
