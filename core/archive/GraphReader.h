// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/archive/ExportedGraph.h"
#include "core/archive/JsonPlace.h"

#include <nlohmann/json.hpp>
#include <string>

namespace headroom::archive {

using Json = nlohmann::json;

/// Reads a graph of torch.export's schema, major version 8. `where` is the file, for messages. Throws FileError that
/// names the place within the file, what was found and what is valid, for other forms and unknown kinds of arguments.
Graph readGraph(const Json& graph, const JsonPlace& where);

/// A tensor's description (`tensor_values`, `tensor_meta`). Throws FileError.
TensorInfo readTensorInfo(const Json& json, const JsonPlace& where);

/// Throws FileError at `where` if the object has no such key, or a value of another type.
const Json& member(const Json& object, const char* key, const JsonPlace& where);
std::string textMember(const Json& object, const char* key, const JsonPlace& where);

/// The key and value of an object with one entry, as unions are written. Throws FileError.
std::pair<std::string, const Json*> unionOf(const Json& object, const JsonPlace& where);

} // namespace headroom::archive
