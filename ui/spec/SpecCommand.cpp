// SPDX-License-Identifier: Apache-2.0
#include "ui/spec/SpecCommand.h"

namespace headroom::ui {
namespace {

const QString kArrow = QStringLiteral(" \u2192 ");

} // namespace

SpecCommand::SpecCommand(std::string before, std::string after, const QString& words, QString typing, Apply apply)
    : QUndoCommand(words)
    , m_before(std::move(before))
    , m_after(std::move(after))
    , m_typing(std::move(typing))
    , m_apply(std::move(apply))
{
}

bool SpecCommand::mergeWith(const QUndoCommand* other)
{
    const auto* next = dynamic_cast<const SpecCommand*>(other);
    if (next == nullptr || next->m_typing != m_typing)
        return false;
    m_after = next->m_after;
    setText(merged(text(), next->text()));
    setObsolete(m_after == m_before);
    return true;
}

QString SpecCommand::merged(const QString& first, const QString& second)
{
    const auto from = first.indexOf(kArrow);
    const auto to = second.indexOf(kArrow);
    return from < 0 || to < 0 ? second : first.left(from) + second.mid(to);
}

} // namespace headroom::ui
