#pragma once

#include <tuff/shader_library.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// A shader pack: the SPIR-V of many stages as one block of bytes, each stage compressed by zlib.
/// The build embeds it, `read_shader_pack` (tuff/shader_library.hpp) lists its stages.
namespace tuff {

/// A stage in a pack.
struct PackedShader {
    std::string name; ///< of the kernel, in full: "primitives/sort[KEY_WORDS=1]"
    ShaderStage stage = ShaderStage::compute;
    std::vector<std::uint32_t> words;
};

/// The bytes of a pack.
std::string write_shader_pack(std::span<const PackedShader> shaders);

/// The SPIR-V of a stage in a table. Empty where the bytes of its pack are damaged.
std::vector<std::uint32_t> words_of(const EmbeddedShader& shader);

} // namespace tuff
