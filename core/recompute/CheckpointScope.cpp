// SPDX-License-Identifier: Apache-2.0
#include "core/recompute/CheckpointScope.h"

#include "core/recompute/ResultRecorder.h"

namespace headroom::tensor {
namespace {

// Takes a saved tensor's place in the graph: holds only its position.
class PositionHooks final : public torch::autograd::SavedVariableHooks {
public:
    explicit PositionHooks(std::shared_ptr<CheckpointFrame> frame)
        : m_frame(std::move(frame))
    {
    }
    ~PositionHooks() override
    {
        if (m_position)
            m_frame->forget(*m_position);
    }
    PositionHooks(const PositionHooks&) = delete;
    PositionHooks& operator=(const PositionHooks&) = delete;

    void call_pack_hook(const at::Tensor& tensor) override { m_position = m_frame->note(tensor); }
    at::Tensor call_unpack_hook() override { return m_frame->rebuild(m_position.value()); }

private:
    std::shared_ptr<CheckpointFrame> m_frame;
    std::optional<std::size_t> m_position;
};

} // namespace

class CheckpointScope::Source final : public SavedTensorHookSource {
public:
    Source(CheckpointRegion region, const std::vector<at::Tensor>& inputs, CheckpointOptions options)
        : m_frame(std::make_shared<CheckpointFrame>(std::move(region), inputs, std::move(options)))
    {
    }
    std::unique_ptr<torch::autograd::SavedVariableHooks> makeHooks() override
    {
        return std::make_unique<PositionHooks>(m_frame);
    }
    KeptResults& results() { return m_frame->results(); }

private:
    std::shared_ptr<CheckpointFrame> m_frame;
};

// Keeps results while the region's forward runs.
class CheckpointScope::Watch {
public:
    Watch(std::shared_ptr<OpSelection> selection, Source& source)
        : m_selection(std::move(selection))
        , m_recorder(*m_selection, source.results(), source)
        , m_scope(m_interceptor)
    {
        m_interceptor.addObserver(m_recorder);
    }

private:
    std::shared_ptr<OpSelection> m_selection;
    ResultRecorder m_recorder;
    OpInterceptor m_interceptor;
    OpInterceptor::Scope m_scope;
};

CheckpointScope::CheckpointScope(
    CheckpointRegion region, const std::vector<at::Tensor>& inputs, CheckpointOptions options)
{
    if (!at::GradMode::is_enabled())
        return;
    const auto selection = options.selection;
    m_source = std::make_unique<Source>(std::move(region), inputs, std::move(options));
    if (selection)
        m_watch = std::make_unique<Watch>(selection, *m_source);
    m_hooks.emplace(*m_source);
}

CheckpointScope::~CheckpointScope() = default;

} // namespace headroom::tensor
