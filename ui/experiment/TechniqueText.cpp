// SPDX-License-Identifier: Apache-2.0
#include "ui/experiment/TechniqueText.h"

#include "core/base/Error.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/Configuration.h"
#include "experiments/sweep/TrialBuilder.h"

#include <algorithm>
#include <map>
#include <regex>

namespace headroom::ui {
namespace {

using config::NotationForm;
using config::TechniqueDescriptor;

// The form with numbers in place of its letters: "every:2@1" for "every:N@K".
std::string instanceOf(const NotationForm& form)
{
    static const std::vector<std::pair<std::regex, std::string>> kLetters{{std::regex("\\bLIST\\b"), "0"},
        {std::regex("\\bPOLICY\\b"), "all"}, {std::regex("\\bSIZE\\b"), "12GiB"}, {std::regex("\\bK\\b"), "1"},
        {std::regex("\\b[A-Z]+\\b"), "2"}};
    std::string text = form.form;
    for (const auto& [letters, number] : kLetters)
        text = std::regex_replace(text, letters, number);
    return text;
}

// A form as it stands, of which a device decides more; canonical with numbers in the place of letters.
std::string normalised(const TechniqueDescriptor& technique, const std::string& notation)
{
    try {
        const std::string canonical = technique.normalise(notation, technique.key);
        const bool isForm =
            std::ranges::any_of(technique.forms, [&](const NotationForm& form) { return form.form == notation; });
        return isForm ? notation : canonical;
    } catch (const UsageError&) {
        return {}; // the letters of this form stand for something else; it can still be typed
    }
}

// The form that the notation is an instance of: "every:N" for "every:4". Digits of a form without letters are its own:
// "e5m2" is none of "e4m3".
const NotationForm* formOf(const TechniqueDescriptor& technique, const std::string& notation)
{
    static const std::regex kDigits("[0-9]+(?:[-.][0-9]+)*");
    const std::string shape = std::regex_replace(notation, kDigits, "#");
    for (const NotationForm& form : technique.forms)
        if (form.form == notation)
            return &form;
    for (const NotationForm& form : technique.forms)
        if (const std::string instance = instanceOf(form);
            instance != form.form && std::regex_replace(instance, kDigits, "#") == shape)
            return &form;
    return nullptr;
}

template <typename Use> auto inContext(const config::Trial& trial, Use use)
{
    const config::ModelDescriptor model = config::findModel(trial.configuration.model, "model.name");
    return use(config::ModelContext{
        *model.family, trial.configuration.modelFields, trial.configuration.workload, trial.configuration.techniques});
}

std::vector<std::string> candidatesOf(const TechniqueDescriptor& technique, const std::optional<config::Trial>& trial)
{
    if (!trial)
        return {};
    return inContext(
        *trial, [&](const config::ModelContext& context) { return technique.candidateNotations(context); });
}

bool works(const TechniqueDescriptor& technique, const std::string& notation, const std::optional<config::Trial>& trial)
{
    if (!trial)
        return true;
    const auto setting = config::makeSetting(technique, notation, {}, technique.key);
    return inContext(
        *trial, [&](const config::ModelContext& context) { return technique.problems(setting, context).empty(); });
}

QString row(const std::string& name, const std::string& meaning)
{
    return QStringLiteral("<tr><td><b>%1</b>&nbsp;&nbsp;</td><td>%2</td></tr>")
        .arg(QString::fromStdString(name).toHtmlEscaped(), QString::fromStdString(meaning).toHtmlEscaped());
}

} // namespace

Setting notationSetting(const TechniqueDescriptor& technique)
{
    Setting setting{"techniques." + technique.key, technique.title,
        {.name = technique.key,
            .type = config::FieldType::Text,
            .defaultValue = technique.off,
            .help = technique.summary}};
    setting.check = [&technique](const config::Value& value) { technique.normalise(value.text(), {}); };
    setting.suggestions = {technique.off};
    return setting;
}

std::vector<SettingRow::Choice> notationChoices(
    const TechniqueDescriptor& technique, const std::optional<config::Trial>& trial)
{
    std::vector<std::string> notations = candidatesOf(technique, trial);
    for (const NotationForm& form : technique.forms)
        notations.push_back(normalised(technique, instanceOf(form)));
    std::vector<SettingRow::Choice> choices;
    for (const std::string& notation : notations) {
        const QString value = QString::fromStdString(notation);
        const auto isSame = [&](const SettingRow::Choice& choice) { return choice.value == value; };
        if (notation.empty() || std::any_of(choices.begin(), choices.end(), isSame))
            continue;
        const NotationForm* form = formOf(technique, notation);
        const bool isGeneral = form != nullptr && form->form != notation;
        choices.push_back({value,
            form == nullptr ? QString()
                            : QString::fromStdString((isGeneral ? form->form + ": " : "") + form->meaning)});
    }
    return choices;
}

std::string firstNotation(const TechniqueDescriptor& technique, const std::optional<config::Trial>& trial)
{
    std::vector<std::string> notations = candidatesOf(technique, trial);
    notations.insert(notations.begin(), technique.firstNotation);
    for (const NotationForm& form : technique.forms)
        notations.push_back(normalised(technique, instanceOf(form)));
    std::erase_if(notations, [&](const std::string& text) { return text.empty() || text == technique.off; });
    for (const std::string& notation : notations)
        if (works(technique, notation, trial))
            return notation;
    return notations.empty() ? std::string() : notations.front();
}

QString longHelp(const TechniqueDescriptor& technique)
{
    QString html = QStringLiteral("<table>");
    for (const NotationForm& form : technique.forms)
        html += row(form.form, form.meaning);
    html += QStringLiteral("</table>");
    if (!technique.options.all().empty()) {
        html += QStringLiteral("<p>Options</p><table>");
        for (const config::Field& option : technique.options.all())
            html += row(option.name, option.help + " (" + option.validValues() + ")");
        html += QStringLiteral("</table>");
    }
    if (!technique.counters.empty()) {
        html += QStringLiteral("<p>Proof that it was applied, counted in every trial</p><table>");
        for (const config::CounterDescriptor& counter : technique.counters)
            html += row(counter.name, counter.help);
        html += QStringLiteral("</table>");
    }
    return html;
}

} // namespace headroom::ui
