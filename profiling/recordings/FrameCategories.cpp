// SPDX-License-Identifier: Apache-2.0
#include "profiling/recordings/FrameCategories.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace headroom::recordings {
namespace {

using config::MemoryCategory;

bool isIn(const StackFrame& frame, std::string_view folderOrFile)
{
    return frame.file.find(folderOrFile) != std::string_view::npos;
}

template <std::size_t Count> bool isOneOf(std::string_view function, const std::array<std::string_view, Count>& names)
{
    return std::ranges::find(names, function) != names.end();
}

// The state of torch.optim's optimizers is made in functions of these names.
bool makesOptimizerState(const StackFrame& frame)
{
    static constexpr std::array<std::string_view, 4> kNames{"_init_group", "_init_state", "init_state", "_lazy_init"};
    return isIn(frame, "torch/optim/") && isOneOf(frame.function, kNames);
}

// The base class (optimizer.py) is on the stack of everybody's own optimizers too, whose state it does not tell.
bool isUpdateOfTorch(const StackFrame& frame)
{
    return isIn(frame, "torch/optim/") && !isIn(frame, "torch/optim/optimizer.py") && !isIn(frame, "lr_scheduler");
}

bool isUpdate(const StackFrame& frame)
{
    return isIn(frame, "torch/optim/") || frame.function.starts_with("Optimizer.step#");
}

// The C++ side shows where stacks were recorded with it.
bool accumulatesGradient(const StackFrame& frame)
{
    return frame.function.find("AccumulateGrad") != std::string_view::npos;
}

bool isBackward(const StackFrame& frame)
{
    return frame.function.find("torch::autograd::Engine::evaluate_function") != std::string_view::npos
        || frame.function.starts_with("autograd::engine::evaluate_function") || frame.function == "_engine_run_backward"
        || (frame.function == "backward" && isIn(frame, "torch/_tensor.py"))
        || (frame.function == "backward" && isIn(frame, "torch/autograd/__init__.py"));
}

bool recomputes(const StackFrame& frame)
{
    static constexpr std::array<std::string_view, 4> kNames{"recompute_fn", "unpack_hook", "backward", "_run_fn"};
    return isIn(frame, "torch/utils/checkpoint.py") && isOneOf(frame.function, kNames);
}

// Module.to(), .cuda(), .half() and the like go through _apply.
bool movesParameters(const StackFrame& frame)
{
    return frame.function == "_apply" && isIn(frame, "torch/nn/modules/module.py");
}

bool makesParameters(const StackFrame& frame)
{
    return frame.function == "__init__" && isIn(frame, "torch/nn/modules/");
}

bool isModuleCall(const StackFrame& frame)
{
    static constexpr std::array<std::string_view, 3> kNames{"_call_impl", "_wrapped_call_impl", "__call__"};
    return (isIn(frame, "torch/nn/modules/module.py") && isOneOf(frame.function, kNames))
        || frame.function.starts_with("nn.Module: ");
}

// Functions under the decorators torch.no_grad() and inference_mode(): autograd keeps nothing of them.
bool isWithoutAutograd(const StackFrame& frame)
{
    return frame.function == "decorate_context" && isIn(frame, "torch/utils/_contextlib.py");
}

bool isLibraryWorkspace(const StackFrame& frame)
{
    static constexpr std::array<std::string_view, 3> kParts{
        "getCurrentCUDABlasHandle", "getCUDABlasLtWorkspace", "getChosenWorkspace"};
    return std::ranges::any_of(
        kParts, [&](std::string_view part) { return frame.function.find(part) != std::string_view::npos; });
}

// What the recording itself adds above the call that allocates.
bool isOfTheRecorder(const StackFrame& frame)
{
    static constexpr std::array<std::string_view, 4> kBeginnings{"torch::unwind::", "torch::CapturedTraceback::",
        "torch::cuda::(anonymous namespace)::gather", "c10::cuda::CUDACachingAllocator::"};
    return std::ranges::any_of(
        kBeginnings, [&](std::string_view beginning) { return frame.function.starts_with(beginning); });
}

enum Sign : FrameSigns {
    LibraryWorkspace = 1U << 0U,
    OptimizerState = 1U << 1U,
    UpdateOfTorch = 1U << 2U,
    Update = 1U << 3U,
    AccumulatedGradient = 1U << 4U,
    Backward = 1U << 5U,
    Recomputation = 1U << 6U,
    MovedParameters = 1U << 7U,
    MadeParameters = 1U << 8U,
    ModuleCall = 1U << 9U,
    WithoutAutograd = 1U << 10U
};

constexpr std::array<std::pair<Sign, bool (*)(const StackFrame&)>, 11> kSigns{
    {{LibraryWorkspace, isLibraryWorkspace}, {OptimizerState, makesOptimizerState}, {UpdateOfTorch, isUpdateOfTorch},
        {Update, isUpdate}, {AccumulatedGradient, accumulatesGradient}, {Backward, isBackward},
        {Recomputation, recomputes}, {MovedParameters, movesParameters}, {MadeParameters, makesParameters},
        {ModuleCall, isModuleCall}, {WithoutAutograd, isWithoutAutograd}}};

} // namespace

FrameSigns signsOf(const StackFrame& frame)
{
    FrameSigns signs = 0;
    for (const auto& [sign, matches] : kSigns)
        if (matches(frame))
            signs |= sign;
    return signs;
}

MemoryCategory categoryOf(FrameSigns signs)
{
    const auto has = [signs](FrameSigns any) { return (signs & any) != 0; };
    if (has(LibraryWorkspace))
        return MemoryCategory::Workspaces;
    if (has(OptimizerState))
        return MemoryCategory::OptimizerState;
    if (has(UpdateOfTorch))
        return MemoryCategory::Temporaries;
    if (has(Update))
        return MemoryCategory::Unknown;
    if (has(AccumulatedGradient))
        return MemoryCategory::Gradients;
    if (has(Recomputation) && has(ModuleCall))
        return MemoryCategory::RecomputedActivations;
    if (has(Backward))
        return MemoryCategory::Unknown; // a gradient that is kept, or one of an activation: the stack does not tell
    if (has(MovedParameters | MadeParameters))
        return MemoryCategory::Weights;
    return has(ModuleCall) && !has(WithoutAutograd) ? MemoryCategory::SavedActivations : MemoryCategory::Unknown;
}

bool isOfTraining(FrameSigns signs)
{
    return (signs & (AccumulatedGradient | Backward | Recomputation | Update)) != 0;
}

StackFrame frameOf(std::string_view name)
{
    const std::size_t close = name.find("): ");
    const std::size_t open = close == std::string_view::npos ? close : name.rfind('(', close);
    if (open == std::string_view::npos || name.starts_with("nn.Module"))
        return {"", name, 0};
    StackFrame frame{name.substr(0, open), name.substr(close + 3), 0};
    std::from_chars(name.data() + open + 1, name.data() + close, frame.line);
    return frame;
}

bool isEmptyCache(std::string_view frames)
{
    return frames.find("empty_cache") != std::string_view::npos || frames.find("emptyCache") != std::string_view::npos;
}

std::string linesOf(std::span<const StackFrame> stack)
{
    std::size_t inner = 0;
    while (inner < stack.size() && isOfTheRecorder(stack[inner]))
        ++inner;
    std::string lines;
    for (std::size_t i = stack.size(); i-- > inner;) {
        const StackFrame& frame = stack[i];
        lines += lines.empty() ? "" : "\n";
        if (!frame.file.empty() && frame.file != "??")
            lines.append(frame.file).append(frame.line > 0 ? ":" + std::to_string(frame.line) : "").append(" ");
        lines += frame.function;
    }
    std::replace(lines.begin(), lines.end(), '\0', ' ');
    return lines;
}

} // namespace headroom::recordings
