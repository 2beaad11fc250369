// SPDX-License-Identifier: Apache-2.0

#include "core/memory/CpuMemory.h"
#include "profiling/collectors/simulated/SimulatedInstruments.h"
#include "tests/core/memory/RecordingBackend.h"
#include "tests/profiling/comparisons/TrialRun.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace headroom::collectors::cpu_temporaries_test {
namespace {

using tensor::RecordingBackend;

/// An op, or a few, whose tensors are gone at the end. A few elements each, so that a number's bytes are seen.
struct Program {
    std::string name;
    void (*run)(const at::TensorOptions&);
};

at::Tensor small(const at::TensorOptions& options, c10::ScalarType type)
{
    return at::empty({3, 5}, options.dtype(type)).zero_();
}

std::vector<Program> programs()
{
    using Options = const at::TensorOptions&;
    return {{"times a number", [](Options o) { small(o, at::kFloat) * 2.5; }},
        {"times a number in float64", [](Options o) { small(o, at::kDouble) * 2.5; }},
        {"times a number in bfloat16", [](Options o) { small(o, at::kBFloat16) * 2.5; }},
        {"times a whole number", [](Options o) { small(o, at::kFloat) * 3; }},
        {"whole numbers times a number", [](Options o) { small(o, at::kLong) * 2.5; }},
        {"less a number", [](Options o) { small(o, at::kFloat).sub(1); }},
        {"a number less it", [](Options o) { at::rsub(small(o, at::kFloat), 1); }},
        {"over a number", [](Options o) { small(o, at::kFloat) / 3; }},
        {"plus a number in place", [](Options o) { small(o, at::kFloat).add_(1.5); }},
        {"equal to a number", [](Options o) { small(o, at::kLong) == 4; }},
        {"below a number", [](Options o) { small(o, at::kFloat) < 0.5; }},
        {"of two types", [](Options o) { small(o, at::kFloat) * small(o, at::kBFloat16); }},
        {"of two types in place", [](Options o) { small(o, at::kBFloat16).mul_(small(o, at::kFloat)); }},
        {"times one element of another type",
            [](Options o) { small(o, at::kBFloat16) * at::empty({}, o.dtype(at::kFloat)).zero_(); }},
        {"a list times a number",
            [](Options o) { at::_foreach_mul({small(o, at::kFloat), small(o, at::kFloat)}, 0.5); }},
        {"a list times a number in place",
            [](Options o) {
                std::vector<at::Tensor> list{small(o, at::kFloat), small(o, at::kFloat)};
                at::_foreach_mul_(list, 0.5);
            }},
        {"a list plus numbers",
            [](Options o) {
                at::_foreach_add({small(o, at::kFloat), small(o, at::kFloat)}, at::ArrayRef<at::Scalar>{1.5, 2.5});
            }},
        {"mean", [](Options o) { small(o, at::kFloat).mean(); }},
        {"mean in float64", [](Options o) { small(o, at::kDouble).mean(); }},
        {"mean in bfloat16", [](Options o) { small(o, at::kBFloat16).mean(); }},
        {"means of columns in bfloat16", [](Options o) { small(o, at::kBFloat16).mean(0); }},
        {"mean of a single element in bfloat16",
            [](Options o) { at::empty({1}, o.dtype(at::kBFloat16)).zero_().mean(); }}};
}

Bytes peakOnCpu(const Program& program)
{
    const auto backend = std::make_shared<RecordingBackend>();
    const tensor::CpuMemory scope(backend);
    backend->restart();
    program.run(at::TensorOptions());
    return backend->peakBytes();
}

Bytes peakSimulated(const Program& program)
{
    SimulatedInstruments instruments(profiles().parseSimulatedDevice("cpu"), std::nullopt);
    instruments.resetPeak();
    program.run(at::TensorOptions().device(at::kMeta));
    return instruments.peak().allocated.value_or(-1);
}

TEST(CpuTemporariesTest, simulatedOpsTakeWhatThoseOfTheCpuTake)
{
    for (const Program& program : programs())
        EXPECT_EQ(peakSimulated(program), peakOnCpu(program)) << program.name;
}

} // namespace
} // namespace headroom::collectors::cpu_temporaries_test
