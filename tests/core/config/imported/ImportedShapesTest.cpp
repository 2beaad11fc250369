// SPDX-License-Identifier: Apache-2.0
#include "core/config/imported/ImportedShapes.h"

#include "tests/support/SketchedArchive.h"
#include "tests/support/TemporaryFolder.h"

#include <gtest/gtest.h>

namespace headroom::config {
namespace {

class ImportedShapesTest : public testing::Test {
protected:
    std::shared_ptr<const archive::ExportedModel> read() const
    {
        return archive::loadExportedModel(m_folder.write("model.pt2", m_sketch.bytes()));
    }
    std::optional<NamedSize> size(const std::string& name) const { return namedSize(*read(), name); }

    SketchedModel m_sketch;

private:
    TemporaryFolder m_folder;
};

TEST_F(ImportedShapesTest, aFreeSizeIsFoundByItsNameAndByItsPlace)
{
    for (const char* name : {"batch", "x.0"}) {
        const auto found = size(name);
        ASSERT_TRUE(found) << name;
        EXPECT_EQ(found->field, "batch") << name;
    }
}

TEST_F(ImportedShapesTest, aFixedSizeSaysWhatWouldFreeIt)
{
    const auto found = size("x.1");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->field, "");
    EXPECT_EQ(found->fixedTo, Value(4));
    EXPECT_TRUE(found->remedy.starts_with(R"(dynamic_shapes={"x": {1: Dim("x_1")}})")) << found->remedy;
}

TEST_F(ImportedShapesTest, aFixedSizeIsFoundByItsUsualName)
{
    m_sketch.value("x")["sizes"][0] = SketchedModel::size(2);
    const auto found = size("batch");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->place, "x.0");
    EXPECT_EQ(found->fixedTo, Value(2));
    EXPECT_TRUE(found->remedy.starts_with(R"(dynamic_shapes={"x": {0: Dim("batch")}})")) << found->remedy;
}

TEST_F(ImportedShapesTest, aSizeThatFollowsFromOthersIsNeitherFreeNorFixed)
{
    m_sketch.value("x")["sizes"][1] = {{"as_expr",
        {{"expr_str", "Mul(Integer(2), Symbol('s0', positive=True, integer=True))"}, {"hint", {{"as_int", 4}}}}}};
    const auto found = size("x.1");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->field, "");
    EXPECT_FALSE(found->fixedTo);
}

TEST_F(ImportedShapesTest, otherNamesAreNoSizes)
{
    for (const char* name : {"x.2", "y.0", "x", "frames", ""})
        EXPECT_FALSE(size(name)) << name;
}

TEST_F(ImportedShapesTest, sizesWithWhichAnotherOneWouldBeNoneAreAProblem)
{
    m_sketch.value("x")["sizes"][1] = {{"as_expr",
        {{"expr_str", "Add(Integer(6), Mul(Integer(-1), Symbol('s0', positive=True)))"}, {"hint", {{"as_int", 4}}}}}};
    const auto model = read();
    EXPECT_TRUE(sizeProblems(*model, {{"batch", 2}}).empty());
    EXPECT_TRUE(sizeProblems(*model, {{"batch", 6}}).empty());
    const auto problems = sizeProblems(*model, {{"batch", 10}});
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_NE(problems.front().text.find("x.1"), std::string::npos) << problems.front().text;
}

} // namespace
} // namespace headroom::config
