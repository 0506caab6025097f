#pragma once

#include <span>
#include <string_view>

namespace tuff::passes {

/// A file of GLSL: a kernel, or what kernels include.
struct KernelTemplate {
    std::string_view name; ///< "map.comp", "tile.glsl"
    std::string_view text;
};

/// The kernels that can be made with an expression, and all that they include.
std::span<const KernelTemplate> kernel_templates();

} // namespace tuff::passes
