// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/techniques/ema/EmaShadow.h"

#include <array>

namespace headroom::techniques {

/// A stretch of one parameter in a slice.
struct EmaPiece {
    std::size_t parameter = 0;
    std::int64_t first = 0; ///< element
    std::int64_t count = 0; ///< elements
    Bytes offset = 0; ///< in the slice
};

/// What goes to the device at once.
struct EmaSlice {
    std::vector<EmaPiece> pieces;
    Bytes bytes = 0;
};

/// Whole parameters that lie together in host memory: several in one slice, or a large one in several.
struct EmaSegment {
    std::vector<std::size_t> parameters;
    std::vector<EmaSlice> slices; ///< behind one another
    Bytes bytes = 0;
};

/// Parameters that are on the device together.
struct EmaRun {
    std::vector<EmaSegment> segments; ///< of those that require gradients
    std::vector<std::size_t> frozen;
    std::size_t first = 0; ///< of its parameters
    std::size_t count = 0;
};

/// Cuts the parameters into slices of at most `sliceBytes`. Each piece begins at a multiple of 64 bytes. Throws
/// TrialError for a parameter that is not contiguous.
std::vector<EmaRun> emaRuns(const Tensors& parameters, Bytes sliceBytes);

/// Two slices of device memory, each with a side stream, so that one is on its way back while the other one comes.
/// Shared by shadows of the same parameters: what uses a slice runs in the order of submission.
class EmaSlots {
public:
    /// Modes that need a temporary have it in the second half of each slice.
    EmaSlots(const Tensors& parameters, Bytes sliceBytes, config::EmaMode mode);

    const std::vector<EmaRun>& runs() const { return m_runs; }
    c10::Device device() const { return m_device; }
    Bytes slotBytes() const { return m_memory.front().nbytes(); }
    static constexpr std::size_t count() { return 2; }

    tensor::SideStream& stream(std::size_t slot) { return *m_streams.at(slot); }
    /// The pieces' places in a slot, and those of their temporaries.
    Tensors places(std::size_t slot, const EmaSlice& slice, const Tensors& shadows) const;
    Tensors temporaries(std::size_t slot, const EmaSlice& slice, const Tensors& shadows) const;
    at::Tensor bytesOf(std::size_t slot, const EmaSlice& slice) const;

private:
    Tensors views(const at::Tensor& memory, const EmaSlice& slice, const Tensors& shadows) const;

    std::vector<EmaRun> m_runs;
    c10::Device m_device;
    Bytes m_largest = 0; ///< of the slices
    bool m_hasTemporaries;
    std::array<at::Tensor, 2> m_memory;
    std::array<std::unique_ptr<tensor::SideStream>, 2> m_streams;
};

/// In host memory, updated slice by slice on the device, beside whatever is computed meanwhile. Parameters that do not
/// require gradients go straight to the host.
class EmaSlicedShadow final : public EmaShadow {
public:
    EmaSlicedShadow(
        config::EmaMode mode, const Tensors& parameters, tensor::HostMemory kind, std::shared_ptr<EmaSlots> slots);
    ~EmaSlicedShadow() override;

    void update(const Tensors& parameters, double weight) override;
    void letComputeWait() override;
    void finish() override;
    std::string description() const override;

private:
    /// A slice with all that never changes about it.
    struct Job {
        std::size_t slot = 0;
        EmaSlice slice;
        at::Tensor host; ///< bytes
        at::Tensor device; ///< bytes
        Tensors places;
        Tensors temporaries;
    };

    void reserve(const EmaSegment& segment, const Tensors& parameters, tensor::HostMemory kind, std::vector<Job>& jobs);
    void updateRun(std::size_t run, const Tensors& parameters, double weight);
    void submit(const Job& job, const Tensors& data, double weight);
    void submitCopy(std::size_t slot, const at::Tensor& data, const at::Tensor& shadow);

    std::shared_ptr<EmaSlots> m_slots;
    std::vector<bool> m_trainable;
    std::vector<std::vector<Job>> m_jobs; ///< by run
    Tensors m_reading; ///< of the parameters, as long as they may be read
};

} // namespace headroom::techniques
