// SPDX-License-Identifier: Apache-2.0
#include "experiments/verdict/DeviceFit.h"

#include "core/base/Error.h"
#include "experiments/results/KnownErrors.h"
#include "experiments/validation/ValidationDocument.h"
#include "tests/support/Checkout.h"
#include "tests/support/Refusal.h"
#include "tests/support/TemporaryFolder.h"

#include <gmock/gmock.h>

namespace headroom::experiments {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

ValidationRow rowOfErrors(double allocated, std::optional<double> step)
{
    ValidationRow row;
    row.measured = {.outcome = Outcome::Completed, .allocated = 1000};
    row.predicted = {.outcome = Outcome::Completed, .allocated = 1000 + static_cast<Bytes>(1000 * allocated)};
    if (step) {
        row.measured.stepSeconds = 1.0;
        row.predicted.stepSeconds = 1.0 + *step;
    }
    return row;
}

std::string documentFor(const std::string& against, const std::string& date, std::optional<double> step = {})
{
    ValidationDocument document;
    document.device = "cpu";
    document.against = against;
    document.date = date;
    document.environment.worker.emplace().torchVersion = "2.11.0";
    for (int i = 0; i < 20; ++i)
        document.rows.push_back(rowOfErrors(-0.01, step));
    document.rows.push_back(rowOfErrors(0.5, step)); // the one in twenty that the bound leaves out
    return toJson(document).dump();
}

TrialResult predictedOn(const std::string& device)
{
    TrialResult trial;
    trial.device = device;
    trial.runtime = "torch-2.11";
    trial.isPredicted = true;
    trial.outcome = Outcome::Completed;
    return trial;
}

class StoredValidationsTest : public testing::Test {
protected:
    void store(const std::string& name, const std::string& text) const { m_folder.write("validations/" + name, text); }
    std::optional<ErrorBound> bound(const TrialResult& trial) const
    {
        return StoredValidations(m_folder.path()).errorBound(trial);
    }

    TemporaryFolder m_folder;
};

TEST_F(StoredValidationsTest, boundsAreWhatMostTrialsKept)
{
    store("cpu.json", documentFor("sim:cpu@torch-2.11", "2026-11-23", 0.125));
    const auto found = bound(predictedOn("sim:cpu"));
    ASSERT_TRUE(found);
    EXPECT_DOUBLE_EQ(found->allocated.value(), 0.01);
    EXPECT_FALSE(found->reserved);
    EXPECT_DOUBLE_EQ(found->stepTime.value(), 0.125);
    EXPECT_EQ(found->basis, "95.0 % of 21 trials on cpu, LibTorch 2.11.0, 2026-11-23, validations/cpu.json");
}

TEST_F(StoredValidationsTest, theNewestOfTheDeviceWithItsRuntimeCounts)
{
    store("a.json", documentFor("sim:t4@torch-2.11", "2026-11-24"));
    store("b.json", documentFor("sim:t4@torch-2.11", "2026-11-23"));
    store("c.json", documentFor("sim:t4@torch-2.5", "2026-11-25"));
    EXPECT_THAT(bound(predictedOn("sim:t4"))->basis, HasSubstr("a.json"));
    EXPECT_FALSE(bound(predictedOn("sim:l4")));
}

TEST_F(StoredValidationsTest, onlyPredictionsWithFiguresHaveABound)
{
    store("cpu.json", documentFor("sim:cpu@torch-2.11", "2026-11-23"));
    TrialResult measured = predictedOn("sim:cpu");
    measured.isPredicted = false;
    EXPECT_FALSE(bound(measured));
    TrialResult failed = predictedOn("sim:cpu");
    failed.outcome = Outcome::Failed;
    EXPECT_FALSE(bound(failed));
}

TEST_F(StoredValidationsTest, withoutAFolderThereAreNone)
{
    EXPECT_FALSE(bound(predictedOn("sim:cpu")));
}

TEST_F(StoredValidationsTest, aFileThatIsNoValidationIsNamedWithWhatItShouldBe)
{
    const auto message = [&] { return refusal<FileError>([&] { StoredValidations(m_folder.path()); }); };
    store("x.json", "{\"schema\": \"headroom.fit/1\"}");
    EXPECT_THAT(message(), testing::AllOf(HasSubstr("x.json"), HasSubstr("headroom.validation/1")));
    store("x.json", "{\"schema\": \"headroom.validation/1\"}");
    EXPECT_THAT(message(), testing::AllOf(HasSubstr("x.json"), HasSubstr("quantiles")));
    store("x.json", "nothing");
    EXPECT_THAT(message(), HasSubstr("x.json"));
}

TEST(ShippedValidationsTest, canBeRead)
{
    EXPECT_NO_THROW(StoredValidations{shippedResources()});
}

TEST(KnownErrorsTest, areToldOnceForEachDeviceWithTheirBasis)
{
    TrialResult one = predictedOn("sim:cpu");
    EXPECT_THAT(knownErrorsTextOf(std::vector{one}), IsEmpty());
    one.errorBound = ErrorBound{.allocated = 0.0, .stepTime = 0.125, .basis = "95 % of 9 trials"};
    TrialResult other = predictedOn("sim:t4");
    other.errorBound = ErrorBound{.allocated = 0.01, .reserved = 0.02, .basis = "b"};
    EXPECT_EQ(knownErrorsTextOf(std::vector{one, one, other}),
        "Known error of sim:cpu@torch-2.11: allocated memory exact, step time within 12.5 % (95 % of 9 trials). Known "
        "error of sim:t4@torch-2.11: allocated memory within 1.0 %, reserved memory within 2.0 % (b).");
}

} // namespace
} // namespace headroom::experiments
