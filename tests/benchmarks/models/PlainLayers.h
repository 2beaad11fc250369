// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/layers/FeedForward.h"
#include "core/models/layers/RotaryEmbedding.h"
#include "tests/benchmarks/models/PlainModel.h"

namespace headroom::benchmarks {

/// Weights of a Linear, looked up once.
struct PlainLinear {
    PlainLinear(const Weights& weights, const std::string& path);
    at::Tensor operator()(const at::Tensor& input) const { return at::linear(input, weight, bias); }

    at::Tensor weight;
    at::Tensor bias; ///< undefined without one
};

struct PlainFeedForward {
    PlainFeedForward(const Weights& weights, const std::string& path, models::Activation kind);
    at::Tensor operator()(const at::Tensor& input) const;

    PlainLinear projection;
    PlainLinear output;
    models::Activation activation;
};

/// A gated feed-forward whose gate and value have a Linear each, without biases.
struct PlainGatedFeedForward {
    struct Names {
        const char* gate;
        const char* value;
        const char* output;
    };
    PlainGatedFeedForward(const Weights& weights, const std::string& path, const Names& names, models::Activation kind);
    at::Tensor operator()(const at::Tensor& input) const;

    PlainLinear gate;
    PlainLinear value;
    PlainLinear output;
    models::Activation activation;
};

/// Linear, an activation, Linear: embeddings of time steps and of text.
struct PlainEmbedding {
    enum class Between { Silu, Gelu };
    PlainEmbedding(const Weights& weights, const std::string& path, Between activation);
    at::Tensor operator()(const at::Tensor& input) const;

    PlainLinear first;
    PlainLinear second;
    Between between;
};

/// Equal parts of what a Linear forms of an embedding's SiLU: shifts, scales and gates, [batch, width].
std::vector<at::Tensor> modulationOf(const PlainLinear& linear, const at::Tensor& embedding, std::int64_t parts);

/// [batch, tokens, heads * headDim] to [batch, heads, tokens, headDim], and back.
at::Tensor splitHeads(const at::Tensor& x, std::int64_t headDim);
at::Tensor mergedHeads(const at::Tensor& x);

/// Attention whose queries and keys are normalised across heads.
struct PlainAttention {
    enum class Rotary { AcrossHeads, EachHead };
    PlainAttention(
        const Weights& weights, const std::string& path, std::int64_t headCount, double epsilon, Rotary form);
    at::Tensor operator()(const at::Tensor& hidden, const at::Tensor& context, const models::RotaryTables& tables,
        const std::optional<at::Tensor>& mask) const;

    PlainLinear toQuery, toKey, toValue, toOutput;
    at::Tensor normQuery, normKey;
    std::int64_t heads;
    double eps;
    Rotary rotary;

private:
    at::Tensor turned(const at::Tensor& x, const models::RotaryTables& tables) const;
    at::Tensor split(const at::Tensor& x) const;
};

} // namespace headroom::benchmarks
