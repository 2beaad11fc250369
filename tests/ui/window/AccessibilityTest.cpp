// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/UiTest.h"
#include "tests/ui/window/OpenWindow.h"
#include "ui/plan/CostDialog.h"
#include "ui/plan/HandoffDialog.h"
#include "ui/plot/FigurePlot.h"
#include "ui/printing/ExportDialog.h"
#include "ui/segments/SegmentMap.h"
#include "ui/window/CommandPalette.h"
#include "ui/window/PreferencesDialog.h"
#include "ui/window/ShortcutSheet.h"

#include <QAbstractItemView>
#include <QAccessible>
#include <QAction>

#include <set>

namespace headroom::ui {
namespace {

// Parts of Qt's widgets that their owners speak for, or that a screen reader reaches as their children.
bool isPartOfAnother(const QWidget& widget)
{
    return widget.objectName().startsWith(QLatin1String("qt_")) || widget.focusProxy() != nullptr
        || widget.inherits("QTableCornerButton") || widget.inherits("QHeaderView")
        || widget.inherits("QComboBoxPrivateContainer") || widget.inherits("QComboBoxListView")
        || widget.inherits("QToolBarExtension") || widget.inherits("QTabBar") || widget.inherits("QStackedWidget")
        || widget.inherits("QScrollArea");
}

QString pathOf(const QWidget& widget)
{
    QString path;
    for (const QWidget* at = &widget; at != nullptr; at = at->parentWidget())
        if (!at->objectName().isEmpty())
            path = at->objectName() + (path.isEmpty() ? QString() : QLatin1Char('/') + path);
    return QStringLiteral("%1 %2").arg(QLatin1String(widget.metaObject()->className()), path);
}

bool hasRole(QAccessible::Role role)
{
    return role != QAccessible::NoRole && role != QAccessible::Client && role != QAccessible::Pane
        && role != QAccessible::Window;
}

/// What keys reach but a screen reader has no word for.
QStringList unspoken(QWidget& root)
{
    QStringList found;
    QList<QWidget*> all = root.findChildren<QWidget*>();
    for (QWidget* widget : all) {
        if (!(widget->focusPolicy() & Qt::TabFocus) || isPartOfAnother(*widget))
            continue;
        QAccessibleInterface* spoken = QAccessible::queryAccessibleInterface(widget);
        if (spoken == nullptr || spoken->text(QAccessible::Name).trimmed().isEmpty())
            found.append(QStringLiteral("no name: ") + pathOf(*widget));
        else if (!hasRole(spoken->role()))
            found.append(QStringLiteral("no role: ") + pathOf(*widget));
    }
    return found;
}

} // namespace

/// The window through the interface that screen readers use.
class AccessibilityTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        UiTest::initTestCase();
        m_open = std::make_unique<OpenWindow>();
        m_open->showSixTrials();
    }

    void cleanupTestCase() { m_open.reset(); }

    // Whether seen now or not.
    void whatKeysReachHasANameAndARole()
    {
        const QStringList found = unspoken(window());
        QVERIFY2(found.isEmpty(), qPrintable(found.join(QLatin1Char('\n'))));
    }

    void soDoTheDialogs()
    {
        const config::Trial& trial = m_open->services().spec.plan()->trials.front().trial;
        std::vector<std::unique_ptr<QDialog>> dialogs;
        dialogs.push_back(std::make_unique<CommandPalette>(window().commands(), &window()));
        dialogs.push_back(std::make_unique<ShortcutSheet>(window().commands(), &window()));
        dialogs.push_back(std::make_unique<PreferencesDialog>(window().preferences(), &window()));
        dialogs.push_back(std::make_unique<ExportDialog>(
            *m_open->services().workspaces.results(), m_open->file({}), m_open->services().exporter, &window()));
        dialogs.push_back(std::make_unique<HandoffDialog>(trial, &window()));
        dialogs.push_back(std::make_unique<CostDialog>(trial, &window()));
        for (const auto& dialog : dialogs) {
            dialog->show();
            QVERIFY2(!dialog->windowTitle().isEmpty(), dialog->metaObject()->className());
            const QStringList found = unspoken(*dialog);
            QVERIFY2(found.isEmpty(), qPrintable(found.join(QLatin1Char('\n'))));
            dialog->hide();
        }
    }

    // What a plot shows can be read as a table, and is said in a sentence.
    void everyPlotHasATwinAndADescription()
    {
        int seen = 0;
        for (FigurePlot* plot : window().findChildren<FigurePlot*>()) {
            QVERIFY2(plot->actions().table->isCheckable(), qPrintable(pathOf(*plot)));
            const QAccessibleInterface* canvas = QAccessible::queryAccessibleInterface(&plot->canvas());
            const bool isEmpty = plot->figure()->title.empty() && plot->figure()->emptyText.empty();
            if (isEmpty)
                continue;
            ++seen;
            QVERIFY2(!canvas->text(QAccessible::Description).isEmpty(), qPrintable(pathOf(*plot)));
            if (plot->figure()->emptyText.empty()) {
                plot->actions().table->setChecked(true);
                const auto* table = plot->findChild<QAbstractItemView*>(QStringLiteral("figureTable"));
                QVERIFY2(table->model()->rowCount() > 0, qPrintable(pathOf(*plot)));
                plot->actions().table->setChecked(false);
            }
        }
        QVERIFY2(seen >= 3, qPrintable(QString::number(seen)));
        const auto* map = window().findChild<SegmentMap*>();
        QVERIFY(!map->accessibleName().isEmpty());
    }

    // An entry of a menu without words would be read as nothing.
    void everyCommandHasWords()
    {
        std::set<QString> names;
        for (const QAction* command : window().commands()) {
            QVERIFY(!command->text().isEmpty());
            names.insert(command->text());
        }
        QVERIFY(names.size() > 40);
    }

private:
    MainWindow& window() { return m_open->window(); }

    std::unique_ptr<OpenWindow> m_open;
};

HEADROOM_UI_TEST(AccessibilityTest)

} // namespace headroom::ui

#include "AccessibilityTest.moc"
