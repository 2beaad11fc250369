// SPDX-License-Identifier: Apache-2.0
#include "ui/experiment/SpecHighlighter.h"

#include <QRegularExpression>
#include <QTextDocument>

namespace headroom::ui {
namespace {

// The palette's series, as far as they can be read as words.
constexpr std::size_t kKeySeries = 0;
constexpr std::size_t kStringSeries = 2;
constexpr std::size_t kNumberSeries = 1;

} // namespace

SpecHighlighter::SpecHighlighter(Theme& theme, QTextDocument* document)
    : QSyntaxHighlighter(document)
    , m_theme(theme)
{
    connect(&theme, &Theme::changed, this, &QSyntaxHighlighter::rehighlight);
}

void SpecHighlighter::highlightBlock(const QString& text)
{
    static const QRegularExpression kTable(QStringLiteral("^\\s*\\[\\[?[^\\]#]*\\]\\]?"));
    static const QRegularExpression kKey(
        QStringLiteral("^\\s*(?:[A-Za-z0-9_-]+|\"[^\"]*\")(?:\\s*\\.\\s*(?:[A-Za-z0-9_-]+|\"[^\"]*\"))*\\s*(?==)"));
    setCurrentBlockState(Code);
    if (const auto table = kTable.match(text); table.hasMatch() && previousBlockState() <= Code) {
        QTextCharFormat bold;
        bold.setFontWeight(QFont::Bold);
        setFormat(0, static_cast<int>(table.capturedLength()), bold);
        return colourValue(text, static_cast<int>(table.capturedLength()));
    }
    int begin = 0;
    if (previousBlockState() > Code)
        begin = goOnWithLongString(text, previousBlockState());
    else if (const auto key = kKey.match(text); key.hasMatch()) {
        begin = static_cast<int>(key.capturedLength());
        setFormat(0, begin, m_theme.series(kKeySeries));
    }
    colourValue(text, begin);
}

void SpecHighlighter::colourValue(const QString& text, int begin)
{
    static const QRegularExpression kNumber(
        QStringLiteral("\\G(?:true|false|[+-]?(?:\\d[\\d_]*)(?:\\.[\\d_]+)?(?:[eE][+-]?\\d+)?)(?![A-Za-z_])"));
    while (begin < text.size()) {
        const QChar letter = text[begin];
        if (letter == QLatin1Char('#'))
            return setFormat(begin, static_cast<int>(text.size()) - begin, m_theme.muted());
        if (letter == QLatin1Char('"') || letter == QLatin1Char('\'')) {
            begin = isLongString(text, begin) ? colourLongString(text, begin) : colourString(text, begin);
            continue;
        }
        const auto number =
            kNumber.match(text, begin, QRegularExpression::NormalMatch, QRegularExpression::AnchorAtOffsetMatchOption);
        const int length = number.hasMatch() ? static_cast<int>(number.capturedLength()) : 0;
        if (length > 0)
            setFormat(begin, length, m_theme.series(kNumberSeries));
        begin += std::max(1, length);
    }
}

bool SpecHighlighter::isLongString(const QString& text, int begin)
{
    return QStringView(text).mid(begin).startsWith(QString(3, text[begin]));
}

// Returns where it ends in this line; if it does not, the next line goes on with it.
int SpecHighlighter::colourLongString(const QString& text, int begin)
{
    const State state = text[begin] == QLatin1Char('"') ? InString : InLiteral;
    setFormat(begin, 3, m_theme.series(kStringSeries));
    return colourUntilEnd(text, begin + 3, state);
}

int SpecHighlighter::goOnWithLongString(const QString& text, int state)
{
    return colourUntilEnd(text, 0, static_cast<State>(state));
}

int SpecHighlighter::colourUntilEnd(const QString& text, int begin, State state)
{
    const QString quotes(3, state == InString ? QLatin1Char('"') : QLatin1Char('\''));
    const auto found = text.indexOf(quotes, begin);
    const int end = found < 0 ? static_cast<int>(text.size()) : static_cast<int>(found) + 3;
    setCurrentBlockState(found < 0 ? state : Code);
    setFormat(begin, end - begin, m_theme.series(kStringSeries));
    return end;
}

// Returns where the string ends.
int SpecHighlighter::colourString(const QString& text, int begin)
{
    const QChar quote = text[begin];
    int end = begin + 1;
    while (end < text.size() && text[end] != quote)
        end += text[end] == QLatin1Char('\\') && quote == QLatin1Char('"') ? 2 : 1;
    end = std::min(end + 1, static_cast<int>(text.size()));
    setFormat(begin, end - begin, m_theme.series(kStringSeries));
    return end;
}

} // namespace headroom::ui
