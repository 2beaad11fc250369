// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/program/TensorFile.h"

#include "experiments/results/OrderedJson.h"

#include <cmath>
#include <numbers>
#include <random>

namespace headroom::cli {
namespace {

using Row = std::vector<double>;

Row linear(const Row& input, const PlainTensor& weight, const PlainTensor& bias)
{
    Row output(bias.values.begin(), bias.values.end());
    for (std::size_t o = 0; o < output.size(); ++o)
        for (std::size_t i = 0; i < input.size(); ++i)
            output[o] += static_cast<double>(weight.values[o * input.size() + i]) * input[i];
    return output;
}

double gelu(double x)
{
    return 0.5 * x * (1 + std::erf(x / std::numbers::sqrt2));
}

} // namespace

std::string safetensorsOf(const PlainTensors& tensors)
{
    experiments::OrderedJson header;
    std::string data;
    for (const auto& [name, tensor] : tensors) {
        const std::size_t begin = data.size();
        data.append(reinterpret_cast<const char*>(tensor.values.data()), tensor.values.size() * sizeof(float));
        header[name] = {{"dtype", "F32"}, {"shape", tensor.shape}, {"data_offsets", {begin, data.size()}}};
    }
    const std::string text = header.dump();
    std::string bytes;
    for (int i = 0; i < 8; ++i)
        bytes += static_cast<char>(text.size() >> (8 * i) & 0xFF);
    return bytes + text + data;
}

PlainTensor noise(std::vector<std::int64_t> shape, unsigned seed, double scale)
{
    std::size_t count = 1;
    for (const std::int64_t extent : shape)
        count *= static_cast<std::size_t>(extent);
    std::mt19937 random(seed);
    PlainTensor tensor{std::move(shape), std::vector<float>(count)};
    for (float& value : tensor.values)
        value = static_cast<float>(scale * (static_cast<double>(random()) / 2147483648.0 - 1.0));
    return tensor;
}

PlainTensors stackWeights()
{
    PlainTensors weights;
    for (unsigned layer = 0; layer < 2; ++layer) {
        const std::string prefix = "layers." + std::to_string(layer) + ".net.";
        weights[prefix + "0.proj.weight"] = noise({64, 16}, 10 * layer + 1, 0.4);
        weights[prefix + "0.proj.bias"] = noise({64}, 10 * layer + 2, 0.5);
        weights[prefix + "2.weight"] = noise({16, 64}, 10 * layer + 3, 0.2);
        weights[prefix + "2.bias"] = noise({16}, 10 * layer + 4, 0.5);
    }
    return weights;
}

PlainTensor stackOutput(const PlainTensors& weights, const PlainTensor& input)
{
    constexpr std::size_t kWidth = 16;
    PlainTensor output{input.shape, {}};
    for (std::size_t begin = 0; begin < input.values.size(); begin += kWidth) {
        const auto first = input.values.begin() + static_cast<std::ptrdiff_t>(begin);
        Row row(first, first + kWidth);
        for (int layer = 0; layer < 2; ++layer) {
            const std::string prefix = "layers." + std::to_string(layer) + ".net.";
            Row inner = linear(row, weights.at(prefix + "0.proj.weight"), weights.at(prefix + "0.proj.bias"));
            for (double& value : inner)
                value = gelu(value);
            row = linear(inner, weights.at(prefix + "2.weight"), weights.at(prefix + "2.bias"));
        }
        for (const double value : row)
            output.values.push_back(static_cast<float>(value));
    }
    return output;
}

} // namespace headroom::cli
