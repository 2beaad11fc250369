// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/ema/EmaWholeShadows.h"

#include "tests/core/techniques/ema/EmaSample.h"

#include <gmock/gmock.h>

namespace headroom::techniques::ema_whole_shadows_test {
namespace {

using testing::ElementsAre;

/// Notes the copies of a simulated device and the host's waits for them, in words.
class CopyNotes final : public tensor::DeviceTimeline {
public:
    SideTrack addSideStream() override { return ++m_streams; }
    void enterSideStream(SideTrack) override { }
    void leaveSideStream() override { }
    void sideWaitsForCompute(SideTrack track) override { note("after it", track); }
    void computeWaitsForSide(SideTrack) override { }
    void hostWaitsForSide(SideTrack track) override { note("host waits for", track); }
    void hostWaits() override { }
    void transferBegins(tensor::TransferDirection, Bytes bytes, tensor::TransferWait wait) override
    {
        notes.push_back(std::to_string(bytes) + (wait == tensor::TransferWait::Blocking ? ", host waits" : ""));
    }
    void transferEnds() override { }

    std::vector<std::string> notes;

private:
    void note(const std::string& what, SideTrack track) { notes.push_back(what + " " + std::to_string(track)); }

    SideTrack m_streams = 0;
};

// Of three parameters that are trained and a frozen one, in the order of the list.
std::vector<std::string> notesOfAnUpdate(const config::ValueMap& options)
{
    Tensors parameters;
    for (const std::int64_t size : {1, 2, 3, 4})
        parameters.push_back(
            at::empty({size}, at::TensorOptions().device(at::kMeta).dtype(at::kFloat)).requires_grad_(size != 2));
    EmaModel ema = emaOf({"host:cpu", options}, parameters);
    CopyNotes timeline;
    const tensor::DeviceTimeline::Activation activation(timeline);
    ema.step(parameters);
    return timeline.notes;
}

TEST(EmaWholeShadowsTest, onePinnedParameterArrivesWhileAnotherIsUpdated)
{
    for (const char* mode : {"loop", "foreach_no_temporary"})
        EXPECT_THAT(notesOfAnUpdate({{"pinned", true}, {"mode", mode}}),
            ElementsAre("8, host waits", "4", "after it 1", "12", "after it 2", "host waits for 1", "16", "after it 1",
                "host waits for 2", "host waits for 1"))
            << mode;
}

TEST(EmaWholeShadowsTest, pinnedParametersThatAreTakenAtOnceAreWaitedForOnce)
{
    EXPECT_THAT(notesOfAnUpdate({{"pinned", true}, {"mode", "foreach"}}),
        ElementsAre("8, host waits", "4", "12", "16", "after it 1", "host waits for 1"));
}

TEST(EmaWholeShadowsTest, theHostWaitsForEachCopyToPageableMemory)
{
    for (const std::string& mode : everyMode())
        EXPECT_THAT(notesOfAnUpdate({{"mode", mode}}),
            ElementsAre("8, host waits", "4, host waits", "12, host waits", "16, host waits"))
            << mode;
}

} // namespace
} // namespace headroom::techniques::ema_whole_shadows_test
