// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/rehearsal/ghost/GhostLayout.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace headroom::experiments {

/// What a key of a configuration file may hold.
struct GhostKey {
    std::string type; ///< count (from 1), size (from 0), real, flag, text, counts (a list), any
    GhostExpression otherwise; ///< upstream's value for a file that leaves it out; null: a file has to say it
};

/// What has to hold for a configuration, as upstream asks it.
struct GhostRule {
    GhostExpression holds;
    std::string words; ///< for people, in place of the formula
};

/// A special token of the tokenizer that is made where none is given.
struct GhostSpecialToken {
    std::string role; ///< transformers' name: bos_token, eos_token, …
    std::string text;
    GhostExpression id; ///< null, or negative: there is none
};

struct GhostVocabulary {
    GhostExpression size; ///< null: the model has no tokenizer
    std::vector<GhostSpecialToken> special;
    std::vector<std::string> before; ///< roles of tokens that upstream's tokenizer puts before a text
    std::vector<std::string> after;
    GhostExpression longest; ///< tokens; null: no limit
};

/// One file of resources/ghost: an architecture with the names and shapes of its weights.
struct GhostDescription {
    std::string file;
    std::string library; ///< transformers or diffusers
    std::vector<std::string> classes; ///< the first is meant where a file names its model_type alone
    std::vector<std::string> modelTypes;
    bool generates = false; ///< has a generation_config.json
    std::map<std::string, GhostKey> keys;
    std::map<std::string, GhostExpression> values; ///< sizes that follow from the keys
    std::vector<GhostRule> rules;
    std::vector<GhostStatement> layout;
    GhostVocabulary vocabulary;
    std::map<std::string, GhostName> files; ///< further files of upstream's checkpoints, `$(FORMULA)` filled in
};

/// Throws UsageError with file and place for a description that cannot be read.
GhostDescription readGhostDescription(const std::filesystem::path& file);

/// A file of [layers] alone.
GhostLayers readGhostLayers(const std::filesystem::path& file);

} // namespace headroom::experiments
