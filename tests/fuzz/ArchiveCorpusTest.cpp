// SPDX-License-Identifier: Apache-2.0
//
// What the fuzzer starts from, in a plain build too; and whether each of these archives (archive_corpus.py) is read, or
// refused for what its name says, with its own name in the message.
#include "core/archive/ExportedModel.h"
#include "core/base/Error.h"
#include "core/config/imported/ImportedRefusals.h"
#include "tests/fuzz/EvaluatedSizes.h"
#include "tests/support/Checkout.h"
#include "tests/support/SketchedArchive.h"
#include "tests/support/TemporaryFolder.h"
#include "tests/support/TextFiles.h"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <map>
#include <set>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" std::size_t LLVMFuzzerCustomMutator(
    std::uint8_t* data, std::size_t size, std::size_t most, unsigned int seed);

namespace headroom::archive {
namespace {

const std::filesystem::path kCorpus = checkout("tests/fuzz/corpus/archive");

// What only looks odd, or stands where it does no harm.
const std::set<std::string> kRead{"sound", "sound_with_notes", "sound_compressed", "sound_without_folder", "deep_guard",
    "long_guard", "odd_guards", "guards_number", "ranges_list", "range_backwards", "odd_expression", "division_by_zero",
    "notes_circle", "long_names", "odd_stack", "path_outside", "every_function", "wide_expression", "deep_expression",
    "size_of_itself", "from_file"};

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
    {"stride_negative", "no size"}, {"stride_text", "no size"}, {"quotient_of_zero", "no number of elements"},
    {"remainder_of_zero", "no number of elements"}, {"infinite_power", "no number of elements"},
    {"power_beyond", "no number of elements"}, {"negative_expression", "negative"},
    {"other_than_the_example", "makes 6 in the example"}, {"number_other_than_the_example", "makes 3 in the example"},
    {"symbolic_loop", "which no node before it makes"}, {"symbolic_loop_of_two", "which no node before it makes"}};

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

std::size_t evaluatedIn(const std::string& name)
{
    const auto model = loadExportedModel(kCorpus / (name + ".pt2"));
    return evaluatedSizes(model->graph, model->symbols({}));
}

// Those that are refused for what their expressions are worth say so above.
TEST(ArchiveCorpusTest, expressionsOfSizesAreEvaluated)
{
    EXPECT_EQ(evaluatedIn("every_function"), 2U * 19); // each as a size of a tensor and as a number
    EXPECT_EQ(evaluatedIn("wide_expression"), 1U);
    EXPECT_EQ(evaluatedIn("deep_expression"), 1U);
    EXPECT_EQ(evaluatedIn("sound"), 0U);
    EXPECT_EQ(evaluatedIn("size_of_itself"), 0U); // nobody tells what s0 is: the size stays the example's
}

// Whether the evaluator was asked: it has refused the model, or its sizes.
bool reachesTheEvaluator(const std::filesystem::path& file)
{
    try {
        const auto model = loadExportedModel(file);
        return evaluatedSizes(model->graph, model->symbols({})) > 0;
    } catch (const FileError& error) {
        return std::string(error.what()).find("its expression makes") != std::string::npos;
    }
}

std::string changedByTheFuzzer(std::string input, unsigned int seed)
{
    constexpr std::size_t kMost = 16384;
    const std::size_t size = input.size();
    input.resize(kMost);
    input.resize(LLVMFuzzerCustomMutator(reinterpret_cast<std::uint8_t*>(input.data()), size, kMost, seed));
    return input;
}

TEST(ArchiveCorpusTest, changesOfTheFuzzerReachTheEvaluator)
{
    constexpr unsigned int kInputs = 200;
    constexpr unsigned int kChanges = 4; // on top of each other
    const TemporaryFolder folder;
    unsigned int reached = 0;
    for (unsigned int i = 0; i < kInputs; ++i) {
        std::string input = "PK";
        for (unsigned int change = 0; change < kChanges; ++change)
            input = changedByTheFuzzer(input, i * kChanges + change);
        reached += reachesTheEvaluator(folder.write("changed.pt2", SketchedModel().bytesWith(input))) ? 1 : 0;
    }
    EXPECT_GT(reached, kInputs / 2);
}

TEST(ArchiveCorpusTest, anArchiveThatMapsAFileIsReadAndRefusedAndMakesNone)
{
    const auto model = loadExportedModel(kCorpus / "from_file.pt2");
    EXPECT_THAT(config::refusalsToRun(*model),
        testing::ElementsAre(testing::AllOf(testing::HasSubstr("from_file"), testing::HasSubstr("node \"mapped\""))));
    EXPECT_FALSE(std::filesystem::exists("made-by-an-archive"));
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
