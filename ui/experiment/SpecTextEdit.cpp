// SPDX-License-Identifier: Apache-2.0
#include "ui/experiment/SpecTextEdit.h"

#include "ui/experiment/SpecHighlighter.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QKeyEvent>
#include <QPainter>
#include <QRegularExpression>
#include <QScrollBar>
#include <QStringListModel>
#include <QTextBlock>

namespace headroom::ui {
namespace {

constexpr int kFewestLetters = 2; ///< after which words are offered unasked

bool isOfAWord(QChar letter)
{
    return letter.isLetterOrNumber() || QStringLiteral("_-:./@+\"").contains(letter);
}

} // namespace

SpecTextEdit::SpecTextEdit(Theme& theme, Words words, QWidget* parent)
    : QPlainTextEdit(parent)
    , m_theme(theme)
    , m_words(std::move(words))
    , m_margin(new QWidget(this))
    , m_offers(new QStringListModel(this))
    , m_completer(new QCompleter(m_offers, this))
{
    new SpecHighlighter(theme, document());
    m_margin->setObjectName(QStringLiteral("specText.lines"));
    m_margin->installEventFilter(this);
    m_completer->setWidget(this);
    m_completer->setFilterMode(Qt::MatchStartsWith);
    connect(m_completer, qOverload<const QString&>(&QCompleter::activated), this, &SpecTextEdit::take);
    connect(this, &QPlainTextEdit::blockCountChanged, this, [this] { setViewportMargins(marginWidth(), 0, 0, 0); });
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& rect, int moved) {
        if (moved != 0)
            m_margin->scroll(0, moved);
        else
            m_margin->update(0, rect.y(), m_margin->width(), rect.height());
    });
    connect(&theme, &Theme::changed, m_margin, qOverload<>(&QWidget::update));
    setViewportMargins(marginWidth(), 0, 0, 0);
}

int SpecTextEdit::marginWidth() const
{
    const auto digits = QString::number(std::max(99, blockCount())).size();
    return fontMetrics().horizontalAdvance(QLatin1Char('9')) * static_cast<int>(digits + 2);
}

void SpecTextEdit::resizeEvent(QResizeEvent* event)
{
    QPlainTextEdit::resizeEvent(event);
    const QRect inner = contentsRect();
    m_margin->setGeometry(inner.left(), inner.top(), marginWidth(), inner.height());
}

bool SpecTextEdit::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_margin || event->type() != QEvent::Paint)
        return QPlainTextEdit::eventFilter(watched, event);
    paintMargin();
    return true;
}

void SpecTextEdit::paintMargin()
{
    QPainter painter(m_margin);
    painter.setFont(font());
    painter.setPen(m_theme.muted());
    const int right = marginWidth() - fontMetrics().horizontalAdvance(QLatin1Char('9'));
    for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
        const QRectF line = blockBoundingGeometry(block).translated(contentOffset());
        if (line.top() > m_margin->height())
            break;
        painter.drawText(QRectF(0, line.top(), right, fontMetrics().height()), Qt::AlignRight,
            QString::number(block.blockNumber() + 1));
    }
}

SpecPlace SpecTextEdit::place() const
{
    static const QRegularExpression kTable(QStringLiteral("^\\s*\\[\\[?\\s*([^\\]\\s]+)\\s*\\]\\]?"));
    static const QRegularExpression kKey(QStringLiteral("^\\s*([A-Za-z0-9_.\"-]+)\\s*="));
    SpecPlace place;
    const QTextCursor cursor = textCursor();
    const QString before = cursor.block().text().left(cursor.positionInBlock());
    if (const auto key = kKey.match(before); key.hasMatch())
        place.key = key.captured(1).remove(QLatin1Char('"'));
    for (QTextBlock block = cursor.block().previous(); block.isValid(); block = block.previous())
        if (const auto table = kTable.match(block.text()); table.hasMatch()) {
            place.table = table.captured(1);
            break;
        }
    return place;
}

QString SpecTextEdit::wordBefore() const
{
    const QTextCursor cursor = textCursor();
    const QString before = cursor.block().text().left(cursor.positionInBlock());
    auto begin = before.size();
    while (begin > 0 && isOfAWord(before[begin - 1]))
        --begin;
    return before.mid(begin);
}

void SpecTextEdit::keyPressEvent(QKeyEvent* event)
{
    QAbstractItemView* popup = m_completer->popup();
    const bool isChoosing = popup->isVisible();
    if (isChoosing
        && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Tab
            || event->key() == Qt::Key_Escape))
        return event->ignore(); // the list takes these
    const bool isWanted = event->modifiers() == Qt::ControlModifier && event->key() == Qt::Key_Space;
    if (!isWanted)
        QPlainTextEdit::keyPressEvent(event);
    const bool isTyped = !event->text().isEmpty() && event->text().front().isPrint();
    if (isWanted || isTyped || isChoosing)
        complete(isWanted);
}

void SpecTextEdit::complete(bool isWanted)
{
    const QString word = wordBefore();
    if (!isWanted && word.size() < kFewestLetters)
        return m_completer->popup()->hide();
    m_offers->setStringList(m_words(place()));
    m_completer->setCompletionPrefix(word);
    const bool isOnlyTheWord = m_completer->completionCount() == 1 && m_completer->currentCompletion() == word;
    if (m_completer->completionCount() == 0 || isOnlyTheWord)
        return m_completer->popup()->hide();
    m_completer->popup()->setCurrentIndex(m_completer->completionModel()->index(0, 0));
    QRect at = cursorRect();
    at.translate(marginWidth(), 0);
    at.setWidth(
        m_completer->popup()->sizeHintForColumn(0) + m_completer->popup()->verticalScrollBar()->sizeHint().width());
    m_completer->complete(at);
}

void SpecTextEdit::take(const QString& word)
{
    QTextCursor cursor = textCursor();
    cursor.movePosition(QTextCursor::Left, QTextCursor::KeepAnchor, static_cast<int>(wordBefore().size()));
    cursor.insertText(word);
    setTextCursor(cursor);
}

} // namespace headroom::ui
