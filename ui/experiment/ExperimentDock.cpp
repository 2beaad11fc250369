// SPDX-License-Identifier: Apache-2.0
#include "ui/experiment/ExperimentDock.h"

#include "ui/experiment/ExperimentForm.h"
#include "ui/experiment/PlanFooter.h"
#include "ui/experiment/SpecTextPage.h"
#include "ui/spec/SpecSession.h"

#include <QEvent>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

namespace headroom::ui {
namespace {

/// Scrolls only vertically: it is never narrower than its content.
class FormScroll final : public QScrollArea {
public:
    QSize minimumSizeHint() const override
    {
        const QSize own = QScrollArea::minimumSizeHint();
        return {widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width(), own.height()};
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override // of its content; QScrollArea already watches it
    {
        if (event->type() == QEvent::LayoutRequest)
            updateGeometry();
        return QScrollArea::eventFilter(watched, event);
    }
};

} // namespace

ExperimentDock::ExperimentDock(SpecSession& session, Theme& theme, QWidget* parent)
    : QDockWidget(parent)
    , m_session(session)
    , m_pages(new QTabWidget)
    , m_form(new ExperimentForm(session, theme))
{
    setObjectName(QStringLiteral("experimentDock"));
    auto* scroll = new FormScroll;
    scroll->setObjectName(QStringLiteral("experimentScroll"));
    scroll->setAccessibleName(QStringLiteral("Settings of the experiment"));
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(m_form);
    m_pages->setObjectName(QStringLiteral("experimentPages"));
    m_pages->setDocumentMode(true);
    m_pages->tabBar()->setAccessibleName(QStringLiteral("The experiment as a form or as a spec"));
    m_pages->addTab(scroll, QStringLiteral("Form"));
    m_pages->addTab(new SpecTextPage(session, theme), QStringLiteral("Spec"));
    auto* content = new QWidget(this);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_pages, 1);
    layout->addWidget(new PlanFooter(session, theme, content));
    setWidget(content);
    setFocusProxy(m_form->findChild<QWidget*>(QStringLiteral("model.name.editor"))); // where one begins
    connect(&m_session, &SpecSession::pathChanged, this, &ExperimentDock::showTitle);
    connect(&m_session, &SpecSession::modifiedChanged, this, &ExperimentDock::showTitle);
    showTitle();
}

void ExperimentDock::setDurations(const Durations& durations)
{
    m_session.setDurations(durations);
}

QString ExperimentDock::fieldName(const std::string& path) const
{
    return m_form->fieldName(path);
}

void ExperimentDock::showField(const std::string& path)
{
    showForm();
    m_form->showField(path);
}

void ExperimentDock::showText()
{
    m_pages->setCurrentIndex(1);
}

void ExperimentDock::showForm()
{
    m_pages->setCurrentIndex(0);
}

void ExperimentDock::showTitle()
{
    const QString changed = m_session.isModified() ? QStringLiteral(" *") : QString();
    setWindowTitle(QStringLiteral("Experiment: %1%2").arg(m_session.title(), changed));
}

} // namespace headroom::ui
