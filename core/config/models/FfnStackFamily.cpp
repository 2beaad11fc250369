// SPDX-License-Identifier: Apache-2.0
#include "core/config/models/FfnStackFamily.h"

#include "core/config/models/ClosedForms.h"

namespace headroom::config {
namespace {

// Rows of the first Linear: the gated kinds have a value half and a gate half.
std::int64_t ffnStackProjectionRows(const ValueMap& fields)
{
    return innerWidth(fields) * (isGated(fields.at("activation_fn").text()) ? 2 : 1);
}

// Only the last layer changes the width, so that any number of layers can be stacked.
std::int64_t layerOutput(const ValueMap& fields, std::int64_t layer)
{
    return layer + 1 == integerOf(fields, "num_layers") ? outputWidth(fields) : integerOf(fields, "dim");
}

std::int64_t ffnStackParameters(const ValueMap& fields)
{
    const std::int64_t dim = integerOf(fields, "dim");
    const std::int64_t bias = fields.at("bias").boolean() ? 1 : 0;
    std::int64_t count = 0;
    for (std::int64_t layer = 0; layer < integerOf(fields, "num_layers"); ++layer) {
        const std::int64_t out = layerOutput(fields, layer);
        count += ffnStackProjectionRows(fields) * (dim + bias) + out * (innerWidth(fields) + bias);
    }
    return count;
}

std::int64_t ffnStackTokens(const ValueMap& shapes)
{
    return integerOf(shapes, "batch") * integerOf(shapes, "sequence_length");
}

// The backward pass computes the gradients of weights and of inputs, each with as many operations as the forward
// product; the stack's own input needs no gradient.
double ffnStackFlopsPerStep(const ValueMap& fields, const ValueMap& shapes, StepKind step)
{
    const double perProduct = 2.0 * static_cast<double>(ffnStackTokens(shapes));
    const double first = perProduct * static_cast<double>(integerOf(fields, "dim") * ffnStackProjectionRows(fields));
    double forward = 0;
    for (std::int64_t layer = 0; layer < integerOf(fields, "num_layers"); ++layer)
        forward += first + perProduct * static_cast<double>(innerWidth(fields) * layerOutput(fields, layer));
    return step == StepKind::Inference ? forward : 3 * forward - first;
}

std::vector<std::string> ffnStackLinears(const ValueMap& fields)
{
    std::vector<std::string> paths;
    for (std::int64_t layer = 0; layer < integerOf(fields, "num_layers"); ++layer)
        for (const char* name : {".net.0.proj", ".net.2"})
            paths.push_back("layers." + std::to_string(layer) + name);
    return paths;
}

// The upper limits keep all counts of parameters, bytes and tokens far inside 64 bits.
std::vector<Field> ffnStackFields()
{
    return {
        {.name = "num_layers",
            .type = FieldType::Integer,
            .defaultValue = 5,
            .help = "feed-forward layers, one after the other",
            .minimum = 1,
            .maximum = 4096},
        {.name = "dim",
            .type = FieldType::Integer,
            .defaultValue = 4096,
            .help = "width of the input",
            .minimum = 1,
            .maximum = 262144},
        {.name = "dim_out",
            .type = FieldType::Integer,
            .defaultValue = {},
            .help = "width of the last layer's output; dim if not given",
            .minimum = 1,
            .maximum = 262144},
        {.name = "mult",
            .type = FieldType::Integer,
            .defaultValue = 4,
            .help = "inner width as a multiple of dim",
            .minimum = 1,
            .maximum = 256},
        {.name = "activation_fn",
            .type = FieldType::Choice,
            .defaultValue = "geglu",
            .help = "activation between the two Linears",
            .choices = activationKinds()},
        {.name = "bias", .type = FieldType::Boolean, .defaultValue = true, .help = "biases of both Linears"},
        {.name = "dropout",
            .type = FieldType::Real,
            .defaultValue = 0.0,
            .help = "drop probability after the activation",
            .minimum = 0,
            .maximum = 1},
    };
}

std::vector<Field> ffnStackShapes()
{
    return {
        {.name = "batch",
            .type = FieldType::Integer,
            .defaultValue = 2,
            .help = "samples per step",
            .minimum = 1,
            .maximum = 1048576},
        {.name = "sequence_length",
            .type = FieldType::Integer,
            .defaultValue = 8192,
            .help = "tokens per sample",
            .minimum = 1,
            .maximum = 16777216},
    };
}

// The stack is made of diffusers' FeedForward, but diffusers has no class for it and so no configuration files.
UpstreamFamily ffnStackUpstream()
{
    return {.classes = {}, .inputs = {{"hidden_states"}}};
}

} // namespace

const std::vector<std::string>& activationKinds()
{
    static const std::vector<std::string> kinds{
        "gelu", "gelu-approximate", "geglu", "geglu-approximate", "swiglu", "linear-silu"};
    return kinds;
}

bool isGated(const std::string& activation)
{
    return activation == "geglu" || activation == "swiglu";
}

std::int64_t innerWidth(const ValueMap& fields)
{
    return integerOf(fields, "dim") * integerOf(fields, "mult");
}

std::int64_t outputWidth(const ValueMap& fields)
{
    const Value& given = fields.at("dim_out");
    return given.isNull() ? integerOf(fields, "dim") : given.integer();
}

ModelFamily ffnStackFamily()
{
    ModelFamily family;
    family.name = "ffn-stack";
    family.title = "Stack of feed-forward layers";
    family.fields = FieldSet(ffnStackFields());
    family.hasAttention = false;
    family.shapes = FieldSet(ffnStackShapes());
    family.variants = {
        {"ffn-stack", "Feed-forward stack of the published split benchmark (5 layers, dim 4096)", {}, {}},
        {"ffn-stack-tiny", "Feed-forward stack for tests (2 layers, dim 16)", {{"num_layers", 2}, {"dim", 16}},
            {{"sequence_length", 8}}},
    };
    family.shapeWords = {"batch {batch}", "sequences of {sequence_length}"};
    family.fieldProblems = [](const ValueMap&) { return std::vector<Problem>{}; };
    family.problems = [](const ValueMap&, const ValueMap&) { return std::vector<Problem>{}; };
    family.parameters = ffnStackParameters;
    family.flopsPerStep = ffnStackFlopsPerStep;
    family.tokensPerStep = ffnStackTokens;
    family.blocks = [](const ValueMap& f) { return static_cast<int>(integerOf(f, "num_layers")); };
    family.feedForwardWidths = [](const ValueMap& f) { return std::vector<std::int64_t>{innerWidth(f)}; };
    family.linears = ffnStackLinears;
    family.adapterTargets = {"net.0.proj", "net.2"};
    family.feedForwardTokens = ffnStackTokens;
    family.upstream = ffnStackUpstream();
    return family;
}

} // namespace headroom::config
