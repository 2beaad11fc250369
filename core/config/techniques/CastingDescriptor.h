// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/TechniqueDescriptor.h"

namespace headroom::config {

inline constexpr const char* kCastingKey = "casting";

/// In which type weights are stored, and how many of them are upcast at a time.
struct CastingNotation {
    enum class Storage { None, E4m3, E5m2, BFloat16, Float16 };
    enum class Granularity { Layer, Group, Block, Model };
    Storage storage = Storage::None;
    Granularity granularity = Granularity::Layer;

    bool operator==(const CastingNotation&) const = default;
};

/// Parses `off`, `e4m3`, `e5m2`, `bf16`, `fp16`, each of those with `:layer`, `:group`, `:block`, `:model`; throws
/// UsageError at `where`.
CastingNotation parseCasting(const std::string& notation, const std::string& where);
std::string toText(const CastingNotation& casting);

/// The technique's options; of a technique that is off, the defaults.
struct CastingOptions {
    enum class Load { Direct, MoveThenCast };
    std::optional<Dtype> compute; ///< none: the workload's
    std::optional<std::vector<std::string>> skipPatterns; ///< none: the general ones
    std::vector<std::string> skipClasses;
    bool prefetch = false;
    bool recomputeCasts = false;
    Load load = Load::Direct;
};
CastingOptions castingOptions(const ValueMap& options);

/// What casting leaves alone in a model of the family: patterns to search in dotted paths. Those that are given, or the
/// general ones and adapters; the family's come on top. `model` casts everything but what is given.
std::vector<std::string> castingSkipPatterns(
    const CastingNotation& casting, const CastingOptions& options, const ModelFamily& family);

/// Weights kept in a smaller type and upcast around the forward of the layers that need them.
TechniqueDescriptor castingDescriptor();

} // namespace headroom::config
