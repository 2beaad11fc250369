// SPDX-License-Identifier: Apache-2.0
#include "core/models/imported/SpareValues.h"

#include <utility>

namespace headroom::models {

GraphValues SpareValues::take(std::size_t count)
{
    const std::scoped_lock lock(m_mutex);
    if (m_spare.empty())
        return GraphValues(count);
    GraphValues values = std::move(m_spare.back());
    m_spare.pop_back();
    return values;
}

void SpareValues::put(GraphValues values)
{
    const std::scoped_lock lock(m_mutex);
    m_spare.push_back(std::move(values));
}

BlockValues::BlockValues(SpareValues& spare, const std::vector<ValueId>& touched, std::size_t count)
    : m_spare(spare)
    , m_touched(touched)
    , m_values(spare.take(count))
{
}

BlockValues::~BlockValues()
{
    for (const ValueId value : m_touched)
        at(value) = {};
    m_spare.put(std::move(m_values));
}

} // namespace headroom::models
