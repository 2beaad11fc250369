// SPDX-License-Identifier: Apache-2.0
#include "core/config/techniques/SavableOps.h"

namespace headroom::config {

// torchtitan's list: the compute-intensive ops of the min-cut partitioner, attention in every form, and max and topk,
// which decide routing. In LibTorch, linear is mm or addmm below autograd, and attention from plain ops is bmm; flash
// attention has a separate op for the CPU.
const std::vector<std::string>& defaultSavedOps()
{
    static const std::vector<std::string> ops{"mm", "addmm", "bmm", "convolution", "convolution_backward",
        "_scaled_dot_product_flash_attention", "_scaled_dot_product_flash_attention_for_cpu",
        "_scaled_dot_product_efficient_attention", "_scaled_dot_product_cudnn_attention",
        "_scaled_dot_product_fused_attention_overrideable", "_flash_attention_forward", "_efficient_attention_forward",
        "upsample_bilinear2d", "_scaled_mm", "max", "topk"};
    return ops;
}

const std::vector<std::string>& savableOps()
{
    static const std::vector<std::string> ops = [] {
        std::vector<std::string> all = defaultSavedOps();
        for (const char* op : {"baddbmm", "add", "mul", "cat", "gelu", "silu", "_softmax", "native_layer_norm",
                 "native_group_norm", "_fused_rms_norm"})
            all.emplace_back(op);
        return all;
    }();
    return ops;
}

} // namespace headroom::config
