// SPDX-License-Identifier: Apache-2.0
#include "ui/experiment/SpecTextEdit.h"

#include "ui/experiment/SpecHighlighter.h"

#include <QAbstractItemView>
#include <QAction>
#include <QCompleter>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QScrollBar>
#include <QStringListModel>
#include <QTextBlock>
#include <QTextLayout>
#include <QToolTip>

#include <algorithm>

namespace headroom::ui {
namespace {

constexpr int kFewestLetters = 2; ///< after which words are offered unasked
constexpr int kSignWidth = 4; ///< px, of what marks a line in the margin
constexpr int kGapLetters = 3; ///< between a line and the remark behind it
constexpr int kFewestRemarkLetters = 12; ///< else nothing of a remark could be read
constexpr int kMostNoteLetters = 72; ///< in a line of the note

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
    , m_note(new QLabel(viewport()))
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
    connect(&theme, &Theme::changed, this, &SpecTextEdit::underline);
    m_note->setObjectName(QStringLiteral("specText.note"));
    m_note->setWordWrap(true);
    m_note->setAutoFillBackground(true);
    m_note->setFrameShape(QFrame::Box);
    m_note->setMargin(fontMetrics().averageCharWidth() / 2);
    m_note->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_note->hide();
    connect(this, &QPlainTextEdit::cursorPositionChanged, this, &SpecTextEdit::showNote);
    // Later: while the text is replaced, its lines have no layout.
    for (const QScrollBar* bar : {verticalScrollBar(), horizontalScrollBar()})
        connect(bar, &QScrollBar::valueChanged, this, &SpecTextEdit::showNote, Qt::QueuedConnection);
    auto* next = new QAction(QStringLiteral("Next remark in the text"), this);
    next->setObjectName(QStringLiteral("specText.nextRemark"));
    next->setShortcut(Qt::Key_F8);
    next->setShortcutContext(Qt::WidgetShortcut);
    connect(next, &QAction::triggered, this, &SpecTextEdit::goToNextRemark);
    addAction(next);
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
    showNote();
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
    const int right = marginWidth() - fontMetrics().horizontalAdvance(QLatin1Char('9'));
    for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
        const QRectF line = blockBoundingGeometry(block).translated(contentOffset());
        if (line.top() > m_margin->height())
            break;
        const int number = block.blockNumber() + 1;
        const bool isRemarked = !remarkAt(number).isEmpty();
        painter.setPen(isRemarked ? colourAt(number) : m_theme.muted());
        if (isRemarked)
            painter.fillRect(QRectF(0, line.top(), kSignWidth, fontMetrics().height()), colourAt(number));
        painter.drawText(QRectF(0, line.top(), right, fontMetrics().height()), Qt::AlignRight, QString::number(number));
    }
}

void SpecTextEdit::setRemarks(const QList<SpecRemark>& remarks)
{
    m_remarks = remarks;
    underline();
    viewport()->update();
    m_margin->update();
    showNote();
}

// All remarks of the line (from 1); empty where there is none.
QString SpecTextEdit::remarkAt(int line) const
{
    QStringList texts;
    for (const SpecRemark& remark : m_remarks)
        if (remark.line == line)
            texts.append(remark.text);
    return texts.join(QStringLiteral("; "));
}

QColor SpecTextEdit::colourAt(int line) const
{
    const bool isError = std::any_of(m_remarks.begin(), m_remarks.end(),
        [line](const SpecRemark& remark) { return remark.line == line && remark.kind == SpecRemark::Kind::Error; });
    return isError ? m_theme.alarm() : m_theme.warning();
}

void SpecTextEdit::underline()
{
    QList<QTextEdit::ExtraSelection> selections;
    for (const SpecRemark& remark : m_remarks) {
        const QTextBlock block = document()->findBlockByNumber(remark.line - 1);
        if (!block.isValid())
            continue;
        QTextEdit::ExtraSelection selection;
        selection.cursor = QTextCursor(block);
        const int begin = std::min(remark.begin, static_cast<int>(block.length()) - 1);
        selection.cursor.setPosition(block.position() + begin);
        selection.cursor.setPosition(
            block.position() + std::min(begin + remark.length, static_cast<int>(block.length()) - 1),
            QTextCursor::KeepAnchor);
        selection.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        selection.format.setUnderlineColor(colourAt(remark.line));
        selections.append(selection);
    }
    setExtraSelections(selections);
}

// What is left of a line's room behind its text.
QRectF SpecTextEdit::roomBehind(const QTextBlock& block) const
{
    const QRectF line = blockBoundingGeometry(block).translated(contentOffset());
    const double begin = line.left() + block.layout()->lineAt(0).naturalTextWidth() + document()->documentMargin()
        + kGapLetters * fontMetrics().averageCharWidth();
    return {begin, line.top(), viewport()->width() - begin, static_cast<double>(fontMetrics().height())};
}

void SpecTextEdit::paintEvent(QPaintEvent* event)
{
    QPlainTextEdit::paintEvent(event);
    QPainter painter(viewport());
    QFont slanted = font();
    slanted.setItalic(true);
    painter.setFont(slanted);
    for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
        const QString remark = remarkAt(block.blockNumber() + 1);
        const QRectF room = roomBehind(block);
        if (room.top() > viewport()->height())
            break;
        if (remark.isEmpty() || room.width() < kFewestRemarkLetters * fontMetrics().averageCharWidth())
            continue;
        painter.setPen(colourAt(block.blockNumber() + 1));
        painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
            QFontMetrics(slanted).elidedText(remark, Qt::ElideRight, static_cast<int>(room.width())));
    }
}

// The whole sentence, where the room behind the cursor's line is too small for it.
void SpecTextEdit::showNote()
{
    const QTextBlock block = textCursor().block();
    if (!block.isValid())
        return m_note->hide();
    const QString remark = remarkAt(block.blockNumber() + 1);
    QFont slanted = font();
    slanted.setItalic(true);
    const QRectF room = roomBehind(block);
    if (remark.isEmpty() || QFontMetrics(slanted).horizontalAdvance(remark) <= room.width())
        return m_note->hide();
    const int letter = fontMetrics().averageCharWidth();
    QPalette palette = m_note->palette();
    palette.setColor(QPalette::Window, m_theme.surface());
    palette.setColor(QPalette::WindowText, colourAt(block.blockNumber() + 1));
    m_note->setPalette(palette);
    m_note->setText(remark);
    const int width = std::min(viewport()->width() - 2 * letter, kMostNoteLetters * letter);
    m_note->resize(width, m_note->heightForWidth(width));
    const int below = static_cast<int>(room.bottom()) + 2;
    const bool hasRoomBelow = below + m_note->height() <= viewport()->height();
    m_note->move(letter, hasRoomBelow ? below : std::max(0, static_cast<int>(room.top()) - m_note->height() - 2));
    m_note->show();
    m_note->raise();
}

void SpecTextEdit::goToNextRemark()
{
    if (m_remarks.isEmpty())
        return;
    const int line = textCursor().blockNumber() + 1;
    const SpecRemark* first = &m_remarks.front();
    const SpecRemark* next = nullptr;
    for (const SpecRemark& remark : m_remarks) {
        first = remark.line < first->line ? &remark : first;
        next = remark.line > line && (next == nullptr || remark.line < next->line) ? &remark : next;
    }
    const SpecRemark& chosen = next != nullptr ? *next : *first;
    QTextCursor cursor(document()->findBlockByNumber(chosen.line - 1));
    cursor.setPosition(cursor.position() + chosen.begin);
    setTextCursor(cursor);
    ensureCursorVisible();
}

bool SpecTextEdit::viewportEvent(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QPlainTextEdit::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString remark = remarkAt(cursorForPosition(help->pos()).blockNumber() + 1);
    QToolTip::showText(help->globalPos(), remark, viewport());
    return true;
}

SpecPlace SpecTextEdit::place() const
{
    return placeAt(*document(), textCursor().blockNumber(), textCursor().positionInBlock());
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
