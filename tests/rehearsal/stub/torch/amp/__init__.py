# SPDX-License-Identifier: Apache-2.0
from . import grad_scaler  # noqa: F401
