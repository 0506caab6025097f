#pragma once

#include <tuff/shader_interface.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// A shader pack: the SPIR-V of many stages as one block of bytes, which the build embeds and
/// `read_shader_pack` (tuff/shader_library.hpp) reads.
namespace tuff {

/// A stage in a pack.
struct PackedShader {
    std::string name; ///< of the kernel, in full: "primitives/sort[KEY_WORDS=1]"
    ShaderStage stage = ShaderStage::compute;
    std::vector<std::uint32_t> words;
};

/// The bytes of a pack.
std::string write_shader_pack(std::span<const PackedShader> shaders);

} // namespace tuff
