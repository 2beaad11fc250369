// SPDX-License-Identifier: Apache-2.0
#include "core/config/catalogue/Catalogue.h"

#include "core/base/Wording.h"
#include "core/config/catalogue/Configuration.h"
#include "tests/core/config/Refusal.h"

#include <set>

namespace headroom::config {
namespace {

TEST(CatalogueTest, modelNamesAreUniqueAndEachIsFound)
{
    const std::vector<std::string> names = modelNames();
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
    for (const std::string& name : names) {
        const ModelDescriptor model = findModel(name, "w");
        EXPECT_EQ(model.name, name);
        EXPECT_FALSE(model.title.empty());
        ASSERT_NE(model.family, nullptr);
    }
}

TEST(CatalogueTest, defaultsOfEveryModelFitItsOwnFields)
{
    for (const std::string& name : modelNames()) {
        const ModelDescriptor model = findModel(name, "w");
        EXPECT_EQ(model.fields.complete(model.fields.defaults(), "model"), model.fields.defaults());
        EXPECT_EQ(model.shapes.complete(model.shapes.defaults(), "workload"), model.shapes.defaults());
        EXPECT_TRUE(conflicts(defaultConfiguration(name, "w")).empty());
        EXPECT_GT(model.family->parameters(model.fields.defaults()), 0);
    }
}

TEST(CatalogueTest, everyVariantNamesFieldsThatItsFamilyHas)
{
    for (const ModelFamily& family : modelFamilies())
        for (const ModelVariant& variant : family.variants) {
            for (const auto& [name, value] : variant.fields)
                EXPECT_NE(family.fields.find(name), nullptr) << variant.name << ": " << name;
            for (const auto& [name, value] : variant.shapes)
                EXPECT_NE(family.shapes.find(name), nullptr) << variant.name << ": " << name;
        }
}

TEST(CatalogueTest, everyFamilyHasATinyVariantForTests)
{
    for (const ModelFamily& family : modelFamilies()) {
        bool found = false;
        for (const ModelVariant& variant : family.variants)
            found = found || variant.name.ends_with("-tiny");
        EXPECT_TRUE(found) << family.name;
    }
}

TEST(CatalogueTest, aliasesLeadToTheModelAndAreNoModelsOfTheirOwn)
{
    std::set<std::string> taken;
    for (const std::string& name : modelNames())
        taken.insert(name);
    for (const ModelFamily& family : modelFamilies())
        for (const ModelVariant& variant : family.variants)
            for (const std::string& alias : variant.aliases) {
                EXPECT_TRUE(taken.insert(alias).second) << alias;
                EXPECT_EQ(findModel(alias, "").name, variant.name);
                EXPECT_EQ(defaultConfiguration(alias, ""), defaultConfiguration(variant.name, ""));
            }
    EXPECT_TRUE(taken.contains("wan-2.1-tiny"));
}

TEST(CatalogueTest, everySettingIsDescribedForAStranger)
{
    for (const ModelFamily& family : modelFamilies())
        for (const FieldSet* set : {&family.fields, &family.shapes})
            for (const Field& field : set->all())
                EXPECT_FALSE(field.help.empty()) << family.name << "." << field.name;
    for (const TechniqueDescriptor& technique : techniqueCatalogue()) {
        EXPECT_FALSE(technique.title.empty()) << technique.key;
        EXPECT_FALSE(technique.summary.empty()) << technique.key;
        for (const Field& option : technique.options.all())
            EXPECT_FALSE(option.help.empty()) << technique.key << "." << option.name;
        for (const CounterDescriptor& counter : technique.counters)
            EXPECT_FALSE(counter.help.empty()) << technique.key << "." << counter.name;
        for (const NotationForm& form : technique.forms)
            EXPECT_FALSE(form.meaning.empty()) << technique.key << " " << form.form;
    }
}

TEST(CatalogueTest, theOffNotationOfEveryTechniqueIsItsFirstFormAndCanonical)
{
    for (const TechniqueDescriptor& technique : techniqueCatalogue()) {
        ASSERT_FALSE(technique.forms.empty());
        EXPECT_EQ(technique.forms.front().form, technique.off);
        EXPECT_EQ(technique.normalise(technique.off, "w"), technique.off);
    }
}

TEST(CatalogueTest, theReferenceNotationOfATechniqueIsCanonicalAndAnother)
{
    for (const TechniqueDescriptor& technique : techniqueCatalogue())
        if (const std::string& reference = technique.referenceNotation; !reference.empty()) {
            EXPECT_EQ(technique.normalise(reference, "w"), reference) << technique.key;
            EXPECT_NE(reference, technique.off) << technique.key;
        }
}

TEST(CatalogueTest, everyOrderOfATechniqueIsWhole)
{
    for (const TechniqueDescriptor& technique : techniqueCatalogue())
        for (const MonotoneOrder& order : technique.orders) {
            EXPECT_TRUE(order.level && order.isClearlyMore) << technique.key;
            EXPECT_FALSE(order.more.empty() || order.unit.empty()) << technique.key;
            EXPECT_EQ(order.cost.empty(), !order.costsTime) << technique.key;
        }
}

TEST(CatalogueTest, refusesUnknownNamesWithTheClosestAndAllValid)
{
    EXPECT_EQ(refusal([] { findModel("fnn-stack", "--model"); }),
        "--model: unknown model \"fnn-stack\", did you mean \"ffn-stack\"? (valid: " + joined(modelNames()) + ")");
    EXPECT_EQ(refusal([] { findTechnique("split_fnn", "spec.toml:12"); }),
        "spec.toml:12: unknown technique \"split_fnn\", did you mean \"split_ffn\"? (valid: " + joined(techniqueKeys())
            + ")");
    EXPECT_EQ(refusal([] { findTechnique("quantisation", "w"); }),
        "w: unknown technique \"quantisation\" (valid: " + joined(techniqueKeys()) + ")");
}

TEST(CatalogueTest, namesAreLowerCaseAndUsableAsFlags)
{
    for (const std::string& key : techniqueKeys())
        EXPECT_EQ(key.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789"), std::string::npos) << key;
    for (const std::string& name : modelNames())
        EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-.0123456789"), std::string::npos) << name;
}

} // namespace
} // namespace headroom::config
