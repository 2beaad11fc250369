// SPDX-License-Identifier: Apache-2.0
#include "ui/recordings/WhatIfView.h"

#include "core/config/Installation.h"
#include "experiments/archive/StoredExperiment.h"
#include "experiments/recordings/StoredRecording.h"
#include "tests/ui/UiTest.h"
#include "tests/ui/recordings/ImportedWorkspace.h"
#include "ui/recordings/WhatIfTableModel.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QGuiApplication>
#include <QPushButton>
#include <QTableView>

namespace headroom::ui {

/// The same questions as on the command line, asked of the stored trial.
class WhatIfViewTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void theAnswersAreThoseOfTheReplay()
    {
        WhatIfView view(m_theme);
        show(view);
        const auto expected = answer({.allocators = {"", "expandable_segments:True"},
            .capacityBytes = {},
            .addresses = recordings::ReplayAddresses::Recorded,
            .emptiesCache = true,
            .suggests = false});
        view.form()
            .findChild<QLineEdit*>(QStringLiteral("whatIfLine"))
            ->setText(QStringLiteral("expandable_segments:True"));
        QTRY_VERIFY(view.isIdle());
        QTRY_VERIFY(view.sentence().startsWith(QStringLiteral("With expandable_segments:True")));
        for (std::size_t i = 0; i < expected.rows.size(); ++i) {
            const experiments::WhatIfRow& shown = view.model().row(static_cast<int>(i));
            QCOMPARE(shown.allocator, expected.rows[i].allocator);
            QCOMPARE(shown.outcome.peakReservedBytes, expected.rows[i].outcome.peakReservedBytes);
            QCOMPARE(shown.smallestCapacityBytes, expected.rows[i].smallestCapacityBytes);
            QCOMPARE(shown.outcome.failure.has_value(), expected.rows[i].outcome.failure.has_value());
        }
    }

    void theSettingThatHelpsMostIsTheCommandLines()
    {
        WhatIfView view(m_theme);
        show(view);
        QTRY_VERIFY_WITH_TIMEOUT(view.isIdle(), 30'000);
        const auto expected = answer({.allocators = {""},
            .capacityBytes = {},
            .addresses = recordings::ReplayAddresses::Recorded,
            .emptiesCache = true,
            .suggests = true});
        QVERIFY(expected.suggestion);
        QVERIFY2(view.suggestion().startsWith(QString::fromStdString(expected.suggestion->text)),
            qPrintable(view.suggestion()));
        QCOMPARE(view.model().rowCount(), static_cast<int>(expected.rows.size()));
        view.resize(1600, view.height());
        const auto* table = view.findChild<QTableView*>(QStringLiteral("whatIfTable"));
        const QAbstractItemView& hints = *table; // where they are public
        QTRY_VERIFY2(
            table->columnWidth(WhatIfTableModel::Setting) >= hints.sizeHintForColumn(WhatIfTableModel::Setting),
            "settings are whole where there is room");
        view.findChild<QPushButton*>(QStringLiteral("whatIfCopy"))->click();
        QCOMPARE(QGuiApplication::clipboard()->text(), QString::fromStdString(expected.suggestion->line));
    }

    void boxesAndLineShowTheSame()
    {
        WhatIfView view(m_theme);
        show(view);
        auto* line = view.form().findChild<QLineEdit*>(QStringLiteral("whatIfLine"));
        auto* split = view.form().findChild<QComboBox*>(QStringLiteral("whatIf.max_split_size_mb"));
        line->setText(QStringLiteral("max_split_size_mb:64,pinned_use_cuda_host_register:True"));
        QCOMPARE(split->currentData().toString(), QStringLiteral("64"));
        QTest::keyClick(split, Qt::Key_Down); // the next value
        Q_EMIT split->activated(split->currentIndex());
        QCOMPARE(line->text(), QStringLiteral("pinned_use_cuda_host_register:True,max_split_size_mb:128"));
    }

    void lessMemoryRunsOut()
    {
        WhatIfView view(m_theme);
        show(view);
        QTRY_VERIFY_WITH_TIMEOUT(view.isIdle(), 30'000);
        auto* card = view.form().findChild<QComboBox*>(QStringLiteral("whatIfCard"));
        card->setCurrentIndex(card->count() - 1);
        auto* memory = view.form().findChild<QDoubleSpinBox*>(QStringLiteral("whatIfMemory"));
        QVERIFY(!memory->isHidden());
        memory->setValue(0.2);
        QTRY_VERIFY2(view.sentence().contains(QStringLiteral("finetune.py:31")), qPrintable(view.sentence()));
        QVERIFY2(view.sentence().contains(QStringLiteral("runs out of memory")), qPrintable(view.sentence()));
    }

    void aSettingThatIsUnknownIsOneSentence()
    {
        WhatIfView view(m_theme);
        show(view);
        QTRY_VERIFY_WITH_TIMEOUT(view.isIdle(), 30'000);
        view.form().findChild<QLineEdit*>(QStringLiteral("whatIfLine"))->setText(QStringLiteral("expandable:True"));
        QTRY_VERIFY2(view.sentence().contains(QStringLiteral("expandable"))
                && !view.sentence().startsWith(QStringLiteral("With")),
            qPrintable(view.sentence()));
    }

    void answersForAnotherTrialAreDropped()
    {
        WhatIfView view(m_theme);
        show(view);
        view.form()
            .findChild<QLineEdit*>(QStringLiteral("whatIfLine"))
            ->setText(QStringLiteral("max_split_size_mb:64"));
        QTRY_VERIFY(view.sentence().contains(QStringLiteral("max_split_size_mb:64")));
        for (const char* settings : {"max_split_size_mb:32", "expandable_segments:True"}) {
            view.form().setAllocator(QLatin1String(settings));
            Q_EMIT view.form().edited();
            QTest::qWait(251); // it is being asked
            view.setSubject(std::nullopt);
            QTest::qWait(50);
            QVERIFY(view.sentence().contains(QStringLiteral("Select a trial")));
            view.setSubject(subject());
            QTRY_VERIFY(view.sentence().startsWith(QStringLiteral("With ")));
        }
    }

    void nothingIsReadWhileItIsNotSeen()
    {
        WhatIfView view(m_theme);
        view.setSubject(subject());
        QTest::qWait(50);
        QVERIFY(view.isIdle());
        QCOMPARE(view.model().rowCount(), 0);
        view.resize(1200, 500);
        view.show();
        QTRY_VERIFY(view.model().rowCount() > 0);
    }

private:
    WhatIfSubject subject() const
    {
        auto workspace = experiments::openForReading(m_workspace.path());
        const std::int64_t experiment = m_workspace.imported().number;
        const store::TrialRow trial = workspace.trials(experiment).front();
        return {m_workspace.path(), experiment, trial.trialId, workspace.repeats(trial.id).front().id, "run"};
    }

    void show(WhatIfView& view)
    {
        new QAbstractItemModelTester(view.findChild<QTableView*>(QStringLiteral("whatIfTable"))->model(),
            QAbstractItemModelTester::FailureReportingMode::QtTest, &view);
        view.resize(1200, 500);
        view.show();
        view.setSubject(subject());
        QTRY_VERIFY(view.model().rowCount() > 0);
    }

    experiments::WhatIfAnswer answer(const experiments::WhatIfQuestion& question) const
    {
        auto workspace = experiments::openForReading(m_workspace.path());
        const auto trial = workspace.trials(m_workspace.imported().number).front();
        const auto recording = experiments::storedRecording(
            workspace, trial, workspace.repeats(trial.id).front().id, config::resourceDirectory());
        return experiments::askWhatIf(
            recording, question, simulator::ProfileCatalogue(config::resourceDirectory()), {});
    }

    Theme m_theme;
    ImportedWorkspace m_workspace;
};

HEADROOM_UI_TEST(WhatIfViewTest)

} // namespace headroom::ui

#include "WhatIfViewTest.moc"
