// SPDX-License-Identifier: Apache-2.0
#include "core/config/models/ClosedForms.h"

namespace headroom::config {
namespace {

std::string equation(const ValueMap& values, const char* name)
{
    return std::string(name) + " = " + toToml(values.at(name));
}

std::string shapePath(const char* name)
{
    return std::string("workload.") + name;
}

} // namespace

Problem fieldProblem(const ValueMap& fields, const char* name, const std::string& rest, const std::string& valid)
{
    return {equation(fields, name) + rest, std::string("model.") + name, valid};
}

Problem shapeProblem(const ValueMap& shapes, const char* name, const std::string& rest, const std::string& valid)
{
    return {equation(shapes, name) + rest, shapePath(name), valid};
}

void requireStep(
    const ValueMap& shapes, const char* name, std::int64_t step, std::int64_t offset, std::vector<Problem>& problems)
{
    const std::int64_t extent = integerOf(shapes, name);
    if (extent % step == offset)
        return;
    const std::int64_t below = (extent - offset) / step * step + offset;
    Problem problem = shapeProblem(shapes, name,
        (offset == 0 ? " is no multiple of " : " is not one more than a multiple of ") + std::to_string(step));
    for (const std::int64_t works : {below, below + step})
        if (works > 0) {
            problem.valid += (problem.valid.empty() ? "" : " or ") + std::to_string(works);
            problem.repairs.push_back({"Use " + std::to_string(works), shapePath(name), works});
        }
    problems.push_back(std::move(problem));
}

std::int64_t integerOf(const ValueMap& map, const char* name)
{
    return map.at(name).integer();
}

std::int64_t linearParameters(std::int64_t in, std::int64_t out, bool bias)
{
    return out * (in + (bias ? 1 : 0));
}

double productFlops(std::int64_t rows, std::int64_t in, std::int64_t out)
{
    return 2.0 * static_cast<double>(rows) * static_cast<double>(in) * static_cast<double>(out);
}

Field countField(const char* name, std::int64_t value, const char* help, std::int64_t maximum, std::int64_t minimum)
{
    return {.name = name,
        .type = FieldType::Integer,
        .defaultValue = value,
        .help = help,
        .minimum = static_cast<double>(minimum),
        .maximum = static_cast<double>(maximum)};
}

Field optionalCountField(const char* name, const char* help, std::int64_t maximum)
{
    return {.name = name,
        .type = FieldType::Integer,
        .defaultValue = {},
        .help = help,
        .minimum = 1,
        .maximum = static_cast<double>(maximum)};
}

Field realField(const char* name, double value, const char* help, double minimum, double maximum)
{
    return {.name = name,
        .type = FieldType::Real,
        .defaultValue = value,
        .help = help,
        .minimum = minimum,
        .maximum = maximum};
}

Field flagField(const char* name, bool value, const char* help)
{
    return {.name = name, .type = FieldType::Boolean, .defaultValue = value, .help = help};
}

} // namespace headroom::config
