// SPDX-License-Identifier: Apache-2.0
#include "core/config/imported/ImportedFamily.h"

#include "core/archive/Blocks.h"
#include "core/archive/FeedForwards.h"
#include "core/archive/Flops.h"
#include "core/archive/LossForms.h"
#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "core/config/CastGroups.h"
#include "core/config/imported/ImportedRefusals.h"
#include "core/config/imported/ImportedShapes.h"
#include "core/config/imported/UsualTargets.h"
#include "core/config/models/ClosedForms.h"

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>
#include <numeric>
#include <set>

namespace headroom::config {
namespace {

using archive::ExportedModel;
using archive::FreeDimension;
using archive::SymbolValues;
using Archive = std::shared_ptr<const ExportedModel>;

constexpr double kLargestSize = 1 << 24;

std::string blockTextOf(const ValueMap& fields, const char* name)
{
    const auto found = fields.find(name);
    return found == fields.end() || !found->second.isText() ? std::string() : found->second.text();
}

std::string blocksChoice(const ValueMap& fields)
{
    return blockTextOf(fields, kBlocksField);
}

Field sizeField(const FreeDimension& dimension)
{
    const std::string places = dimension.aliases.empty() ? dimension.name : joined(dimension.aliases);
    return {.name = dimension.name,
        .type = FieldType::Integer,
        .defaultValue = dimension.example,
        .help = "free size of the exported model: " + places,
        .minimum = static_cast<double>(dimension.minimum),
        .maximum = dimension.maximum ? std::min(static_cast<double>(*dimension.maximum), kLargestSize) : kLargestSize};
}

std::vector<Field> sizeFields(const ExportedModel& model)
{
    std::vector<Field> fields;
    for (const FreeDimension& dimension : model.dimensions)
        fields.push_back(sizeField(dimension));
    return fields;
}

std::vector<Field> ownFields(const ExportedModel& model)
{
    return {{.name = kArchiveField,
                .type = FieldType::Text,
                .defaultValue = model.file.string(),
                .help = "file that torch.export.save wrote"},
        {.name = kBlocksField,
            .type = FieldType::Text,
            .defaultValue = {},
            .help = "path of the numbered list whose elements are the blocks (model.layers), or their class; if not "
                    "given, what the capture named, else the repeated elements of such lists, or of dicts that number "
                    "them by name (layer_3)"}};
}

bool isOfCastGroup(const archive::Node& node)
{
    return std::ranges::any_of(node.modules, [](const archive::ModuleCall& call) {
        const std::string name = call.type.substr(call.type.rfind('.') + 1);
        return std::ranges::find(kCastGroupClasses, name) != kCastGroupClasses.end();
    });
}

/// What is asked of a model again and again, and takes a walk through its graph.
class GraphFacts {
public:
    explicit GraphFacts(Archive model)
        : m_model(std::move(model))
        , m_refusals(refusalsToRun(*m_model))
        , m_inInference(config::refusalsToSimulate(*m_model, StepKind::Inference))
        , m_inTraining(config::refusalsToSimulate(*m_model, StepKind::Train))
    {
    }

    const std::vector<std::string>& refusals() const { return m_refusals; }
    const std::vector<std::string>& refusalsToSimulate(StepKind step) const
    {
        return step == StepKind::Inference ? m_inInference : m_inTraining;
    }

    double forwardFlops(const SymbolValues& sizes) const
    {
        const std::scoped_lock lock(m_mutex);
        const auto known = m_flops.find(sizes);
        return known != m_flops.end() ? known->second
                                      : m_flops.emplace(sizes, archive::forwardFlops(*m_model, sizes)).first->second;
    }

    /// Both throw UsageError for a choice that fits no module.
    int blocks(const std::string& choice) const { return static_cast<int>(parts(choice).blocks.ranges.size()); }
    const std::vector<archive::FeedForwardNodes>& feedForwards(const std::string& choice) const
    {
        return parts(choice).feedForwards;
    }
    /// Feed-forwards that are modules of their own, or classes that upstream's middle level takes as one.
    bool hasCastGroups(const std::string& choice) const
    {
        const Parts& found = parts(choice);
        const auto isBlock = [&](const std::string& path) {
            return std::ranges::any_of(found.blocks.ranges, [&](const auto& range) { return range.path == path; });
        };
        return std::ranges::any_of(m_model->graph.nodes, isOfCastGroup)
            || std::ranges::any_of(
                found.feedForwards, [&](const auto& nodes) { return !nodes.path.empty() && !isBlock(nodes.path); });
    }

private:
    struct Parts {
        archive::Blocks blocks;
        std::vector<archive::FeedForwardNodes> feedForwards;
    };

    const Parts& parts(const std::string& choice) const
    {
        const std::scoped_lock lock(m_mutex);
        if (const auto known = m_parts.find(choice); known != m_parts.end())
            return known->second;
        Parts found{archive::findBlocks(*m_model, choice, std::string("model.") + kBlocksField), {}};
        found.feedForwards = archive::findFeedForwards(*m_model, found.blocks);
        return m_parts.emplace(choice, std::move(found)).first->second;
    }

    Archive m_model;
    std::vector<std::string> m_refusals;
    std::vector<std::string> m_inInference; ///< by simulated devices
    std::vector<std::string> m_inTraining;
    mutable std::mutex m_mutex;
    mutable std::map<SymbolValues, double> m_flops;
    mutable std::map<std::string, Parts> m_parts; ///< by choice of the blocks
};

std::vector<std::int64_t> innerWidths(const GraphFacts& facts, const ValueMap& fields)
{
    std::vector<std::int64_t> widths;
    for (const archive::FeedForwardNodes& found : facts.feedForwards(blocksChoice(fields)))
        widths.push_back(found.inner);
    return widths;
}

// A number of slices divides the tokens of each if it divides what they have in common.
std::int64_t sharedTokens(const ExportedModel& model, const GraphFacts& facts, const ValueMap& shapes)
{
    const SymbolValues values = symbolsOf(model, shapes);
    std::int64_t shared = 0;
    for (const archive::FeedForwardNodes& found : facts.feedForwards({})) {
        const auto input = model.graph.tensors.find(found.input);
        if (input == model.graph.tensors.end() || input->second.sizes.empty())
            continue;
        const std::int64_t width = std::max<std::int64_t>(1, input->second.sizes.back().at(values));
        shared = std::gcd(shared, input->second.elements(values) / width);
    }
    return std::max<std::int64_t>(1, shared);
}

std::vector<Problem> fieldProblems(const GraphFacts& facts, const ValueMap& fields)
{
    std::vector<Problem> problems;
    for (const std::string& refusal : facts.refusals())
        problems.emplace_back(refusal, "model.name", kWithout);
    try {
        facts.blocks(blocksChoice(fields));
    } catch (const UsageError& error) {
        problems.emplace_back(error.problem(), error.where(), error.valid());
    }
    return problems;
}

std::vector<Problem> problemsOf(
    const ExportedModel& model, const GraphFacts& facts, const ValueMap& fields, const ValueMap& shapes)
{
    std::vector<Problem> problems = fieldProblems(facts, fields);
    for (const Problem& problem : sizeProblems(model, shapes))
        problems.push_back(problem);
    return problems;
}

std::optional<Problem> tokensProblem(const ExportedModel& model, const Workload& workload)
{
    const std::vector<std::string> inputs = archive::tokenInputs(model);
    if (workload.step == StepKind::Inference || workload.loss != Loss::CrossEntropy || inputs.size() < 2)
        return std::nullopt;
    return Problem("cross_entropy compares logits with the next tokens, and " + joined(inputs)
            + " could all hold them: which one does is not told",
        "workload.loss", "an export that calls it input_ids, or the loss mean, mse, mean_square");
}

std::vector<Problem> workloadProblems(const ExportedModel& model, const Workload& workload)
{
    std::vector<Problem> problems;
    if (workload.step != StepKind::Inference)
        for (const std::string& refusal : refusalsToTrain(model))
            problems.emplace_back(refusal, "workload.step", "inference");
    if (const Dtype own = ownDtype(model); workload.dtype != own)
        problems.emplace_back(
            "the model was exported in " + toText(own) + ", and its number formats are written into the graph",
            "workload.dtype", toText(own));
    if (auto problem = tokensProblem(model, workload))
        problems.push_back(std::move(*problem));
    return problems;
}

// The first input's elements without its last dimension, which are channels unless it holds token ids.
std::int64_t tokensOf(const ExportedModel& model, const ValueMap& shapes)
{
    const SymbolValues values = symbolsOf(model, shapes);
    for (const archive::UserInput& input : model.inputs) {
        if (!input.tensor || input.tensor->sizes.empty())
            continue;
        const auto& sizes = input.tensor->sizes;
        const bool hasChannels = archive::isFloatingScalarType(input.tensor->scalarType);
        if (sizes.size() > 3 || sizes.size() == 1)
            return sizes.front().at(values); // samples
        std::int64_t tokens = 1;
        for (std::size_t i = 0; i < sizes.size() - (hasChannels ? 1 : 0); ++i)
            tokens *= sizes[i].at(values);
        return tokens;
    }
    return 1;
}

bool hasTarget(const archive::Graph& graph, const std::string& part)
{
    return std::ranges::any_of(graph.nodes, [&](const auto& node) {
        return node.target.find(part) != std::string::npos;
    }) || std::ranges::any_of(graph.subgraphs, [&](const auto& inner) { return hasTarget(inner, part); });
}

void addLosses(const ExportedModel& model, ModelFamily& family)
{
    if (!archive::tokenInputs(model).empty())
        family.losses.push_back(Loss::CrossEntropy);
    if (archive::returnsLogits(model))
        family.defaultLoss = Loss::CrossEntropy;
    if (archive::ownLoss(model).empty())
        return;
    family.losses.push_back(Loss::Model);
    family.defaultLoss = Loss::Model;
}

std::optional<Dtype> dtypeOf(int scalarType)
{
    const std::string name = archive::scalarTypeName(scalarType);
    for (const Dtype dtype : {Dtype::Float32, Dtype::BFloat16, Dtype::Float16, Dtype::Float64})
        if (toText(dtype) == name)
            return dtype;
    return std::nullopt;
}

std::vector<UpstreamInput> inputsOf(const ExportedModel& model)
{
    std::vector<UpstreamInput> inputs;
    for (const archive::UserInput& input : model.inputs)
        inputs.push_back({.name = input.name, .form = input.tensor ? InputForm::AsGiven : InputForm::HostNumbers});
    return inputs;
}

std::vector<std::string> shapeWords(const ExportedModel& model)
{
    std::vector<std::string> words;
    for (const FreeDimension& dimension : model.dimensions)
        words.push_back(dimension.name + " {" + dimension.name + "}");
    return words;
}

} // namespace

std::string importedName(const ExportedModel& model)
{
    return model.file.stem().string() + "@" + model.contentId;
}

bool isImportedName(const std::string& name)
{
    const std::size_t at = name.rfind('@');
    return at != std::string::npos && name.size() == at + 17
        && name.find_first_not_of("0123456789abcdef", at + 1) == std::string::npos;
}

std::string contentOf(const std::string& importedName)
{
    return importedName.substr(importedName.rfind('@'));
}

std::int64_t ownParameters(const ExportedModel& model)
{
    std::int64_t count = 0;
    for (const archive::StoredTensor& stored : model.tensors)
        if (stored.kind == archive::StoredKind::Parameter && stored.tiedTo.empty())
            if (__builtin_add_overflow(count, stored.elements(), &count))
                return std::numeric_limits<std::int64_t>::max();
    return count;
}

Dtype ownDtype(const ExportedModel& model)
{
    std::map<Dtype, std::int64_t> elements;
    for (const archive::StoredTensor& stored : model.tensors)
        if (const auto dtype = dtypeOf(stored.info.scalarType); dtype && stored.kind == archive::StoredKind::Parameter)
            elements[*dtype] += stored.elements();
    const auto most = std::ranges::max_element(elements, {}, [](const auto& entry) { return entry.second; });
    return most == elements.end() ? Dtype::Float32 : most->first;
}

std::vector<std::string> linearPaths(const ExportedModel& model)
{
    std::vector<std::string> paths;
    for (const archive::LinearNode& linear : archive::linearNodes(model))
        if (std::ranges::find(paths, linear.path) == paths.end())
            paths.push_back(linear.path);
    return paths;
}

ModelFamily importedFamily(Archive model)
{
    ModelFamily family;
    family.name = kImportedFamily;
    const std::string type = model->notes.model.substr(model->notes.model.rfind('.') + 1);
    family.title = (type.empty() ? std::string("model") : type) + " of " + model->file.filename().string();
    family.fields = FieldSet(ownFields(*model));
    family.shapes = FieldSet(sizeFields(*model));
    family.variants = {{importedName(*model), family.title, {}, {}}};
    family.publishedDtype = ownDtype(*model);
    family.hasFixedDtype = true;
    family.upstream.inputs = inputsOf(*model);
    family.shapeWords = shapeWords(*model);
    const std::vector<std::string> linears = linearPaths(*model);
    family.adapterTargets = usualTargets(model->notes.model, linears);
    family.castingSkipPatterns = model->notes.keptFromCasting;
    family.hasAttention = hasTarget(model->graph, "scaled_dot_product_attention");
    addLosses(*model, family);
    const auto facts = std::make_shared<const GraphFacts>(model);
    family.fieldProblems = [facts](const ValueMap& fields) { return fieldProblems(*facts, fields); };
    family.problems = [model, facts](const ValueMap& fields, const ValueMap& shapes) {
        return problemsOf(*model, *facts, fields, shapes);
    };
    family.workloadProblems = [model](const Workload& workload) { return workloadProblems(*model, workload); };
    family.simulationProblems = [facts](StepKind step) {
        std::vector<Problem> problems;
        for (const std::string& refusal : facts->refusalsToSimulate(step))
            problems.emplace_back(refusal, "device.name", "cpu, cuda:N");
        return problems;
    };
    family.parameters = [count = ownParameters(*model)](const ValueMap&) { return count; };
    family.flopsPerStep = [model, facts](const ValueMap&, const ValueMap& shapes, StepKind step) {
        const double forward = facts->forwardFlops(symbolsOf(*model, shapes));
        return step == StepKind::Inference ? forward : 3 * forward;
    };
    family.tokensPerStep = [model](const ValueMap& shapes) { return tokensOf(*model, shapes); };
    family.blocks = [facts](const ValueMap& fields) { return facts->blocks(blocksChoice(fields)); };
    family.feedForwardWidths = [facts](const ValueMap& fields) { return innerWidths(*facts, fields); };
    family.hasCastGroups = [facts](const ValueMap& fields) { return facts->hasCastGroups(blocksChoice(fields)); };
    family.linears = [linears](const ValueMap&) { return linears; };
    family.feedForwardTokens = [model, facts](const ValueMap& shapes) { return sharedTokens(*model, *facts, shapes); };
    return family;
}

ImportedFacts importedFacts(
    const ModelFamily& family, const ExportedModel& model, const ValueMap& fields, const ValueMap& shapes)
{
    return {.file = model.file.string(),
        .content = model.contentId,
        .modelClass = model.notes.model,
        .torchVersion = model.torchVersion,
        .exportedOn = model.notes.exportedOn,
        .parameters = family.parameters(fields),
        .blocks = family.blocks(fields),
        .forwardFlops = family.flopsPerStep(fields, shapes, StepKind::Inference),
        .tokens = family.tokensPerStep(shapes),
        .dtype = toText(family.publishedDtype),
        .remarks = model.remarks};
}

} // namespace headroom::config
