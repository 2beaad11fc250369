// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "ui/rehearse/ScriptQuestion.h"

#include <QObject>
#include <QProcess>

#include <optional>

class QJsonObject;

namespace headroom::ui {

/// A command that goes on, seen from outside.
struct ScriptMoment {
    double seconds = 0; ///< since its run began
    bool isUnlimited = false; ///< the second run, without the card's limit
    Bytes taken = 0; ///< of the card, contexts included
    QString phase; ///< "forward"; empty: it has used no card yet
    int steps = 0; ///< that are finished
    std::optional<Bytes> allocated; ///< when the phase began
    std::optional<Bytes> reserved;
};

/// How a rehearsal ended.
struct ScriptVerdict {
    QString verdict; ///< "fits", "tight", "no", "unknown", "failed"
    QString sentence;
    QString trial; ///< in the workspace
    std::optional<Bytes> needed;
    std::optional<Bytes> allocated;
    std::optional<Bytes> reserved;
    Bytes usable = 0;
};

/// One rehearsal, by the command line beside this program: what a terminal does and what the window does is the same,
/// and a fault of one is none of the other.
class RehearsalProcess : public QObject {
    Q_OBJECT

public:
    explicit RehearsalProcess(QObject* parent = nullptr);
    ~RehearsalProcess() override;

    /// Begins, unless one goes on. Ends with `ended`, or with `failed`.
    void begin(const ScriptQuestion& question, const QString& workspace);
    /// Asks it to end; what it had done by then is not kept.
    void stop();
    bool isRunning() const { return m_process.state() != QProcess::NotRunning; }

    /// The program that is started. For tests.
    void setProgram(const QString& file) { m_program = file; }

Q_SIGNALS:
    void moment(const headroom::ui::ScriptMoment& moment);
    /// A line of the script's, or about it.
    void printed(const QString& line);
    void ended(const headroom::ui::ScriptVerdict& verdict);
    /// In a sentence; empty where it was stopped.
    void failed(const QString& why);

private:
    void readAnswer();
    void readText();
    void take(const QJsonObject& event);
    void finish(int exitCode, QProcess::ExitStatus status);

    QString m_program;
    QProcess m_process;
    QString m_lastLine; ///< of standard error
    bool m_isStopped = false;
    std::optional<ScriptVerdict> m_verdict;
};

} // namespace headroom::ui
