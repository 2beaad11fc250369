// SPDX-License-Identifier: Apache-2.0
#include "core/config/Workload.h"

#include "tests/support/Refusal.h"

namespace headroom::config::workload_test {
namespace {

const FieldSet& shapes()
{
    static const FieldSet set(
        {{.name = "batch", .type = FieldType::Integer, .defaultValue = 2, .help = "samples", .minimum = 1},
            {.name = "tokens", .type = FieldType::Integer, .defaultValue = 64, .help = "tokens", .minimum = 1}});
    return set;
}

TEST(WorkloadTest, everyFieldHasADocumentedDefault)
{
    const Workload workload = makeWorkload({}, shapes(), "workload");
    EXPECT_EQ(workload, (Workload{.shapes = {{"batch", 2}, {"tokens", 64}}}));
    for (const Field& field : workloadFields().all())
        EXPECT_FALSE(field.help.empty()) << field.name;
}

TEST(WorkloadTest, valuesReadBackAsTheSameWorkload)
{
    const ValueMap values{{"step", "train"}, {"dtype", "bfloat16"}, {"loss", "mse"}, {"gradients", "keep"},
        {"output", "held"}, {"output_dtype", "float32"}, {"accumulate", 4}, {"clip_grad_norm", 1.5},
        {"autocast", "float16"}, {"seed", 9}, {"batch", 3}, {"tokens", 5}};
    const Workload workload = makeWorkload(values, shapes(), "workload");
    EXPECT_EQ(toValues(workload), values);
    EXPECT_EQ(workload.step, StepKind::Train);
    EXPECT_EQ(workload.dtype, Dtype::BFloat16);
    EXPECT_EQ(workload.loss, Loss::Mse);
    EXPECT_EQ(workload.gradients, GradientClearing::Keep);
    EXPECT_EQ(workload.output, ModelOutput::Held);
    EXPECT_EQ(workload.outputDtype, OutputDtype::Float32);
}

TEST(WorkloadTest, everyChoiceIsReadAndWrittenAsItself)
{
    for (const Field& field : workloadFields().all())
        for (const std::string& choice : field.choices)
            EXPECT_EQ(toValues(makeWorkload({{field.name, choice}}, shapes(), "w")).at(field.name), Value(choice));
}

TEST(WorkloadTest, refusesWithTheKeyAndWhatIsValid)
{
    EXPECT_EQ(refusal([] { makeWorkload({{"step", "infer"}}, shapes(), "workload"); }),
        "workload.step: found \"infer\", did you mean \"inference\"? (valid: inference, forward_backward, train)");
    EXPECT_EQ(refusal([] { makeWorkload({{"dtype", "fp32"}}, shapes(), "workload"); }),
        "workload.dtype: found \"fp32\", did you mean \"float32\"? (valid: float32, bfloat16, float16, float64)");
    EXPECT_EQ(refusal([] { makeWorkload({{"clip_grad_norm", -1}}, shapes(), "workload"); }),
        "workload.clip_grad_norm: found -1 (valid: a number of at least 0.0)");
    EXPECT_EQ(refusal([] { makeWorkload({{"batch", 0}}, shapes(), "workload"); }),
        "workload.batch: found 0 (valid: an integer of at least 1)");
}

TEST(WorkloadTest, refusesCountsThatItCannotHold)
{
    EXPECT_THROW(makeWorkload({{"accumulate", std::int64_t{1} << 40}}, shapes(), "w"), UsageError);
    EXPECT_THROW(makeWorkload({{"accumulate", 0}}, shapes(), "w"), UsageError);
    EXPECT_THROW(makeWorkload({{"seed", -1}}, shapes(), "w"), UsageError);
}

TEST(WorkloadTest, elementsHaveTheirFormatsSize)
{
    EXPECT_EQ(bytesPerElement(Dtype::Float64), 8);
    EXPECT_EQ(bytesPerElement(Dtype::Float32), 4);
    EXPECT_EQ(bytesPerElement(Dtype::BFloat16), 2);
    EXPECT_EQ(bytesPerElement(Dtype::Float16), 2);
}

} // namespace
} // namespace headroom::config::workload_test
