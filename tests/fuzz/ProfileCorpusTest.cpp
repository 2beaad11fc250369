// SPDX-License-Identifier: Apache-2.0
//
// What the fuzzer starts from, in a plain build too; and whether each of these profiles (profile_corpus.py) is read, or
// refused for what its name says.
#include "core/base/Error.h"
#include "profiling/simulator/profiles/DeviceProfile.h"
#include "tests/support/Checkout.h"
#include "tests/support/TextFiles.h"

#include <gmock/gmock.h>

#include <map>
#include <set>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace headroom::simulator {
namespace {

const std::filesystem::path kCorpus = checkout("tests/fuzz/corpus/profile");

const std::set<std::string> kRead{"caching", "exact", "rates", "mark"};

// What the message says of it; of the others it is enough that they are refused.
const std::map<std::string, std::string> kReasons{{"unknown_key", "nmae"}, {"wrong_type", "forty"}, {"negative", "-40"},
    {"not_finite", "nan"}, {"no_source", "source"}, {"rates_descend", "ascend"}, {"rates_ragged", "3 numbers"},
    {"capability", "7.5.9999999999"}, {"deep_key", "more than 32 parts"}, {"deep_quoted_key", "more than 32 parts"},
    {"deep_table", "more than 32 parts"}, {"date", "date"}};

// Empty if it is read.
std::string refusalOf(const std::filesystem::path& file)
{
    try {
        DeviceProfile::parse(contentOf(file), "profile.toml");
        return {};
    } catch (const UsageError& error) {
        EXPECT_THAT(error.what(), testing::StartsWith("profile.toml")) << file;
        EXPECT_LT(std::string(error.what()).size(), 1000u) << file;
        return error.what();
    }
}

TEST(ProfileCorpusTest, everyFileIsReadOrRefusedByTheFuzzer)
{
    std::size_t files = 0;
    for (const auto& file : std::filesystem::directory_iterator(kCorpus)) {
        const std::string bytes = contentOf(file.path());
        EXPECT_EQ(LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()), 0);
        ++files;
    }
    EXPECT_GT(files, 20u);
}

TEST(ProfileCorpusTest, onlySoundProfilesAreReadAndOthersAreRefusedForWhatIsWrong)
{
    for (const auto& file : std::filesystem::directory_iterator(kCorpus)) {
        const std::string name = file.path().stem().string();
        const std::string refusal = refusalOf(file.path());
        EXPECT_EQ(refusal.empty(), kRead.contains(name)) << name << ": " << refusal;
        if (const auto reason = kReasons.find(name); reason != kReasons.end()) {
            EXPECT_THAT(refusal, testing::HasSubstr(reason->second)) << name;
        }
    }
}

} // namespace
} // namespace headroom::simulator
