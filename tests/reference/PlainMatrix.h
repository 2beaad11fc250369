// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace headroom::reference {

/// Numbers in rows, computed one by one in float64: what models are compared with has nothing of LibTorch's products,
/// norms and softmax in it.
struct Matrix {
    Matrix(std::int64_t rowCount, std::int64_t columnCount)
        : rows(rowCount)
        , columns(columnCount)
        , values(static_cast<std::size_t>(rowCount * columnCount))
    {
    }

    double& at(std::int64_t row, std::int64_t column)
    {
        return values[static_cast<std::size_t>(row * columns + column)];
    }
    double at(std::int64_t row, std::int64_t column) const
    {
        return values[static_cast<std::size_t>(row * columns + column)];
    }

    std::int64_t rows;
    std::int64_t columns;
    std::vector<double> values;
};

/// Of a tensor of one or two dimensions; one: a single row.
inline Matrix matrixOf(const at::Tensor& tensor)
{
    const at::Tensor dense = tensor.detach().to(at::kCPU).to(at::kDouble).contiguous();
    Matrix result(tensor.dim() == 1 ? 1 : tensor.size(0), tensor.size(-1));
    std::copy_n(dense.const_data_ptr<double>(), result.values.size(), result.values.begin());
    return result;
}

/// Parameters by name.
using Parameters = std::map<std::string, Matrix>;

inline Parameters parametersOf(const torch::nn::Module& module)
{
    Parameters result;
    for (const auto& item : module.named_parameters())
        result.emplace(item.key(), matrixOf(item.value()));
    return result;
}

/// x W^T: the rows of W are the output's columns.
inline Matrix product(const Matrix& x, const Matrix& weight)
{
    Matrix result(x.rows, weight.rows);
    for (std::int64_t row = 0; row < x.rows; ++row)
        for (std::int64_t out = 0; out < weight.rows; ++out)
            for (std::int64_t in = 0; in < x.columns; ++in)
                result.at(row, out) += x.at(row, in) * weight.at(out, in);
    return result;
}

inline Matrix sum(Matrix x, const Matrix& y)
{
    for (std::size_t i = 0; i < x.values.size(); ++i)
        x.values[i] += y.values[i];
    return x;
}

/// Each row over the root of its mean square, times the weight.
inline Matrix rmsNorm(Matrix x, const Matrix& weight, double eps)
{
    for (std::int64_t row = 0; row < x.rows; ++row) {
        double squares = 0;
        for (std::int64_t i = 0; i < x.columns; ++i)
            squares += x.at(row, i) * x.at(row, i);
        const double scale = 1 / std::sqrt(squares / static_cast<double>(x.columns) + eps);
        for (std::int64_t i = 0; i < x.columns; ++i)
            x.at(row, i) *= scale * weight.at(0, i);
    }
    return x;
}

/// product(gate) through a function, times product(value), through the output.
inline Matrix gatedFeedForward(const Matrix& x, const Matrix& gate, const Matrix& value, const Matrix& output,
    const std::function<double(double)>& function)
{
    Matrix inner = product(x, gate);
    const Matrix values = product(x, value);
    for (std::size_t i = 0; i < inner.values.size(); ++i)
        inner.values[i] = function(inner.values[i]) * values.values[i];
    return product(inner, output);
}

/// Of one query: weights over the keys that `isKept`; none kept: nought.
inline std::vector<double> softmax(const std::vector<double>& scores, const std::vector<bool>& isKept)
{
    double largest = -INFINITY;
    for (std::size_t key = 0; key < scores.size(); ++key)
        if (isKept[key])
            largest = std::max(largest, scores[key]);
    std::vector<double> weights(scores.size());
    double total = 0;
    for (std::size_t key = 0; key < scores.size(); ++key)
        if (isKept[key])
            total += weights[key] = std::exp(scores[key] - largest);
    for (double& weight : weights)
        weight = total > 0 ? weight / total : 0;
    return weights;
}

/// What a pair of a query and a key adds up to, from their product; and whether the query sees the key.
struct ScoreRule {
    std::function<double(double product, std::int64_t head, std::int64_t query, std::int64_t key)> score;
    std::function<bool(std::int64_t query, std::int64_t key)> isKept;
};

/// Of one sequence: heads side by side in the columns; `queriesPerKey` query heads share one of keys and values.
inline Matrix attention(const Matrix& query, const Matrix& key, const Matrix& value, std::int64_t headDim,
    std::int64_t queriesPerKey, const ScoreRule& rule)
{
    Matrix result(query.rows, query.columns);
    for (std::int64_t head = 0; head < query.columns / headDim; ++head)
        for (std::int64_t row = 0; row < query.rows; ++row) {
            const std::int64_t first = head * headDim, shared = head / queriesPerKey * headDim;
            std::vector<double> scores;
            std::vector<bool> kept;
            for (std::int64_t other = 0; other < key.rows; ++other) {
                double dot = 0;
                for (std::int64_t i = 0; i < headDim; ++i)
                    dot += query.at(row, first + i) * key.at(other, shared + i);
                scores.push_back(rule.score(dot, head, row, other));
                kept.push_back(rule.isKept(row, other));
            }
            const std::vector<double> weights = softmax(scores, kept);
            for (std::int64_t other = 0; other < key.rows; ++other)
                for (std::int64_t i = 0; i < headDim; ++i)
                    result.at(row, first + i) += weights[static_cast<std::size_t>(other)] * value.at(other, shared + i);
        }
    return result;
}

/// Norm of the difference over the norm of the expectation.
inline double relativeDifference(const std::vector<double>& values, const std::vector<double>& expected)
{
    double difference = 0, norm = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        difference += (values[i] - expected[i]) * (values[i] - expected[i]);
        norm += expected[i] * expected[i];
    }
    return std::sqrt(difference / norm);
}

} // namespace headroom::reference
