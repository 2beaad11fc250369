// SPDX-License-Identifier: Apache-2.0
#include "experiments/cost/RunCost.h"

#include "core/base/Error.h"
#include "tests/support/Checkout.h"
#include "tests/support/EnvironmentVariable.h"
#include "tests/support/TemporaryFolder.h"
#include "tests/support/TextFiles.h"

#include <gmock/gmock.h>

namespace headroom::experiments::run_cost_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

const std::vector<std::string> kCards{"a100-80gb", "t4"};

class PriceListTest : public testing::Test {
protected:
    PriceList read(const std::string& text)
    {
        writeText(m_folder.path() / "prices.toml", text);
        return readPrices(m_folder.path() / "prices.toml", kCards);
    }

    void expectRefused(const std::string& text, const std::string& place, const std::string& what)
    {
        try {
            read(text);
            ADD_FAILURE() << text;
        } catch (const UsageError& error) {
            EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("prices.toml:" + place), HasSubstr(what))) << text;
        }
    }

    TemporaryFolder m_folder;
};

const std::string kPrice =
    "currency = \"EUR\"\n[[price]]\ndevice = \"t4\"\nper_hour = 0.5\nsource = \"ours\"\ndate = 2026-11-25\n";

TEST_F(PriceListTest, readsWhatAPersonWroteDown)
{
    const PriceList list =
        read(kPrice + "[[price]]\ndevice = \"t4\"\nper_hour = 1\nsource = \"theirs\"\ndate = 2026-11-02\n");
    EXPECT_EQ(list.currency, "EUR");
    ASSERT_EQ(list.of("t4").size(), 2U);
    EXPECT_EQ(list.of("t4")[0].perHour, 0.5);
    EXPECT_EQ(list.of("t4")[1].source, "theirs");
    EXPECT_EQ(list.of("t4")[1].date, "2026-11-02");
    EXPECT_THAT(list.of("a100-80gb"), IsEmpty());
}

TEST_F(PriceListTest, refusesWithThePlace)
{
    expectRefused("[[price]]\ndevice = \"t4\"\n", "1:1: currency", "is missing");
    expectRefused("currency = \"EUR\"\n[[price]]\ndevice = \"t5\"\nper_hour = 1\nsource = \"a\"\ndate = 2026-11-25\n",
        "3:10: device", "did you mean \"t4\"?");
    expectRefused("currency = \"EUR\"\n[[price]]\ndevice = \"t4\"\nper_hour = -1\nsource = \"a\"\ndate = 2026-11-25\n",
        "4:12: per_hour", "at least 0");
    expectRefused("currency = \"EUR\"\n[[price]]\ndevice = \"t4\"\nper_hour = 1\ndate = 2026-11-25\n", "2:1: source",
        "is missing");
    expectRefused(kPrice + "perhour = 2\n", "7:11: perhour", "did you mean \"per_hour\"?");
    expectRefused("price = 3\n", "1:9: price", "[[price]]");
}

// No price is invented: the file that comes with the program has none.
TEST_F(PriceListTest, shipsNoPrices)
{
    EXPECT_THAT(readPrices(shippedResources() / "prices.toml", kCards).prices, IsEmpty());
}

TEST_F(PriceListTest, prefersTheFileOfThePerson)
{
    const EnvironmentVariable config("XDG_CONFIG_HOME", m_folder.path().string());
    EXPECT_EQ(pricesFile("resources"), std::filesystem::path("resources") / "prices.toml");
    std::filesystem::create_directories(m_folder.path() / "headroom");
    writeText(m_folder.path() / "headroom" / "prices.toml", kPrice);
    EXPECT_EQ(pricesFile("resources"), m_folder.path() / "headroom" / "prices.toml");
}

CardCost card(
    const std::string& device, FitVerdict::Kind kind, std::optional<double> stepSeconds, std::optional<double> perHour)
{
    CardCost cost;
    cost.device = device;
    cost.verdict.kind = kind;
    cost.stepSeconds = stepSeconds;
    if (perHour)
        cost.price = CardPrice{device, *perHour, "test", "2026-11-25"};
    return cost;
}

TEST(RunCostTest, countsHoursAndMoney)
{
    const CardCost cost = card("a", FitVerdict::Kind::Fits, 1.8, 2.0);
    EXPECT_DOUBLE_EQ(*cost.hours(1000), 0.5);
    EXPECT_DOUBLE_EQ(*cost.cost(1000), 1.0);
    EXPECT_EQ(card("a", FitVerdict::Kind::DoesNotFit, 1.8, 2.0).cost(1000), std::nullopt);
    EXPECT_EQ(card("a", FitVerdict::Kind::Fits, 1.8, std::nullopt).cost(1000), std::nullopt);
    EXPECT_EQ(card("a", FitVerdict::Kind::Fits, std::nullopt, 2.0).hours(1000), std::nullopt);
}

TEST(RunCostTest, putsTheCheapestFirstAndWhatDoesNotFitLast)
{
    std::vector<CardCost> costs{card("none", FitVerdict::Kind::DoesNotFit, 1, 1),
        card("fast", FitVerdict::Kind::Fits, 1, {}), card("dear", FitVerdict::Kind::Fits, 2, 3),
        card("cheap", FitVerdict::Kind::Tight, 4, 1)};
    sortByCost(costs, 10);
    std::vector<std::string> order;
    for (const CardCost& cost : costs)
        order.push_back(cost.device);
    EXPECT_THAT(order, testing::ElementsAre("cheap", "dear", "fast", "none"));
}

} // namespace
} // namespace headroom::experiments::run_cost_test
