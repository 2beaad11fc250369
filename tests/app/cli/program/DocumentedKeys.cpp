// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/program/DocumentedKeys.h"

#include "tests/support/Checkout.h"
#include "tests/support/TextFiles.h"

#include <algorithm>
#include <regex>

namespace headroom::cli {

using experiments::OrderedJson;

namespace {

// The first code span of a table row, "| `key` | ...".
std::string keyOfRow(const std::string& line)
{
    if (!line.starts_with("| `"))
        return {};
    return line.substr(3, line.find('`', 3) - 3);
}

// `workload.<field>` matches workload.batch; keys of models and techniques may contain a hyphen or a dot.
bool matches(const std::string& pattern, const std::string& path)
{
    std::string expression;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] == '<') {
            expression += "[^.]*"; // memory that no technique caused has an empty key
            i = pattern.find('>', i);
        } else if (std::string(".[]").find(pattern[i]) != std::string::npos) {
            expression += std::string("\\") + pattern[i];
        } else {
            expression += pattern[i];
        }
    }
    return std::regex_match(path, std::regex(expression));
}

void addPaths(const OrderedJson& value, const std::string& path, std::vector<std::string>& paths)
{
    const bool isListOfObjects = value.is_array() && !value.empty() && value.front().is_object();
    if (value.is_object() || isListOfObjects)
        for (const auto& [key, inner] : (isListOfObjects ? value.front() : value).items())
            addPaths(inner, path + (isListOfObjects ? "[]." : path.empty() ? "" : ".") + key, paths);
    if (!value.is_object())
        paths.push_back(path);
}

} // namespace

DocumentedKeys::DocumentedKeys(const std::string& heading)
{
    bool isInside = false;
    for (const std::string& line : linesOf(contentOf(checkout("docs/contract.md")))) {
        if (line.starts_with("#"))
            isInside = line == "### " + heading;
        if (const std::string key = keyOfRow(line); isInside && !key.empty())
            m_patterns.push_back(key);
    }
}

std::vector<std::string> DocumentedKeys::undocumented(const OrderedJson& record)
{
    std::vector<std::string> paths;
    addPaths(record, "", paths);
    std::vector<std::string> unknown;
    for (const std::string& path : paths) {
        const auto it = std::find_if(
            m_patterns.begin(), m_patterns.end(), [&](const std::string& pattern) { return matches(pattern, path); });
        if (it == m_patterns.end())
            unknown.push_back(path);
        else
            m_seen.insert(*it);
    }
    return unknown;
}

std::vector<std::string> DocumentedKeys::unseen() const
{
    std::vector<std::string> missing;
    std::copy_if(m_patterns.begin(), m_patterns.end(), std::back_inserter(missing),
        [&](const std::string& pattern) { return m_seen.count(pattern) == 0; });
    return missing;
}

} // namespace headroom::cli
