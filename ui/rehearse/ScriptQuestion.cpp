// SPDX-License-Identifier: Apache-2.0
#include "ui/rehearse/ScriptQuestion.h"

#include <QProcess>

namespace headroom::ui {
namespace {

QStringList rehearse(const ScriptQuestion& question)
{
    return {QStringLiteral("rehearse"), QStringLiteral("--device"), question.card, QStringLiteral("--steps"),
        QString::number(question.steps)};
}

} // namespace

QString problemOf(const ScriptQuestion& question)
{
    const QStringList words = QProcess::splitCommand(question.command);
    if (words.isEmpty())
        return QStringLiteral("What starts your training? Type it as into a terminal: python train.py --batch 4");
    if (words.first().endsWith(QLatin1String(".py")))
        return QStringLiteral("A script is started by its Python: python %1").arg(question.command.trimmed());
    return {};
}

QStringList argumentsOf(const ScriptQuestion& question, const QString& workspace)
{
    return rehearse(question)
        + QStringList{QStringLiteral("--workspace"), workspace, QStringLiteral("--events"),
            QStringLiteral("/dev/stdout"), QStringLiteral("--format"), QStringLiteral("jsonl"), QStringLiteral("--")}
    + QProcess::splitCommand(question.command);
}

QString commandLineOf(const ScriptQuestion& question)
{
    return QStringLiteral("headroom %1 -- %2")
        .arg(rehearse(question).join(QLatin1Char(' ')), question.command.trimmed());
}

QString pathFor(const ScriptQuestion& question, const QString& path)
{
    return question.environment.isEmpty() ? path : question.environment + QStringLiteral("/bin:") + path;
}

QVariantMap toVariant(const ScriptQuestion& question)
{
    return {{QStringLiteral("command"), question.command}, {QStringLiteral("folder"), question.folder},
        {QStringLiteral("environment"), question.environment}, {QStringLiteral("card"), question.card},
        {QStringLiteral("steps"), question.steps}};
}

ScriptQuestion scriptQuestionFrom(const QVariantMap& map)
{
    return {map.value(QStringLiteral("command")).toString(), map.value(QStringLiteral("folder")).toString(),
        map.value(QStringLiteral("environment")).toString(), map.value(QStringLiteral("card")).toString(),
        map.value(QStringLiteral("steps"), 3).toInt()};
}

} // namespace headroom::ui
