// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/Theme.h"
#include "ui/spec/SpecPlaces.h"

#include <QPlainTextEdit>

#include <functional>

class QCompleter;
class QLabel;
class QStringListModel;

namespace headroom::ui {

/// A text field with line numbers, colours, completion (Ctrl+Space, or while a word is typed), and remarks at their
/// places: underlined, with a sign beside the line's number and the sentence behind the line. Where that has no room
/// for it, the sentence stands below the line as long as the cursor is there. F8 goes from remark to remark.
class SpecTextEdit : public QPlainTextEdit {
    Q_OBJECT

public:
    using Words = std::function<QStringList(const SpecPlace& place)>;

    SpecTextEdit(Theme& theme, Words words, QWidget* parent = nullptr);

    /// The place of the text cursor.
    SpecPlace place() const;
    /// The part of the word that lies before the cursor.
    QString wordBefore() const;
    const QCompleter& completer() const { return *m_completer; }

    void setRemarks(const QList<SpecRemark>& remarks);
    const QList<SpecRemark>& remarks() const { return m_remarks; }
    /// Moves the cursor to the next remark below it; behind the last one comes the first.
    void goToNextRemark();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    int marginWidth() const;
    void paintMargin();
    void complete(bool isWanted);
    void take(const QString& word);
    QString remarkAt(int line) const;
    QColor colourAt(int line) const;
    QRectF roomBehind(const QTextBlock& block) const;
    void underline();
    void showNote();

    Theme& m_theme;
    Words m_words;
    QWidget* m_margin;
    QStringListModel* m_offers;
    QCompleter* m_completer;
    QLabel* m_note; ///< the sentence below the cursor's line
    QList<SpecRemark> m_remarks;
};

} // namespace headroom::ui
