// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Value.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace headroom::config {

/// A key of a configuration file that is not a field: the values that it must have for the file to describe this
/// family.
struct FixedKey {
    std::string key;
    std::vector<Value> values; ///< any of them
};

/// How configuration files of one upstream class map to fields of a family. A file's keys are field names unless stated
/// otherwise here; keys that begin with "_" do not describe the model.
struct UpstreamClass {
    std::string name; ///< `_class_name` of diffusers, an entry of transformers' `architectures`
    /// transformers' `model_type`, for files that name no class; empty if it is ambiguous.
    std::string modelType{};
    /// Upstream's defaults for keys that a file leaves out, by field, if they differ from the family's.
    ValueMap defaults{};
    std::map<std::string, std::string> renamed{}; ///< key to field
    /// Keys for which null means the same as leaving them out.
    std::vector<std::string> nullable{};
    /// Keys that affect neither the computation nor its memory; if they hold objects, the keys of those too.
    std::vector<std::string> harmless{};
    std::vector<FixedKey> fixed{};
    /// Adjusts fields whose meaning in the file's `entries` differs from ours. May throw UsageError.
    std::function<void(ValueMap& fields, const ValueMap& entries, const std::string& where)> settle{};
};

/// How an input of a forward is stored in a file of tensors.
enum class InputForm {
    Activation, ///< floating-point tensors are converted to the model's type
    AsGiven,
    HostNumbers, ///< read by the host: `elements` numbers, in a tensor
};

/// An argument of a forward. A tuple is stored as NAME.0, NAME.1 and so on, and passed to the model in the same way; a
/// tuple of host numbers may also be stored as one tensor, and is passed as one.
struct UpstreamInput {
    enum class Presence { Required, Optional };

    std::string name;
    InputForm form = InputForm::Activation;
    Presence presence = Presence::Required;
    std::size_t elements = 1; ///< of a tuple: greater than one
};

/// What weight files contain besides a family's parameters.
struct UpstreamWeights {
    /// Other names of parameters: tied weights are stored under any of their names.
    std::map<std::string, std::string> aliases{};
    /// Regular expressions, searched in a name: tensors that upstream's own loading ignores.
    std::vector<std::string> ignored{};
};

/// What is wrong with the given inputs, by name, for a model with these fields: a sentence, empty if nothing is.
using InputProblem = std::function<std::string(const ValueMap& fields, const std::set<std::string>& given)>;

/// How upstream's files describe a family.
struct UpstreamFamily {
    std::vector<UpstreamClass> classes; ///< empty: the family has no upstream class
    std::vector<UpstreamInput> inputs;
    UpstreamWeights weights{};
    InputProblem inputProblem{}; ///< checks beyond the presence of each input; null: none
};

} // namespace headroom::config
