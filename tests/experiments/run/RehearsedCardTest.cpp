// SPDX-License-Identifier: Apache-2.0
#include "experiments/run/RehearsedCard.h"

#include "core/base/Error.h"
#include "profiling/rehearsal/AccountFile.h"
#include "profiling/simulator/profiles/ProfileCatalogue.h"
#include "tests/support/EnvironmentVariable.h"
#include "tests/support/Refusal.h"
#include "tests/support/TemporaryFolder.h"
#include "tests/support/TextFiles.h"

#include <gmock/gmock.h>

#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <memory>

namespace headroom::experiments::rehearsed_card_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;

using Capacity = RehearsedCard::Capacity;

const simulator::DeviceProfile& profileOf(const std::string& name)
{
    static const simulator::ProfileCatalogue catalogue(HEADROOM_SOURCE_DIR "/resources");
    return catalogue.device(name);
}

class RehearsedCardTest : public testing::Test {
protected:
    RehearsedCardTest()
    {
        m_folder.write("libraries/libcuda.so.1", "");
        m_folder.write("libraries/libnvrtc.so.13", "");
        m_libraries.set((m_folder.path() / "libraries").string());
    }

    static std::vector<std::string> description(const RehearsedCard& card)
    {
        return linesOf(contentOf(card.variables().at("HEADROOM_CARD")));
    }

    static void note(const RehearsedCard& card, const std::string& text)
    {
        std::ofstream(card.variables().at("HEADROOM_CARD_LEDGER"), std::ios::app) << text;
    }

    TemporaryFolder m_folder;
    EnvironmentVariable m_libraries{"HEADROOM_CARD_LIBRARIES", ""};
    EnvironmentVariable m_preload{"LD_PRELOAD", ""};
};

TEST_F(RehearsedCardTest, everyProfileOfACardDescribesOne)
{
    const simulator::ProfileCatalogue catalogue(HEADROOM_SOURCE_DIR "/resources");
    for (const simulator::DeviceProfile& profile : catalogue.devices())
        if (profile.kind == simulator::AllocatorKind::Caching) {
            const RehearsedCard card(profile, {.capacity = Capacity::OfTheCard});
            EXPECT_THAT(description(card), Contains("name " + profile.card->name.value));
            EXPECT_THAT(description(card), Contains("totalBytes " + std::to_string(profile.memory->usableBytes.value)));
        }
}

TEST_F(RehearsedCardTest, whatItNeedsIsAskedForOnACardWithoutLimit)
{
    const RehearsedCard card(profileOf("t4"), {.capacity = Capacity::Unlimited});
    EXPECT_THAT(
        description(card), Not(Contains("totalBytes " + std::to_string(profileOf("t4").memory->usableBytes.value))));
    EXPECT_THAT(
        description(card), Contains("contextBytes " + std::to_string(profileOf("t4").memory->contextBytes.value)));
}

TEST_F(RehearsedCardTest, itsFolderIsPrivateAndGoesWithIt)
{
    std::filesystem::path folder;
    {
        const RehearsedCard card(profileOf("t4"), {.capacity = Capacity::OfTheCard});
        folder = std::filesystem::path(card.variables().at("HEADROOM_CARD")).parent_path();
        struct stat status{};
        ASSERT_EQ(::stat(folder.c_str(), &status), 0);
        EXPECT_EQ(status.st_mode & 0777U, 0700U);
    }
    EXPECT_FALSE(std::filesystem::exists(folder));
}

// The loader splits the variable at both, and passes over what it does not find.
TEST_F(RehearsedCardTest, aTemporaryFolderWithABlankIsNotUsed)
{
    std::filesystem::create_directory(m_folder.path() / "a b:c");
    const EnvironmentVariable temporary("TMPDIR", (m_folder.path() / "a b:c").string());
    const RehearsedCard card(profileOf("t4"), {.capacity = Capacity::OfTheCard});
    EXPECT_THAT(card.variables().at("LD_PRELOAD"), Not(HasSubstr("a b")));
}

TEST_F(RehearsedCardTest, ownPreloadsComeAfterTheSubstitute)
{
    const EnvironmentVariable own("LD_PRELOAD", "/opt/libmine.so");
    const RehearsedCard card(profileOf("t4"), {.capacity = Capacity::OfTheCard});
    const std::string preloaded = card.variables().at("LD_PRELOAD");
    EXPECT_TRUE(preloaded.ends_with(":/opt/libmine.so")) << preloaded;
    EXPECT_THAT(preloaded, HasSubstr("/libcuda.so.1"));
    EXPECT_THAT(preloaded, HasSubstr("/libnvrtc.so.13"));
}

TEST_F(RehearsedCardTest, processesThatShareItFindThePreloadsOfEachCuda)
{
    m_folder.write("cuda12/libcuda.so.1", "");
    m_folder.write("cuda13/libcuda.so.1", "");
    m_libraries.set((m_folder.path() / "cuda13").string());
    const RehearsedCard card(profileOf("t4"), {.count = 2});
    const std::map<std::string, std::string> variables = card.sharedVariables();
    const std::filesystem::path preloads = variables.at("HEADROOM_CARD_PRELOADS");
    EXPECT_EQ(preloads, card.folder());
    EXPECT_TRUE(std::filesystem::exists(preloads / "cuda12" / "libcuda.so.1"));
    EXPECT_EQ(variables.at("LD_PRELOAD"), (preloads / "cuda13" / "libcuda.so.1").string());
    EXPECT_THAT(description(card), Contains("count 2"));
}

TEST_F(RehearsedCardTest, whatWasTakenIsReadFromTheAccount)
{
    const RehearsedCard card(profileOf("t4"), {.count = 2});
    EXPECT_THAT(card.taken().mostBytes, ElementsAre(0, 0)) << "nobody has made the account";
    const auto page = std::make_unique<rehearsal::AccountPage>();
    page->most[0] = 5000;
    page->most[1] = 70;
    page->most[rehearsal::kHostPlace] = 9;
    page->processes = 3;
    std::ofstream(card.sharedVariables().at("HEADROOM_CARD_ACCOUNT"), std::ios::binary)
        .write(reinterpret_cast<const char*>(page.get()), sizeof *page);
    EXPECT_THAT(card.taken().mostBytes, ElementsAre(5000, 70));
    EXPECT_EQ(card.taken().mostHostBytes, 9);
    EXPECT_EQ(card.taken().processes, 3);
}

TEST_F(RehearsedCardTest, theLedgerIsReadAsFarAsItWasWritten)
{
    const RehearsedCard card(profileOf("t4"), {.capacity = Capacity::OfTheCard});
    EXPECT_TRUE(card.ledger().refused.empty());
    note(card,
        R"({"refused":"cusparseCreate","pid":1}
{"not_counted":"cufftMakePlanMany","library":"cuFFT","low_bytes":0,"high_bytes":100,"pid":1}
{"not_counted":"cufftMakePlanMany","library":"cuFFT","low_bytes":10,"high_bytes":50,"pid":1}
{"refused":"cusparseCreate","pid":1}
{"refused":"cuspa)");
    const RehearsedCard::Ledger ledger = card.ledger();
    EXPECT_THAT(ledger.refused, ElementsAre(Pair("cusparseCreate", 2)));
    EXPECT_THAT(ledger.notCounted, ElementsAre(protocol::UncountedMemory{"cuFFT", "cufftMakePlanMany", 10, 100}));
}

TEST_F(RehearsedCardTest, aProfileThatDoesNotSayWhatCudaIsAskedForIsRefused)
{
    simulator::DeviceProfile profile = profileOf("t4");
    profile.card.reset();
    EXPECT_THAT(refusal([&] { const RehearsedCard card(profile, {.capacity = Capacity::OfTheCard}); }),
        HasSubstr("device.name: the profile of t4 does not say what CUDA is asked for"));
    EXPECT_THAT(refusal([&] { const RehearsedCard card(profileOf("cpu"), {.capacity = Capacity::OfTheCard}); }),
        HasSubstr("cpu is no card with a memory of its own"));
}

TEST_F(RehearsedCardTest, aMissingSubstituteIsSaid)
{
    m_libraries.set((m_folder.path() / "nothing").string());
    EXPECT_THROW(RehearsedCard(profileOf("t4"), {.capacity = Capacity::OfTheCard}), FileError);
}

} // namespace
} // namespace headroom::experiments::rehearsed_card_test
