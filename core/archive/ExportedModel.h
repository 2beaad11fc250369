// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/archive/ExportedGraph.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace headroom::archive {

enum class StoredKind { Parameter, Buffer, Constant };

/// A tensor that the graph reads and the model owns.
struct StoredTensor {
    StoredKind kind = StoredKind::Parameter;
    std::string name; ///< dotted, as in the model's state_dict
    std::string value; ///< its name in the graph
    TensorInfo info; ///< of fixed sizes
    std::string entry{}; ///< of the archive, with its values; empty: it has none
    std::int64_t offsetElements = 0; ///< of the first one within the entry
    std::vector<std::int64_t> strides{}; ///< in elements; empty: contiguous
    std::string tiedTo{}; ///< the parameter that is the same tensor; empty: it is its own

    std::int64_t elements() const { return info.elements({}); }
};

/// An argument of the forward.
struct UserInput {
    std::string name; ///< in the graph: that of the argument, or of its path in nested ones
    std::optional<TensorInfo> tensor; ///< nothing: a number
    Size number{}; ///< of a number
};

/// A number or a text among the forward's arguments that the export wrote into the graph.
struct FixedInput {
    std::string name;
    std::variant<std::int64_t, double, bool, std::string> value;
};

/// A size that the export left free.
struct FreeDimension {
    std::string name; ///< of the workload's field: "batch", or "input_ids.1"
    std::vector<std::string> aliases{}; ///< other names: input and dimension, wherever it stands
    std::string symbol;
    std::int64_t example = 0;
    std::int64_t minimum = 1;
    std::optional<std::int64_t> maximum{};
};

/// A function whose own backward the export lost.
struct LostFunction {
    std::string name;
    std::string source;
};

/// A question about the value of a tensor, or a draw, that the capture answered for a library: "masking_utils.py:292".
struct AnsweredQuestion {
    std::string source;
    bool answer = false;
};

/// What extra/headroom.json says (schema headroom.capture/1). The capture script writes it; torch.export alone does
/// not.
struct CaptureNotes {
    bool isPresent = false;
    std::string model; ///< class
    std::optional<bool> isTraining;
    std::string autocast; ///< dtype of an autocast region around the export, which the graph lacks; empty: none
    std::string exportedOn;
    std::vector<std::string> blockClasses;
    std::vector<std::string> blocks; ///< paths
    std::map<std::string, std::string> tied; ///< other name -> name
    std::vector<std::string> frozen;
    /// Regular expressions: modules that the class keeps out of layerwise casting.
    std::vector<std::string> keptFromCasting;
    std::vector<LostFunction> lostFunctions;
    std::vector<AnsweredQuestion> answered;
    std::string fixedBecause; ///< why the export could not leave sizes free; empty: it could
    std::string lifetimesProblem; ///< why lifetimes were not seen; empty: not known
    /// Value -> node before which its Python object dies; empty: it outlives the graph. Nothing: not recorded.
    std::optional<std::map<std::string, std::string>> lifetimes;
    std::map<std::string, std::string> versions;
};

/// A model that torch.export.save wrote.
struct ExportedModel {
    std::filesystem::path file;
    std::string contentId;
    std::string torchVersion;
    Graph graph;
    std::vector<StoredTensor> tensors; ///< in the order of the signature
    std::vector<UserInput> inputs;
    std::vector<FixedInput> fixedInputs{};
    std::vector<std::string> outputs; ///< values, in order; without those that buffers take
    std::map<std::string, std::string>
        outputNames{}; ///< value -> key in the dict or data class that the forward returns
    std::vector<FreeDimension> dimensions;
    std::vector<std::string> guards; ///< what the export assumed, in Python
    CaptureNotes notes;
    std::vector<std::string> remarks; ///< what a person should know

    /// The symbols' values for the workload's shapes (by field name).
    SymbolValues symbols(const std::map<std::string, std::int64_t>& shapes) const;
    const StoredTensor* findStored(const std::string& value) const;
};

/// Reads an archive, values of tensors left out. Throws FileError that names file, place, what was found and what is
/// valid. The same file is read once in a process, until it changes.
std::shared_ptr<const ExportedModel> readExportedModel(const std::filesystem::path& file);

/// The same, read anew each time.
std::shared_ptr<const ExportedModel> loadExportedModel(const std::filesystem::path& file);

} // namespace headroom::archive
