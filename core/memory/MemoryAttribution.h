// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/MemoryLabel.h"
#include "core/tensor/Torch.h"

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace headroom::tensor {

/// Where in a model a range of ops ran, and on whose behalf.
struct OpOrigin {
    ModuleId module = kNoModule;
    std::string_view technique{};

    bool operator==(const OpOrigin&) const = default;
};

/// The origin of each autograd node of one thread's forward, by the node's sequence number. Sequence numbers rise by
/// one with each node, so recording the changes of origin suffices, at no cost per op.
class ForwardHistory {
public:
    /// Applies from the node with this number on. Numbers must not decrease.
    void changesTo(const OpOrigin& origin, std::uint64_t sequence);

    /// Nothing for a node from before the first change.
    std::optional<OpOrigin> originOf(std::uint64_t sequence) const;

    void forget() { m_changes.clear(); }

private:
    struct Change {
        std::uint64_t sequence;
        OpOrigin origin;
    };
    std::vector<Change> m_changes;
};

/// While it lives, the owner of an allocation can be determined: this is the one place that knows the modules' paths,
/// which of them is running (ModuleScope), what is being allocated for (MemoryScope), and which forward op a backward
/// node belongs to.
///
/// Without an active attribution, scopes only cost the check of a flag. One at a time per process; created, changed and
/// destroyed between steps by the thread that runs them. `currentLabel` and `relabel` may be called from any thread.
class MemoryAttribution {
public:
    /// Called with changes of blocks on CUDA, by address, on the thread that detects them; must not call torch.
    using DeviceRelabelling = std::function<void(std::uint64_t address, const LabelChange& change)>;

    /// Throws TrialError if there is one already.
    MemoryAttribution();
    ~MemoryAttribution();
    MemoryAttribution(const MemoryAttribution&) = delete;
    MemoryAttribution& operator=(const MemoryAttribution&) = delete;

    /// Registers the paths of a model's modules and parameters, in upstream's names. The model must outlive this.
    void addModel(const torch::nn::Module& model);
    /// Path of a module, or of a parameter's module; empty for kNoModule. May be called from any thread.
    const std::string& pathOf(ModuleId module) const { return placeOf(module).path; }
    /// The source line that runs in the module (SourceScope); empty: not known.
    const std::string& sourceOf(ModuleId module) const;
    /// The same source line in the module of this path.
    ModuleId counterpartOf(ModuleId module, const std::string& path);
    ModuleId moduleOf(const torch::nn::Module& module) const;
    /// The module that a parameter or buffer of a registered model belongs to.
    ModuleId moduleOf(const at::Tensor& parameter) const;

    void setDeviceRelabelling(DeviceRelabelling relabelling) { m_deviceRelabelling = std::move(relabelling); }

    /// Drops the records of graphs that are gone; called between steps.
    void forgetForwards();

    /// The active one; null: none.
    static MemoryAttribution* active() { return s_active.load(std::memory_order_acquire); }

private:
    friend class ModuleLabel;
    friend class SourceScope;
    friend class MemoryScope;
    friend MemoryLabel currentLabel();
    friend void relabel(const at::Tensor& tensor, const LabelChange& change);

    struct Place {
        std::string path;
        const std::string* source = nullptr; ///< null: not known
    };

    const Place& placeOf(ModuleId module) const;
    ModuleId idOf(const std::string& path);
    /// The module while it runs a line of its source. The text has to outlive this.
    ModuleId at(ModuleId module, const std::string& source);
    /// This thread's scopes have changed.
    void scopesChanged();
    OpOrigin originOf(const torch::autograd::Node& node) const;
    void describeBackward(MemoryLabel& label, const torch::autograd::Node& node) const;

    static std::atomic<MemoryAttribution*> s_active;

    std::deque<Place> m_places; ///< by id; they stay where they are
    std::unordered_map<std::string, ModuleId> m_ids;
    std::map<std::pair<ModuleId, const std::string*>, ModuleId> m_lines;
    mutable std::mutex m_placesMutex; ///< guards these three
    std::unordered_map<const torch::nn::Module*, ModuleId> m_modules;
    std::unordered_map<const c10::TensorImpl*, ModuleId> m_parameters;
    DeviceRelabelling m_deviceRelabelling;
    std::uint64_t m_thread; ///< the thread that created this; kernel threads work for what it is running
    std::atomic<ModuleId> m_running = kNoModule;
    mutable std::mutex
        m_mutex; ///< guards the histories: a graph may be traversed by other threads than it was built on
    std::unordered_map<std::uint64_t, ForwardHistory> m_histories; ///< by thread
};

/// The label of an allocation made on this thread now. Cheap, and takes no lock that is held around a call of torch.
MemoryLabel currentLabel();

/// Changes the label of a tensor's storage, on whatever device its memory is accounted for. Does nothing without an
/// active attribution, and for tensors without memory.
void relabel(const at::Tensor& tensor, const LabelChange& change);

} // namespace headroom::tensor
