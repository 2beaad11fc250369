// SPDX-License-Identifier: Apache-2.0
#include "core/base/Crc32.h"
#include "tests/core/models/imported/ImportedCase.h"
#include "tests/support/torch/Norms.h"

#include "core/techniques/checkpointing/Checkpointing.h"

#include <gtest/gtest.h>

// Values of the same models in eager Python on the CPU, written by tests/reference/imported_values.py.
namespace headroom::models::imported_reference_test {
namespace {

using nlohmann::json;

constexpr double kRelative = 1e-5; ///< float32: processors sum in widths of their own
constexpr double kAbsolute = 1e-8; ///< of gradients that are zero but for rounding

std::uint32_t checksumOf(const at::Tensor& tensor)
{
    const at::Tensor values = tensor.contiguous();
    return trace::crc32({static_cast<const std::byte*>(values.const_data_ptr()), values.nbytes()});
}

// Python computed with more than one thread: with one alone, convolutions sum in another order, and gradients of the
// UNet are off by up to 2.7e-6.
class PythonsThreads {
public:
    PythonsThreads()
        : m_before(at::get_num_threads())
    {
        at::set_num_threads(2);
    }
    ~PythonsThreads() { at::set_num_threads(m_before); }
    PythonsThreads(const PythonsThreads&) = delete;
    PythonsThreads& operator=(const PythonsThreads&) = delete;

private:
    int m_before;
};

// Equal bit by bit where the same kernels compute as did in Python.
void expectTensor(const at::Tensor& found, const json& expected, const std::string& what)
{
    ASSERT_TRUE(found.defined()) << what;
    EXPECT_EQ(found.sizes().vec(), expected.at("shape").get<std::vector<std::int64_t>>()) << what;
    if (checksumOf(found) == expected.at("crc32").get<std::uint32_t>())
        return;
    const double norm = expected.at("l2");
    EXPECT_NEAR(l2Norm(found), norm, kRelative * norm + kAbsolute) << what;
    const double scale = norm / std::sqrt(static_cast<double>(std::max<std::int64_t>(1, found.numel())));
    for (const auto& [index, value] : expected.at("elements").items())
        EXPECT_NEAR(found.flatten()[std::stol(index)].item<double>(), value.get<double>(),
            10 * kRelative * std::max(scale, std::abs(value.get<double>())) + kAbsolute)
            << what << ", element " << index;
}

void expectStep(const ImportedStep& step, const ImportedModel& model, const json& expected)
{
    expectTensor(step.output, expected.at("output"), "output");
    EXPECT_NEAR(step.loss, expected.at("loss").get<double>(), kRelative * std::abs(expected.at("loss").get<double>()));
    EXPECT_EQ(step.gradients.size(), expected.at("gradients").size());
    for (const auto& [name, gradient] : expected.at("gradients").items()) {
        ASSERT_TRUE(step.gradients.contains(name)) << name;
        expectTensor(step.gradients.at(name), gradient, name);
    }
    for (const auto& [name, buffer] : model.named_buffers().pairs())
        if (expected.at("buffers").contains(name))
            expectTensor(buffer, expected.at("buffers").at(name), name);
}

class ImportedReferenceTest : public testing::TestWithParam<std::string> { };

TEST_P(ImportedReferenceTest, computesWhatPythonComputes)
{
    requireCpu("the reference is of the CPU's kernels");
    const PythonsThreads threads;
    const ImportedCase test(GetParam());
    const json& expected = test.values.at("train");
    const ImportedStep step = stepOf(*test.model, test.inputs, test.seed());
    expectStep(step, *test.model, expected);
    EXPECT_EQ(step.saved, expected.at("saved_bytes").get<Bytes>());
}

TEST_P(ImportedReferenceTest, hasAllParametersUnderTheirNames)
{
    const ImportedCase test(GetParam());
    EXPECT_EQ(parameterCount(*test.model), test.values.at("parameters").get<std::int64_t>());
    EXPECT_EQ(test.model->parameters().size(), test.values.at("tensors").get<std::size_t>());
}

// Dropout draws the same numbers again, and each batch norm moves its statistics twice, as under Python's checkpoint.
TEST_P(ImportedReferenceTest, computesTheSameWhereBlocksAreRepeated)
{
    requireCpu("the reference is of the CPU's kernels");
    const PythonsThreads threads;
    const ImportedCase test(GetParam());
    if (test.model->blockCount() == 0)
        GTEST_SKIP() << "has no blocks";
    techniques::Checkpointing checkpointing(settingOf("checkpointing", "all"));
    checkpointing.apply(*test.model);
    json expected = test.values.at("train");
    expected["buffers"] = json::object();
    const ImportedStep step = stepOf(*test.model, test.inputs, test.seed());
    expectStep(step, *test.model, expected);
    EXPECT_LT(step.saved, expected.at("saved_bytes").get<Bytes>());
}

std::string caseName(const testing::TestParamInfo<std::string>& info)
{
    std::string name = info.param;
    std::ranges::replace(name, '-', '_');
    std::ranges::replace(name, '/', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Models, ImportedReferenceTest,
    testing::Values("ltx-video", "families/flux", "families/flux-schnell", "families/wan", "families/cogvideox",
        "families/cogvideox-rotary", "families/t5-encoder", "llama", "unet", "gpt2", "t5", "resnet", "tied", "regions",
        "losing", "deep"),
    caseName);

} // namespace
} // namespace headroom::models::imported_reference_test
