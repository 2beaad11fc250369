// SPDX-License-Identifier: Apache-2.0
#include "ui/experiment/NotationNumber.h"

#include "ui/experiment/EditorGuard.h"
#include "ui/spec/SettingText.h"
#include "ui/spec/SpecSession.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSpinBox>

#include <regex>

namespace headroom::ui {
namespace {

constexpr int kLargestNumber = 65'536;

// "rank" in "adapters of rank R"; of "N slices" nothing, as the notation itself reads so.
std::string nameOfNumber(const config::NotationForm& form, const std::string& letter)
{
    std::smatch found;
    return std::regex_search(form.meaning, found, std::regex("\\bof ([a-z]+) " + letter + "\\b")) ? found[1].str()
                                                                                                  : std::string();
}

} // namespace

std::optional<NamedNumber> namedNumber(const config::TechniqueDescriptor& technique, const std::string& notation)
{
    static const std::regex kLetter("\\b[A-Z]\\b");
    for (const config::NotationForm& form : technique.forms) {
        std::smatch letter;
        if (!std::regex_search(form.form, letter, kLetter))
            continue;
        const std::string name = nameOfNumber(form, letter.str());
        const std::string before = letter.prefix();
        const std::string after = letter.suffix();
        std::smatch number;
        if (!name.empty() && std::regex_match(notation, number, std::regex(before + "([0-9]{1,5})" + after)))
            return NamedNumber{name, std::stoi(number[1]), before, after};
    }
    return std::nullopt;
}

NotationNumber::NotationNumber(
    const config::TechniqueDescriptor& technique, SpecSession& session, EditorGuard& guard, QWidget* parent)
    : QWidget(parent)
    , m_technique(technique)
    , m_session(session)
    , m_label(new QLabel(this))
    , m_number(new QSpinBox(this))
{
    setObjectName(QStringLiteral("techniques.%1.number").arg(QString::fromStdString(technique.key)));
    m_number->setObjectName(objectName() + QStringLiteral(".editor"));
    m_number->setAccessibleName(QString::fromStdString(technique.title) + QStringLiteral(", number"));
    m_number->setRange(1, kLargestNumber);
    guard.watch(m_number);
    m_label->setBuddy(m_number);
    const int space = fontMetrics().averageCharWidth();
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(3 * space, 0, 0, 0);
    layout->addWidget(m_label);
    layout->addWidget(m_number);
    layout->addStretch(1);
    connect(m_number, &QSpinBox::valueChanged, this, &NotationNumber::commit);
    hide();
}

void NotationNumber::showValue(const config::Value& notation)
{
    m_shown = notation.isText() ? namedNumber(m_technique, notation.text()) : std::nullopt;
    setVisible(m_shown.has_value());
    if (!m_shown)
        return;
    m_label->setText(QString::fromStdString(titleOf(m_shown->name)));
    m_number->setAccessibleName(
        QStringLiteral("%1: %2").arg(QString::fromStdString(m_technique.title), m_label->text()));
    const QSignalBlocker quiet(m_number);
    m_number->setValue(m_shown->value);
}

void NotationNumber::commit(int value)
{
    if (!m_shown)
        return;
    const config::Value notation(m_shown->before + std::to_string(value) + m_shown->after);
    m_session.set(QStringLiteral("techniques.") + QString::fromStdString(m_technique.key),
        QString::fromStdString(config::toToml(notation)), EditKind::Typing);
}

} // namespace headroom::ui
