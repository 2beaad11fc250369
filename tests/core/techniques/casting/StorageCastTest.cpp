// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/casting/LayerwiseCasting.h"

#include "core/memory/CpuMemory.h"
#include "tests/core/memory/RecordingBackend.h"
#include "tests/support/Refusal.h"
#include "tests/support/torch/Comparison.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace headroom::techniques::storage_cast_test {
namespace {

double cast(double value, c10::ScalarType from, c10::ScalarType storage)
{
    return storedCopy(at::full({1}, value, onTestDevice(from)), storage).tensor.to(at::kDouble).item<double>();
}

struct Case {
    double value;
    double stored;
};

TEST(StorageCastTest, roundsAsTheReferenceSays)
{
    requireValues();
    for (const Case& item : {Case{0.1, 0.1015625}, {0.3, 0.3125}, {1.0625, 1.0}, {1.1875, 1.25}, {3.3, 3.25}, {17, 16},
             {100, 96}, {447, 448}, {0.0009765625, 0}, {0.001, 0.001953125}})
        EXPECT_EQ(cast(item.value, at::kFloat, at::kFloat8_e4m3fn), item.stored) << item.value;
    for (const Case& item : {Case{1.125, 1.0}, {1.2, 1.25}, {3.3, 3.5}, {57343, 57344}})
        EXPECT_EQ(cast(item.value, at::kFloat, at::kFloat8_e5m2), item.stored) << item.value;
}

TEST(StorageCastTest, saturatesWhereATypeEnds)
{
    requireValues();
    const double infinity = std::numeric_limits<double>::infinity();
    for (const double value : {449.0, 464.0, 464.1, 480.0, 1000.0, 3e4, infinity})
        for (const double sign : {1.0, -1.0})
            EXPECT_EQ(cast(sign * value, at::kFloat, at::kFloat8_e4m3fn), sign * 448) << value;
    for (const double value : {57345.0, 61439.0, 61440.0, 1e6, infinity})
        EXPECT_EQ(cast(value, at::kFloat, at::kFloat8_e5m2), 57344) << value;
    for (const double value : {65505.0, 65520.0, 1e9, infinity})
        EXPECT_EQ(cast(-value, at::kFloat, at::kHalf), -65504) << value;
    EXPECT_EQ(cast(1e300, at::kDouble, at::kBFloat16), std::numeric_limits<c10::BFloat16>::max());
}

// 65504 is no bfloat16: clamped in that type, it would round up to 65536 and from there to infinity.
TEST(StorageCastTest, saturatesFromEveryType)
{
    requireValues();
    for (const c10::ScalarType from : {at::kDouble, at::kFloat, at::kBFloat16}) {
        EXPECT_EQ(cast(1e5, from, at::kHalf), 65504) << c10::toString(from);
        EXPECT_EQ(cast(1e5, from, at::kFloat8_e5m2), 57344) << c10::toString(from);
    }
    for (const c10::ScalarType from : {at::kDouble, at::kFloat, at::kBFloat16, at::kHalf})
        EXPECT_EQ(cast(-1000, from, at::kFloat8_e4m3fn), -448) << c10::toString(from);
}

TEST(StorageCastTest, leavesWhatIsNoNumber)
{
    requireValues();
    const StoredCopy copy = storedCopy(at::tensor({1.0F, std::nanf(""), 1000.0F}).to(testDevice()), at::kFloat8_e4m3fn);
    EXPECT_TRUE(std::isnan(copy.tensor.to(at::kFloat)[1].item<float>()));
    EXPECT_EQ(copy.tensor.to(at::kFloat)[2].item<float>(), 448);
    EXPECT_EQ(copy.clipped, 1);
}

TEST(StorageCastTest, countsEveryValueThatWasClipped)
{
    requireValues();
    const std::int64_t count = 200000;
    at::Tensor values = at::linspace(-500, 500, count, onTestDevice(at::kDouble));
    const auto expected = (values.abs() > 448).sum().item<std::int64_t>();
    ASSERT_GT(expected, 0);
    const StoredCopy copy = storedCopy(values.view({400, 500}).t(), at::kFloat8_e4m3fn);
    EXPECT_EQ(copy.clipped, expected);
    EXPECT_EQ(copy.tensor.sizes(), (std::vector<std::int64_t>{500, 400}));
    const at::Tensor wanted = values.view({400, 500}).t().clamp(-448, 448).to(at::kFloat8_e4m3fn).to(at::kFloat);
    EXPECT_TRUE(sameNumbers(copy.tensor.to(at::kFloat), wanted));
    EXPECT_EQ(storedCopy(values * 0.5, at::kFloat8_e4m3fn).clipped, 0);
}

TEST(StorageCastTest, anEmptyTensorStaysEmpty)
{
    const StoredCopy copy = storedCopy(at::empty({0, 3}, onTestDevice()), at::kFloat8_e4m3fn);
    EXPECT_EQ(copy.tensor.sizes(), (std::vector<std::int64_t>{0, 3}));
    EXPECT_EQ(copy.clipped, 0);
}

TEST(StorageCastTest, takesMemoryForTheResultAlone)
{
    requireCpu("of its allocator");
    const at::Tensor source = at::ones({512, 300}, onTestDevice());
    const auto backend = std::make_shared<tensor::RecordingBackend>();
    const tensor::CpuMemory accounting(backend);
    const StoredCopy copy = storedCopy(source, at::kFloat8_e4m3fn);
    EXPECT_EQ(backend->peakBytes(), 512 * 300);
    EXPECT_EQ(backend->liveBytes(), 512 * 300);
}

// Of one piece: its values in float32, which of them are beyond the limit, and those as integers of 64 bits for the
// sum.
TEST(StorageCastTest, clipsPieceByPiece)
{
    requireCpu("of its allocator");
    const at::Tensor source = at::full({1024, 1024}, 1000.0, onTestDevice());
    const auto backend = std::make_shared<tensor::RecordingBackend>();
    const tensor::CpuMemory accounting(backend);
    EXPECT_EQ(storedCopy(source, at::kFloat8_e4m3fn).clipped, 1024 * 1024);
    EXPECT_LT(backend->peakBytes(), 1024 * 1024 + (std::int64_t{1} << 16) * (4 + 1 + 8) + 1024);
}

TEST(StorageCastTest, refusesATypeThatIsNoFloatingOne)
{
    EXPECT_EQ(refusal<TrialError>([] { storedCopy(at::ones({1}, onTestDevice()), at::kInt); }),
        "layerwise casting: Int is no floating type that weights are stored in (valid: e4m3, e5m2, bf16, fp16)");
}

} // namespace
} // namespace headroom::techniques::storage_cast_test
