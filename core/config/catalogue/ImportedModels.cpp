// SPDX-License-Identifier: Apache-2.0
#include "core/config/catalogue/ImportedModels.h"

#include "core/base/Error.h"
#include "core/config/imported/ForgottenFamily.h"
#include "core/config/imported/ImportedFamily.h"

#include <map>
#include <mutex>

namespace headroom::config {
namespace {

struct ImportedModel {
    std::unique_ptr<const ModelFamily> family;
    std::shared_ptr<const archive::ExportedModel> archive; ///< null: it is gone
    std::shared_ptr<RememberedFacts> remembered; ///< of one that is gone
};

/// The archives that this process has met, by their models' names.
class ImportedModels {
public:
    static ImportedModels& instance()
    {
        static ImportedModels models;
        return models;
    }

    void add(const std::string& name, std::shared_ptr<const archive::ExportedModel> model)
    {
        const std::scoped_lock lock(m_mutex);
        ImportedModel& place = m_models[name];
        if (place.archive)
            return;
        ModelFamily family = importedFamily(model);
        family.variants.front().name = name;
        replace(place, std::make_unique<const ModelFamily>(std::move(family)));
        place.archive = std::move(model);
    }

    void addForgotten(const std::string& name, const ValueMap& fields, const ValueMap& shapes,
        const std::optional<ImportedFacts>& facts)
    {
        const std::scoped_lock lock(m_mutex);
        ImportedModel& place = m_models[name];
        if (!place.family) {
            place.remembered = std::make_shared<RememberedFacts>();
            place.family = std::make_unique<const ModelFamily>(forgottenFamily(name, fields, shapes, place.remembered));
        }
        if (facts && place.remembered)
            place.remembered->add(fields, shapes, *facts);
    }

    std::optional<ImportedFacts> facts(const std::string& name, const ValueMap& fields, const ValueMap& shapes)
    {
        const std::scoped_lock lock(m_mutex);
        const auto found = m_models.find(name);
        if (found == m_models.end())
            return std::nullopt;
        if (found->second.archive)
            return importedFacts(*found->second.family, *found->second.archive, fields, shapes);
        const ImportedFacts* facts = found->second.remembered->of(fields, shapes);
        return facts == nullptr ? std::nullopt : std::optional(*facts);
    }

    const ModelFamily* family(const std::string& name)
    {
        const std::scoped_lock lock(m_mutex);
        const auto found = m_models.find(name);
        return found == m_models.end() ? nullptr : found->second.family.get();
    }

    std::shared_ptr<const archive::ExportedModel> archive(const std::string& name)
    {
        const std::scoped_lock lock(m_mutex);
        const auto found = m_models.find(name);
        return found == m_models.end() ? nullptr : found->second.archive;
    }

private:
    // Descriptors point to families: one that is replaced is kept.
    void replace(ImportedModel& place, std::unique_ptr<const ModelFamily> family)
    {
        if (place.family)
            m_replaced.push_back(std::move(place.family));
        place.family = std::move(family);
    }

    std::mutex m_mutex;
    std::map<std::string, ImportedModel> m_models;
    std::vector<std::unique_ptr<const ModelFamily>> m_replaced;
};

} // namespace

std::string importModel(const std::filesystem::path& file)
{
    auto model = archive::readExportedModel(file);
    const std::string name = importedName(*model);
    ImportedModels::instance().add(name, std::move(model));
    return name;
}

void recallModel(
    const std::string& name, const ValueMap& fields, const ValueMap& shapes, const std::optional<ImportedFacts>& facts)
{
    if (importedArchiveOf(name))
        return;
    const auto archive = fields.find(kArchiveField);
    if (archive != fields.end() && archive->second.isText()) {
        try {
            auto model = archive::readExportedModel(archive->second.text());
            if (contentOf(importedName(*model)) == contentOf(name))
                return ImportedModels::instance().add(name, std::move(model));
        } catch (const FileError&) { // gone, or another file by now
        }
    }
    ImportedModels::instance().addForgotten(name, fields, shapes, facts);
}

const ModelFamily* importedFamilyOf(const std::string& name)
{
    return ImportedModels::instance().family(name);
}

std::shared_ptr<const archive::ExportedModel> importedArchiveOf(const std::string& name)
{
    return ImportedModels::instance().archive(name);
}

std::optional<ImportedFacts> importedFactsOf(const Configuration& configuration)
{
    if (!isImportedName(configuration.model))
        return std::nullopt;
    return ImportedModels::instance().facts(
        configuration.model, configuration.modelFields, configuration.workload.shapes);
}

} // namespace headroom::config
