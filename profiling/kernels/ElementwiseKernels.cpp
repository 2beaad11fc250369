// SPDX-License-Identifier: Apache-2.0
#include "profiling/kernels/KernelFamilies.h"

#include "profiling/kernels/IteratedShapes.h"
#include "profiling/kernels/KernelRules.h"
#include "profiling/kernels/OpArguments.h"

namespace headroom::collectors {
namespace {

using Stack = torch::jit::Stack;

bool isWritten(const c10::Argument& argument)
{
    return argument.alias_info() != nullptr && argument.alias_info()->isWrite();
}

struct IteratedCall {
    IteratedCall(const c10::OperatorHandle& op, const Stack& stack)
    {
        const auto& arguments = op.schema().arguments();
        const auto values = at::ArrayRef<c10::IValue>(stack).slice(stack.size() - arguments.size());
        for (std::size_t i = 0; i < arguments.size(); ++i)
            if (values[i].isTensor() && values[i].toTensor().defined())
                (isWritten(arguments[i]) ? outputs : inputs).push_back(values[i].toTensor());
    }

    std::vector<at::Tensor> inputs;
    std::vector<at::Tensor> outputs; ///< those that the caller gives
};

void finish(const c10::OperatorHandle& op, Stack* stack, const at::Tensor& result)
{
    torch::jit::drop(*stack, op.schema().arguments().size());
    stack->emplace_back(result);
}

// An op of TensorIterator with one result; its forms with `out` as well.
template <std::optional<at::ScalarType> (*TypeOf)(const at::Tensor&)>
void elementwise(const c10::OperatorHandle& op, Stack* stack)
{
    const IteratedCall call(op, *stack);
    if (call.outputs.empty())
        return finish(op, stack, iteratedLike(call.inputs, TypeOf(call.inputs.front())));
    iterateInto(call.outputs.front(), call.inputs);
    finish(op, stack, call.outputs.front());
}

std::optional<at::ScalarType> commonType(const at::Tensor&)
{
    return std::nullopt;
}

std::optional<at::ScalarType> flagType(const at::Tensor&)
{
    return at::kBool;
}

std::optional<at::ScalarType> floatType(const at::Tensor& input)
{
    return floatingType(input.scalar_type());
}

std::optional<at::ScalarType> realType(const at::Tensor& input)
{
    return c10::toRealValueType(floatingType(input.scalar_type()));
}

// aten/src/ATen/native/UnaryOps.cpp, unary_op_impl_with_complex_to_float_out: the real part of a complex result is
// copied out of it.
void realOfComplexOut(const c10::OperatorHandle& op, Stack* stack)
{
    const IteratedCall call(op, *stack);
    const at::Tensor& out = call.outputs.front();
    at::Tensor whole;
    if (call.inputs.front().is_complex() && !out.is_complex())
        whole = iteratedLike(call.inputs);
    iterateInto(out, call.inputs);
    finish(op, stack, out);
}

// Several results, each like the first argument that has its shape: gradients of element-wise ops.
template <std::size_t Count, std::size_t Like> void resultsLike(const c10::OperatorHandle& op, Stack* stack)
{
    const std::size_t arguments = op.schema().arguments().size();
    const at::Tensor like = (*stack)[stack->size() - arguments + Like].toTensor();
    torch::jit::drop(*stack, arguments);
    for (std::size_t i = 0; i < Count; ++i)
        stack->emplace_back(at::empty_like(like));
}

template <std::size_t Like> void contiguousResultLike(const c10::OperatorHandle& op, Stack* stack)
{
    const std::size_t arguments = op.schema().arguments().size();
    const at::Tensor like = (*stack)[stack->size() - arguments + Like].toTensor();
    finish(op, stack, at::empty(like.sizes(), like.options()));
}

// aten/src/ATen/native/cuda/ActivationLogSigmoidKernel.cu: the buffer is the CPU's alone (native/Activation.cpp).
std::tuple<at::Tensor, at::Tensor> logSigmoid(const at::Tensor& input)
{
    if (KernelRules::activeOfCuda() != nullptr)
        return {at::empty_like(input), at::empty({0}, input.options())};
    at::Tensor result = at::empty(input.sizes(), input.options());
    return {result, at::empty(input.sizes(), input.options())};
}

// aten/src/ATen/native/GatedLinearUnit.cpp: the gradient is resized to the input's shape.
at::Tensor gluBackward(const at::Tensor&, const at::Tensor& input, std::int64_t)
{
    return at::empty(input.sizes(), input.options());
}

at::Tensor shiftByNumber(const at::Tensor& input, const at::Scalar& number)
{
    return iteratedLike({input, wrappedNumber(number)});
}

at::Tensor remainderOfNumber(const at::Scalar& number, const at::Tensor& other)
{
    return iteratedLike({wrappedNumber(number), other});
}

at::Tensor reversedDifference(const at::Tensor& input, const at::Tensor& other, const at::Scalar&)
{
    return iteratedLike({other, input});
}

std::tuple<at::Tensor&, at::Tensor&> mantissaAndExponent(
    const at::Tensor& input, at::Tensor& mantissa, at::Tensor& exponent)
{
    iterateInto(mantissa, {input});
    iterateInto(exponent, {input});
    return {mantissa, exponent};
}

template <auto Kernel> torch::CppFunction boxedKernel()
{
    return torch::CppFunction::makeFromBoxedFunction<Kernel>();
}

} // namespace

void registerElementwiseKernels(torch::Library& kernels)
{
    for (const char* name : {"relu", "hardtanh", "hardtanh.out", "hardtanh_backward", "hardtanh_backward.grad_input",
             "hardswish", "hardswish.out", "hardswish_backward", "floor_divide", "floor_divide.out",
             "__lshift__.Tensor", "__rshift__.Tensor", "_add_relu.Tensor", "_add_relu.out", "_add_relu.Scalar",
             "nan_to_num.out", "conj_physical.out", "complex.out", "polar.out", "logical_not.out", "logical_or.out",
             "logical_xor.out", "smooth_l1_loss_backward.grad_input", "huber_loss_backward.out",
             "mse_loss_backward.grad_input", "mvlgamma.out", "bernoulli.out", "logit.out"})
        kernels.impl(name, boxedKernel<&elementwise<commonType>>());
    kernels.impl("isnan", boxedKernel<&elementwise<flagType>>());
    kernels.impl("logit", boxedKernel<&elementwise<floatType>>());
    kernels.impl("angle", boxedKernel<&elementwise<realType>>());
    kernels.impl("abs.out", boxedKernel<&realOfComplexOut>());
    kernels.impl("angle.out", boxedKernel<&realOfComplexOut>());
    kernels.impl("_prelu_kernel", boxedKernel<&resultsLike<1, 0>>());
    kernels.impl("_prelu_kernel_backward", boxedKernel<&resultsLike<2, 1>>());
    kernels.impl("log_sigmoid_backward", boxedKernel<&resultsLike<1, 0>>());
    kernels.impl("rrelu_with_noise", boxedKernel<&contiguousResultLike<0>>());
    kernels.impl("mse_loss_backward", boxedKernel<&contiguousResultLike<1>>());
    kernels.impl("_masked_softmax", boxedKernel<&resultsLike<1, 0>>());
    kernels.impl("_masked_softmax_backward", boxedKernel<&resultsLike<1, 0>>());
    kernels.impl("log_sigmoid_forward", TORCH_FN(logSigmoid));
    kernels.impl("glu_backward", TORCH_FN(gluBackward));
    kernels.impl("__lshift__.Scalar", TORCH_FN(shiftByNumber));
    kernels.impl("__rshift__.Scalar", TORCH_FN(shiftByNumber));
    kernels.impl("remainder.Scalar_Tensor", TORCH_FN(remainderOfNumber));
    kernels.impl("rsub.Tensor", TORCH_FN(reversedDifference));
    kernels.impl("frexp.Tensor_out", TORCH_FN(mantissaAndExponent));
}

} // namespace headroom::collectors
