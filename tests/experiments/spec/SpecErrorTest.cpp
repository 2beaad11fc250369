// SPDX-License-Identifier: Apache-2.0
#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "core/config/catalogue/Catalogue.h"
#include "experiments/spec/SettingField.h"
#include "experiments/spec/SpecLoader.h"
#include "experiments/sweep/Sweep.h"
#include "tests/support/Checkout.h"
#include "tests/support/Configurations.h"
#include "tests/support/Refusal.h"

#include <gmock/gmock.h>

namespace headroom::experiments::spec_error_test {
namespace {

struct Case {
    const char* name;
    const char* toml;
    std::string message;
};

void PrintTo(const Case& c, std::ostream* stream)
{
    *stream << c.name;
}

class SpecErrorTest : public testing::TestWithParam<Case> { };

std::string messageOf(const std::string& toml)
{
    return refusal([&] { expand(loadSpecText(toml, "spec.toml", {})); });
}

TEST_P(SpecErrorTest, saysWhatWasWrongWhereAndWhatWouldBeRight)
{
    EXPECT_EQ(messageOf(GetParam().toml), GetParam().message);
}

// "(valid: name, num_layers, …)": the keys of a table grow with the catalogue. DeviceKey has such a sentence in full.
std::string validKeys(const std::string& table)
{
    return "(valid: " + tableFields(table, "ffn-stack-tiny", "").names() + ")";
}

// "(valid: gelu, geglu, …)": the words that a setting may have. SegmentAddressesWord has such a sentence in full.
std::string validWords(const std::string& path)
{
    return "(valid: " + joined(settingField(path, "ffn-stack-tiny", "").choices) + ")";
}

// "(valid: off, N, …)": the technique's own test has such a sentence in full.
std::string validNotations(const std::string& technique)
{
    return "(valid: " + errorOf([&] { settingOf(technique, "x"); }).value().valid() + ")";
}

INSTANTIATE_TEST_SUITE_P(Documents, SpecErrorTest,
    testing::Values(
        Case{"UnknownTable", "[modle]\nname = \"ffn-stack\"",
            "spec.toml:1:2: modle: unknown key \"modle\", did you mean \"model\"? (valid: name, title, description, "
            "model, workload, techniques, device, protocol, exclude, budget, part)"},
        Case{"UnknownPartTable", "[[part]]\nmodles.name = 1",
            "spec.toml:2:1: part.modles: unknown key \"modles\", did you mean \"model\"? (valid: model, workload, "
            "techniques, device, protocol)"},
        Case{"NameIsNumber", "name = 4", "spec.toml:1:8: name: found 4 (valid: text in quotes)"},
        Case{"ModelIsText", "model = \"ffn-stack\"", "spec.toml:1:9: model: found \"ffn-stack\" (valid: a table)"},
        Case{"NameWithControls", "name = \"\\u001b[31mred\"",
            "spec.toml:1:8: name: found \"\\u001B[31mred\" (valid: text of one line without control characters)"},
        Case{"NameOfTwoLines", "name = \"a\\nb\"",
            "spec.toml:1:8: name: found \"a\\nb\" (valid: text of one line without control characters)"},
        Case{"NameThatTurnsAround", "name = \"\\u202ebd.x\"",
            "spec.toml:1:8: name: found \"\\u202Ebd.x\" (valid: text of one line without control characters)"},
        Case{"ValueIsDate", "[model]\nname = 2024-01-01",
            "spec.toml:2:1: model.name: found a date (valid: a boolean, a number, text or a list of these)"},
        Case{"ExcludeWithoutSettings", "[model]\nname = \"ffn-stack\"\n[[exclude]]\nreason = \"x\"",
            "spec.toml:3:1: exclude: nothing says which trials (valid: settings such as split_ffn = \"4\")"}),
    [](const auto& given) { return given.param.name; });

INSTANTIATE_TEST_SUITE_P(Models, SpecErrorTest,
    testing::Values(Case{"NoModel", "name = \"x\"",
                        "model.name: no model is given (--model NAME, or --model FILE.pt2 for one of your own) (valid: "
                            + joined(config::modelNames()) + ")"},
        Case{"UnknownModel", "[model]\nname = \"ffn-stak\"",
            std::string("spec.toml:2:1: model.name: unknown model \"ffn-stak\", did you mean \"ffn-stack\"? (valid: ")
                + joined(config::modelNames()) + ")"},
        Case{"UnknownModelInList", "[model]\nname = [\"ffn-stack\",\n  \"bert\"]",
            "spec.toml:3:3: model.name: unknown model \"bert\": one of your own is given as FILE.pt2 (headroom models "
            "--capture-script names what "
            "writes it) (valid: "
                + joined(config::modelNames()) + ")"},
        Case{"ModelIsNumber", "[model]\nname = 4", "spec.toml:2:1: model.name: found 4 (valid: text)"},
        Case{"UnknownField", "[model]\nname = \"ffn-stack-tiny\"\nnum_layer = 2",
            "spec.toml:3:1: model.num_layer: unknown key \"num_layer\" of ffn-stack-tiny, did you mean \"num_layers\"? "
                + validKeys("model")},
        Case{"WrongType", "[model]\nname = \"ffn-stack\"\n[workload]\nseed = \"two\"",
            "spec.toml:4:1: workload.seed: found \"two\" (valid: an integer of at least 0)"},
        Case{"OutOfRange", "[model]\nname = \"ffn-stack\"\n[workload]\nseed = [1, -1]",
            "spec.toml:4:12: workload.seed: found -1 (valid: an integer of at least 0)"},
        Case{"EmptyList", "[model]\nname = \"ffn-stack\"\nnum_layers = []",
            "spec.toml:3:1: model.num_layers: found [] (valid: at least one value)"},
        Case{"BadChoice", "[model]\nname = \"ffn-stack\"\nactivation_fn = \"relu\"",
            "spec.toml:3:1: model.activation_fn: found \"relu\" " + validWords("model.activation_fn")}),
    [](const auto& given) { return given.param.name; });

#define TINY "[model]\nname = \"ffn-stack-tiny\"\n"

INSTANTIATE_TEST_SUITE_P(Workloads, SpecErrorTest,
    testing::Values(Case{"BadStep", TINY "[workload]\nstep = \"backward\"",
                        "spec.toml:4:1: workload.step: found \"backward\" " + validWords("workload.step")},
        Case{"UnknownShape", TINY "[workload]\nframes = 8",
            "spec.toml:4:1: workload.frames: unknown key \"frames\" of ffn-stack-tiny " + validKeys("workload")},
        Case{"AutocastNonsense", TINY "[workload]\nautocast = \"on\"",
            "spec.toml:4:1: workload.autocast: found \"on\" " + validWords("workload.autocast")}),
    [](const auto& given) { return given.param.name; });

INSTANTIATE_TEST_SUITE_P(Others, SpecErrorTest,
    testing::Values(
        Case{"Device", TINY "[device]\nname = \"gpu\"",
            "spec.toml:4:1: device.name: device \"gpu\" is not known (valid: cpu, cuda:N, sim:NAME, "
            "sim:NAME@RUNTIME, sim:FILE.toml, rehearsal:NAME, rehearsal:NAME@RUNTIME, rehearsal:FILE.toml)"},
        Case{"DeviceKey", TINY "[device]\nnames = \"cpu\"",
            "spec.toml:4:1: device.names: unknown key \"names\", did you mean \"name\"? (valid: name, "
            "memory_limit_bytes, segment_addresses, allocator)"},
        Case{"SegmentAddressesWord", TINY "[device]\nname = \"sim:t4\"\nsegment_addresses = \"up\"",
            "spec.toml:5:1: device.segment_addresses: found \"up\" (valid: linux, ascending)"},
        Case{"SegmentAddressesOfTheCpu", TINY "[device]\nname = \"cpu\"\nsegment_addresses = \"linux\"",
            "spec.toml:5:1: device.segment_addresses: found \"linux\" for the device cpu (valid: simulated and "
            "rehearsed devices)"},
        Case{"AllocatorKey", TINY "[device]\nname = \"cuda:0\"\nallocator = \"max_split:64\"",
            "spec.toml:5:1: device.allocator: unknown allocator setting 'max_split' (value '64') (valid: backend, "
            "expandable_segments, garbage_collection_threshold, graph_capture_record_stream_reuse, "
            "large_segment_size_mb, max_non_split_rounding_mb, max_split_size_mb, per_process_memory_fraction, "
            "pinned_num_register_threads, pinned_reserve_segment_size_mb, pinned_use_background_threads, "
            "pinned_use_cuda_host_register, release_lock_on_cudamalloc, roundup_power2_divisions)"},
        Case{"AllocatorValue",
            TINY "[device]\nname = \"sim:t4\"\nallocator = [\"default\",\n  \"max_split_size_mb:1\"]",
            "spec.toml:6:3: device.allocator: allocator setting 'max_split_size_mb' has the value '1' (valid: at least "
            "the large segment, 20 MB)"},
        Case{"AllocatorOfTheDriver", TINY "[device]\nname = \"sim:t4\"\nallocator = \"backend:cudaMallocAsync\"",
            "spec.toml:5:1: device.allocator: allocator setting 'backend' has the value 'cudaMallocAsync' (valid: "
            "native (the driver's own pool follows other rules, which are not simulated))"},
        Case{"AllocatorOfTheCpu", TINY "[device]\nname = \"cpu\"\nallocator = \"expandable_segments:True\"",
            "spec.toml:5:1: device.allocator: found \"expandable_segments:True\" for the device cpu, whose allocator "
            "has "
            "no settings (valid: cuda:N, rehearsed and simulated GPUs, or \"default\")"},
        Case{"AllocatorOfTheSimulatedCpu",
            TINY "[device]\nname = \"sim:cpu\"\nallocator = \"expandable_segments:True\"",
            "spec.toml:5:1: device.allocator: found \"expandable_segments:True\" for the device sim:cpu@torch-2.11, "
            "whose allocator has no settings (valid: cuda:N, rehearsed and simulated GPUs, or \"default\")"},
        Case{"AllocatorFractionAndLimit",
            TINY "[device]\nname = \"cuda:0\"\nmemory_limit_bytes = 4096\n"
                 "allocator = \"per_process_memory_fraction:0.5\"",
            "spec.toml:6:1: device.allocator: per_process_memory_fraction beside a memory limit of 4096 bytes (valid: "
            "one of them: device.memory_limit_bytes or the fraction)"},
        Case{"AllocatorIsNumber", TINY "[device]\nname = \"sim:t4\"\nallocator = 64",
            "spec.toml:5:1: device.allocator: found 64 (valid: text)"},
        Case{"MemoryLimit", TINY "[device]\nmemory_limit_bytes = 0",
            "spec.toml:4:1: device.memory_limit_bytes: found 0 (valid: an integer of at least 1)"},
        Case{"ProtocolKey", TINY "[protocol]\nstep = 4",
            "spec.toml:4:1: protocol.step: unknown key \"step\", did you mean \"steps\"? " + validKeys("protocol")},
        Case{"TimeoutList", TINY "[protocol]\ntimeout_seconds = [1, 2]",
            "spec.toml:4:1: protocol.timeout_seconds: found [1, 2] (valid: one number: it is not swept)"},
        Case{"ExcludeUnknownPath", TINY "[[exclude]]\ncolour = \"red\"",
            "spec.toml:4:1: exclude.colour: unknown path \"colour\" (valid: model.FIELD, workload.FIELD, "
            "device.name, device.memory_limit_bytes, device.segment_addresses, device.allocator, protocol.FIELD, "
            "TECHNIQUE, TECHNIQUE.OPTION)"},
        Case{"ExcludeUnknownField", TINY "[[exclude]]\nworkload.frames = 8",
            "spec.toml:4:10: exclude.workload.frames: unknown key \"frames\" of ffn-stack-tiny "
                + validKeys("workload")},
        Case{"ExcludeBadValue", TINY "[[exclude]]\nsplit_ffn = \"x\"",
            "spec.toml:4:1: exclude.split_ffn: found \"x\" " + validNotations("split_ffn")},
        Case{"TooManyTrials",
            TINY "[workload]\nseed = [0,1,2,3,4,5,6,7,8,9]\nbatch = [1,2,3,4,5,6,7,8,9,10]\n"
                 "sequence_length = [1,2,3,4,5,6,7,8,9,10]\naccumulate = [1,2,3,4,5,6,7,8,9,10]\n"
                 "clip_grad_norm = [0,1,2,3,4,5,6,7,8,9]\ngradients = [\"keep\", \"zero\"]",
            "spec.toml: the sweep has more than 100000 trials (valid: fewer values, or several experiments)"}),
    [](const auto& given) { return given.param.name; });

// Techniques that exist are many in time; what a message lists of them is not repeated here.
INSTANTIATE_TEST_SUITE_P(Techniques, SpecErrorTest,
    testing::Values(Case{"BadNotation", TINY "[techniques]\nsplit_ffn = [\"off\", \"0\"]",
                        "spec.toml:4:21: techniques.split_ffn: found \"0\" " + validNotations("split_ffn")},
        Case{"NotationIsReal", TINY "[techniques]\nsplit_ffn = 0.5",
            "spec.toml:4:1: techniques.split_ffn: found 0.5 (valid: a notation in quotes, or a list of them)"},
        Case{"BadOption", TINY "[techniques.split_ffn]\naccumulate = \"later\"",
            "spec.toml:4:1: techniques.split_ffn.accumulate: found \"later\" (valid: in_place, out_of_place)"},
        Case{"NeverWorks", TINY "[techniques]\nsplit_ffn = [\"off\", \"3\"]",
            "spec.toml:4:21: techniques.split_ffn: split_ffn = 3 does not divide the feed-forward's inner width 64 "
            "(valid: a value that works in some trial)"}),
    [](const auto& given) { return given.param.name; });

TEST(SpecErrorsTest, otherProgramsWordsHaveASuggestion)
{
    EXPECT_EQ(messageOf(TINY "[workload]\ndtype = \"bf16\""),
        "spec.toml:4:1: workload.dtype: found \"bf16\", did you mean \"bfloat16\"? " + validWords("workload.dtype"));
    EXPECT_TRUE(messageOf(TINY "[techniques]\ncheckpointing = \"full\"")
            .starts_with(
                "spec.toml:4:1: techniques.checkpointing: found \"full\", did you mean \"all\"? (valid: none, "));
    EXPECT_TRUE(messageOf(TINY "[techniques]\ntrainable = \"lora\"")
            .starts_with(
                "spec.toml:4:1: techniques.trainable: found \"lora\", did you mean \"lora:16\"? (valid: all, "));
}

TEST(SpecErrorsTest, unknownTechniqueNamesTheClosest)
{
    EXPECT_TRUE(messageOf(TINY "[techniques]\nsplit_fnn = \"4\"")
            .starts_with("spec.toml:4:1: techniques.split_fnn: unknown technique \"split_fnn\", did you mean "
                         "\"split_ffn\"? (valid: "));
}

TEST(SpecErrorsTest, unknownOptionNamesTheClosest)
{
    EXPECT_EQ(messageOf(TINY "[techniques.split_ffn]\nacumulate = \"in_place\""),
        "spec.toml:4:1: techniques.split_ffn.acumulate: unknown key \"split_ffn.acumulate\", did you mean "
        "\"split_ffn.accumulate\"? (valid: split_ffn.accumulate)");
}

TEST(SpecErrorsTest, anOptionAloneCanBeWhatObjects)
{
    const std::string message =
        messageOf(TINY "[workload]\nstep = \"train\"\n[techniques.optimizer]\nstate_dtype = \"bfloat16\"");
    EXPECT_TRUE(
        message.starts_with("techniques.optimizer: ") || message.find("techniques.optimizer") != std::string::npos)
        << message;
    EXPECT_EQ(message.find("map::at"), std::string::npos) << message;
}

TEST(SpecErrorsTest, aLossWithoutMeaningNamesThoseThatHaveOne)
{
    const std::string message = messageOf(TINY "[workload]\nstep = \"train\"\nloss = \"cross_entropy\"");
    EXPECT_NE(message.find("(valid: mean, mse, mean_square)"), std::string::npos) << message;
    EXPECT_EQ(message.find("(valid: "), message.rfind("(valid: ")) << message;
}

TEST(SpecErrorsTest, aLayerToRecomputeThatIsNotThereIsRefusedBeforeTheRun)
{
    const std::string message = messageOf(TINY "[workload]\nstep = \"train\"\n[techniques.checkpointing]\n"
                                               "notation = \"ops\"\nforce_recompute = [\"foo\"]");
    EXPECT_NE(message.find("\"foo\" is part of no Linear's path"), std::string::npos) << message;
}

TEST(SpecErrorsTest, slicesAreRefusedWhereThereAreNone)
{
    const std::string message = messageOf(TINY "[workload]\nstep = \"train\"\n[techniques.ema]\n"
                                               "notation = \"device\"\nslice_bytes = 8192");
    EXPECT_NE(message.find("device has no slices"), std::string::npos) << message;
}

TEST(SpecErrorsTest, whatIsValidIsSaidOnce)
{
    const std::string message = messageOf(TINY "[techniques]\ncasting = \"e4m3\"\n[workload]\nstep = \"train\"");
    EXPECT_EQ(message.find("(valid: "), message.rfind("(valid: ")) << message;
    EXPECT_NE(message.find("trainable = lora:R"), std::string::npos) << message;
}

TEST(SpecErrorsTest, whatCanBeReadIsReadBesideUnknownKeys)
{
    std::vector<UsageError> mistakes;
    const SpecDocument document = readSpecDocument("modle = 1\n[model]\nname = \"m\"\n[techniques]\nsplit_fnn = \"2\"\n"
                                                   "split_ffn = { notation = \"2\", acumulate = \"x\" }\n"
                                                   "[[part]]\nworkload.batch = 3\nworkloud.batch = 4\n",
        "spec.toml", mistakes);
    std::vector<std::string> places;
    for (const UsageError& mistake : mistakes)
        places.push_back(mistake.where());
    EXPECT_THAT(places,
        testing::UnorderedElementsAre(
            "spec.toml:1:1: modle", "spec.toml:5:1: techniques.split_fnn", "spec.toml:9:1: part.workloud"));
    EXPECT_EQ(document.settings.at("model.name").value, config::Value("m"));
    EXPECT_EQ(document.settings.at("techniques.split_ffn").value, config::Value("2"));
    EXPECT_EQ(document.parts.at(0).at("workload.batch").value, config::Value(3));
    EXPECT_THROW(readSpecDocument("modle = 1", "spec.toml"), UsageError);
    EXPECT_THROW(readSpecDocument("modle = = 1", "spec.toml", mistakes), UsageError);
}

TEST(SpecErrorsTest, textThatIsNoTomlNamesLineAndColumn)
{
    EXPECT_TRUE(messageOf("name = \"x\"\nmodel = = 4").starts_with("spec.toml:2:9: "));
}

TEST(SpecErrorsTest, missingFileIsAFileError)
{
    EXPECT_EQ(refusal<FileError>([] { loadSpecFile("/nowhere/spec.toml", {}); }),
        "/nowhere/spec.toml: spec cannot be read (valid: a TOML file, or the name of a preset)");
    EXPECT_THROW(loadSpecFile(checkout("."), {}), FileError);
}

} // namespace
} // namespace headroom::experiments::spec_error_test
