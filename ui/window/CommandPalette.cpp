// SPDX-License-Identifier: Apache-2.0
#include "ui/window/CommandPalette.h"

#include <QAction>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QTimer>
#include <QVBoxLayout>

namespace headroom::ui {
namespace {

bool holdsAll(const QString& text, const QStringList& words)
{
    return std::all_of(
        words.begin(), words.end(), [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

} // namespace

CommandPalette::CommandPalette(const QList<QAction*>& actions, QWidget* parent)
    : QDialog(parent)
    , m_words(new QLineEdit(this))
    , m_list(new QListWidget(this))
{
    setObjectName(QStringLiteral("commandPalette"));
    setWindowTitle(QStringLiteral("Find a command"));
    for (QAction* action : actions)
        if (action->isEnabled() && !action->isSeparator() && !action->text().isEmpty() && !action->menu())
            m_actions.append(action);
    m_words->setObjectName(QStringLiteral("commandWords"));
    m_words->setPlaceholderText(QStringLiteral("Type part of a command, then Enter"));
    m_words->setAccessibleName(QStringLiteral("Command"));
    m_words->installEventFilter(this);
    m_list->setObjectName(QStringLiteral("commandList"));
    m_list->setAccessibleName(QStringLiteral("Matching commands"));
    m_list->setFocusPolicy(Qt::NoFocus);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_words);
    layout->addWidget(m_list);
    resize(fontMetrics().averageCharWidth() * 80, fontMetrics().height() * 24);
    connect(m_words, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(m_list, &QListWidget::itemActivated, this, &CommandPalette::carryOut);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::carryOut);
    filter({});
}

QString CommandPalette::title(const QAction& action)
{
    QString text = action.text();
    text.remove(QLatin1Char('&'));
    const QString menu = action.property("menuTitle").toString();
    return menu.isEmpty() ? text : menu + QStringLiteral(": ") + text;
}

void CommandPalette::filter(const QString& words)
{
    m_list->clear();
    const QStringList parts = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (qsizetype i = 0; i < m_actions.size(); ++i) {
        if (!holdsAll(title(*m_actions[i]), parts))
            continue;
        const QString keys = m_actions[i]->shortcut().toString(QKeySequence::NativeText);
        auto* item =
            new QListWidgetItem(title(*m_actions[i]) + (keys.isEmpty() ? QString() : QStringLiteral("    ") + keys));
        item->setData(Qt::UserRole, i);
        m_list->addItem(item);
    }
    m_list->setCurrentRow(0);
}

// The action is triggered after the dialog has closed, which may hold the focus that the action needs.
void CommandPalette::carryOut()
{
    const QListWidgetItem* item = m_list->currentItem();
    if (!item)
        return;
    QAction* action = m_actions.at(item->data(Qt::UserRole).toLongLong());
    accept();
    QTimer::singleShot(0, action, &QAction::trigger);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_words || event->type() != QEvent::KeyPress)
        return QDialog::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    const int row = m_list->currentRow();
    switch (key->key()) {
    case Qt::Key_Down:
        m_list->setCurrentRow(std::min(row + 1, m_list->count() - 1));
        return true;
    case Qt::Key_Up:
        m_list->setCurrentRow(std::max(row - 1, 0));
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        carryOut();
        return true;
    default:
        return QDialog::eventFilter(watched, event);
    }
}

} // namespace headroom::ui
