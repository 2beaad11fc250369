// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/recordings/LanguageModel.h"

#include "core/tensor/SavedTensorHooks.h"
#include "profiling/collectors/simulated/SimulatedInstruments.h"
#include "profiling/recordings/RecordingFile.h"
#include "tests/profiling/comparisons/TrialRun.h"
#include "tests/profiling/recordings/RecordedFolder.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace headroom::recordings {
namespace {

using config::SegmentAddresses;

struct Peaks {
    Bytes allocated = 0;
    Bytes reserved = 0;
    Bytes afterForward = 0;
    Bytes afterBackward = 0;
};

enum class Mode { Forward, ForwardAndBackward, Train };

using Loss = at::Tensor (*)(const at::Tensor& logits, const at::Tensor& targets);

/// The recorded protocol on a simulated device: steps of the same shapes, gradients None before each.
class RecordedStep {
public:
    RecordedStep(const LanguageModelShape& shape, const std::string& device, SegmentAddresses order)
        : m_instruments(simulator::onPlatform(collectors::profiles().parseSimulatedDevice(device), order, "the test"),
              std::nullopt)
        , m_options(at::TensorOptions().device(at::kMeta).dtype(at::kFloat))
        , m_model(shape, m_options)
        , m_optimizer(m_model.parameters())
        , m_tokens(at::empty({shape.batch, shape.context}, m_options.dtype(at::kLong)))
        , m_targets(at::empty({shape.batch, shape.context}, m_options.dtype(at::kLong)))
    {
        tensor::prepareSavedTensorHooks();
    }

    Peaks run(Mode mode, Loss lossOf)
    {
        m_optimizer.clearGradients();
        Peaks peaks;
        const at::Tensor logits = m_model.forward(m_tokens);
        at::Tensor loss = mode == Mode::Forward ? at::Tensor() : lossOf(logits, m_targets);
        peaks.afterForward = *m_instruments.current().allocated;
        if (mode != Mode::Forward)
            backward(loss);
        peaks.afterBackward = *m_instruments.current().allocated;
        if (mode == Mode::Train)
            m_optimizer.step();
        peaks.allocated = *m_instruments.peak().allocated;
        peaks.reserved = *m_instruments.peak().reserved;
        return peaks;
    }

    collectors::SimulatedInstruments& instruments() { return m_instruments; }

private:
    // Of another thread on a real device, with a cuBLAS workspace of its own.
    void backward(at::Tensor& loss)
    {
        m_instruments.phaseBegins("backward", 0);
        loss.backward();
        m_instruments.phaseEnds("backward", 0);
    }

    collectors::SimulatedInstruments m_instruments;
    at::TensorOptions m_options;
    LanguageModel m_model;
    ElementwiseAdamW m_optimizer;
    at::Tensor m_tokens;
    at::Tensor m_targets;
};

std::vector<Bytes> requestsOf(const DeviceRecording& recording)
{
    std::vector<Bytes> requests;
    for (const RecordedEvent& event : recording.events)
        if (event.kind == EventKind::Alloc)
            requests.push_back(event.bytes);
    return requests;
}

std::vector<Bytes> requestsOfAStep(RecordedStep& step)
{
    step.run(Mode::Train, &LanguageModel::loss); // warm-up: workspaces and the optimizer's state are there
    std::vector<Bytes> requests;
    bool isRecording = false; // what is alive already is told first
    step.instruments().observeAllocations([&](const trace::AllocatorEvent& event) {
        if (isRecording && event.action == trace::Action::Alloc)
            requests.push_back(event.requestedBytes);
    });
    isRecording = true;
    step.run(Mode::Train, &LanguageModel::loss);
    step.instruments().observeAllocations(nullptr);
    return requests;
}

/// Where two sequences first differ, with what stands around that place: for people.
std::string differences(const std::vector<Bytes>& own, const std::vector<Bytes>& recorded)
{
    const auto [mine, theirs] = std::ranges::mismatch(own, recorded);
    std::string text = "equal up to request " + std::to_string(mine - own.begin()) + " of "
        + std::to_string(recorded.size()) + " recorded, " + std::to_string(own.size()) + " own; before:";
    for (auto it = mine - std::min<std::ptrdiff_t>(mine - own.begin(), 6); it != mine; ++it)
        text += " " + std::to_string(*it);
    text += "; then own:";
    for (auto it = mine; it != own.end() && it - mine < 12; ++it)
        text += " " + std::to_string(*it);
    text += "; recorded:";
    for (auto it = theirs; it != recorded.end() && it - theirs < 12; ++it)
        text += " " + std::to_string(*it);
    return text;
}

TEST(RecordedLanguageModelTest, asksForTheRecordedSizesInTheirOrder)
{
    std::string reason;
    const auto folder = recordingsFolder(reason);
    if (!folder)
        GTEST_SKIP() << reason;
    const std::filesystem::path file = *folder / "lm-small-train-wsl2-torch-2.11.pickle";
    if (!std::filesystem::exists(file))
        GTEST_SKIP() << file.string() << " is not there";
    RecordedStep step({}, "rtx4090", SegmentAddresses::Ascending);
    const std::vector<Bytes> own = requestsOfAStep(step);
    const std::vector<Bytes> recorded = requestsOf(readRecording(file).devices.at(0));
    EXPECT_TRUE(own == recorded) << differences(own, recorded);
}

struct PublishedRow {
    const char* name;
    LanguageModelShape shape;
    Mode mode;
    Peaks printed;
};

LanguageModelShape sized(std::int64_t width, std::int64_t inner, std::int64_t layers, std::int64_t heads)
{
    return {.width = width, .inner = inner, .layers = layers, .heads = heads, .context = 512};
}

/// What torch 2.11 printed on a B200 in a sandbox, float32, batch 4: csdiywithme/cs336-assignment2-systems at bb85bbf.
/// Where no figure after a phase is printed, it is that of the phase before, or the peak.
std::vector<PublishedRow> publishedRows()
{
    const LanguageModelShape small = sized(768, 3072, 12, 12);
    LanguageModelShape xl = sized(2560, 10240, 32, 32);
    xl.context = 128;
    return {{"small 512 forward", small, Mode::Forward, {4'105'227'264, 4'244'635'648, 4'105'227'264, 4'105'227'264}},
        {"small 512 forward and backward", small, Mode::ForwardAndBackward,
            {4'359'507'968, 4'546'625'536, 4'195'667'968, 1'137'678'848}},
        {"small 512 train", small, Mode::Train, {5'408'614'400, 5'746'196'480, 5'244'774'400, 2'197'828'096}},
        {"medium 512 train", sized(1024, 4096, 24, 16), Mode::Train,
            {14'730'187'776, 15'294'529'536, 14'566'347'776, 6'873'006'592}},
        {"large 512 train", sized(1280, 5120, 36, 20), Mode::Train,
            {29'514'678'272, 31'738'298'368, 29'350'838'272, 15'723'532'800}},
        {"xl 128 train", xl, Mode::Train, {55'206'601'216, 61'519'953'920, 46'668'399'616, 54'682'313'216}}};
}

/// Steps before the one that is looked at: the state of an optimizer lies in blocks with up to 1 MiB of slack, which
/// move from step to step, so that the count of steps is seen in every figure.
constexpr int kStepsBefore = 15;

Peaks peaksOf(const PublishedRow& row)
{
    RecordedStep step(row.shape, "b200", SegmentAddresses::Ascending);
    for (int before = 0; before < kStepsBefore; ++before)
        step.run(row.mode, &LanguageModel::fusedLoss);
    step.instruments().resetPeak();
    return step.run(row.mode, &LanguageModel::fusedLoss);
}

TEST(RecordedLanguageModelTest, hasThePeaksThatTorchPrintedOnAB200ToTheByte)
{
    for (const PublishedRow& row : publishedRows()) {
        SCOPED_TRACE(row.name);
        const Peaks peaks = peaksOf(row);
        EXPECT_EQ(peaks.allocated, row.printed.allocated);
        EXPECT_EQ(peaks.reserved, row.printed.reserved);
        EXPECT_EQ(peaks.afterForward, row.printed.afterForward);
        EXPECT_EQ(peaks.afterBackward, row.printed.afterBackward);
    }
}

} // namespace
} // namespace headroom::recordings
