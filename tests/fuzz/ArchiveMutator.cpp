// SPDX-License-Identifier: Apache-2.0
//
// Changes to model.json that keep its form: expressions of sizes, guards, ranges and operators. Changed letters hardly
// ever make an expression that is read, still less one that agrees with the example, so that its value is asked for.
#include "core/archive/SizeExpression.h"
#include "tests/support/SketchedArchive.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>

// libFuzzer's own; null in a plain build.
extern "C" __attribute__((weak)) std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);
extern "C" std::size_t LLVMFuzzerCustomMutator(
    std::uint8_t* data, std::size_t size, std::size_t most, unsigned int seed);

namespace {

using headroom::SketchedModel;
using Json = nlohmann::json;

constexpr int kDeepest = 5;

class Mutation {
public:
    explicit Mutation(unsigned int seed)
        : m_random(seed)
    {
    }

    bool isWild() { return draw(3) == 0; }

    void change(Json& model)
    {
        Json& graph = model.at("graph_module").at("graph");
        switch (draw(8)) {
        case 0:
            model["guards_code"].push_back(guard());
            return;
        case 1:
            model["range_constraints"]["s0"] = {{"min_val", number()}, {"max_val", number()}};
            return;
        case 2:
            graph["nodes"].at(draw(graph["nodes"].size()))["target"] = target();
            return;
        case 3:
            changeNumber(graph, "n" + std::to_string(draw(4)));
            return;
        default:
            changeValue(graph.at("tensor_values"));
        }
    }

private:
    std::size_t draw(std::size_t count) { return count == 0 ? 0 : m_random() % count; }

    template <std::size_t count> std::string one(const std::array<const char*, count>& of) { return of[draw(count)]; }

    // Of values that no node makes nothing is asked.
    void changeNumber(Json& graph, const std::string& name)
    {
        if (!graph["sym_int_values"].contains(name))
            graph["nodes"].push_back({{"target", "math.trunc"}, {"inputs", Json::array()},
                {"outputs", {{{"as_sym_int", {{"as_name", name}}}}}}, {"metadata", Json::object()}});
        graph["sym_int_values"][name] = size();
    }

    // Of the inputs only one size is a symbol alone, from which others follow.
    void changeValue(Json& values)
    {
        const std::string name = draw(8) == 0 ? "x" : one(std::array{"a", "b"});
        values.at(name)["sizes"][name == "x" ? 1 : draw(2)] = size();
    }

    std::int64_t number()
    {
        constexpr std::array<std::int64_t, 10> kNumbers{
            0, 1, 2, 3, -1, 64, 100, 4096, 999'999'999'999'999'999, -999'999'999'999'999'999};
        return kNumbers[draw(kNumbers.size())];
    }

    std::string expression(int depth)
    {
        if (depth >= kDeepest || draw(3) == 0)
            return draw(2) == 0 ? "Symbol('s" + std::to_string(draw(8) == 0 ? 1 : 0) + "', positive=True)"
                                : "Integer(" + std::to_string(number()) + ")";
        constexpr std::array kOfMany{"Add", "Mul", "Max", "Min"};
        constexpr std::array kOfTwo{
            "Pow", "PowByNatural", "FloorDiv", "CleanDiv", "CeilDiv", "IntTrueDiv", "Mod", "PythonMod", "Rational"};
        constexpr std::array kOfOne{"floor", "ceiling", "ToFloat", "TruncToInt", "FloorToInt", "CeilToInt"};
        switch (draw(3)) {
        case 0:
            return call(one(kOfMany), 1 + draw(4), depth);
        case 1:
            return call(one(kOfTwo), 2, depth);
        default:
            return call(one(kOfOne), 1, depth);
        }
    }

    std::string call(const std::string& function, std::size_t arguments, int depth)
    {
        std::string text = function + "(";
        for (std::size_t i = 0; i < arguments; ++i)
            text += (i == 0 ? "" : ", ") + expression(depth + 1);
        return text + ")";
    }

    // Mostly with the value that it has in the example, so that the archive is read on.
    Json size()
    {
        const std::string text = expression(0);
        std::int64_t hint = number();
        if (const auto parsed = headroom::archive::SizeExpression::parse(text); parsed && draw(4) != 0)
            if (const double value = parsed->at({{"s0", 2}}).value_or(0); value >= 0 && value < 1e9)
                hint = static_cast<std::int64_t>(value);
        return {{"as_expr", {{"expr_str", text}, {"hint", {{"as_int", hint}}}}}};
    }

    std::string guard()
    {
        constexpr std::array kSigns{" <= ", " == ", " // ", " % ", " ** ", " * ", " and ", " - "};
        std::string text = "L['x'].size()[0]";
        for (std::size_t i = draw(6); i > 0; --i)
            text = (draw(2) == 0 ? "(" + text + ")" : text) + one(kSigns) + std::to_string(number());
        return text;
    }

    std::string target()
    {
        constexpr std::array kTargets{"torch.ops.aten.from_file.default", "torch.ops.aten.set_.source_Tensor",
            "torch.ops.aten.mm.default", "torch.ops.aten.conv2d.default", "torch.ops.aten..", "torch.ops.aten.add",
            "_operator.mul", "torch.ops.aten.scaled_dot_product_attention.default",
            "torch.ops.higher_order.wrap_with_set_grad_enabled"};
        return one(kTargets);
    }

    std::minstd_rand m_random;
};

// A zip file is changed as the archive that all of the corpus began as.
std::string structured(std::string_view text, Mutation& mutation)
{
    Json model = text.starts_with("PK") ? SketchedModel().model() : Json::parse(text, nullptr, false);
    try {
        mutation.change(model);
        return model.dump();
    } catch (const Json::exception&) { // it has another form by now
        return {};
    }
}

} // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(
    std::uint8_t* data, std::size_t size, std::size_t most, unsigned int seed)
{
    Mutation mutation(seed);
    if (LLVMFuzzerMutate != nullptr && mutation.isWild())
        return LLVMFuzzerMutate(data, size, most);
    const std::string changed = structured({reinterpret_cast<const char*>(data), size}, mutation);
    if (changed.empty() || changed.size() > most)
        return LLVMFuzzerMutate == nullptr ? size : LLVMFuzzerMutate(data, size, most);
    std::memcpy(data, changed.data(), changed.size());
    return changed.size();
}
