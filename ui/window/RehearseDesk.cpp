// SPDX-License-Identifier: Apache-2.0
#include "ui/window/RehearseDesk.h"

#include "ui/rehearse/RehearseView.h"
#include "ui/rehearse/ScriptForm.h"
#include "ui/start/FirstRunPage.h"

#include <utility>

namespace headroom::ui {

RehearseDesk::RehearseDesk(Services& services, WindowViews& views, QObject* parent)
    : QObject(parent)
    , m_services(services)
    , m_views(views)
{
    RehearseView* view = views.rehearse;
    connect(&views.firstRun->script(), &ScriptForm::asked, this, &RehearseDesk::ask);
    connect(view, &RehearseView::refused, this, &RehearseDesk::refused);
    connect(view, &RehearseView::trialWanted, this, &RehearseDesk::show);
    connect(view, &RehearseView::stored, this, [this] {
        m_services.workspaces.showNewest();
        m_services.workspaces.refresh();
        Q_EMIT said(QStringLiteral("The rehearsal is the newest experiment of the workspace."));
    });
    connect(&services.workspaces, &WorkspaceService::opened, view, &RehearseView::setWorkspace);
    connect(&services.workspaces, &WorkspaceService::resultsChanged, this, &RehearseDesk::showWanted);
    connect(&services.predictor, &Predictor::cardsLoaded, this, &RehearseDesk::offerCards);
    view->setWorkspace(services.workspaces.path());
    offerCards();
    views.firstRun->script().setQuestion(view->form().question()); // that of last time
}

void RehearseDesk::offerCards()
{
    const CardList& cards = m_services.predictor.cards();
    m_views.rehearse->setCards(cards);
    m_views.firstRun->script().setCards(cards);
}

void RehearseDesk::ask(const ScriptQuestion& question)
{
    m_views.bringForward(m_views.rehearse);
    m_views.closeEmptyTables(); // it needs the room
    m_views.rehearse->begin(question);
}

void RehearseDesk::show(const QString& trial)
{
    m_wanted = trial;
    showWanted();
}

void RehearseDesk::showWanted()
{
    const Results& results = m_services.workspaces.results();
    if (!m_wanted.isEmpty() && results && results->find(m_wanted.toStdString()))
        Q_EMIT trialShown(std::exchange(m_wanted, {}));
}

} // namespace headroom::ui
