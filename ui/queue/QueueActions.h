// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/Theme.h"
#include "ui/queue/StateIcons.h"
#include "ui/runs/RunService.h"

#include <QAction>
#include <QList>
#include <QObject>

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace headroom::ui {

/// The actions of the queue, for toolbars and menus. They follow the selection: an action is enabled when it is
/// possible, and its tooltip explains why or why not.
class QueueActions : public QObject {
    Q_OBJECT

public:
    /// Selected trials by experiment; an experiment that is itself selected has an empty list.
    using Selected = std::map<int, std::vector<std::size_t>>;

    QueueActions(RunService& service, Theme& theme, QObject* parent = nullptr);

    void select(Selected selected);

    QAction* pause() const { return m_pause; } ///< resumes if the queue is paused
    QAction* stop() const { return m_stop; }
    QAction* stopTrial() const { return m_stopTrial; }
    QAction* moveUp() const { return m_moveUp; }
    QAction* moveDown() const { return m_moveDown; }
    QAction* moveToTop() const { return m_moveToTop; }
    QAction* remove() const { return m_remove; }
    QAction* removeEnded() const { return m_removeEnded; }
    QAction* retry() const { return m_retry; }
    QAction* retryAll() const { return m_retryAll; }
    /// All of them, in the order of a menu; null stands for a separator.
    QList<QAction*> all() const;

private:
    struct Look {
        const char* name;
        const char* text;
        const char* keys; ///< empty: none
        const char* help;
        Glyph glyph;
    };

    QAction* add(const Look& look, const std::function<void()>& act);
    void makeRunActions();
    void makeRowActions();
    void update();
    void updatePause();
    void dress();
    void moveSelected(QueueMove direction);
    void removeSelected();
    void retrySelected();
    bool canMove() const;
    bool canRemove() const;
    bool canRetry() const;

    RunService& m_service;
    StateIcons m_icons;
    Selected m_selected;
    std::map<QAction*, Glyph> m_glyphs;
    QAction* m_pause = nullptr;
    QAction* m_stop = nullptr;
    QAction* m_stopTrial = nullptr;
    QAction* m_moveUp = nullptr;
    QAction* m_moveDown = nullptr;
    QAction* m_moveToTop = nullptr;
    QAction* m_remove = nullptr;
    QAction* m_removeEnded = nullptr;
    QAction* m_retry = nullptr;
    QAction* m_retryAll = nullptr;
};

} // namespace headroom::ui
