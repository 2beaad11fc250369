// SPDX-License-Identifier: Apache-2.0
//
// What the fuzzer starts from, in a plain build too; and whether each of these archives (archive_corpus.py) is read, or
// refused for what its name says, with its own name in the message.
#include "core/archive/ExportedModel.h"
#include "core/base/Error.h"
#include "tests/support/Checkout.h"
#include "tests/support/TextFiles.h"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <map>
#include <set>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace headroom::archive {
namespace {

const std::filesystem::path kCorpus = checkout("tests/fuzz/corpus/archive");

// What only looks odd, or stands where it does no harm.
const std::set<std::string> kRead{"sound", "sound_with_notes", "sound_compressed", "sound_without_folder", "deep_guard",
    "long_guard", "odd_guards", "guards_number", "ranges_list", "range_backwards", "odd_expression", "division_by_zero",
    "notes_circle", "long_names", "odd_stack", "path_outside"};

// What the message says of it; of the others it is enough that they are refused.
const std::map<std::string, std::string> kReasons{{"no_zip", "no zip file"}, {"empty", "no zip file"},
    {"truncated", "no zip file"}, {"lying_size", "more than"}, {"short_size", "cannot be read"},
    {"no_model", "models/model.json"}, {"no_json", "no JSON"}, {"number_beyond", "64-bit float"}, {"bomb", "values"},
    {"other_schema", "schema version 9"}, {"unknown_kind", "as_custom_obj"}, {"nested_graphs", "16 deep"},
    {"cyclic", "which no node before it makes"}, {"self_reading", "which no node before it makes"},
    {"value_twice", "a second time"}, {"unknown_dtype", "scalar type"}, {"negative_size", "-4"}, {"huge_value", "2^48"},
    {"huge_weights", "2^48"}, {"many_dimensions", "dimensions"}, {"no_graph", "graph"}, {"integer_beyond", "64 bits"},
    {"unknown_input_kind", "token"}, {"pickled", "pickle"}, {"notes_other_schema", "headroom.capture/99"},
    {"parameter_without_weight", "other"}, {"input_without_value", "y"}, {"stride_too_few", "1 strides for 2 sizes"},
    {"stride_negative", "no size"}, {"stride_text", "no size"}};

std::vector<std::filesystem::path> corpus()
{
    std::vector<std::filesystem::path> files;
    for (const auto& file : std::filesystem::directory_iterator(kCorpus))
        files.push_back(file.path());
    return files;
}

// Empty if it is read.
std::string refusalOf(const std::filesystem::path& file)
{
    try {
        loadExportedModel(file);
        return {};
    } catch (const FileError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr(file.filename().string()));
        EXPECT_LT(std::string(error.what()).size(), 1000u) << file;
        return error.what();
    }
}

TEST(ArchiveCorpusTest, everyFileIsReadOrRefusedByTheFuzzer)
{
    for (const auto& file : corpus()) {
        const std::string bytes = contentOf(file);
        EXPECT_EQ(LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()), 0);
    }
    EXPECT_GT(corpus().size(), 65u);
}

TEST(ArchiveCorpusTest, onlySoundArchivesAreReadAndOthersAreRefusedForWhatIsWrong)
{
    for (const auto& file : corpus()) {
        const std::string name = file.stem().string();
        const std::string refusal = refusalOf(file);
        EXPECT_EQ(refusal.empty(), kRead.contains(name)) << name << ": " << refusal;
        if (const auto reason = kReasons.find(name); reason != kReasons.end()) {
            EXPECT_THAT(refusal, testing::HasSubstr(reason->second)) << name;
        }
    }
}

// A bomb of 18 KiB would be 27 MB of text and some hundred MB of values.
TEST(ArchiveCorpusTest, noArchiveTakesMuchMemory)
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const long before = usage.ru_maxrss;
    for (const auto& file : corpus())
        refusalOf(file);
    getrusage(RUSAGE_SELF, &usage);
    EXPECT_LT(usage.ru_maxrss - before, 100 * 1024) << "KiB"; // the highest so far
}

} // namespace
} // namespace headroom::archive
