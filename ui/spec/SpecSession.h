// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/spec/PresetCatalogue.h"
#include "ui/jobs/JobThread.h"
#include "ui/spec/Plan.h"
#include "ui/spec/RunEstimate.h"

#include <QMap>
#include <QObject>
#include <QString>
#include <QUndoStack>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace headroom::ui {

/// A device that specs may name, with its title for people.
struct DeviceChoice {
    QString notation; ///< "sim:a100-80gb"
    QString title; ///< may be empty
};

/// What is typed into a field and is not valid: it is not in the spec, which has another value or none.
struct Draft {
    QString path; ///< of the setting
    QString label; ///< of its field
    QString held; ///< what the spec has instead, for people
    bool operator==(const Draft&) const = default;
};

/// Edits that follow one another while a field is being typed in are undone as one.
enum class EditKind { Choice, Typing };

/// The spec that is being edited: its text, file, undo history, and what it comes to. The text is the document
/// (experiments/spec/SpecEditor). Files and plans are dealt with in the background; of plans the newest wins.
class SpecSession : public QObject {
    Q_OBJECT

public:
    /// Begins with a new spec.
    explicit SpecSession(QObject* parent = nullptr);
    ~SpecSession() override;

    /// UTF-8, byte for byte as it is or will be in the file.
    const std::string& text() const { return m_text; }
    /// Empty where there is no file yet.
    const QString& path() const { return m_path; }
    /// The file's name, or the preset's.
    const QString& title() const { return m_title; }
    bool isModified() const { return m_text != m_savedText; }
    /// Of the newest text that was looked at; never null.
    const std::shared_ptr<const Plan>& plan() const { return m_plan; }
    /// The text has changed since, or another spec was begun, whose files may be others under the same text.
    bool isPlanning() const { return m_plan->text != m_text || m_plannedDocument != m_document; }
    QUndoStack* undoStack() { return &m_undo; }
    /// Takes back what is typed and not valid; the last edit where there is no such thing.
    void undo();
    void redo();
    bool canUndo() const { return !m_drafts.isEmpty() || m_undo.canUndo(); }

    /// A draft dies with its experiment: another one, another part and an undo leave none.
    const QMap<QString, Draft>& drafts() const { return m_drafts; }
    void putDraft(const Draft& draft);
    void dropDraft(const QString& path);
    void dropDrafts();

    /// Which experiment the plan is of: another number after New, Open and an example, the same after edits.
    int plannedDocument() const { return m_plannedDocument; }

    /// Which [[part]] edits go to; -1: what all parts share.
    int part() const { return m_part; }
    void choosePart(int part);

    void newSpec();
    /// A new spec for the model of an upstream configuration file.
    void newSpecOf(const QString& modelFile);
    /// A preset is a start for a spec without a file; saving it needs a path.
    void loadPreset(const QString& name);
    void loadText(const std::string& text, const QString& title);
    /// The current spec stays where the file cannot be read.
    void open(const QString& path);
    /// Fails where there is no path. What another program has written into the file since is not replaced:
    /// `changedElsewhere` says so.
    void save();
    void saveAs(const QString& path);

    /// `value` is in TOML syntax. A text that is no TOML cannot be edited by setting; `failed` says so.
    void set(const QString& path, const QString& value, EditKind kind = EditKind::Choice);
    /// Takes the setting out of the text, so that its default holds.
    void clear(const QString& path);
    /// The whole text, as it is typed.
    void setText(const QString& text, EditKind kind = EditKind::Typing);
    /// What is typed from here on is undone by itself.
    void endTyping() { ++m_typing; }

    /// Presets and devices of the resource folder, read in the background; empty until `cataloguesChanged`.
    const std::vector<experiments::Preset>& presets() const { return m_presets; }
    const std::vector<DeviceChoice>& devices() const { return m_devices; }
    /// Devices beside those of the resource folder, such as this machine's GPUs.
    void setMachineDevices(const std::vector<DeviceChoice>& devices);

    void setDurations(const Durations& durations);
    const RunEstimate& estimate() const { return m_estimate; }

    /// No job is under way.
    bool isIdle() const { return m_files.isIdle() && m_planner.isIdle(); }

Q_SIGNALS:
    void textChanged();
    void planChanged();
    void pathChanged();
    void modifiedChanged(bool isModified);
    void partChanged();
    /// Fields show what the spec has.
    void draftsDropped();
    void draftsChanged();
    void cataloguesChanged();
    void estimateChanged();
    void saved(const QString& path);
    void changedElsewhere(const QString& path);
    void failed(const QString& message);

private:
    void replaceBy(const std::function<std::string()>& read, const QString& path, const QString& title);
    void replace(const std::string& text, const QString& path, const QString& title);
    void applyText(const std::string& text);
    void edit(const QString& path, const std::string& after, const QString& newWords, EditKind kind);
    QString wordsOf(const QString& path) const;
    std::optional<std::size_t> chosenPart() const;
    void write(const QString& path);
    void makePlanOf();
    void takePlan(std::shared_ptr<const Plan> plan, const RunEstimate& estimate, int document);
    void readCatalogues();
    void tell(const QString& message) { Q_EMIT failed(message); }
    std::string source() const;

    std::string m_text;
    std::string m_savedText;
    bool m_wasModified = false;
    QString m_path;
    QString m_title;
    int m_part = -1;
    int m_typing = 0;
    int m_document = 0; ///< counts the specs that were begun or opened
    int m_plannedDocument = 0;
    QMap<QString, Draft> m_drafts; ///< by path
    std::shared_ptr<const Plan> m_plan;
    RunEstimate m_estimate;
    Durations m_durations;
    std::vector<experiments::Preset> m_presets;
    std::vector<DeviceChoice> m_profileDevices;
    std::vector<DeviceChoice> m_machineDevices;
    std::vector<DeviceChoice> m_devices;
    QUndoStack m_undo;
    JobThread m_files;
    JobThread m_planner; ///< last: its jobs end before what they are delivered to
};

} // namespace headroom::ui
