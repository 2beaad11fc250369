// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/ParameterHome.h"
#include "core/techniques/offload/LoadOrder.h"
#include "core/techniques/offload/WeightLoader.h"
#include "core/tensor/ModuleHooks.h"

#include <memory>
#include <unordered_map>

namespace headroom::techniques {

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
