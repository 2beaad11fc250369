// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QLabel;
class QPlainTextEdit;

namespace headroom::ui {

class EditorGuard;
class SpecSession;
class Theme;

/// The spec as text that can be read and edited; errors are marked at their lines.
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

    SpecSession& m_session;
    Theme& m_theme;
    QPlainTextEdit* m_edit;
    QLabel* m_problem;
};

} // namespace headroom::ui
