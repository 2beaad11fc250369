// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/results/OrderedJson.h"

#include <set>
#include <string>
#include <vector>

namespace headroom::cli {

/// The keys that docs/contract.md lists under a heading, as dotted patterns: `<name>` stands for any key.
class DocumentedKeys {
public:
    explicit DocumentedKeys(const std::string& heading);

    /// Records the keys of a record, including nested ones; returns those that the page does not list.
    std::vector<std::string> undocumented(const experiments::OrderedJson& record);

    /// The patterns that no key so far has matched.
    std::vector<std::string> unseen() const;

    std::size_t size() const { return m_patterns.size(); }

private:
    std::vector<std::string> m_patterns;
    std::set<std::string> m_seen;
};

} // namespace headroom::cli
