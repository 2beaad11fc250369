// SPDX-License-Identifier: Apache-2.0
#include "ui/plot/PlotActions.h"

namespace headroom::ui {

ActionMaker::ActionMaker(QWidget& view, QList<QAction*>& all)
    : m_view(view)
    , m_all(all)
{
}

QAction* ActionMaker::make(
    const char* name, const QString& text, const QList<QKeySequence>& shortcuts, const QString& tip)
{
    auto* action = new QAction(text, &m_view);
    action->setObjectName(QLatin1String(name));
    action->setShortcuts(shortcuts);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    const QString keys = shortcuts.isEmpty() ? QString() : shortcuts.front().toString(QKeySequence::NativeText);
    action->setToolTip(keys.isEmpty() ? tip : QStringLiteral("%1 (%2)").arg(tip, keys));
    action->setStatusTip(tip);
    m_view.addAction(action);
    m_all.append(action);
    return action;
}

QAction* ActionMaker::makeSwitch(
    const char* name, const QString& text, const QKeySequence& shortcut, const QString& tip)
{
    QAction* action = make(name, text, {shortcut}, tip);
    action->setCheckable(true);
    return action;
}

void ActionMaker::separate()
{
    auto* separator = new QAction(&m_view);
    separator->setSeparator(true);
    m_all.append(separator);
}

PlotActions::PlotActions(QWidget& plot)
{
    ActionMaker maker(plot, all);
    zoomIn = maker.make("zoomIn", QStringLiteral("Zoom &in"), {Qt::Key_Plus, Qt::Key_Equal, Qt::Key_W},
        QStringLiteral("Zoom in at the middle"));
    zoomOut = maker.make(
        "zoomOut", QStringLiteral("Zoom &out"), {Qt::Key_Minus, Qt::Key_S}, QStringLiteral("Zoom out at the middle"));
    fit = maker.make("fit", QStringLiteral("&Show everything"), {Qt::Key_0}, QStringLiteral("Show the whole plot"));
    back = maker.make("zoomBack", QStringLiteral("&Back"), {Qt::Key_Z, Qt::Key_Backspace},
        QStringLiteral("Back to what was seen before"));
    forward = maker.make("zoomForward", QStringLiteral("&Forward"), {Qt::SHIFT | Qt::Key_Z},
        QStringLiteral("Forward to what was seen after this"));
    panLeft = maker.make("panLeft", QStringLiteral("Move &left"), {Qt::Key_A}, QStringLiteral("Look further left"));
    panRight = maker.make("panRight", QStringLiteral("Move &right"), {Qt::Key_D}, QStringLiteral("Look further right"));
    maker.separate();
    lasso = maker.makeSwitch("lasso", QStringLiteral("Lasso"), Qt::Key_L,
        QStringLiteral("Select by drawing around marks; Alt and drag does the same"));
    logX = maker.makeSwitch(
        "logX", QStringLiteral("Logarithmic &x axis"), Qt::Key_X, QStringLiteral("Logarithmic or linear x axis"));
    logY = maker.makeSwitch(
        "logY", QStringLiteral("Logarithmic &y axis"), Qt::Key_Y, QStringLiteral("Logarithmic or linear y axis"));
    table = maker.makeSwitch("showTable", QStringLiteral("As a &table"), Qt::Key_T,
        QStringLiteral("Show the plot's numbers as a table in its place"));
    maker.separate();
    copy = maker.make("copyPlot", QStringLiteral("&Copy image"), {QKeySequence(QKeySequence::Copy)},
        QStringLiteral("Copy the plot as an image, or the table as text"));
    save = maker.make("savePlot", QStringLiteral("Save &plot as…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_E},
        QStringLiteral("Save the plot as PNG, PDF or SVG, or its numbers as CSV"));
}

} // namespace headroom::ui
