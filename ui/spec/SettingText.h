// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Field.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace headroom::ui {

/// One setting as a form shows it.
struct Setting {
    std::string path; ///< in full: "workload.batch", "techniques.checkpointing"
    std::string label; ///< for people: "Batch"
    config::Field field;
    /// Throws UsageError for a single value that is of the field's type and still none: an unknown notation or name.
    std::function<void(const config::Value&)> check = {};
    /// Values to choose from, beside those of the field; more are allowed.
    std::vector<std::string> suggestions = {};
    /// Whether a spec has to have it: then there is no default to go back to.
    enum class Need { Optional, Required };
    Need need = Need::Optional;
    /// The unit in which people read and write an integer: 2^30 where a spec has bytes and people GiB.
    std::int64_t unit = 1;
};

/// What people typed: one value, or several with commas between them, which is a sweep axis.
struct TypedValue {
    config::Value value; ///< null where there is a problem
    std::size_t count = 0;
    std::string problem; ///< a sentence; empty where the text is right
};

TypedValue typedValue(const std::string& text, const Setting& setting);

/// The text that `typedValue` reads back: "none, all, every:2".
std::string textOf(const config::Value& value, const config::Field& field);
/// The same in the setting's unit: "24", "7.5".
std::string textOf(const config::Value& value, const Setting& setting);

/// The same for a value of which the field is not known.
std::string textOf(const config::Value& value);

/// Number of values that the setting takes; 1 unless it is an axis.
std::size_t valuesIn(const config::Value& value, const config::Field& field);

/// The single values of an axis, or the value alone.
config::Value::List singleValues(const config::Value& value, const config::Field& field);

/// "num_layers" as "Num layers".
std::string titleOf(const std::string& key);

/// The setting without the words that people need not read: "checkpointing", "batch", "device".
std::string shortPath(const std::string& path);

} // namespace headroom::ui
