// SPDX-License-Identifier: Apache-2.0
#include "experiments/results/RecordView.h"

#include "core/base/Wording.h"
#include "experiments/results/Shortage.h"

#include <algorithm>

namespace headroom::experiments {

const OrderedJson& RecordView::value(const std::string& key) const
{
    static const OrderedJson kNull = nullptr;
    std::string pointer = "/" + key;
    std::replace(pointer.begin(), pointer.end(), '.', '/');
    const OrderedJson::json_pointer path(pointer);
    return m_record.contains(path) ? m_record.at(path) : kNull;
}

std::optional<double> RecordView::number(const std::string& key) const
{
    const OrderedJson& found = value(key);
    return found.is_number() ? std::optional(found.get<double>()) : std::nullopt;
}

std::string RecordView::text(const std::string& key) const
{
    const OrderedJson& found = value(key);
    return found.is_string() ? found.get<std::string>() : "";
}

bool RecordView::hasFlag(const char* flag) const
{
    const OrderedJson& flags = value("flags");
    return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

std::string RecordView::ending() const
{
    const std::string outcome = inWords(text("outcome"));
    const std::string shortage = shortageText(m_record);
    const std::string reason = shortage.empty() ? text("reason") : shortage;
    return reason.empty() ? outcome : outcome + ": " + reason;
}

} // namespace headroom::experiments
