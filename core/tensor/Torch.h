// SPDX-License-Identifier: Apache-2.0
#pragma once

// The only header through which LibTorch is included, precompiled once per preset (cmake/TorchHeader.cmake).
//
// It is smaller than torch/torch.h on purpose: with the module classes (torch/nn/modules/*.h) every source that
// includes it would take twice as long to compile. Our own layers derive from torch::nn::Module.

// clang rejects torch's headers in C++20 unless IValue comes first (constexpr vector over an incomplete type).
#include <ATen/core/ivalue.h>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/generated/variable_factories.h>
#include <torch/csrc/autograd/saved_variable_hooks.h>
#include <torch/library.h>
#include <torch/nn/module.h>
