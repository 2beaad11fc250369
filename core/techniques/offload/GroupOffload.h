// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/ParameterHome.h"
#include "core/techniques/offload/OffloadedWeight.h"
#include "core/tensor/ModuleHooks.h"
#include "core/tensor/SideStream.h"

#include <memory>
#include <optional>
#include <unordered_map>

namespace headroom::techniques {

/// Weights that come to the device together.
struct OffloadUnit {
    OffloadedWeights weights;
    bool isHeld = false; ///< by a load or a prefetch

    bool isUsed() const;
};

/// Brings weights to the device and lets them go again; with a side stream also ahead of their use.
///
/// The device's copies are memory of the compute stream. So they are given back without waiting, and a copy on the side
/// stream starts no sooner than what the compute stream does at its submission is done.
class WeightLoader {
public:
    enum class Stream { Compute, Side };

    WeightLoader(c10::Device device, Stream stream);

    /// The unit's weights are on the device and in use. Leaves nothing behind where memory runs out.
    void load(OffloadUnit& unit);
    /// They will be: the copies begin. Nothing without a side stream.
    void prefetch(OffloadUnit& unit);
    void unload(OffloadUnit& unit) noexcept;
    /// A prefetch that nobody needs after all.
    void discard(OffloadUnit& unit);

private:
    OffloadedWeights hold(OffloadUnit& unit);
    void awaitPrefetch();

    std::optional<tensor::SideStream> m_stream;
    bool m_isCopying = false; ///< something was submitted that nobody has waited for
};

/// In which order units are loaded, learned by watching: modules may run in another order than they were built in, and
/// not all of them each time.
///
/// A round is a forward with the backward pass that follows. The first round is the order; one that had units which the
/// order lacks replaces it.
class LoadOrder {
public:
    /// A round begins.
    void begin();

    /// When a unit is loaded: in the forward, or once more in a repetition for the backward pass.
    enum class Pass { Forward, Repetition };
    struct Load {
        OffloadUnit* unit = nullptr; ///< null: not known, or none
        Pass pass = Pass::Forward;

        bool operator==(const Load&) const = default;
    };
    /// A unit is loaded now; returns what is to be loaded next.
    Load passed(const Load& load);

private:
    std::vector<Load> m_order;
    std::vector<Load> m_watched;
    std::size_t m_position = 0; ///< of the load that is expected next
    bool m_lacksSome = false; ///< the round has units that the order does not have there
};

/// A group's weights, and the home of its parameters.
class OffloadGroup final : public tensor::ParameterHome {
public:
    /// The loader is borrowed.
    OffloadGroup(std::vector<const torch::nn::Module*> members, OffloadedWeights weights, WeightLoader& loader);

    at::Tensor copyOnDevice(const at::Tensor& parameter) override;
    void bring(const std::vector<at::Tensor>& parameters) override;
    void rest(const std::vector<at::Tensor>& parameters, tensor::ParameterUse use) override;

    OffloadUnit& unit() { return m_unit; }
    const std::vector<const torch::nn::Module*>& members() const { return m_members; }
    bool endsWith(const torch::nn::Module& module) const { return m_members.back() == &module; }

    bool isLoaded = false; ///< for its members; they may come one after the other

private:
    const std::shared_ptr<OffloadedWeight>& weightOf(const at::Tensor& parameter) const;
    OffloadUnit unitOf(const std::vector<at::Tensor>& parameters) const;

    std::vector<const torch::nn::Module*> m_members;
    OffloadUnit m_unit;
    WeightLoader& m_loader;
    std::unordered_map<const c10::TensorImpl*, std::shared_ptr<OffloadedWeight>> m_weights;
};

/// Loads groups of weights around the forwards of a model's modules.
///
/// In a forward a group comes with the first of its members that runs, and goes after its last one; what is left goes
/// with the root. In a repetition for the backward pass each module brings what it needs itself, as members run by
/// themselves there and in reverse. With a stream, what the last round loaded next is loaded ahead. What autograd saves
/// of the device's copies is how to make them again.
class GroupOffload final : public tensor::ModuleHook {
public:
    /// The model is borrowed. Every parameter of it is among `weights`, in host memory.
    GroupOffload(models::Model& model, const config::OffloadNotation& offload, c10::Device device,
        const OffloadedWeights& weights);
    ~GroupOffload() override;

    void before(const torch::nn::Module& module) override;
    void after(const torch::nn::Module& module) noexcept override;

    std::size_t groupCount() const { return m_groups.size(); }

private:
    class Frame;
    struct Role {
        OffloadGroup* group = nullptr; ///< of which the module is a member; null: none
        OffloadUnit alone; ///< what it needs in a repetition, where it runs by itself
    };

    using WeightOf = std::unordered_map<const c10::TensorImpl*, std::shared_ptr<OffloadedWeight>>;

    void addGroup(const OffloadGroupPlan& plan, const WeightOf& weights);
    void addRoles(models::Model& model, const config::OffloadNotation& offload,
        const std::vector<OffloadGroupPlan>& plans, const WeightOf& weights);
    void listen(models::Model& model);

    void beginRound();
    OffloadUnit* enterGroup(OffloadGroup& group);
    OffloadUnit* enterAlone(OffloadUnit& unit);
    void load(OffloadUnit& unit);
    void lookAhead(OffloadUnit& unit, LoadOrder::Pass pass);
    void leave(OffloadGroup& group) noexcept;
    void endForward() noexcept;
    void discardAhead();

    const torch::nn::Module* m_root;
    WeightLoader m_loader;
    LoadOrder m_order;
    LoadOrder::Load m_ahead; ///< prefetched, not used yet
    std::vector<std::unique_ptr<OffloadGroup>> m_groups;
    std::unordered_map<const torch::nn::Module*, Role> m_roles;
    std::vector<std::unique_ptr<Frame>> m_frames; ///< of the modules that are running, innermost last
    std::vector<std::unique_ptr<tensor::ParameterHomeRegistration>> m_homes;
    std::vector<tensor::ModuleHookRegistration> m_hooks;
};

} // namespace headroom::techniques
