// SPDX-License-Identifier: Apache-2.0
#include "ui/answer/AnswerText.h"

#include "core/base/Quantities.h"
#include "core/config/catalogue/Catalogue.h"

#include <fmt/format.h>

#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace headroom::ui {
namespace {

using Settings = std::map<std::string, std::string>; // displayed name to value as labels show it

constexpr int kNamedChanges = 2; ///< further changes are only counted
constexpr int kEdits = 8; ///< one edit never changes more settings than this

void add(Settings& settings, const std::string& prefix, const config::ValueMap& values)
{
    for (const auto& [name, value] : values)
        settings[prefix + name] = config::toLabel(value);
}

Settings settingsOf(const config::Trial& trial)
{
    const config::Configuration& configuration = trial.configuration;
    Settings settings{
        {"model", configuration.model}, {"card", trial.device.profile}, {"runtime", trial.device.runtime}};
    add(settings, "", configuration.modelFields);
    add(settings, "", config::toValues(configuration.workload));
    for (const auto& [key, technique] : configuration.techniques)
        settings[key] = technique.notation;
    settings["memory limit"] = trial.memoryLimitBytes ? sizeText(*trial.memoryLimitBytes) : std::string("none");
    settings["allocator"] = trial.allocator.empty() ? std::string("default") : trial.allocator;
    return settings;
}

/// The options of the techniques. An option that only follows from a new notation does not count as a change:
/// early_stop, for example, is null while there is no checkpointing.
void addOptions(Settings& settings, const config::Trial& trial, const config::Trial& other)
{
    for (const auto& [key, technique] : trial.configuration.techniques) {
        const auto otherOne = other.configuration.techniques.find(key);
        const bool isSwitchedAlike =
            otherOne != other.configuration.techniques.end() && otherOne->second.notation == technique.notation;
        for (const auto& [name, value] : technique.options)
            if (isSwitchedAlike || !value.isNull())
                settings[key + "." + name] = config::toLabel(value);
    }
}

std::string peakChange(Bytes before, Bytes now)
{
    if (before == now)
        return "same peak";
    const auto change = static_cast<double>(now - before) / static_cast<double>(before);
    return signedSizeText(now - before) + (before > 0 ? " (" + signedPercentText(change) + ")" : "");
}

std::string speedChange(double ratio)
{
    const double change = ratio - 1;
    return std::abs(change) < kLeastShownChange ? "same speed" : "speed " + signedPercentText(change);
}

std::string effect(const Prediction& before, const Prediction& now)
{
    const auto was = before.verdict.reservedBytes;
    const auto is = now.verdict.reservedBytes;
    std::string text = was && is ? peakChange(*was, *is) : "peak not known";
    const auto secondsBefore = before.stepSeconds();
    const auto seconds = now.stepSeconds();
    if (secondsBefore && seconds && *seconds > 0)
        text += ", " + speedChange(*secondsBefore / *seconds);
    return text;
}

} // namespace

QStringList differences(const config::Trial& before, const config::Trial& now)
{
    Settings were = settingsOf(before);
    Settings are = settingsOf(now);
    addOptions(were, before, now);
    addOptions(are, now, before);
    const auto sentence = [](const std::string& name, const std::string& was, const std::string& is) {
        return QStringLiteral("%1 %2 → %3")
            .arg(QString::fromStdString(name), QString::fromStdString(was), QString::fromStdString(is));
    };
    if (were.at("model") != are.at("model"))
        return {sentence("model", were.at("model"), are.at("model"))};
    QStringList found;
    for (const auto& [name, value] : are)
        if (const auto was = were.find(name); was != were.end() && was->second != value)
            found.append(sentence(name, was->second, value));
    return found;
}

QString changeText(const Prediction& before, const Prediction& now)
{
    const QStringList changes = differences(before.trial, now.trial);
    if (changes.isEmpty() || changes.size() > kEdits) // another experiment, not an edit
        return {};
    const QString what = changes.size() <= kNamedChanges ? changes.join(QStringLiteral(", "))
                                                         : QStringLiteral("%1 settings").arg(changes.size());
    return what + QStringLiteral(": ") + QString::fromStdString(effect(before, now));
}

QString shortEffect(const QString& change)
{
    const QString effect = change.mid(std::max<qsizetype>(change.lastIndexOf(QStringLiteral(": ")), 0));
    return effect.left(effect.indexOf(QRegularExpression(QStringLiteral(" \\(|,"))));
}

// Sources: docs/measurements/ltx-checkpointing.md and ffn-split.md.
QString knownError(const config::Configuration& configuration)
{
    const std::string family = config::findModel(configuration.model, "model.name").family->name;
    if (family == "ltx-video")
        return QStringLiteral(
            "Known error: against the published table of LTX-Video 2B, predicted peaks were 0.8 to 1.3 % "
            "low. The board of that table is not known: for speeds only ratios could be compared, "
            "which were within 0.4 % between checkpointed rows.");
    if (family == "ffn-stack")
        return QStringLiteral("Known error: against the published table of feed-forward layers, predicted peaks were "
                              "within 0.04 % and step times of plain rows 17 to 19 % too long.");
    return {};
}

QString speedNote(const Prediction& prediction)
{
    const QString unlimited =
        prediction.need ? QStringLiteral("On a card of this kind with enough memory. ") : QString();
    return QStringLiteral("%1A prediction from a cost model of the card, nothing has run. %2")
        .arg(unlimited, knownError(prediction.trial.configuration))
        .trimmed();
}

QString changesText(const std::vector<experiments::SettingChange>& changes)
{
    QStringList texts;
    for (const experiments::SettingChange& change : changes)
        texts.append(QString::fromStdString(experiments::shortText(change)));
    return texts.join(QStringLiteral(", "));
}

QString failureOf(const Prediction& prediction)
{
    const QString reason = QString::fromStdString(prediction.result.reason);
    return prediction.remark.isEmpty() ? reason : prediction.remark + QLatin1Char(' ') + reason;
}

} // namespace headroom::ui
