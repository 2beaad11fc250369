# SPDX-License-Identifier: Apache-2.0
class GradScaler:
    def _maybe_opt_step(self, optimizer, state):
        """Skips, as where stale memory is read for infinite."""
        del optimizer, state

    def step(self, optimizer):
        return self._maybe_opt_step(optimizer, {})
