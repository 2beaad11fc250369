# SPDX-License-Identifier: Apache-2.0
"""Which operators are computed. Names without overload; those that others are made of come through by themselves."""


def _words(text):
    return frozenset(text.split())


# Their results are as large as their arguments say.
COMPUTED = _words("""
    abs add sub rsub mul div floor_divide remainder fmod neg sgn sign pow gcd lcm
    clamp clamp_min clamp_max maximum minimum floor ceil round trunc reciprocal sqrt exp log
    bitwise_and bitwise_or bitwise_xor bitwise_not bitwise_left_shift bitwise_right_shift __lshift__ __rshift__
    __ilshift__ __irshift__ logical_and logical_or logical_xor logical_not eq ne lt le gt ge isnan isinf isposinf isneginf isin where
    masked_fill_ masked_scatter_ index_fill_ index_add index_copy index_reduce index_select index _index_put_impl_
    take put_ gather scatter scatter_add scatter_reduce cat cumsum cumprod
    sum prod mean amax amin aminmax max min any all count_nonzero argmax argmin
    sort topk kthvalue median nanmedian mode flip roll tril triu trace histc searchsorted bucketize
    nonzero_static masked_select
""")

# They write the whole of what they are given, whatever was there.
FILLS = _words("fill_ zero_ arange linspace range eye _cummax_helper _cummin_helper")

# What decides by floats that no kernel computed follows a rule.
COMPARISONS = _words("eq ne lt le gt ge isnan isinf isposinf isneginf logical_and logical_or logical_xor logical_not any all")
CHOICES = _words("argmax argmin max min sort topk kthvalue median nanmedian mode")
RANDOM = _words("random_ randperm bernoulli bernoulli_ uniform_ normal_")

# The size of their result is read from the card by other operators, unless it is said.
SIZED_BY_OTHERS = {"bincount": "minlength", "repeat_interleave": "output_size"}
UNIQUES = _words("_unique _unique2 unique_consecutive unique_dim")
SCALER = _words("_amp_foreach_non_finite_check_and_unscale_ _amp_update_scale_")


# They change how a tensor looks at its memory, not what is there.
_VIEWS = _words("""resize_ resize_as_ _resize_output_ set_ as_strided_ squeeze_ unsqueeze_ t_ transpose_ swapaxes_ swapdims_ detach_
    requires_grad_ rename_ resize_as_sparse_""")


def may_matter(name, overload) -> bool:
    """Whether it is listed above or writes into what it is given, as its name says."""
    if name in _VIEWS:
        return False
    return name.endswith("_") or "out" in overload or _base_name(name) in _LISTED


def base_name(operator) -> str:
    """add of add.Tensor and add_.Tensor; what only exists in place keeps its line, as what begins with one does."""
    return _base_name(operator._schema.name.split("::")[1])


def _base_name(name):
    plain = name.rstrip("_") if not name.endswith("__") else name
    return plain if name not in _KEPT else name


_READERS = _words("_local_scalar_dense copy_ nonzero equal multinomial")
_KEPT = COMPUTED | FILLS | RANDOM | SCALER
_LISTED = _KEPT | COMPARISONS | CHOICES | UNIQUES | _READERS | frozenset(SIZED_BY_OTHERS)
