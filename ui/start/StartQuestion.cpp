// SPDX-License-Identifier: Apache-2.0
#include "ui/start/StartQuestion.h"

#include "core/config/Value.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/ImportedModels.h"
#include "core/config/imported/ShownModelName.h"

#include <fmt/format.h>

namespace headroom::ui {
namespace {

using Task = StartQuestion::Task;

std::string techniquesText(const StartQuestion& question)
{
    if (question.task == Task::Inference)
        return {};
    const std::string trained = question.task == Task::Full ? "all" : fmt::format("lora:{}", question.rank);
    return fmt::format("[techniques]\ntrainable = \"{}\"\noptimizer = \"adamw\"\n\n", trained);
}

} // namespace

std::string specOf(const StartQuestion& question)
{
    const config::ModelDescriptor model = config::findModel(question.model, "model.name");
    std::string sizes;
    for (const config::Field& shape : model.shapes.all())
        if (const auto size = question.sizes.find(shape.name); size != question.sizes.end())
            sizes += fmt::format("{} = {}\n", shape.name, size->second);
    const auto archive = config::importedArchiveOf(question.model);
    const std::string named = archive ? archive->file.string() : question.model;
    return fmt::format("name = {}\n\n[model]\nname = {}\n\n[workload]\nstep = \"{}\"\ndtype = \"{}\"\n{}\n{}"
                       "[device]\nname = \"sim:{}\"\n",
        config::toToml(config::shownModelName(question.model)), config::toToml(named),
        question.task == Task::Inference ? "inference" : "train", config::toText(model.publishedDtype), sizes,
        techniquesText(question), question.card);
}

std::string problemOf(const StartQuestion& question)
{
    const config::ModelDescriptor model = config::findModel(question.model, "model.name");
    config::ValueMap shapes = model.shapes.defaults();
    for (const auto& [name, size] : question.sizes)
        shapes[name] = config::Value(size);
    const auto problems = model.family->problems(model.fields.defaults(), shapes);
    return problems.empty() ? std::string() : problems.front().text;
}

} // namespace headroom::ui
