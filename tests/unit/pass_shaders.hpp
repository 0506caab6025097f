#pragma once

#include "passes/registry.hpp"

#include <tuff/shader_library.hpp>

namespace tuff::test {

/// The kernels of all modules, read once a program.
inline const ShaderLibrary& pass_shaders() {
    static const ShaderLibrary library = passes::make_shaders();
    return library;
}

} // namespace tuff::test
