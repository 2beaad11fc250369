// SPDX-License-Identifier: Apache-2.0
#include "ui/answer/MemoryBar.h"

#include "tests/ui/UiTest.h"

namespace headroom::ui {
namespace {

using Kind = experiments::FitVerdict::Kind;

experiments::FitVerdict verdict(Kind kind, std::optional<Bytes> reserved)
{
    experiments::FitVerdict made;
    made.kind = kind;
    made.usableBytes = 24 * kGiB;
    made.contextBytes = kGiB;
    made.marginBytes = kGiB / 2;
    made.reservedBytes = reserved;
    made.allocatedBytes = reserved;
    return made;
}

} // namespace

class MemoryBarTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void theLimitIsInsideWhetherItFitsOrNot()
    {
        Theme theme;
        MemoryBar bar(theme);
        bar.resize(600, bar.sizeHint().height());
        for (const auto& shown : {verdict(Kind::Fits, 10 * kGiB), verdict(Kind::DoesNotFit, 40 * kGiB),
                 verdict(Kind::DoesNotFit, std::nullopt)}) {
            bar.setVerdict(shown);
            QVERIFY(bar.positionOf(24 * kGiB) < bar.barRect().right());
            QVERIFY(bar.positionOf(shown.neededBytes().value_or(0)) < bar.barRect().right());
        }
        QVERIFY(bar.positionOf(24 * kGiB) < 0.9 * bar.width()); // room for an excess of unknown size
    }

    void whatIsNeededIsDrawnAsLongAsItIs()
    {
        Theme theme;
        theme.setScheme(ColourScheme::Light);
        MemoryBar bar(theme);
        bar.resize(600, bar.sizeHint().height());
        bar.setVerdict(verdict(Kind::Fits, 11 * kGiB));
        const QImage image = bar.grab().toImage();
        const int row = qRound(bar.barRect().center().y());
        const auto colourAt = [&](Bytes bytes) { return image.pixelColor(qRound(bar.positionOf(bytes)), row); };
        QCOMPARE(colourAt(6 * kGiB), theme.accent());
        QCOMPARE(colourAt(12 * kGiB - kGiB / 8), theme.accent());
        QCOMPARE(colourAt(12 * kGiB + kGiB / 4), theme.surface());
        QCOMPARE(colourAt(kGiB / 2), theme.muted());
    }

    void saysItsAmounts()
    {
        Theme theme;
        MemoryBar bar(theme);
        bar.setVerdict(verdict(Kind::Fits, 10 * kGiB));
        QVERIFY2(bar.accessibleDescription().contains(QStringLiteral("driver 1.00 GiB, allocated 10.0 GiB")),
            qPrintable(bar.accessibleDescription()));
        QVERIFY(bar.accessibleDescription().contains(QStringLiteral("usable 24.0 GiB")));
    }
};

HEADROOM_UI_TEST(MemoryBarTest)

} // namespace headroom::ui

#include "MemoryBarTest.moc"
