// SPDX-License-Identifier: Apache-2.0
#include "ui/experiment/FieldGroup.h"

#include "ui/experiment/EditorGuard.h"
#include "ui/experiment/PlanView.h"

#include <QApplication>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>

namespace headroom::ui {
namespace {

bool isSameField(const config::Field& a, const config::Field& b)
{
    return a.name == b.name && a.type == b.type && a.defaultValue == b.defaultValue && a.choices == b.choices;
}

// What a number counts, as the field's help says it: "px" of "height in pixels", "videos" of "videos per step". Empty
// where the name says it, as of frames.
QString unitOf(const config::Field& field)
{
    if (field.type != config::FieldType::Integer)
        return {};
    const QString help = QString::fromStdString(field.help);
    if (help.contains(QStringLiteral("in pixels")))
        return QStringLiteral("px");
    const QString counted = help.section(QStringLiteral(" per "), 0, 0).section(QLatin1Char(' '), -1);
    const bool isUnit = help.contains(QStringLiteral(" per ")) && !counted.isEmpty()
        && !QString::fromStdString(field.name).contains(counted);
    return isUnit ? counted : QString();
}

std::string labelOf(const config::Field& field)
{
    const QString unit = unitOf(field);
    return unit.isEmpty() ? titleOf(field.name) : titleOf(field.name) + " (" + unit.toStdString() + ")";
}

} // namespace

FieldGroup::FieldGroup(
    const std::string& table, Shown shown, SpecSession& session, Theme& theme, EditorGuard& guard, QWidget* parent)
    : QWidget(parent)
    , m_table(table)
    , m_shown(shown)
    , m_session(session)
    , m_theme(theme)
    , m_guard(guard)
    , m_layout(new QVBoxLayout(this))
    , m_search(new QLineEdit(this))
    , m_expander(new QToolButton(this))
{
    setObjectName(QString::fromStdString(table) + QStringLiteral(".fields"));
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(fontMetrics().averageCharWidth() / 3);
    m_expander->setObjectName(objectName() + QStringLiteral(".expander"));
    m_expander->setCheckable(true);
    m_expander->setAutoRaise(true);
    m_expander->setFocusPolicy(Qt::StrongFocus);
    m_expander->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_search->setObjectName(objectName() + QStringLiteral(".search"));
    m_search->setPlaceholderText(QStringLiteral("Find a field by name or meaning"));
    m_search->setAccessibleName(QStringLiteral("Find a field"));
    m_search->setClearButtonEnabled(true);
    m_layout->addWidget(m_search);
    m_layout->addWidget(m_expander);
    connect(m_expander, &QToolButton::toggled, this, &FieldGroup::refresh);
    connect(m_search, &QLineEdit::textChanged, this, &FieldGroup::refresh);
}

void FieldGroup::setFields(const std::vector<config::Field>& fields)
{
    if (std::equal(fields.begin(), fields.end(), m_fields.begin(), m_fields.end(), isSameField))
        return;
    m_fields = fields;
    for (SettingRow* row : m_rows) {
        row->dropDraft();
        delete row;
    }
    m_rows.clear();
    for (const config::Field& field : fields)
        addRow(field);
    orderStops();
    refresh();
}

// Rows are made when the model is known, long after the widgets below them, so the tab order has to be set again. The
// expander is above them where it stands in a heading.
void FieldGroup::orderStops()
{
    if (m_shown == Shown::Usual)
        setTabOrder(m_expander, m_search);
    QWidget* last = m_search;
    for (const SettingRow* row : m_rows)
        for (QWidget* stop : row->stops()) {
            setTabOrder(last, stop);
            last = stop;
        }
    if (m_shown != Shown::Usual)
        setTabOrder(last, m_expander);
}

void FieldGroup::addRow(const config::Field& field)
{
    Setting setting{m_table + "." + field.name, m_table == "workload" ? labelOf(field) : titleOf(field.name), field};
    auto* row = new SettingRow(std::move(setting), m_session, m_theme, m_guard, this);
    m_layout->insertWidget(m_layout->count() - 1, row);
    m_rows.push_back(row);
}

void FieldGroup::showValues(const PlanView& view)
{
    for (SettingRow* row : m_rows)
        row->showValue(view);
    refresh();
}

SettingRow* FieldGroup::row(const std::string& field) const
{
    for (SettingRow* row : m_rows)
        if (row->setting().field.name == field)
            return row;
    return nullptr;
}

int FieldGroup::changedCount() const
{
    return static_cast<int>(
        std::count_if(m_rows.begin(), m_rows.end(), [](const SettingRow* row) { return row->isChanged(); }));
}

bool FieldGroup::hasProblem() const
{
    return std::any_of(m_rows.begin(), m_rows.end(), [](const SettingRow* row) { return row->hasProblem(); });
}

bool FieldGroup::isSeen(const SettingRow& row) const
{
    if (m_shown == Shown::All || row.isChanged() || row.hasProblem())
        return true;
    if (m_shown == Shown::Usual && !m_rare.contains(row.setting().field.name))
        return true;
    if (QApplication::focusWidget() != nullptr && row.isAncestorOf(QApplication::focusWidget()))
        return true; // a row is never hidden while the user types in it
    const QString wanted = m_search->text().trimmed();
    const auto holds = [&](const std::string& text) {
        return QString::fromStdString(text).contains(wanted, Qt::CaseInsensitive);
    };
    const Setting& setting = row.setting();
    return m_expander->isChecked() && (holds(setting.field.name) || holds(setting.label) || holds(setting.field.help));
}

int FieldGroup::hiddenCount() const
{
    if (m_shown == Shown::Changed)
        return static_cast<int>(m_rows.size()) - changedCount();
    return static_cast<int>(std::ranges::count_if(m_rows, [this](const SettingRow* row) {
        return m_rare.contains(row->setting().field.name) && !row->isChanged() && !row->hasProblem();
    }));
}

void FieldGroup::refresh()
{
    const bool isOpen = m_expander->isChecked();
    const int others = hiddenCount();
    for (SettingRow* row : m_rows)
        row->setVisible(isSeen(*row));
    m_expander->setVisible(m_shown != Shown::All && !m_rows.empty() && (isOpen || others > 0));
    m_expander->setArrowType(isOpen ? Qt::UpArrow : Qt::DownArrow);
    m_expander->setText(isOpen ? QStringLiteral("Only what was changed")
                               : QStringLiteral("%1 more fields, at their default").arg(others));
    if (m_shown == Shown::Usual) // stands at the end of a heading
        m_expander->setText(isOpen ? QStringLiteral("fewer") : QStringLiteral("%1 more").arg(others));
    m_expander->setToolTip(isOpen ? QStringLiteral("Show only the usual fields and what was changed")
                                  : QStringLiteral("Show the fields that are at their default, too"));
    m_search->setVisible(m_shown == Shown::Changed && isOpen);
}

} // namespace headroom::ui
