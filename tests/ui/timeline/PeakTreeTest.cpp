// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/UiTest.h"
#include "tests/ui/timeline/TracedWorkspace.h"
#include "ui/timeline/PeakTreeView.h"
#include "ui/timeline/TraceArchive.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QGuiApplication>

namespace headroom::ui {
namespace {

// Of every node, the rows below sum to it.
bool sumsAreExact(const QAbstractItemModel& model, const QModelIndex& index)
{
    qlonglong sum = 0;
    for (int row = 0; row < model.rowCount(index); ++row) {
        const QModelIndex next = model.index(row, 0, index);
        sum += next.data(PeakTreeModel::kBytesRole).toLongLong();
        if (!sumsAreExact(model, next))
            return false;
    }
    return model.rowCount(index) == 0 || sum == index.data(PeakTreeModel::kBytesRole).toLongLong();
}

} // namespace

class PeakTreeTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void theModelKeepsItsPromises();
    void rowsSumToThePeakInEveryOrder();
    void theChosenOrderStays();
    void itIsCopiedAsCsvWithExactBytes();

private:
    TracedWorkspace m_workspace{30'000, Told::OwnersAndRecords};
    Theme m_theme;
    PeakTreesPtr m_trees;
};

void PeakTreeTest::init()
{
    UiTest::init();
    m_trees = TraceArchive().summary(m_workspace.request(0), {})->peak.trees;
    QVERIFY(m_trees != nullptr);
}

void PeakTreeTest::theModelKeepsItsPromises()
{
    PeakTreeModel model(m_theme);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setTrees(m_trees);
    QCOMPARE(model.rowCount(), 1);
    model.setGrouping(trace::Grouping::Category);
    QVERIFY(model.rowCount(model.index(0, 0)) > 2);
    model.setTrees(nullptr);
    QCOMPARE(model.rowCount(), 0);
}

void PeakTreeTest::rowsSumToThePeakInEveryOrder()
{
    PeakTreeModel model(m_theme);
    model.setTrees(m_trees);
    for (const auto& [grouping, tree] : m_trees->by) {
        model.setGrouping(grouping);
        const QModelIndex peak = model.index(0, 0);
        QCOMPARE(peak.data(PeakTreeModel::kBytesRole).toLongLong(), m_trees->categories.total());
        QVERIFY(sumsAreExact(model, peak));
        QCOMPARE(model.index(0, PeakTreeModel::Share).data().toString(), QStringLiteral("100.0 %"));
    }
}

void PeakTreeTest::theChosenOrderStays()
{
    PeakTreeView view(m_theme);
    view.setGrouping(QStringLiteral("category"));
    view.setTrees(m_trees);
    QVERIFY(view.model().grouping() == trace::Grouping::Category);
    view.setTrees(nullptr);
    view.setTrees(m_trees);
    QVERIFY(view.model().grouping() == trace::Grouping::Category);
    QCOMPARE(view.grouping(), QStringLiteral("category"));
}

void PeakTreeTest::itIsCopiedAsCsvWithExactBytes()
{
    PeakTreeView view(m_theme);
    view.setTrees(m_trees);
    view.show();
    auto* tree = view.findChild<QTreeView*>(QStringLiteral("peakTree"));
    tree->setFocus();
    view.findChild<QAction*>(QStringLiteral("peakTreeCopy"))->trigger();
    const QStringList lines = QGuiApplication::clipboard()->text().split(QStringLiteral("\r\n"));
    QVERIFY(lines[0].startsWith(QStringLiteral("path,alike,bytes,share,weights_bytes")));
    QVERIFY(lines[1].startsWith(QStringLiteral("peak,1,%1,1.000000,").arg(m_trees->categories.total())));
}

HEADROOM_UI_TEST(PeakTreeTest)

} // namespace headroom::ui

#include "PeakTreeTest.moc"
