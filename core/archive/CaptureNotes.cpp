// SPDX-License-Identifier: Apache-2.0
#include "core/archive/CaptureNotes.h"

#include "core/archive/LossForms.h"
#include "core/base/Error.h"
#include "core/base/Wording.h"

#include <algorithm>
#include <set>

namespace headroom::archive {
namespace {

constexpr const char* kSchema = "headroom.capture/1";

std::string textOrEmpty(const Json& json, const char* key)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::vector<std::string> textsOf(const Json& json, const char* key, const std::string& where)
{
    std::vector<std::string> texts;
    const auto found = json.find(key);
    if (found == json.end() || found->is_null())
        return texts;
    if (!found->is_array())
        throw FileError("found " + std::string(found->type_name()), where + ": " + key, "a list of texts");
    for (const Json& text : *found) {
        if (!text.is_string())
            throw FileError("found " + std::string(text.type_name()), where + ": " + key, "a list of texts");
        texts.push_back(text.get<std::string>());
    }
    return texts;
}

std::map<std::string, std::string> textMap(const Json& json, const std::string& where)
{
    std::map<std::string, std::string> texts;
    if (!json.is_object())
        throw FileError("found " + std::string(json.type_name()), where, "an object of texts");
    for (const auto& [key, value] : json.items()) {
        if (!value.is_string())
            throw FileError("found " + std::string(value.type_name()), where + "." + key, "text");
        texts.emplace(key, value.get<std::string>());
    }
    return texts;
}

void requireSchema(const Json& json, const std::string& where)
{
    const std::string schema = textOrEmpty(json, "schema");
    if (schema != kSchema)
        throw FileError(schema.empty() ? "has no schema" : "has the schema \"" + schema + "\"", where, kSchema);
}

void readTies(const Json& json, const std::string& where, CaptureNotes& notes)
{
    const auto tied = json.find("tied");
    if (tied == json.end() || !tied->is_object())
        return;
    for (const auto& [name, others] : tied->items())
        for (const std::string& other : textsOf(*tied, name.c_str(), where + ": tied"))
            notes.tied.emplace(other, name);
}

void readFunctions(const Json& json, CaptureNotes& notes)
{
    const auto functions = json.find("autograd_functions");
    if (functions == json.end() || !functions->is_array())
        return;
    for (const Json& function : *functions)
        if (function.is_object())
            notes.lostFunctions.push_back({textOrEmpty(function, "name"), textOrEmpty(function, "source")});
}

void readAnswers(const Json& json, CaptureNotes& notes)
{
    const auto assumed = json.find("assumed");
    if (assumed == json.end() || !assumed->is_array())
        return;
    for (const Json& question : *assumed) {
        const auto answer = question.is_object() ? question.find("answer") : question.end();
        if (question.is_object() && answer != question.end() && answer->is_boolean())
            notes.answered.push_back({textOrEmpty(question, "source"), answer->get<bool>()});
    }
}

std::string remarkOnLifetimes(const CaptureNotes& notes)
{
    if (!notes.isPresent)
        return "was written without headroom_capture.py: ties, training mode, lost backwards of autograd.Functions and "
               "exact lifetimes are not known (headroom models --capture-script)";
    if (notes.lifetimes)
        return {};
    const std::string cause = notes.lifetimesProblem.empty() ? "" : " (" + notes.lifetimesProblem + ")";
    return "when tensors die in Python was not recorded" + cause
        + ": a value passed to a module is taken to live until the module ends, which can put reserved memory off by 3 "
          "%";
}

std::string remarkOnSizes(const ExportedModel& model)
{
    const std::string& cause = model.notes.fixedBecause;
    if (!cause.empty())
        return std::string(model.dimensions.empty() ? "all" : "other")
            + " sizes are fixed to those of the export: " + cause;
    if (model.dimensions.empty())
        return "all sizes are fixed to those of the export; dynamic_shapes of torch.export.export frees them";
    return {};
}

std::string remarkOnLoss(const ExportedModel& model)
{
    const std::string loss = ownLoss(model);
    const auto name = model.outputNames.find(loss);
    if (loss.empty() || loss == floatingOutput(model) || (name != model.outputNames.end() && name->second == "loss"))
        return {};
    const auto place = std::ranges::find(model.outputs, loss) - model.outputs.begin();
    return "training starts from the scalar that the forward returns as output " + std::to_string(place + 1)
        + ", as none is called loss; workload.loss says otherwise";
}

// Of which a GPU runs cuDNN's kernels, whose reserve no rule describes.
std::string remarkOnRecurrence(const Graph& graph)
{
    static const std::set<std::string> kRecurrent{"lstm", "gru", "rnn_tanh", "rnn_relu"};
    std::set<std::string> found;
    for (const Node& node : graph.nodes)
        if (const std::string name = atenName(node); kRecurrent.contains(name))
            found.insert(name + (node.source.empty() ? "" : " (" + node.source + ")"));
    if (found.empty())
        return {};
    return joined(std::vector<std::string>(found.begin(), found.end()))
        + ": runs on a simulated device step by step, as PyTorch does without cuDNN; cuDNN's memory and times are "
          "others, "
          "which a measured device shows";
}

// Dropout and batch norm of a model that was captured in training mode are run as inference runs them. What a forward
// draws itself (stochastic depth) has no such switch.
std::string remarkOnDraws(const ExportedModel& model)
{
    static const std::set<std::string> kDraws{"rand", "rand_like", "randn", "randn_like", "bernoulli", "bernoulli_"};
    std::set<std::string> places;
    for (const Node& node : model.graph.nodes)
        if (kDraws.contains(atenName(node)))
            places.insert(node.source.empty() ? node.target : node.source);
    if (places.empty() || model.notes.isTraining != true)
        return {};
    return "draws random numbers of its own (" + joined(std::vector<std::string>(places.begin(), places.end()))
        + "): inference draws them as training does; a capture after model.eval() shows inference alone";
}

std::string remarkOnAnswers(const CaptureNotes& notes)
{
    std::vector<std::string> answers;
    for (const AnsweredQuestion& question : notes.answered)
        answers.push_back(question.source + (question.answer ? " yes" : " no"));
    if (answers.empty())
        return {};
    return "what depends on values was answered as where nothing is padded or packed and no layer is dropped: "
        + joined(answers);
}

} // namespace

CaptureNotes readCaptureNotes(const Json& json, const std::string& where)
{
    if (!json.is_object())
        throw FileError("found " + std::string(json.type_name()), where, "an object");
    requireSchema(json, where);
    CaptureNotes notes;
    notes.isPresent = true;
    notes.model = textOrEmpty(json, "model");
    if (const auto training = json.find("training"); training != json.end() && training->is_boolean())
        notes.isTraining = training->get<bool>();
    if (const auto autocast = json.find("autocast"); autocast != json.end() && autocast->is_object())
        notes.autocast = textOrEmpty(*autocast, "dtype");
    notes.exportedOn = textOrEmpty(json, "exported_on");
    notes.blockClasses = textsOf(json, "block_classes", where);
    notes.blocks = textsOf(json, "blocks", where);
    notes.frozen = textsOf(json, "frozen", where);
    notes.keptFromCasting = textsOf(json, "kept_from_casting", where);
    readTies(json, where, notes);
    readFunctions(json, notes);
    readAnswers(json, notes);
    notes.fixedBecause = textOrEmpty(json, "fixed_because");
    notes.lifetimesProblem = textOrEmpty(json, "lifetimes_problem");
    if (const auto lifetimes = json.find("lifetimes");
        lifetimes != json.end() && lifetimes->is_object() && lifetimes->contains("inference"))
        notes.lifetimes = textMap(lifetimes->at("inference"), where + ": lifetimes.inference");
    if (const auto versions = json.find("versions"); versions != json.end() && versions->is_object())
        notes.versions = textMap(*versions, where + ": versions");
    return notes;
}

std::vector<std::string> remarksOn(const ExportedModel& model)
{
    std::vector<std::string> remarks{remarkOnLifetimes(model.notes), remarkOnSizes(model),
        remarkOnRecurrence(model.graph), remarkOnDraws(model), remarkOnLoss(model), remarkOnAnswers(model.notes)};
    std::erase(remarks, std::string());
    return remarks;
}

} // namespace headroom::archive
