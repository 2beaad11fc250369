// SPDX-License-Identifier: Apache-2.0
#include "ui/spec/SpecPlaces.h"

#include <QRegularExpression>
#include <QTextBlock>
#include <QTextDocument>

#include <algorithm>

namespace headroom::ui {
namespace {

const QRegularExpression& headingPattern()
{
    static const QRegularExpression pattern(QStringLiteral("^\\s*\\[\\[?\\s*([^\\]\\s]+)\\s*\\]\\]?"));
    return pattern;
}

const QRegularExpression& keyPattern()
{
    static const QRegularExpression pattern(QStringLiteral("^\\s*([A-Za-z0-9_.\"-]+)\\s*="));
    return pattern;
}

QString keyIn(const QString& line)
{
    const auto key = keyPattern().match(line);
    return key.hasMatch() ? key.captured(1).remove(QLatin1Char('"')) : QString();
}

// The code of a line ends where a comment begins.
qsizetype endOfCode(const QString& line)
{
    QChar quote;
    for (qsizetype at = 0; at < line.size(); ++at) {
        const QChar letter = line[at];
        if (!quote.isNull())
            quote = letter == quote ? QChar() : quote;
        else if (letter == QLatin1Char('"') || letter == QLatin1Char('\''))
            quote = letter;
        else if (letter == QLatin1Char('#'))
            return at;
    }
    return line.size();
}

// How many lists are open behind it.
int openLists(const QString& code)
{
    int open = 0;
    QChar quote;
    for (const QChar letter : code)
        if (!quote.isNull())
            quote = letter == quote ? QChar() : quote;
        else if (letter == QLatin1Char('"') || letter == QLatin1Char('\''))
            quote = letter;
        else
            open += letter == QLatin1Char('[') ? 1 : letter == QLatin1Char(']') ? -1 : 0;
    return open;
}

// The key whose list has begun in a line above and goes on here.
QString keyOfOpenList(const QTextBlock& block, QString code)
{
    for (QTextBlock above = block.previous(); above.isValid(); above = above.previous()) {
        const QString line = above.text().left(endOfCode(above.text()));
        if (const auto key = keyPattern().match(line); key.hasMatch())
            return openLists(line.mid(key.capturedEnd()) + code) > 0 ? keyIn(line) : QString();
        if (headingPattern().match(line).hasMatch() && openLists(line) == 0)
            return {};
        code.prepend(line);
    }
    return {};
}

// A key that no spec has is wrong itself; else its value is.
bool isAboutTheKey(const PlanProblem& problem)
{
    return problem.message.starts_with("unknown");
}

/// What is underlined for a problem in this line.
SpecRemark placedIn(const QString& line, const PlanProblem& problem)
{
    SpecRemark remark;
    const auto end = endOfCode(line);
    const QString code = line.left(end);
    const auto key = keyPattern().match(code);
    auto from = std::clamp<qsizetype>(problem.column - 1, 0, end);
    auto to = end;
    if (key.hasMatch() && isAboutTheKey(problem)) {
        from = key.capturedStart(1);
        to = key.capturedEnd(1);
    } else if (key.hasMatch() && from < key.capturedEnd()) {
        from = key.capturedEnd();
    }
    while (from < to && line[from].isSpace())
        ++from;
    while (to > from && line[to - 1].isSpace())
        --to;
    remark.begin = static_cast<int>(from);
    remark.length = static_cast<int>(to - from);
    return remark;
}

void add(QList<SpecRemark>& remarks, const QTextDocument& text, const PlanProblem& problem, SpecRemark::Kind kind)
{
    const QTextBlock block = text.findBlockByNumber(problem.line - 1);
    if (problem.line <= 0 || !block.isValid())
        return;
    SpecRemark remark = placedIn(block.text(), problem);
    remark.kind = kind;
    remark.line = problem.line;
    remark.text = QString::fromStdString(problem.message);
    remarks.append(remark);
}

} // namespace

SpecPlace placeAt(const QTextDocument& text, int line, int column)
{
    SpecPlace place;
    const QTextBlock block = text.findBlockByNumber(line);
    const QString before = block.text().left(column);
    place.key = keyIn(before);
    if (place.key.isEmpty())
        place.key = keyOfOpenList(block, before);
    for (QTextBlock above = block.previous(); above.isValid(); above = above.previous())
        if (const auto table = headingPattern().match(above.text()); table.hasMatch()) {
            place.table = table.captured(1);
            break;
        }
    return place;
}

int lineOf(const QTextDocument& text, const QString& path)
{
    QString table;
    for (QTextBlock block = text.begin(); block.isValid(); block = block.next()) {
        if (const auto heading = headingPattern().match(block.text()); heading.hasMatch()) {
            table = heading.captured(1) + QLatin1Char('.');
            continue;
        }
        const QString key = keyIn(block.text());
        if (!key.isEmpty() && (table + key == path || table + key == path + QLatin1String(".mode")))
            return block.blockNumber() + 1;
    }
    return 0;
}

// A value that works in no trial is a problem of the spec and a conflict of its trials: it is told once.
QList<SpecRemark> remarksOf(const Plan& plan, const QTextDocument& text)
{
    QList<SpecRemark> remarks;
    for (const PlanProblem& problem : plan.problems)
        add(remarks, text, problem, SpecRemark::Kind::Error);
    const auto isTold = [&](const config::Problem& found) {
        return std::ranges::any_of(plan.problems, [&](const PlanProblem& problem) {
            return problem.path == found.path && problem.message.find(found.text) != std::string::npos;
        });
    };
    for (const auto& [path, conflicts] : plan.conflicts)
        for (const PlanConflict& conflict : conflicts) {
            if (isTold(conflict.problem))
                continue;
            add(remarks, text, {path, conflict.problem.sentence(), lineOf(text, QString::fromStdString(path)), 0},
                SpecRemark::Kind::Conflict);
        }
    return remarks;
}

} // namespace headroom::ui
