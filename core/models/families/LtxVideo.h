// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"
#include "core/models/Model.h"
#include "core/models/blocks/LtxVideoBlock.h"
#include "core/models/layers/TimestepEmbedding.h"

namespace headroom::models {

/// diffusers' LTXVideoTransformer3DModel. Parameters have upstream's names.
///
/// Inputs: `hidden_states` [batch, tokens, in_channels] (packed, frame slowest), `encoder_hidden_states`
/// [batch, text, caption_channels], `timestep` [batch] or [batch, tokens], `num_frames`, `height`, `width` (latent
/// extents, one element each, in host memory); optional: `encoder_attention_mask` [batch, text] (1: keep),
/// `rope_interpolation_scale` [3] (host memory), `video_coords` [batch, 3, tokens] in place of the grid.
/// Output [batch, tokens, out_channels].
class LtxVideo : public Model, public Initialised {
public:
    LtxVideo(const config::ValueMap& fields, const at::TensorOptions& options);

    at::Tensor forward(const Inputs& inputs) override;
    std::vector<FeedForward*> feedForwards() override;
    std::vector<torch::nn::Module*> blocks() override;
    std::set<std::string> hostInputs() const override;

    /// The top table is initialised as standard normal, scaled by 1 / sqrt(width).
    void initialise() override;

private:
    RotaryTables rotaryTables(const Inputs& inputs) const;
    at::Tensor runBlocks(at::Tensor hidden, const LtxBlockContext& context);

    std::int64_t m_width;
    GridOptions m_grid;
    at::Tensor m_table;
    std::shared_ptr<Linear> m_projectIn;
    std::shared_ptr<AdaptiveNormSource> m_timeEmbedding;
    std::shared_ptr<TextProjection> m_captionProjection;
    std::vector<std::shared_ptr<LtxVideoBlock>> m_blocks;
    std::shared_ptr<Linear> m_projectOut;
};

/// Random inputs of the workload's shapes, as the published benchmark makes them: a boolean mask, integer time steps.
Inputs ltxVideoInputs(const config::Configuration& configuration, const at::TensorOptions& options);

} // namespace headroom::models
