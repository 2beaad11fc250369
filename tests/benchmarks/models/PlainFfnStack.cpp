// SPDX-License-Identifier: Apache-2.0
#include "tests/benchmarks/models/PlainLayers.h"

namespace headroom::benchmarks {
namespace {

class PlainFfnStack final : public PlainModel {
public:
    PlainFfnStack(const Weights& weights, const config::ValueMap& fields)
    {
        const models::Activation activation = models::activationFromName(fields.at("activation_fn").text());
        for (std::int64_t layer = 0; layer < fields.at("num_layers").integer(); ++layer)
            m_layers.emplace_back(weights, "layers." + std::to_string(layer), activation);
    }

    at::Tensor forward(const models::Inputs& inputs) const override
    {
        at::Tensor hidden = inputs.at("hidden_states");
        for (const PlainFeedForward& layer : m_layers)
            hidden = layer(hidden);
        return hidden;
    }

private:
    std::vector<PlainFeedForward> m_layers;
};

} // namespace

std::unique_ptr<PlainModel> plainFfnStack(const Weights& weights, const config::ValueMap& fields)
{
    return std::make_unique<PlainFfnStack>(weights, fields);
}

} // namespace headroom::benchmarks
