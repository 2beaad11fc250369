// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>
#include <QVariantMap>

namespace headroom::ui {

/// What is asked about a training script: the command as it is typed into a terminal, and the card.
struct ScriptQuestion {
    QString command; ///< "python train.py --batch 4"
    QString folder; ///< that it is started in; empty: the home folder
    QString environment; ///< folder of a virtual environment or of conda's; empty: programs are those of PATH
    QString card; ///< "rtx4090"
    int steps = 3; ///< 0: until it ends by itself

    bool operator==(const ScriptQuestion&) const = default;
};

/// Why it cannot be asked, in a sentence; empty if it can.
QString problemOf(const ScriptQuestion& question);

/// Arguments of `headroom` that ask it, with events and the answer on standard output as JSON lines.
QStringList argumentsOf(const ScriptQuestion& question, const QString& workspace);

/// The same as one line for a terminal.
QString commandLineOf(const ScriptQuestion& question);

/// PATH with the programs of the environment first.
QString pathFor(const ScriptQuestion& question, const QString& path);

QVariantMap toVariant(const ScriptQuestion& question);
ScriptQuestion scriptQuestionFrom(const QVariantMap& map);

} // namespace headroom::ui
