#include "gpu/shader/shader_compiler.hpp"

#include <fmt/format.h>

#include <algorithm>
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

NamedStages named_stages(ShaderStage stage, std::string_view text) {
    std::string_view mark;
    std::vector<ShaderStage> stages;
    if (stage == ShaderStage::fragment) {
        mark = "\n//! vertex ";
        stages = {ShaderStage::vertex};
    } else if (stage == ShaderStage::ray_generation) {
        mark = "\n//! calls ";
        stages = {ShaderStage::miss, ShaderStage::closest_hit, ShaderStage::any_hit};
    }
    const std::size_t at = mark.empty() ? std::string_view::npos : text.find(mark);
    if (at == std::string_view::npos) return {};
    text.remove_prefix(at + mark.size());
    return {std::string(text.substr(0, text.find_first_of(" \r\n"))), std::move(stages)};
}

std::optional<std::filesystem::path> stage_file(const std::filesystem::path& folder,
                                                std::string_view kernel, ShaderStage stage) {
    std::error_code ignored;
    const auto file_of = [&](std::string_view name, ShaderStage of) {
        return folder / (std::string(name) + extension_of(of));
    };
    std::filesystem::path own = file_of(kernel, stage);
    if (std::filesystem::is_regular_file(own, ignored)) return own;
    for (const ShaderStage other : {ShaderStage::fragment, ShaderStage::ray_generation}) {
        const auto text = read_shader_file(file_of(kernel, other));
        if (!text) continue;
        const NamedStages named = named_stages(other, *text);
        std::filesystem::path file = file_of(named.kernel, stage);
        if (std::ranges::find(named.stages, stage) != named.stages.end() &&
            std::filesystem::is_regular_file(file, ignored))
            return file;
    }
    return std::nullopt;
}

Result<std::string> read_shader_file(const std::filesystem::path& file) {
    std::error_code ignored;
    std::ifstream stream;
    // A folder opens without complaint and fails only when read; a pipe may never open.
    if (std::filesystem::is_regular_file(file, ignored)) stream.open(file, std::ios::binary);
    if (!stream.is_open())
        return fail("shader/unreadable", fmt::format("cannot read shader {}", file.string()));
    return std::string(std::istreambuf_iterator<char>(stream), {});
}

} // namespace tuff
