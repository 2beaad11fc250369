// SPDX-License-Identifier: Apache-2.0
#include "core/weights/WeightSource.h"

#include "core/base/Error.h"

#include <algorithm>

namespace headroom::models {
namespace {

constexpr std::size_t kListed = 5;

// "a", "b" and 3 more
template <typename T, typename Text> std::string listed(const std::vector<T>& items, Text text)
{
    std::string list;
    for (std::size_t i = 0; i < std::min(items.size(), kListed); ++i)
        list += (i == 0 ? "" : ", ") + text(items[i]);
    return items.size() <= kListed ? list : list + " and " + std::to_string(items.size() - kListed) + " more";
}

std::string shapeText(const std::vector<std::int64_t>& shape)
{
    std::string text;
    for (const std::int64_t extent : shape)
        text += (text.empty() ? "" : ", ") + std::to_string(extent);
    return "[" + text + "]";
}

std::string quoted(const std::string& name)
{
    return "\"" + name + "\"";
}

std::string wrongShape(const WeightMismatch::Shape& shape)
{
    return quoted(shape.name) + " is " + shapeText(shape.found) + " where the model has " + shapeText(shape.expected);
}

} // namespace

void requireFitting(const WeightSource& source, const torch::nn::Module& model)
{
    const WeightMismatch mismatch = source.compare(model);
    if (mismatch.isEmpty())
        return;
    std::string text;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
    if (!mismatch.missing.empty())
        add("there is no tensor " + listed(mismatch.missing, quoted));
    if (!mismatch.unexpected.empty())
        add("the model has no parameter " + listed(mismatch.unexpected, quoted));
    if (!mismatch.shapes.empty())
        add(listed(mismatch.shapes, wrongShape));
    throw FileError("the weights are not those of the model: " + text, source.name());
}

} // namespace headroom::models
