// SPDX-License-Identifier: Apache-2.0
#include "experiments/run/WorkerSession.h"

#include <gmock/gmock.h>

namespace headroom::experiments {
namespace {

using protocol::RequestKind;
using testing::ElementsAre;
using testing::IsEmpty;

class NeededRightsTest : public testing::Test {
protected:
    NeededRightsTest()
    {
        m_request.kind = RequestKind::Simulate;
        m_request.trial.emplace();
        m_request.trial->configuration = config::defaultConfiguration("ffn-stack-tiny", "test");
    }

    std::set<std::string> readsOf(const char* field, const std::string& value)
    {
        m_request.trial->configuration.modelFields[field] = value;
        return neededRights(m_request).reads;
    }

    protocol::WorkerRequest m_request;
};

TEST_F(NeededRightsTest, aModelOfTheCatalogueNeedsNothing)
{
    EXPECT_EQ(neededRights(m_request), protocol::WorkerRights{});
    EXPECT_THAT(readsOf("weights", "fill"), IsEmpty());
}

TEST_F(NeededRightsTest, archivesAndWeightsAreRead)
{
    EXPECT_THAT(readsOf("archive", "/m/mine.pt2"), ElementsAre("/m/mine.pt2"));
    EXPECT_THAT(readsOf("weights", "/w/folder"), ElementsAre("/m/mine.pt2", "/w/folder"));
}

TEST_F(NeededRightsTest, shardsLieBesideTheirIndex)
{
    EXPECT_THAT(readsOf("weights", "/w/model.safetensors.index.json"), ElementsAre("/w"));
    EXPECT_THAT(readsOf("weights", "/w/model.safetensors"), ElementsAre("/w/model.safetensors"));
}

TEST_F(NeededRightsTest, aProfileThatIsAFileIsRead)
{
    m_request.trial->device = config::parseDevice("sim:./my-card.toml", "test");
    EXPECT_THAT(neededRights(m_request).reads, ElementsAre("./my-card.toml"));
    m_request.trial->device = config::parseDevice("sim:t4", "test");
    EXPECT_THAT(neededRights(m_request).reads, IsEmpty());
}

TEST_F(NeededRightsTest, whatParityComparesIsRead)
{
    m_request.parity = protocol::ParityFiles{.inputs = "i.safetensors", .expected = "e.safetensors"};
    EXPECT_THAT(neededRights(m_request).reads, ElementsAre("e.safetensors", "i.safetensors"));
}

TEST_F(NeededRightsTest, theFolderOfTheSpoolIsWritten)
{
    m_request.spoolPath = "/runs/w.db.1.2-3.spools/1-0.spool";
    EXPECT_EQ(neededRights(m_request).spoolFolder, "/runs/w.db.1.2-3.spools");
}

TEST_F(NeededRightsTest, whoMeasuresOrLooksForAGpuUsesIt)
{
    EXPECT_TRUE(neededRights({.kind = RequestKind::Describe}).usesGpu);
    m_request.trial->device = config::parseDevice("cuda:1", "test");
    EXPECT_TRUE(neededRights(m_request).usesGpu);
    m_request.trial->device = config::parseDevice("cpu", "test");
    EXPECT_FALSE(neededRights(m_request).usesGpu);
    for (const auto& [device, usesGpu] : {std::pair("cuda:0", true), std::pair("cpu", false)}) {
        const protocol::CalibrationRequest calibration{.device = device};
        EXPECT_EQ(neededRights({.kind = RequestKind::Calibrate, .calibration = calibration}).usesGpu, usesGpu);
    }
}

} // namespace
} // namespace headroom::experiments
