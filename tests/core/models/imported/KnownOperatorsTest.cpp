// SPDX-License-Identifier: Apache-2.0
//
// The list of operators that an archive may run (core/config) against the LibTorch that is linked.
#include "core/config/imported/KnownOperators.h"

#include "core/tensor/Torch.h"
#include "tests/support/Checkout.h"
#include "tests/support/TextFiles.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <map>
#include <sstream>

namespace headroom::models::known_operators_test {
namespace {

constexpr std::string_view kAten = "aten::";
constexpr const char* kTable = "tests/reference/operators.txt";

std::optional<c10::OperatorHandle> schemaOf(const std::string& known)
{
    const std::size_t dot = known.find('.');
    return c10::Dispatcher::singleton().findSchema(
        {std::string(kAten) + known.substr(0, dot), dot == std::string::npos ? "" : known.substr(dot + 1)});
}

/// Overloads of one name: those that an archive may run, and others.
struct Decided {
    std::vector<std::string> runs;
    std::vector<std::string> others;
};

// "add: Scalar Tensor | not Scalar_out out", one line for each name.
std::string lineOf(const std::string& name, const Decided& decided)
{
    std::string line = name + ":";
    for (const std::string& overload : decided.runs)
        line += " " + overload;
    if (!decided.others.empty())
        line += " | not";
    for (const std::string& overload : decided.others)
        line += " " + overload;
    return line;
}

std::vector<std::string> tableOfLibTorch()
{
    std::map<std::string, Decided> names;
    for (const c10::OperatorName& op : c10::Dispatcher::singleton().getAllOpNames()) {
        if (!op.name.starts_with(kAten))
            continue;
        const std::string name = op.name.substr(kAten.size());
        const std::string overload = op.overload_name.empty() ? "default" : op.overload_name;
        Decided& decided = names[name];
        (config::isKnownOperator("torch.ops.aten." + name + "." + overload) ? decided.runs : decided.others)
            .push_back(overload);
    }
    std::vector<std::string> lines;
    for (auto& [name, decided] : names) {
        std::ranges::sort(decided.runs);
        std::ranges::sort(decided.others);
        lines.push_back(lineOf(name, decided));
    }
    return lines;
}

std::vector<std::string> committedTable()
{
    std::istringstream text(contentOf(checkout(kTable)));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);)
        if (!line.starts_with('#'))
            lines.push_back(line);
    return lines;
}

std::vector<std::string> onlyIn(std::vector<std::string> lines, std::vector<std::string> others)
{
    std::ranges::sort(lines);
    std::ranges::sort(others);
    std::vector<std::string> only;
    std::ranges::set_difference(lines, others, std::back_inserter(only));
    return only;
}

// An operator that a new LibTorch brings is decided by who changes the table (and the list, if archives may run it).
TEST(KnownOperatorsTest, everyOperatorOfTheLinkedLibTorchIsDecided)
{
    EXPECT_THAT(onlyIn(tableOfLibTorch(), committedTable()), testing::IsEmpty()) << "which is not in " << kTable;
    EXPECT_THAT(onlyIn(committedTable(), tableOfLibTorch()), testing::IsEmpty()) << "of " << kTable;
}

// Prints the table: run it with --gtest_also_run_disabled_tests.
TEST(KnownOperatorsTest, DISABLED_printsTheTable)
{
    for (const std::string& line : tableOfLibTorch())
        std::cout << line << "\n";
}

TEST(KnownOperatorsTest, everyKnownOperatorIsLibTorchs)
{
    EXPECT_GT(config::knownOperators().size(), 1000U);
    for (const std::string& known : config::knownOperators())
        EXPECT_TRUE(schemaOf(known)) << known;
}

bool isTextType(const c10::Type& type)
{
    return type.kind() == c10::TypeKind::StringType
        || std::ranges::any_of(type.containedTypes(), [](const c10::TypePtr& inner) { return isTextType(*inner); });
}

bool isOutsideOfTensors(const c10::Type& type)
{
    using c10::TypeKind;
    constexpr std::array kKinds{TypeKind::StorageType, TypeKind::StreamObjType, TypeKind::CapsuleType,
        TypeKind::QSchemeType, TypeKind::AnyType, TypeKind::ClassType};
    return std::ranges::count(kKinds, type.kind()) > 0
        || std::ranges::any_of(
            type.containedTypes(), [](const c10::TypePtr& inner) { return isOutsideOfTensors(*inner); });
}

// Texts that choose one of a few ways to compute, or are a message: none of them is the name of anything.
constexpr std::array<std::string_view, 17> kChoices{"approximate", "api_name", "assert_msg", "driver", "equation",
    "indexing", "interpolation", "mode", "norm", "ord", "p", "pad_mode", "padding", "padding_side", "reduce",
    "rounding_mode", "side"};
constexpr std::string_view kTriangle = "UPLO";

constexpr std::array<std::string_view, 17> kParts{"from_file", "resize", "unsafe", "_cuda", "cudnn", "cufft", "miopen",
    "mkldnn", "_index_put_impl", "backward", "sparse", "nested", "pin_memory", "record_stream", "_from_blob",
    "set_data", "storage_"};

/// Why an operator must not be on the list; empty: nothing is known against it.
std::string objectionTo(const c10::FunctionSchema& schema)
{
    const std::string name = schema.name().substr(kAten.size());
    if (name.starts_with("set"))
        return "sets the storage";
    for (const std::string_view part : kParts)
        if (name.find(part) != std::string::npos && name != "sym_storage_offset")
            return "is named " + std::string(part);
    for (const c10::Argument& argument : schema.arguments()) {
        if (isTextType(*argument.type()) && argument.name() != kTriangle
            && std::ranges::count(kChoices, argument.name()) == 0)
            return "takes the text " + argument.name();
        if (isOutsideOfTensors(*argument.type()))
            return "takes " + argument.name() + ", which is no tensor";
        if (argument.kwarg_only() && argument.alias_info() != nullptr && argument.alias_info()->isWrite())
            return "resizes " + argument.name();
    }
    return {};
}

TEST(KnownOperatorsTest, noKnownOperatorTakesAPathAStorageOrATensorToResize)
{
    for (const std::string& known : config::knownOperators())
        if (const auto op = schemaOf(known)) {
            EXPECT_EQ(objectionTo(op->schema()), "") << known;
        }
}

TEST(KnownOperatorsTest, theRulesObjectToWhatIsDangerous)
{
    for (const std::string dangerous : {"from_file", "from_file.out", "set_.source_Storage", "set_.source_Tensor",
             "set_data", "resize_", "resize_as_", "_resize_output_", "_unsafe_index.Tensor", "_unsafe_view",
             "_index_put_impl_", "_cudnn_rnn", "_cufft_set_plan_cache_max_size", "_sparse_coo_tensor_unsafe",
             "record_stream", "add.out", "max_pool2d_with_indices_backward", "softmax.Dimname", "_print"}) {
        const auto op = schemaOf(dangerous);
        ASSERT_TRUE(op) << dangerous;
        EXPECT_NE(objectionTo(op->schema()), "") << dangerous;
        EXPECT_FALSE(config::knownOperators().contains(dangerous)) << dangerous;
    }
}

} // namespace
} // namespace headroom::models::known_operators_test
