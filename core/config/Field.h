// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Value.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace headroom::config {

enum class FieldType { Boolean, Integer, Real, Text, Choice, IntegerList, TextList };

/// Whether values of this type are lists themselves, so that a sweep over the field is a list of lists.
bool isListType(FieldType type);

/// One named setting of a model, a workload, a technique or a protocol: the spec, the command line, the toggle panel
/// and the help text are built from it.
struct Field {
    std::string name;
    FieldType type = FieldType::Integer;
    Value defaultValue; ///< null: the field may be left out; `help` says what that means
    std::string help;
    std::vector<std::string> choices = {}; ///< Choice only
    std::optional<double> minimum = std::nullopt; ///< inclusive
    std::optional<double> maximum = std::nullopt; ///< inclusive
    /// Whether setting this value only makes sense in training, so that whoever gives it means to train; null: no value
    /// does.
    std::function<bool(const Value&)> asksForTraining = nullptr;

    /// The value converted to the field's own type (an integer given for a Real becomes one).
    /// Throws UsageError at `where` if type, choice or range do not fit.
    Value check(const Value& value, const std::string& where) const;

    /// The valid values in words: "an integer of at least 1", "one of gelu, geglu".
    std::string validValues() const;
};

/// An ordered set of fields with unique names.
class FieldSet {
public:
    FieldSet() = default;
    FieldSet(std::vector<Field> fields)
        : m_fields(std::move(fields))
    {
    }

    const std::vector<Field>& all() const { return m_fields; }
    const Field* find(const std::string& name) const;

    /// Throws UsageError at `where`, listing the existing names, if there is no such field.
    const Field& get(const std::string& name, const std::string& where) const;

    /// Every field with its default.
    ValueMap defaults() const;

    /// The defaults overlaid by `values`, each checked; `where` prefixes the key in messages.
    ValueMap complete(const ValueMap& values, const std::string& where) const;

    /// The entries of `values` that differ from the default.
    ValueMap differing(const ValueMap& values) const;

    /// "num_layers, dim, ...": for messages.
    std::string names() const;

private:
    std::vector<Field> m_fields;
};

/// The name among `candidates` that `name` was probably meant to be (ignoring case), or empty.
std::string closestName(const std::string& name, const std::vector<std::string>& candidates);

} // namespace headroom::config
