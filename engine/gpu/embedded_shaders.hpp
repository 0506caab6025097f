#pragma once

#include <tuff/shader_interface.hpp>

#include <cstdint>
#include <span>
#include <string_view>

namespace tuff {

/// A stage that was compiled when the library was built.
struct EmbeddedShader {
    std::string_view name; ///< "image/tonemap"
    ShaderStage stage = ShaderStage::compute;
    std::span<const std::uint32_t> words;
};

/// All of shaders/, sorted by name. Written by cmake/TuffShaders.cmake.
std::span<const EmbeddedShader> embedded_shaders();

} // namespace tuff
