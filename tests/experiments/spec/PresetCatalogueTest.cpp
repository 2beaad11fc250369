// SPDX-License-Identifier: Apache-2.0
#include "experiments/spec/PresetCatalogue.h"
#include "core/base/Error.h"
#include "experiments/spec/SpecLoader.h"
#include "experiments/sweep/Sweep.h"
#include "tests/support/Checkout.h"
#include "tests/support/Refusal.h"
#include "tests/support/TemporaryFolder.h"

#include <gtest/gtest.h>

namespace headroom::experiments {
namespace {

TEST(PresetCatalogueTest, listsByNameWithTitleAndDescription)
{
    const TemporaryFolder folder;
    folder.write("presets/second.toml", "title = \"T\"\ndescription = \"D\"");
    folder.write("presets/first.toml", "model.name = \"ffn-stack-tiny\"");
    folder.write("presets/notes.txt", "no preset");
    const auto presets = listPresets(folder.path());
    ASSERT_EQ(presets.size(), 2u);
    EXPECT_EQ(presets[0], (Preset{"first", "", "", folder.path() / "presets/first.toml"}));
    EXPECT_EQ(presets[1], (Preset{"second", "T", "D", folder.path() / "presets/second.toml"}));
}

TEST(PresetCatalogueTest, aFolderWithoutPresetsHasNone)
{
    EXPECT_TRUE(listPresets(TemporaryFolder().path()).empty());
}

TEST(PresetCatalogueTest, namesWhatIsNoTomlAndTheClosestName)
{
    const TemporaryFolder folder;
    folder.write("presets/ffn-split.toml", "= 4");
    EXPECT_THROW(listPresets(folder.path()), UsageError);
    EXPECT_EQ(refusal([&] { findPreset("ffn-splits", folder.path()); }),
        "preset: unknown preset \"ffn-splits\", did you mean \"ffn-split\"? (valid: ffn-split, or a file: "
        "FOLDER/NAME.toml)");
}

TEST(PresetCatalogueTest, anExperimentWithoutNameHasThePresetsName)
{
    const TemporaryFolder folder;
    folder.write("presets/small.toml", "model.name = \"ffn-stack-tiny\"");
    folder.write("presets/named.toml", "name = \"other\"\nmodel.name = \"ffn-stack-tiny\"");
    EXPECT_EQ(loadPreset("small", folder.path(), {}).name, "small");
    EXPECT_EQ(loadPreset("named", folder.path(), {}).name, "other");
}

TEST(PresetCatalogueTest, everyPresetOfTheProgramExpands)
{
    const std::filesystem::path resources = shippedResources();
    for (const Preset& preset : listPresets(resources)) {
        EXPECT_FALSE(preset.title.empty()) << preset.name;
        EXPECT_FALSE(preset.description.empty()) << preset.name;
        EXPECT_NO_THROW(expand(loadPreset(preset.name, resources, {}))) << preset.name;
    }
}

TEST(PresetCatalogueTest, tellsFilesFromNames)
{
    EXPECT_TRUE(isSpecFile("spec.toml"));
    EXPECT_TRUE(isSpecFile("./spec"));
    EXPECT_FALSE(isSpecFile("ffn-split"));
}

} // namespace
} // namespace headroom::experiments
