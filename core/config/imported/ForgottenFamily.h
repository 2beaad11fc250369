// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/ModelFamily.h"
#include "core/config/imported/ImportedFacts.h"

#include <map>
#include <memory>
#include <string>

namespace headroom::config {

/// What results say of one model whose archive is gone, by fields and shapes.
class RememberedFacts {
public:
    void add(const ValueMap& fields, const ValueMap& shapes, const ImportedFacts& facts);

    /// With other fields or shapes those of the model that were added first; null: nothing was added.
    const ImportedFacts* of(const ValueMap& fields, const ValueMap& shapes) const;
    /// Of any fields with these shapes, and the other way round.
    const ImportedFacts* ofShapes(const ValueMap& shapes) const;
    const ImportedFacts* ofFields(const ValueMap& fields) const;

private:
    struct Entry {
        ValueMap fields;
        ValueMap shapes;
        ImportedFacts facts;
    };
    std::vector<Entry> m_entries;
};

/// Describes a model whose archive is gone, so that its results can be read; nothing can be run. `fields` and `shapes`
/// are those of any of its trials; `facts` may get more while the family lives.
ModelFamily forgottenFamily(const std::string& name, const ValueMap& fields, const ValueMap& shapes,
    std::shared_ptr<const RememberedFacts> facts);

} // namespace headroom::config
