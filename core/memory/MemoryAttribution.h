// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/ForwardHistory.h"
#include "core/memory/MemoryLabel.h"
#include "core/tensor/Torch.h"

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace headroom::tensor {

/// While it lives, allocations can be asked whose they are: the one place that knows the modules' paths, which of them
/// runs (ModuleScope), what is allocated for (MemoryScope), and which forward op a backward node belongs to.
///
/// Without one the scopes cost a look at a flag. One at a time in a process; made, changed and destroyed by the thread
/// that runs the steps, between them. `currentLabel` and `relabel` may be called from any thread.
class MemoryAttribution {
public:
    /// Told of changes of blocks on CUDA, by address. Called on the thread that found out; must not call torch.
    using DeviceRelabelling = std::function<void(std::uint64_t address, const LabelChange& change)>;

    /// Throws TrialError where there is one already.
    MemoryAttribution();
    ~MemoryAttribution();
    MemoryAttribution(const MemoryAttribution&) = delete;
    MemoryAttribution& operator=(const MemoryAttribution&) = delete;

    /// Takes the paths of a model's modules and parameters, upstream's words. The model has to outlive this.
    void addModel(const torch::nn::Module& model);
    /// Path of a module, of a parameter's module; empty for kNoModule.
    const std::string& pathOf(ModuleId module) const { return m_paths.at(module); }
    ModuleId moduleOf(const torch::nn::Module& module) const;
    /// Module that a parameter or buffer of an added model belongs to.
    ModuleId moduleOf(const at::Tensor& parameter) const;

    void setDeviceRelabelling(DeviceRelabelling relabelling) { m_deviceRelabelling = std::move(relabelling); }

    /// Drops what is known of graphs that are gone; between steps.
    void forgetForwards();

    /// The one that lives; null: none.
    static MemoryAttribution* active() { return s_active.load(std::memory_order_acquire); }

private:
    friend class ModuleLabel;
    friend class MemoryScope;
    friend MemoryLabel currentLabel();
    friend void relabel(const at::Tensor& tensor, const LabelChange& change);

    ModuleId idOf(const std::string& path);
    /// This thread's scopes are others now.
    void scopesChanged();
    OpOrigin originOf(const torch::autograd::Node& node) const;
    void describeBackward(MemoryLabel& label, const torch::autograd::Node& node) const;

    static std::atomic<MemoryAttribution*> s_active;

    std::vector<std::string> m_paths;
    std::unordered_map<std::string, ModuleId> m_ids;
    std::unordered_map<const torch::nn::Module*, ModuleId> m_modules;
    std::unordered_map<const c10::TensorImpl*, ModuleId> m_parameters;
    DeviceRelabelling m_deviceRelabelling;
    std::uint64_t m_thread; ///< that made this; what it runs is what the threads of its kernels work for
    std::atomic<ModuleId> m_running = kNoModule;
    mutable std::mutex m_mutex; ///< a graph is walked by other threads than it was built on; guards the histories
    std::unordered_map<std::uint64_t, ForwardHistory> m_histories; ///< by thread
};

/// Whose an allocation made on this thread now would be. Cheap, takes no lock that is held around a call of torch.
MemoryLabel currentLabel();

/// Something became known of the storage of a tensor, on whatever device its memory is accounted for. Does nothing
/// without an active attribution, and for tensors without memory.
void relabel(const at::Tensor& tensor, const LabelChange& change);

} // namespace headroom::tensor
