// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/Facets.h"

#include "tests/experiments/report/ReportFixture.h"

#include <gmock/gmock.h>

namespace headroom::report {
namespace {

using testing::Contains;
using testing::ElementsAre;

class FacetsTest : public ReportFixture {
protected:
    static std::vector<const ReportTrial*> pointersTo(const ReportContent& content)
    {
        std::vector<const ReportTrial*> pointers;
        for (const ReportTrial& trial : content.trials)
            pointers.push_back(&trial);
        return pointers;
    }
};

TEST_F(FacetsTest, anOptionOfATechniqueThatIsOffDoesNotDiffer)
{
    run("techniques.split_ffn = [\"off\", \"2\"]\n");
    const ReportContent found = content();
    const Facets facets(pointersTo(found), Facets::Of::Everything);
    EXPECT_THAT(facets.varying(), ElementsAre("split_ffn"));
    EXPECT_THAT(facets.shared(), Contains(Facet{"split_ffn.accumulate", "in_place"}));
}

TEST_F(FacetsTest, anOptionThatVariesDiffers)
{
    run("[techniques.split_ffn]\nnotation = [\"off\", \"2\"]\naccumulate = [\"in_place\", \"out_of_place\"]\n");
    const ReportContent found = content();
    const Facets facets(pointersTo(found), Facets::Of::Everything);
    EXPECT_THAT(facets.varying(), ElementsAre("split_ffn", "split_ffn.accumulate"));
}

TEST_F(FacetsTest, allocatorSettingsAreASettingOfTheirTrials)
{
    run("device.name = \"sim:t4\"\ndevice.allocator = [\"default\", \"expandable_segments:True\"]\n");
    const ReportContent found = content();
    const Facets facets(pointersTo(found), Facets::Of::Everything);
    EXPECT_THAT(facets.varying(), ElementsAre("device.allocator"));
    EXPECT_EQ(facets.value(found.trials.at(1), "device.allocator"), "expandable_segments:True");
}

TEST_F(FacetsTest, whatIsTrainedIsNamedOnlyWhereItDiffers)
{
    run("workload.step = \"train\"\n[techniques]\ntrainable = \"lora:2\"\nsplit_ffn = [\"off\", \"2\"]\n");
    const ReportContent found = content();
    EXPECT_EQ(found.trials.at(0).techniques, "baseline");
    EXPECT_EQ(found.trials.at(1).techniques, "split_ffn 2");
}

} // namespace
} // namespace headroom::report
