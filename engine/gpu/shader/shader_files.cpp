#include "gpu/shader/shader_compiler.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

namespace tuff {

std::optional<ShaderStage> stage_of(const std::filesystem::path& file) {
    const std::filesystem::path extension = file.extension();
    for (const ShaderStage stage :
         {ShaderStage::compute, ShaderStage::vertex, ShaderStage::fragment,
          ShaderStage::ray_generation, ShaderStage::miss, ShaderStage::closest_hit,
          ShaderStage::any_hit})
        if (extension == extension_of(stage)) return stage;
    return std::nullopt;
}

const char* extension_of(ShaderStage stage) {
    switch (stage) {
    case ShaderStage::vertex: return ".vert";
    case ShaderStage::fragment: return ".frag";
    case ShaderStage::compute: return ".comp";
    case ShaderStage::ray_generation: return ".rgen";
    case ShaderStage::any_hit: return ".rahit";
    case ShaderStage::closest_hit: return ".rchit";
    case ShaderStage::miss: return ".rmiss";
    }
    return "";
}

Result<std::string> read_shader_file(const std::filesystem::path& file) {
    std::error_code ignored;
    std::ifstream stream(file, std::ios::binary);
    // A folder opens without complaint and fails only when read.
    if (!stream || !std::filesystem::is_regular_file(file, ignored))
        return fail("shader/unreadable", fmt::format("cannot read shader {}", file.string()));
    return std::string(std::istreambuf_iterator<char>(stream), {});
}

} // namespace tuff
