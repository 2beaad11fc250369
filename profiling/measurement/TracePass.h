// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/GradientLabels.h"
#include "core/memory/SavedTensorLabels.h"
#include "core/models/Model.h"
#include "profiling/measurement/TraceRecorder.h"

#include <optional>

namespace headroom::collectors {

/// During its lifetime a trial is traced: every allocation gets its owner and goes to the sink with the phases, and the
/// peak is broken down. Memory that is live when it begins is unknown until it is claimed.
class TracePass {
public:
    /// All arguments are borrowed; a null sink: only the breakdown is computed.
    TracePass(Instruments& instruments, PhaseLedger& ledger, TraceSink* sink);
    ~TracePass();
    TracePass(const TracePass&) = delete;
    TracePass& operator=(const TracePass&) = delete;

    /// The trial's model: its parameters and buffers become weights, and their gradients gradients. Called again when
    /// techniques have changed the model.
    void addModel(const models::Model& model);
    /// A model that the measurement keeps beside it: its modules have the same paths, its parameters belong to the
    /// harness.
    void addSecondModel(const models::Model& model);
    /// Undefined tensors are ignored.
    void claim(const at::Tensor& tensor, config::MemoryCategory category);

    void beginSpan();
    void stepEnded();
    tensor::SavedTensorLabels& savedTensors() { return m_savedTensors; }
    protocol::MemoryBreakdown breakdown() const { return m_recorder.breakdown(); }

private:
    Instruments& m_instruments;
    PhaseLedger& m_ledger;
    tensor::MemoryAttribution m_attribution;
    TraceRecorder m_recorder;
    TraceSink* m_sink;
    std::optional<tensor::GradientLabels> m_gradients;
    tensor::SavedTensorLabels m_savedTensors;
    tensor::SavedTensorHookScope m_hooks;
};

} // namespace headroom::collectors
