// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>
#include <QWidget>

class QLabel;

namespace headroom::ui {

class SpecSession;
class SpecTextEdit;
class Theme;
struct SpecPlace;

/// The spec as text that can be read and edited: with line numbers, colours, completion from the catalogues, and errors
/// marked at their lines.
class SpecTextPage : public QWidget {
    Q_OBJECT

public:
    SpecTextPage(SpecSession& session, Theme& theme, QWidget* parent = nullptr);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void showText();
    void replaceWhatDiffers(const QString& text);
    void showProblems();
    void takeText();
    QStringList wordsAt(const SpecPlace& place) const;

    SpecSession& m_session;
    Theme& m_theme;
    SpecTextEdit* m_edit;
    QLabel* m_problem;
    QString m_held; ///< the text of the page as it was shown there or taken from there last
};

} // namespace headroom::ui
