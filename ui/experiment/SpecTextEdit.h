// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/Theme.h"

#include <QPlainTextEdit>

#include <functional>

class QCompleter;
class QStringListModel;

namespace headroom::ui {

/// The words that can stand at a place of a spec.
struct SpecPlace {
    QString table; ///< "techniques", "techniques.ema"; empty before the first heading
    QString key; ///< empty: a key is being typed; else its value is
};

/// A text field with line numbers, colours and completion (Ctrl+Space, or while a word is typed).
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

protected:
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    int marginWidth() const;
    void paintMargin();
    void complete(bool isWanted);
    void take(const QString& word);

    Theme& m_theme;
    Words m_words;
    QWidget* m_margin;
    QStringListModel* m_offers;
    QCompleter* m_completer;
};

} // namespace headroom::ui
