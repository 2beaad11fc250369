// SPDX-License-Identifier: Apache-2.0
#include "experiments/handoff/PythonText.h"

#include "core/base/Wording.h"
#include "core/protocol/Json.h"

namespace headroom::experiments {

std::string pythonText(const config::Value& value)
{
    if (value.isNull())
        return "None";
    if (value.isBoolean())
        return value.boolean() ? "True" : "False";
    if (value.isText())
        return nlohmann::json(value.text()).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
    if (!value.isList())
        return config::toLabel(value);
    std::vector<std::string> parts;
    for (const config::Value& part : value.list())
        parts.push_back(pythonText(part));
    return "[" + joined(parts) + "]";
}

std::string pythonList(const std::vector<std::string>& texts)
{
    return pythonText(config::Value::List(texts.begin(), texts.end()));
}

std::string pythonTuple(const std::vector<std::string>& texts)
{
    const std::string list = pythonList(texts);
    return "(" + list.substr(1, list.size() - 2) + (texts.size() == 1 ? ",)" : ")");
}

std::string torchDtype(config::Dtype dtype)
{
    return "torch." + config::toText(dtype);
}

void append(TextLines& lines, const TextLines& more)
{
    lines.insert(lines.end(), more.begin(), more.end());
}

TextLines indented(const TextLines& lines)
{
    TextLines result;
    for (const std::string& line : lines)
        result.push_back(line.empty() ? line : "    " + line);
    return result;
}

} // namespace headroom::experiments
