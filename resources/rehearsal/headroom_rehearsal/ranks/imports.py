# SPDX-License-Identifier: Apache-2.0
"""Functions that are called with modules once these are loaded."""

import sys


class _Loader:
    def __init__(self, loader, function):
        self._loader = loader
        self._function = function

    def create_module(self, spec):
        return self._loader.create_module(spec)

    def exec_module(self, module):
        module.__spec__.loader = module.__loader__ = self._loader
        self._loader.exec_module(module)
        self._function(module)

    def __getattr__(self, name):
        return getattr(self._loader, name)


class Afterwards:
    """Stands in sys.meta_path for some modules by name."""

    def __init__(self, functions):
        self._functions = dict(functions)

    def install(self):
        for name in list(self._functions):
            if name in sys.modules:
                self._functions.pop(name)(sys.modules[name])
        sys.meta_path.insert(0, self)

    def find_spec(self, name, path=None, target=None):
        if name not in self._functions:
            return None
        others = [other for other in sys.meta_path if other is not self and hasattr(other, "find_spec")]
        spec = next(filter(None, (other.find_spec(name, path, target) for other in others)), None)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader, self._functions[name])
        return spec
