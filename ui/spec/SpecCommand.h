// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QUndoCommand>

#include <functional>
#include <string>

namespace headroom::ui {

/// One edit of a spec's text, by the text before and after it. Edits with the same `typing` key that follow one another
/// become one; an empty key stays by itself.
class SpecCommand : public QUndoCommand {
public:
    using Apply = std::function<void(const std::string& text)>;

    SpecCommand(std::string before, std::string after, const QString& words, QString typing, Apply apply);

    void undo() override { m_apply(m_before); }
    void redo() override { m_apply(m_after); }
    int id() const override { return m_typing.isEmpty() ? -1 : 1; }
    bool mergeWith(const QUndoCommand* other) override;
    /// What stood before, in the words of the text: "none" of "checkpointing: none → all".
    static QString merged(const QString& first, const QString& second);

private:
    std::string m_before;
    std::string m_after;
    QString m_typing;
    Apply m_apply;
};

} // namespace headroom::ui
