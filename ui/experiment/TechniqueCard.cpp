// SPDX-License-Identifier: Apache-2.0
#include "ui/experiment/TechniqueCard.h"

#include "ui/experiment/EditorGuard.h"
#include "ui/experiment/FieldGlyph.h"
#include "ui/experiment/PlanView.h"
#include "ui/experiment/TechniqueText.h"
#include "ui/look/Theme.h"
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

void setLabelInk(QLabel* label, const QColor& colour)
{
    QPalette palette = label->palette();
    palette.setColor(QPalette::WindowText, colour);
    label->setPalette(palette);
}

} // namespace

TechniqueCard::TechniqueCard(const config::TechniqueDescriptor& technique, SpecSession& session, Theme& theme,
    EditorGuard& guard, QWidget* parent)
    : QFrame(parent)
    , m_technique(technique)
    , m_session(session)
    , m_theme(theme)
{
    setObjectName(QStringLiteral("technique.") + QString::fromStdString(technique.key));
    setFrameShape(QFrame::StyledPanel);
    build(guard);
    connect(&m_theme, &Theme::changed, this, &TechniqueCard::refreshColours);
    refreshColours();
}

void TechniqueCard::build(EditorGuard& guard)
{
    const int space = fontMetrics().averageCharWidth();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(space, space / 2, space, space);
    layout->setSpacing(space / 2);
    layout->addWidget(makeHeading());
    m_summary = wrapped(QString::fromStdString(m_technique.summary), this);
    layout->addWidget(m_summary);
    m_help = wrapped(longHelp(m_technique), this);
    m_help->setObjectName(objectName() + QStringLiteral(".help"));
    m_help->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_help->hide();
    layout->addWidget(m_help);
    m_notation = new SettingRow(notationSetting(m_technique), m_session, m_theme, guard, this);
    layout->addWidget(m_notation);
    for (const config::Field& option : m_technique.options.all()) {
        Setting setting{"techniques." + m_technique.key + "." + option.name, titleOf(option.name), option};
        m_options.push_back(new SettingRow(std::move(setting), m_session, m_theme, guard, this));
        layout->addWidget(m_options.back());
    }
}

QWidget* TechniqueCard::makeHeading()
{
    auto* heading = new QWidget(this);
    m_toggle = new QCheckBox(QString::fromStdString(m_technique.title), heading);
    m_toggle->setObjectName(objectName() + QStringLiteral(".toggle"));
    m_toggle->setToolTip(QString::fromStdString(m_technique.summary));
    m_toggle->setAccessibleDescription(QString::fromStdString(m_technique.summary));
    QFont bold = font();
    bold.setBold(true);
    m_toggle->setFont(bold);
    m_info = new QToolButton(heading);
    m_info->setObjectName(objectName() + QStringLiteral(".info"));
    m_info->setCheckable(true);
    m_info->setAutoRaise(true);
    m_info->setFocusPolicy(Qt::StrongFocus);
    const QString help = QStringLiteral("What %1 can be set to").arg(m_toggle->text());
    m_info->setAccessibleName(help);
    m_info->setToolTip(help);
    auto* layout = new QHBoxLayout(heading);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_toggle, 1);
    layout->addWidget(m_info);
    connect(m_toggle, &QCheckBox::clicked, this, &TechniqueCard::switchTo);
    connect(m_info, &QToolButton::toggled, this, &TechniqueCard::showHelp);
    return heading;
}

void TechniqueCard::showHelp(bool isShown)
{
    m_help->setVisible(isShown);
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
    m_notation->setVisible(m_isOn || m_isSet || m_notation->hasProblem());
    for (SettingRow* option : m_options) {
        option->showValue(view);
        option->setVisible(
            m_isOn || option->hasProblem() || (m_isSet && m_technique.offOptions == config::OffOptions::Kept));
    }
}

void TechniqueCard::showSwitch(const PlanView& view)
{
    const config::Value value = view.value(m_notation->setting().path);
    m_isSet = view.isOwn(m_notation->setting().path);
    m_isOn = false;
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
    setLabelInk(m_summary, m_theme.muted());
    setLabelInk(m_help, m_theme.muted());
}

} // namespace headroom::ui
