// SPDX-License-Identifier: Apache-2.0
#include "ui/experiment/SettingChoice.h"

#include "ui/spec/SpecSession.h"

#include <QAbstractItemView>
#include <QComboBox>

#include <algorithm>

namespace headroom::ui {
namespace {

constexpr int kLongestChoice = 120; ///< letters of a list's entry that are shown: more is no line to be read at once

} // namespace

QString entryText(const SettingChoice& choice)
{
    return choice.meaning.isEmpty() ? choice.value : QStringLiteral("%1 \u2013 %2").arg(choice.value, choice.meaning);
}

void fill(QComboBox& combo, const std::vector<SettingChoice>& choices)
{
    combo.clear();
    int widest = 0;
    for (const SettingChoice& choice : choices) {
        const QString text = entryText(choice);
        combo.addItem(text, choice.value);
        widest = std::max(widest, combo.fontMetrics().horizontalAdvance(text));
    }
    const int letter = combo.fontMetrics().averageCharWidth();
    combo.view()->setTextElideMode(Qt::ElideRight);
    combo.view()->setMinimumWidth(std::min(widest + 6 * letter, kLongestChoice * letter));
}

std::vector<SettingChoice> ownChoices(const Setting& setting)
{
    if (setting.field.type == config::FieldType::Boolean)
        return {{QStringLiteral("true"), QStringLiteral("on")}, {QStringLiteral("false"), QStringLiteral("off")}};
    std::vector<SettingChoice> choices;
    for (const auto* values : {&setting.field.choices, &setting.suggestions})
        for (const std::string& value : *values)
            choices.push_back({QString::fromStdString(value), {}});
    return choices;
}

std::vector<ValueChecklist::Item> checklistItems(
    const std::vector<SettingChoice>& choices, const config::Value::List& values, const Setting& setting)
{
    std::vector<ValueChecklist::Item> items;
    config::Value::List listed;
    for (const SettingChoice& choice : choices) {
        listed.push_back(typedValue(choice.value.toStdString(), setting).value);
        const bool isChecked = std::ranges::find(values, listed.back()) != values.end();
        items.push_back({choice.value, entryText(choice), isChecked});
    }
    for (const config::Value& value : values)
        if (const QString text = QString::fromStdString(textOf(value, setting));
            !text.isEmpty() && std::ranges::find(listed, value) == listed.end())
            items.push_back({text, text, true});
    return items;
}

config::Value withToggled(const config::Value& values, const config::Value& one, const config::Field& field)
{
    config::Value::List list = singleValues(values, field);
    if (values.isNull())
        list.clear(); // the setting has neither a value nor a default
    if (std::erase(list, one) == 0)
        list.push_back(one);
    return list.empty() ? config::Value() : list.size() == 1 ? list.front() : config::Value(list);
}

QString toolTipOf(const Setting& setting)
{
    return QStringLiteral("<b>%1</b><br>%2<br><i>%3</i>")
        .arg(QString::fromStdString(setting.path).toHtmlEscaped(),
            QString::fromStdString(setting.field.help).toHtmlEscaped(),
            QString::fromStdString(setting.field.validValues()).toHtmlEscaped());
}

QString sweepOutcome(std::size_t values, const SpecSession& session)
{
    const QString counted = values == 1 ? QStringLiteral("1 value") : QStringLiteral("%1 values").arg(values);
    const std::size_t trials = session.plan()->runnableTrials();
    if (session.isPlanning())
        return counted;
    return trials == 1 ? QStringLiteral("%1, 1 trial").arg(counted)
                       : QStringLiteral("%1, %2 trials").arg(counted).arg(trials);
}

} // namespace headroom::ui
