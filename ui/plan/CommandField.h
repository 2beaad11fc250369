// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPlainTextEdit>

namespace headroom::ui {

/// A command to read and copy: wrapped, two lines high, with a bar where it is longer.
class CommandField : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit CommandField(QWidget* parent = nullptr);

    void setCommand(const QString& text);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showBar();
};

} // namespace headroom::ui
