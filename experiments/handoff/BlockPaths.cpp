// SPDX-License-Identifier: Apache-2.0
#include "experiments/handoff/BlockPaths.h"

#include "core/config/catalogue/Catalogue.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace headroom::experiments {

namespace {

/// A numbered list of modules with the largest number that a layer's path names.
struct NumberedList {
    std::string path;
    int length = 0;
};

std::optional<int> numberIn(const std::string& word)
{
    int number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    return error == std::errc() && end == word.data() + word.size() ? std::optional(number) : std::nullopt;
}

// "transformer_blocks" and 3 of "transformer_blocks.3.attn1.to_out.0".
std::optional<std::pair<std::string, int>> firstNumbered(const std::string& path)
{
    for (std::size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', dot + 1))
        if (const auto number = numberIn(path.substr(dot + 1, path.find('.', dot + 1) - dot - 1)))
            return std::pair(path.substr(0, dot), *number);
    return std::nullopt;
}

std::vector<NumberedList> numberedLists(const std::vector<std::string>& linears)
{
    std::vector<NumberedList> lists;
    for (const std::string& path : linears) {
        const auto found = firstNumbered(path);
        if (!found)
            continue;
        auto list = std::ranges::find(lists, found->first, &NumberedList::path);
        if (list == lists.end())
            list = lists.insert(lists.end(), {found->first, 0});
        list->length = std::max(list->length, found->second + 1);
    }
    return lists;
}

} // namespace

int blockCountOf(const config::Configuration& configuration)
{
    return config::findModel(configuration.model, "model.name").family->blocks(configuration.modelFields);
}

std::vector<std::string> blockListPaths(const config::Configuration& configuration)
{
    const config::ModelFamily& family = *config::findModel(configuration.model, "model.name").family;
    const int blocks = blockCountOf(configuration);
    std::vector<NumberedList> lists = numberedLists(family.linears(configuration.modelFields));
    const auto total = [&] {
        int sum = 0;
        for (const NumberedList& list : lists)
            sum += list.length;
        return sum;
    };
    // Short lists beside the blocks (the two layers of an embedding) go first.
    while (!lists.empty() && total() > blocks)
        lists.erase(std::ranges::min_element(lists, {}, &NumberedList::length));
    std::vector<std::string> paths;
    if (total() == blocks)
        for (const NumberedList& list : lists)
            paths.push_back(list.path);
    return paths;
}

} // namespace headroom::experiments
