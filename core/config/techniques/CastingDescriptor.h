// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/TechniqueDescriptor.h"

namespace headroom::config {

inline constexpr const char* kCastingKey = "casting";

/// The type in which weights are stored, and how many of them are upcast at a time.
struct CastingNotation {
    enum class Storage { None, E4m3, E5m2, BFloat16, Float16 };
    enum class Granularity { Layer, Group, Block, Model };
    Storage storage = Storage::None;
    Granularity granularity = Granularity::Layer;

    bool operator==(const CastingNotation&) const = default;
};

/// Parses `off`, `e4m3`, `e5m2`, `bf16`, `fp16`, the last four optionally with `:layer`, `:group`, `:block` or
/// `:model`; throws UsageError at `where`.
CastingNotation parseCasting(const std::string& notation, const std::string& where);
std::string toText(const CastingNotation& casting);

/// The technique's options; the defaults if the technique is off.
struct CastingOptions {
    enum class Load { Direct, MoveThenCast };
    std::optional<Dtype> compute; ///< nothing: the workload's dtype
    std::optional<std::vector<std::string>> skipPatterns; ///< nothing: the general patterns
    std::vector<std::string> skipClasses;
    bool prefetch = false;
    bool recomputeCasts = false;
    Load load = Load::Direct;
};
CastingOptions castingOptions(const ValueMap& options);

/// What casting skips in a model of the family: patterns to search in dotted paths. Those are the given patterns, or
/// else the general ones and adapters, plus the family's. `model` casts everything except the given patterns.
std::vector<std::string> castingSkipPatterns(
    const CastingNotation& casting, const CastingOptions& options, const ModelFamily& family);

/// Weights kept in a smaller type and upcast around the forward of the layers that use them.
TechniqueDescriptor castingDescriptor();

} // namespace headroom::config
