// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Value.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace headroom::config {

/// A key of a configuration file that is no field: what it has to say for the family to be what the file means.
struct FixedKey {
    std::string key;
    std::vector<Value> values; ///< any of them
};

/// How the configuration files of one upstream class become fields of a family. A file's keys are the names of fields
/// unless it is said otherwise here; keys that begin with "_" say nothing of the model.
struct UpstreamClass {
    std::string name; ///< `_class_name` of diffusers, an entry of transformers' `architectures`
    /// transformers' `model_type`, for files that name no class; empty where it says too little.
    std::string modelType{};
    /// What upstream takes for keys that a file leaves out, by field, where that is not the family's default.
    ValueMap defaults{};
    std::map<std::string, std::string> renamed{}; ///< key to field
    /// Keys for which null says as much as leaving them out.
    std::vector<std::string> nullable{};
    /// Keys that change neither what is computed nor its memory; those of the objects that they hold too.
    std::vector<std::string> harmless{};
    std::vector<FixedKey> fixed{};
    /// Changes the fields where one of a file's `entries` has to be said in another way. May throw UsageError.
    std::function<void(ValueMap& fields, const ValueMap& entries, const std::string& where)> settle{};
};

/// How an input of a forward comes in a file of tensors.
enum class InputForm {
    Activation, ///< floating tensors take the model's type
    AsGiven,
    HostNumbers, ///< read by the host: `elements` of them, in a tensor
};

/// A forward's argument. A tuple is NAME.0, NAME.1 and so on, in a file as for the model; one of host numbers may also
/// be one tensor, and is one for the model.
struct UpstreamInput {
    enum class Presence { Required, Optional };

    std::string name;
    InputForm form = InputForm::Activation;
    Presence presence = Presence::Required;
    std::size_t elements = 1; ///< of a tuple: more than one
};

/// What files of weights have beside a family's parameters.
struct UpstreamWeights {
    /// Other names of parameters: tied weights are written under any of their names.
    std::map<std::string, std::string> aliases{};
    /// Regular expressions, searched in a name: tensors that upstream's own loading passes over.
    std::vector<std::string> ignored{};
};

/// What is wrong with the inputs that are given, by name, for a model with these fields: a sentence, empty where
/// nothing is.
using InputProblem = std::function<std::string(const ValueMap& fields, const std::set<std::string>& given)>;

/// What is known of a family's files as upstream writes them.
struct UpstreamFamily {
    std::vector<UpstreamClass> classes; ///< none: no upstream class is the family
    std::vector<UpstreamInput> inputs;
    UpstreamWeights weights{};
    InputProblem inputProblem{}; ///< beyond what every input's presence says; empty: nothing
};

} // namespace headroom::config
