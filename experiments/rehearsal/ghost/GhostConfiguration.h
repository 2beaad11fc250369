// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/rehearsal/ghost/GhostDescription.h"

#include <set>
#include <string>

namespace headroom::experiments {

/// A model's configuration file, read as the description of its architecture asks it.
class GhostConfiguration {
public:
    /// `entries`: the file's keys, those of nested objects as KEY.NAME; `where`: the file. The description has to
    /// outlive it. Throws UsageError, naming file and key, for a key that is missing or of another kind, for a rule of
    /// the description that does not hold, and for weights that are stored quantised.
    GhostConfiguration(
        const GhostDescription& description, std::string className, config::ValueMap entries, std::string where);

    /// A key of the file or what upstream takes for it, a value of the description, or `class`. Throws UsageError for a
    /// name that is none of these.
    config::Value find(const std::string& name) const;
    GhostNames names() const;

    const GhostDescription& description() const { return m_description; }
    const std::string& where() const { return m_where; }
    /// The type of the weights that the file names, as torch calls it; empty: none.
    std::string dtype() const;

private:
    const config::Value* entry(const std::string& key) const;
    config::Value keyed(const std::string& name, const GhostKey& key) const;
    config::Value computed(const std::string& name, const GhostExpression& formula) const;
    config::Value entriesOf(const std::string& object) const;
    void check() const;

    const GhostDescription& m_description;
    std::string m_class;
    config::ValueMap m_entries;
    std::string m_where;
    mutable std::set<std::string> m_open; ///< names that are being computed
};

} // namespace headroom::experiments
