// SPDX-License-Identifier: Apache-2.0
#include "ui/experiment/TechniqueCard.h"

#include "ui/experiment/EditorGuard.h"
#include "ui/experiment/FieldGlyph.h"
#include "ui/experiment/NotationNumber.h"
#include "ui/experiment/PlanView.h"
#include "ui/experiment/TechniqueText.h"
#include "ui/look/Theme.h"
#include "ui/look/WidgetInk.h"
#include "ui/spec/SpecSession.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

namespace headroom::ui {
namespace {

QLabel* wrapped(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setWordWrap(true);
    return label;
}

} // namespace

TechniqueCard::TechniqueCard(const config::TechniqueDescriptor& technique, SpecSession& session, Theme& theme,
    EditorGuard& guard, QWidget* parent)
    : QWidget(parent)
    , m_technique(technique)
    , m_session(session)
    , m_theme(theme)
{
    setObjectName(QStringLiteral("technique.") + QString::fromStdString(technique.key));
    build(guard);
    connect(&m_theme, &Theme::changed, this, &TechniqueCard::refreshColours);
    refreshColours();
}

void TechniqueCard::build(EditorGuard& guard)
{
    const int space = fontMetrics().averageCharWidth();
    makeToggle();
    makeUnfoldButton();
    m_notation = new SettingRow(notationSetting(m_technique), m_session, m_theme, guard, this);
    m_notation->replaceLabel(m_toggle);
    auto* line = new QHBoxLayout;
    line->setSpacing(0);
    line->addWidget(m_notation, 1);
    line->addWidget(m_info, 0, Qt::AlignTop);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(space / 2);
    layout->addLayout(line);
    m_number = new NotationNumber(m_technique, m_session, guard, this);
    layout->addWidget(m_number);
    m_summary = wrapped(QString::fromStdString(m_technique.summary), this);
    layout->addWidget(m_summary);
    auto* indented = new QVBoxLayout;
    indented->setContentsMargins(2 * space, 0, 0, 0);
    for (const config::Field& option : m_technique.options.all()) {
        Setting setting{"techniques." + m_technique.key + "." + option.name, titleOf(option.name), option};
        m_options.push_back(new SettingRow(std::move(setting), m_session, m_theme, guard, this));
        indented->addWidget(m_options.back());
    }
    layout->addLayout(indented);
    m_help = wrapped(longHelp(m_technique), this);
    m_help->setObjectName(objectName() + QStringLiteral(".help"));
    m_help->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(m_help);
    unfold(false);
}

void TechniqueCard::makeToggle()
{
    m_toggle = new QCheckBox(title(), this);
    m_toggle->setObjectName(objectName() + QStringLiteral(".toggle"));
    m_toggle->setToolTip(QString::fromStdString(m_technique.summary));
    m_toggle->setAccessibleDescription(QString::fromStdString(m_technique.summary));
    connect(m_toggle, &QCheckBox::clicked, this, &TechniqueCard::switchTo);
}

void TechniqueCard::makeUnfoldButton()
{
    m_info = makeFieldButton(
        objectName() + QStringLiteral(".info"), QStringLiteral("%1: what it does, and its options").arg(title()), this);
    m_info->setCheckable(true);
    connect(m_info, &QToolButton::toggled, this, &TechniqueCard::unfold);
}

void TechniqueCard::unfold(bool isUnfolded)
{
    m_summary->setVisible(isUnfolded);
    m_help->setVisible(isUnfolded);
    showOptions();
}

void TechniqueCard::showOptions()
{
    const bool isKept = m_isSet && m_technique.offOptions == config::OffOptions::Kept;
    for (SettingRow* option : m_options)
        option->setVisible(
            option->hasProblem() || ((m_isOn || isKept) && (m_info->isChecked() || option->isChanged())));
}

// A key in the text keeps its place and its comment: it is set to off, not removed.
void TechniqueCard::switchTo(bool isOn)
{
    const QString path = QString::fromStdString(m_notation->setting().path);
    const std::string off = config::toToml(config::Value(m_technique.off));
    if (!isOn)
        return m_session.set(path, QString::fromStdString(off));
    const std::string first = config::toToml(config::Value(m_firstNotation));
    m_session.set(path, QString::fromStdString(m_lastNotation.empty() ? first : m_lastNotation));
}

void TechniqueCard::showValues(const PlanView& view)
{
    showSwitch(view);
    const PlannedPart* planned = view.planned();
    const auto trial = planned == nullptr ? std::nullopt : planned->first;
    m_firstNotation = firstNotation(m_technique, trial);
    m_notation->setChoices(notationChoices(m_technique, trial));
    m_notation->showValue(view);
    m_number->showValue(view.value(m_notation->setting().path));
    const bool hasEditor = m_isOn || m_isSet || m_notation->hasProblem();
    m_notation->setEditor(hasEditor ? SettingRow::Editor::Shown : SettingRow::Editor::Hidden);
    for (SettingRow* option : m_options)
        option->showValue(view);
    showOptions();
}

void TechniqueCard::showSwitch(const PlanView& view)
{
    const config::Value value = view.value(m_notation->setting().path);
    m_isSet = view.isOwn(m_notation->setting().path);
    m_isOn = false;
    if (m_document != m_session.plannedDocument())
        m_lastNotation.clear(); // of another experiment
    m_document = m_session.plannedDocument();
    if (!value.isNull())
        for (const config::Value& single : singleValues(value, m_notation->setting().field))
            m_isOn = m_isOn || config::toLabel(single) != m_technique.off;
    if (m_isOn)
        m_lastNotation = config::toToml(value);
    m_toggle->setChecked(m_isOn);
}

QString TechniqueCard::title() const
{
    return QString::fromStdString(m_technique.title);
}

void TechniqueCard::refreshColours()
{
    m_info->setIcon(fieldIcon(FieldGlyph::Info, m_theme.muted(), fontMetrics().height()));
    setInk(m_summary, m_theme.muted());
    setInk(m_help, m_theme.muted());
}

} // namespace headroom::ui
