// SPDX-License-Identifier: Apache-2.0
#include "ui/spec/SpecSession.h"

#include "core/base/Error.h"
#include "core/config/Installation.h"
#include "core/config/catalogue/Catalogue.h"
#include "experiments/spec/ModelFiles.h"
#include "experiments/spec/SettingField.h"
#include "experiments/spec/SpecEditor.h"
#include "experiments/spec/TomlValue.h"
#include "profiling/simulator/profiles/ProfileCatalogue.h"
#include "ui/spec/SettingText.h"
#include "ui/spec/SpecCommand.h"
#include "ui/spec/SpecFile.h"

#include <QFileInfo>

namespace headroom::ui {
namespace {

// A question that many come with, and a device on which it is answered in a second, whatever this machine can do.
// An exported model has its number format, and whether it can be trained, written into it.
std::string newSpecText(const std::string& model = "ltx-video-2b")
{
    const std::string workload =
        experiments::isExportedModel(model) ? "" : "\n[workload]\nstep = \"train\"\ndtype = \"bfloat16\"\n";
    return "name = \"unnamed\"\n\n[model]\nname = " + config::toToml(model) + "\n" + workload
        + "\n[device]\nname = \"sim:rtx4090\"\n";
}

std::vector<DeviceChoice> profileDevices()
{
    const simulator::ProfileCatalogue catalogue(config::resourceDirectory());
    std::vector<DeviceChoice> devices;
    const auto add = [&](const char* prefix, const simulator::DeviceProfile& profile, const char* kind) {
        devices.push_back({QLatin1String(prefix) + QString::fromStdString(profile.name),
            QStringLiteral("%1, %2").arg(QString::fromStdString(profile.title), QLatin1String(kind))});
    };
    for (const simulator::DeviceProfile& profile : catalogue.devices())
        add("sim:", profile, "predicted");
    for (const simulator::DeviceProfile& profile : catalogue.devices())
        if (profile.card)
            add("rehearsal:", profile, "rehearsed");
    return devices;
}

// Of an axis the first; empty for what is no name.
std::string firstModel(const std::string& value)
{
    const config::Value name = experiments::valueFromText(QString::fromStdString(value).simplified().toStdString(), {});
    const config::Value& first = name.isList() && !name.list().empty() ? name.list().front() : name;
    return first.isText() ? first.text() : std::string();
}

// The default that holds where nothing is set, for people.
std::string defaultText(const std::string& path, const std::string& model)
{
    const auto [table, name] = experiments::splitPath(path);
    if (table == "techniques" && name.find('.') == std::string::npos)
        return config::findTechnique(name, path).off;
    try {
        const config::Field field = experiments::settingField(path, model, path);
        return textOf(field.defaultValue, field);
    } catch (const UsageError&) {
        return {}; // a key that no model has can still be taken away
    }
}

} // namespace

SpecSession::SpecSession(QObject* parent)
    : QObject(parent)
    , m_plan(std::make_shared<Plan>())
    , m_files(QStringLiteral("spec-files"))
    , m_planner(QStringLiteral("spec-plan"))
{
    newSpec();
    readCatalogues();
}

SpecSession::~SpecSession() = default;

void SpecSession::choosePart(int part)
{
    const int parts = m_plan->document.parts.empty() ? 0 : static_cast<int>(m_plan->document.parts.size());
    const int chosen = part >= 0 && part < parts ? part : -1;
    if (chosen == m_part)
        return;
    m_part = chosen;
    endTyping();
    dropDrafts();
    Q_EMIT partChanged();
}

void SpecSession::undo()
{
    m_drafts.isEmpty() ? m_undo.undo() : dropDrafts();
}

void SpecSession::redo()
{
    dropDrafts();
    m_undo.redo();
}

void SpecSession::putDraft(const Draft& draft)
{
    if (m_drafts.value(draft.path) == draft)
        return;
    m_drafts[draft.path] = draft;
    Q_EMIT draftsChanged();
}

void SpecSession::dropDraft(const QString& path)
{
    if (m_drafts.remove(path) > 0)
        Q_EMIT draftsChanged();
}

void SpecSession::dropDrafts()
{
    if (m_drafts.isEmpty())
        return;
    m_drafts.clear();
    Q_EMIT draftsDropped();
    Q_EMIT draftsChanged();
}

std::optional<std::size_t> SpecSession::chosenPart() const
{
    return m_part < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(m_part));
}

void SpecSession::newSpec()
{
    replace(newSpecText(), {}, QStringLiteral("New experiment"));
}

void SpecSession::newSpecOf(const QString& modelFile)
{
    replace(newSpecText(modelFile.toStdString()), {}, QStringLiteral("New experiment"));
}

void SpecSession::loadText(const std::string& text, const QString& title)
{
    replace(text, {}, title);
}

void SpecSession::loadPreset(const QString& name)
{
    const auto read = [name = name.toStdString()] {
        const auto preset = experiments::findPreset(name, config::resourceDirectory());
        return readSpecFile(QString::fromStdString(preset.file.string()));
    };
    replaceBy(read, {}, name);
}

void SpecSession::open(const QString& path)
{
    replaceBy([path] { return readSpecFile(path); }, path, QFileInfo(path).fileName());
}

// What is edited while a file is being read is kept: nobody was asked about it.
void SpecSession::replaceBy(const std::function<std::string()>& read, const QString& path, const QString& title)
{
    m_files.run(
        this, [read](const std::stop_token&) { return read(); },
        [this, before = m_text, path, title](const std::string& text) {
            if (isModified() && m_text != before)
                tell(QStringLiteral("%1 was not opened: the experiment was changed while it was being read.")
                        .arg(title));
            else
                replace(text, path, title);
        },
        [this](const QString& why) { tell(why); });
}

void SpecSession::save()
{
    if (m_path.isEmpty())
        return tell(QStringLiteral("This spec has no file yet: choose one with Save As."));
    m_files.run(
        this, [path = m_path, known = m_savedText](const std::stop_token&) { return hasOtherText(path, known); },
        [this, path = m_path](bool isOther) {
            if (isOther)
                Q_EMIT changedElsewhere(path);
            else
                write(path);
        },
        [this](const QString& why) { tell(why); });
}

void SpecSession::saveAs(const QString& path)
{
    write(path);
}

void SpecSession::write(const QString& path)
{
    m_files.run(
        this, [path, text = m_text](const std::stop_token& stop) { return writeSpecFile(path, text, stop), text; },
        [this, path](const std::string& text) {
            m_savedText = text;
            m_path = path;
            m_title = QFileInfo(path).fileName();
            endTyping();
            m_wasModified = isModified();
            Q_EMIT pathChanged();
            Q_EMIT modifiedChanged(m_wasModified);
            Q_EMIT saved(path);
        },
        [this](const QString& why) { tell(why); });
}

void SpecSession::replace(const std::string& text, const QString& path, const QString& title)
{
    m_undo.clear();
    dropDrafts();
    ++m_document;
    m_savedText = text;
    m_path = path;
    m_title = title;
    m_part = -1;
    endTyping();
    applyText(text);
    Q_EMIT pathChanged();
    Q_EMIT partChanged();
}

void SpecSession::applyText(const std::string& text)
{
    m_text = text;
    makePlanOf();
    Q_EMIT textChanged();
    if (isModified() != m_wasModified) {
        m_wasModified = isModified();
        Q_EMIT modifiedChanged(m_wasModified);
    }
}

void SpecSession::set(const QString& path, const QString& value, EditKind kind)
{
    try {
        experiments::SpecEditor editor(m_text, source());
        if (path == QLatin1String("model.name"))
            editor.clear("model.config", chosenPart()); // which says the same
        editor.set(path.toStdString(), value.toStdString(), chosenPart());
        const config::Value meaning = experiments::valueFromText(value.toStdString(), {});
        edit(path, editor.text(), QString::fromStdString(textOf(meaning)), kind);
    } catch (const UsageError& error) {
        tell(QString::fromUtf8(error.what()));
    }
}

void SpecSession::clear(const QString& path)
{
    try {
        experiments::SpecEditor editor(m_text, source());
        editor.clear(path.toStdString(), chosenPart());
        edit(path, editor.text(), QStringLiteral("default"), EditKind::Choice);
    } catch (const UsageError& error) {
        tell(QString::fromUtf8(error.what()));
    }
}

void SpecSession::edit(const QString& path, const std::string& after, const QString& newWords, EditKind kind)
{
    if (after == m_text)
        return;
    const QString name = QString::fromStdString(shortPath(path.toStdString()));
    const QString words = QStringLiteral("%1: %2 \u2192 %3").arg(name, wordsOf(path), newWords);
    const QString typing =
        kind == EditKind::Typing ? QStringLiteral("%1/%2/%3").arg(m_typing).arg(m_part).arg(path) : QString();
    m_undo.push(new SpecCommand(m_text, after, words, typing, [this](const std::string& text) { applyText(text); }));
}

QString SpecSession::wordsOf(const QString& path) const
{
    const std::string name = path.toStdString();
    const experiments::SpecEditor editor(m_text, source());
    auto written = editor.valueText(name, chosenPart());
    if (!written && m_part >= 0)
        written = editor.valueText(name);
    if (written) {
        const std::string line = QString::fromStdString(*written).simplified().toStdString();
        const config::Value value = experiments::valueFromText(line, name);
        return QString::fromStdString(textOf(value));
    }
    auto model = editor.valueText("model.name", chosenPart());
    if (!model)
        model = editor.valueText("model.name");
    const std::string text = defaultText(name, model ? firstModel(*model) : std::string());
    return text.empty() ? QStringLiteral("not set") : QString::fromStdString(text);
}

void SpecSession::setText(const QString& text, EditKind kind)
{
    std::string after = text.toStdString();
    if (m_text.find("\r\n") != std::string::npos)
        after = QString(text).replace(QLatin1String("\n"), QLatin1String("\r\n")).toStdString();
    if (after == m_text)
        return;
    dropDrafts();
    const QString typing = kind == EditKind::Typing ? QStringLiteral("%1/text").arg(m_typing) : QString();
    m_undo.push(new SpecCommand(m_text, after, QStringLiteral("edit of the text"), typing,
        [this](const std::string& applied) { applyText(applied); }));
}

std::string SpecSession::source() const
{
    return m_path.isEmpty() ? "spec" : m_path.toStdString();
}

void SpecSession::makePlanOf()
{
    m_planner.runNewest(
        QStringLiteral("plan"), this,
        [text = m_text, source = source(), durations = m_durations](const std::stop_token& stop) {
            auto plan = makePlan(text, source, stop);
            const RunEstimate estimate = estimateOf(*plan, durations);
            return std::pair(std::move(plan), estimate);
        },
        [this, document = m_document](auto result) { takePlan(std::move(result.first), result.second, document); },
        [this](const QString& why) { tell(why); });
}

void SpecSession::takePlan(std::shared_ptr<const Plan> plan, const RunEstimate& estimate, int document)
{
    m_plan = std::move(plan);
    m_plannedDocument = document;
    m_estimate = estimate;
    if (m_plan->isReadable && m_part >= static_cast<int>(m_plan->document.parts.size()))
        choosePart(-1);
    Q_EMIT planChanged();
    Q_EMIT estimateChanged();
}

void SpecSession::setDurations(const Durations& durations)
{
    m_durations = durations;
    if (isPlanning())
        return makePlanOf();
    m_planner.runNewest(
        QStringLiteral("estimate"), this,
        [plan = m_plan, durations](const std::stop_token&) { return std::pair(plan, estimateOf(*plan, durations)); },
        [this](const auto& result) {
            if (result.first != m_plan)
                return;
            m_estimate = result.second;
            Q_EMIT estimateChanged();
        },
        [this](const QString& why) { tell(why); });
}

void SpecSession::readCatalogues()
{
    m_files.run(
        this,
        [](const std::stop_token&) {
            return std::pair(experiments::listPresets(config::resourceDirectory()), profileDevices());
        },
        [this](auto catalogues) {
            m_presets = std::move(catalogues.first);
            m_profileDevices = std::move(catalogues.second);
            setMachineDevices(m_machineDevices);
        },
        [this](const QString& why) { tell(why); });
}

void SpecSession::setMachineDevices(const std::vector<DeviceChoice>& devices)
{
    m_machineDevices = devices;
    m_devices = {{QStringLiteral("cpu"), QStringLiteral("this machine's processor, measured")}};
    m_devices.insert(m_devices.end(), m_machineDevices.begin(), m_machineDevices.end());
    m_devices.insert(m_devices.end(), m_profileDevices.begin(), m_profileDevices.end());
    Q_EMIT cataloguesChanged();
}

} // namespace headroom::ui
