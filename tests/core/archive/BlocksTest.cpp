// SPDX-License-Identifier: Apache-2.0
#include "core/archive/Blocks.h"

#include "core/base/Error.h"
#include "tests/core/archive/GraphText.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headroom::archive::blocks_test {
namespace {

// One node in each module call: "key,path,class;...".
ExportedModel modelOf(const std::vector<std::string>& modules)
{
    GraphText text;
    text.input("x0", {4});
    for (std::size_t i = 0; i < modules.size(); ++i)
        text.node(atenOp("relu.default"), {{"self", GraphText::tensor("x" + std::to_string(i))}},
            "x" + std::to_string(i + 1), {4}, modules[i]);
    text.output("x" + std::to_string(modules.size()));
    ExportedModel model;
    model.graph = text.graph();
    return model;
}

std::vector<std::string> rangesOf(const Blocks& blocks)
{
    std::vector<std::string> texts;
    for (const BlockRange& range : blocks.ranges)
        texts.push_back(range.path + " " + std::to_string(range.first) + "-" + std::to_string(range.last));
    return texts;
}

const ExportedModel kLayers = modelOf({"r,,M;e,embed,Embedding", "r,,M;l0,layers.0,Layer;m0,layers.0.mlp,Mlp",
    "r,,M;l0,layers.0,Layer", "r,,M;l1,layers.1,Layer", "r,,M;l0@1,layers.0,Layer", "r,,M;n,norm,Norm"});

TEST(BlocksTest, elementsOfANumberedListWhoseClassIsRepeated)
{
    EXPECT_THAT(rangesOf(findBlocks(kLayers, {}, "model.blocks")),
        testing::ElementsAre("layers.0 1-2", "layers.1 3-3", "layers.0 4-4"));
}

TEST(BlocksTest, namedByListOrClass)
{
    EXPECT_THAT(rangesOf(findBlocks(kLayers, "layers", "model.blocks")),
        testing::ElementsAre("layers.0 1-2", "layers.1 3-3", "layers.0 4-4"));
    EXPECT_THAT(rangesOf(findBlocks(kLayers, "Mlp", "model.blocks")), testing::ElementsAre("layers.0.mlp 1-1"));
}

TEST(BlocksTest, anotherNameIsRefusedWithThoseThatThereAre)
{
    try {
        findBlocks(kLayers, "blocks", "model.blocks");
        FAIL() << "accepted";
    } catch (const UsageError& error) {
        EXPECT_EQ(error.where(), "model.blocks");
        EXPECT_THAT(error.valid(), testing::HasSubstr("layers"));
        EXPECT_THAT(error.valid(), testing::HasSubstr("Layer"));
    }
}

TEST(BlocksTest, theCaptureNamesThem)
{
    ExportedModel model = kLayers;
    model.notes.blocks = {"embed", "norm"};
    EXPECT_THAT(rangesOf(findBlocks(model, {}, "model.blocks")), testing::ElementsAre("embed 0-0", "norm 5-5"));
}

// A UNet names some of its stages and what is in all of them.
TEST(BlocksTest, ofNamedClassesThoseThatHoldNoOther)
{
    ExportedModel model =
        modelOf({"r,,M;d,down.0,Down;a,down.0.resnets.0,Resnet", "r,,M;d,down.0,Down;b,down.0.resnets.1,Resnet",
            "r,,M;u,up.0,Up;c,up.0.resnets.0,Resnet", "r,,M;u,up.0,Up", "r,,M;v,up.1,Up;e,up.1.resnets.0,Resnet"});
    model.notes.blockClasses = {"Resnet", "Up"};
    EXPECT_THAT(rangesOf(findBlocks(model, {}, "model.blocks")),
        testing::ElementsAre(
            "down.0.resnets.0 0-0", "down.0.resnets.1 1-1", "up.0.resnets.0 2-2", "up.1.resnets.0 4-4"));
}

// MambaBlock and its MambaMixer: the norm before it belongs to the block.
TEST(BlocksTest, ofNamedClassesOneThatHoldsOneOtherEach)
{
    ExportedModel model = modelOf({"r,,M;a,layers.0,Block", "r,,M;a,layers.0,Block;b,layers.0.mixer,Mixer",
        "r,,M;c,layers.1,Block", "r,,M;c,layers.1,Block;d,layers.1.mixer,Mixer"});
    model.notes.blockClasses = {"Block", "Mixer"};
    EXPECT_THAT(rangesOf(findBlocks(model, {}, "model.blocks")), testing::ElementsAre("layers.0 0-1", "layers.1 2-3"));
}

// MBart names its layers and their attentions, of which a decoder's layer has two; others name the attention alone.
TEST(BlocksTest, ofNamedPartsTheElementsOfAListThatTheyArePartsOf)
{
    ExportedModel model = modelOf({"r,,M;a,encoder.0,Encoder;b,encoder.0.attention,Attention",
        "r,,M;a,encoder.0,Encoder", "r,,M;c,encoder.1,Encoder;d,encoder.1.attention,Attention",
        "r,,M;e,decoder.0,Decoder;f,decoder.0.attention,Attention",
        "r,,M;e,decoder.0,Decoder;g,decoder.0.cross,Attention",
        "r,,M;h,decoder.1,Decoder;i,decoder.1.attention,Attention", "r,,M;j,pool,Attention"});
    const auto layers = testing::ElementsAre("encoder.0 0-1", "encoder.1 2-2", "decoder.0 3-4", "decoder.1 5-5");
    for (const std::vector<std::string>& named :
        {std::vector<std::string>{"Encoder", "Decoder", "Attention"}, std::vector<std::string>{"Attention"}}) {
        model.notes.blockClasses = named;
        EXPECT_THAT(rangesOf(findBlocks(model, {}, "model.blocks")), layers) << named.size();
    }
}

TEST(BlocksTest, layersOfTorchAreNoneWhereThereAreOthers)
{
    const std::string layer = "torch.nn.modules.linear.Linear";
    EXPECT_THAT(rangesOf(findBlocks(modelOf({"r,,M;a,features.0,Block", "r,,M;b,features.1,Block",
                                        "r,,M;c,classifier.0," + layer, "r,,M;d,classifier.1," + layer}),
                    {}, "model.blocks")),
        testing::ElementsAre("features.0 0-0", "features.1 1-1"));
    EXPECT_THAT(rangesOf(findBlocks(modelOf({"r,,M;c,head," + layer, "r,,M;d,net.1," + layer, "r,,M;e,net.2," + layer}),
                    {}, "model.blocks")),
        testing::ElementsAre("net.1 1-1", "net.2 2-2"))
        << "of a list of them alone";
}

TEST(BlocksTest, elementsOfAModelThatIsAList)
{
    EXPECT_THAT(rangesOf(findBlocks(modelOf({"r,,M;a,0,Block", "r,,M;b,1,Block"}), {}, "model.blocks")),
        testing::ElementsAre("0 0-0", "1 1-1"));
}

TEST(BlocksTest, elementsOfADictThatAreNumberedByTheirNames)
{
    const std::string layer = "torch.nn.modules.linear.Linear";
    EXPECT_THAT(rangesOf(findBlocks(modelOf({"r,,M;a,encoder.layer_0,Encoder;l,encoder.layer_0.mlp.0," + layer,
                                        "r,,M;a,encoder.layer_0,Encoder;m,encoder.layer_0.mlp.1," + layer,
                                        "r,,M;b,encoder.layer_1,Encoder;n,encoder.layer_1.mlp.0," + layer}),
                    {}, "model.blocks")),
        testing::ElementsAre("encoder.layer_0 0-1", "encoder.layer_1 2-2"));
}

TEST(BlocksTest, callsOfOneModuleThatHasWeights)
{
    ExportedModel model = modelOf({"r,,M;a,groups.0,Group;s,groups.0.act,Act",
        "r,,M;a@1,groups.0,Group;t,groups.0.act,Act", "r,,M;a@2,groups.0,Group", "r,,M;b,act,Act", "r,,M;b@1,act,Act"});
    model.tensors.emplace_back().name = "groups.0.linear.weight";
    EXPECT_THAT(rangesOf(findBlocks(model, {}, "model.blocks")),
        testing::ElementsAre("groups.0 0-0", "groups.0 1-1", "groups.0 2-2"));
    model.tensors.clear();
    EXPECT_THAT(rangesOf(findBlocks(model, {}, "model.blocks")), testing::IsEmpty());
}

TEST(BlocksTest, oneWithinAnotherIsAPartOfIt)
{
    const ExportedModel nested = modelOf({"r,,M;o,outer.0,Outer;a,outer.0.inner.0,Inner",
        "r,,M;o,outer.0,Outer;b,outer.0.inner.1,Inner", "r,,M;p,outer.1,Outer"});
    EXPECT_THAT(rangesOf(findBlocks(nested, {}, "model.blocks")), testing::ElementsAre("outer.0 0-1", "outer.1 2-2"));
}

} // namespace
} // namespace headroom::archive::blocks_test
