// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/casting/CastUnits.h"

#include "core/base/Error.h"
#include "core/config/CastGroups.h"
#include "core/models/Model.h"

#include <algorithm>
#include <array>
#include <regex>
#include <set>

namespace headroom::techniques {
namespace {

using Granularity = config::CastingNotation::Granularity;

// Upstream's SUPPORTED_PYTORCH_LAYERS.
constexpr std::array kCastLayers{
    "Linear", "Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d", "Embedding"};

template <typename Names> bool contains(const Names& names, const std::string& name)
{
    return std::ranges::find(names, name) != names.end();
}

bool contains(const std::vector<torch::nn::Module*>& blocks, const torch::nn::Module& module)
{
    return std::ranges::find(blocks, &module) != blocks.end();
}

std::vector<std::regex> compiled(const std::vector<std::string>& patterns)
{
    std::vector<std::regex> result;
    for (const std::string& pattern : patterns)
        try {
            result.emplace_back(pattern);
        } catch (const std::regex_error& error) {
            throw UsageError("\"" + pattern + "\" is no regular expression: " + error.what(), "layerwise casting");
        }
    return result;
}

class Walk {
public:
    Walk(const std::vector<torch::nn::Module*>& blocks, const CastRules& rules,
        std::set<const torch::nn::Module*> feedForwards)
        : m_blocks(blocks)
        , m_rules(rules)
        , m_patterns(compiled(rules.skipPatterns))
        , m_feedForwards(std::move(feedForwards))
    {
    }

    void visit(torch::nn::Module& module, const std::string& path)
    {
        if (isSkipped(module, path))
            return;
        if (isUnit(module))
            return addUnit(module, path);
        if (m_rules.granularity != Granularity::Group && contains(kCastLayers, classNameOf(module)))
            addUnit({path, &module, {taken(module, path)}});
        forEachChild(module, path, [this](torch::nn::Module& child, const std::string& at) { visit(child, at); });
    }

    std::vector<CastUnit> take() { return std::move(m_units); }

private:
    bool isSkipped(const torch::nn::Module& module, const std::string& path) const
    {
        return contains(m_rules.skipClasses, classNameOf(module))
            || std::ranges::any_of(
                m_patterns, [&](const std::regex& pattern) { return std::regex_search(path, pattern); });
    }

    bool isUnit(torch::nn::Module& module) const
    {
        switch (m_rules.granularity) {
        case Granularity::Layer:
            return false;
        case Granularity::Group:
            return contains(config::kCastGroupClasses, classNameOf(module)) || m_feedForwards.contains(&module);
        case Granularity::Block:
            return contains(m_blocks, module);
        case Granularity::Model:
            return true;
        }
        return false;
    }

    void addUnit(torch::nn::Module& root, const std::string& path)
    {
        CastUnit unit{path, &root, {}};
        collect(root, path, unit);
        addUnit(std::move(unit));
    }

    void addUnit(CastUnit unit)
    {
        std::erase_if(unit.modules, [](const CastModule& module) { return module.tensors.empty(); });
        if (!unit.modules.empty())
            m_units.push_back(std::move(unit));
    }

    void collect(torch::nn::Module& module, const std::string& path, CastUnit& unit) const
    {
        if (isSkipped(module, path))
            return;
        if (m_rules.granularity == Granularity::Model || contains(kCastLayers, classNameOf(module)))
            unit.modules.push_back(taken(module, path));
        forEachChild(module, path, [&](torch::nn::Module& child, const std::string& at) { collect(child, at, unit); });
    }

    CastModule taken(torch::nn::Module& module, const std::string& path) const
    {
        CastModule result{path, &module, {}};
        for (const auto& tensors : {module.parameters(false), module.buffers(false)})
            for (const at::Tensor& tensor : tensors)
                if (tensor.defined() && tensor.is_floating_point()
                    && !(m_rules.trained == CastRules::Trained::LeftAlone && tensor.requires_grad()))
                    result.tensors.push_back(tensor);
        return result;
    }

    template <typename Visit>
    static void forEachChild(const torch::nn::Module& module, const std::string& path, const Visit& visit)
    {
        for (const auto& child : module.named_children())
            visit(*child.value(), path.empty() ? child.key() : path + "." + child.key());
    }

    const std::vector<torch::nn::Module*>& m_blocks;
    const CastRules& m_rules;
    std::vector<std::regex> m_patterns;
    std::set<const torch::nn::Module*> m_feedForwards; ///< modules that hold one, and nothing that is a block
    std::vector<CastUnit> m_units;
};

// Of models whose classes are other people's, feed-forwards are known by their shape.
std::set<const torch::nn::Module*> modulesOfFeedForwards(
    torch::nn::Module& root, const std::vector<torch::nn::Module*>& blocks)
{
    std::set<const torch::nn::Module*> modules;
    if (auto* model = dynamic_cast<models::Model*>(&root))
        for (const models::FeedForward* feedForward : model->feedForwards())
            if (const torch::nn::Module& place = feedForward->place(); &place != &root && !contains(blocks, place))
                modules.insert(&place);
    return modules;
}

} // namespace

std::vector<CastUnit> castUnits(
    torch::nn::Module& root, const std::vector<torch::nn::Module*>& blocks, const CastRules& rules)
{
    Walk walk(blocks, rules, modulesOfFeedForwards(root, blocks));
    walk.visit(root, std::string());
    return walk.take();
}

std::string classNameOf(const torch::nn::Module& module)
{
    constexpr std::string_view kImplementation = "Impl";
    std::string name = module.name();
    name = name.substr(name.rfind(':') + 1);
    if (name.ends_with(kImplementation) && name.size() > kImplementation.size())
        name.resize(name.size() - kImplementation.size());
    return name;
}

} // namespace headroom::techniques
