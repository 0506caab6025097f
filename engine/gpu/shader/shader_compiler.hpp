#pragma once

#include <tuff/diagnostic.hpp>
#include <tuff/shader_interface.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tuff {

/// A file that comes with the program, by the name that `#include` gives it.
struct ShaderInclude {
    std::string_view name; ///< "invocation.glsl"
    std::string_view text;
};

/// What stands in shaders/include.
std::span<const ShaderInclude> shader_includes();

enum class ShaderLanguage : std::uint8_t { glsl, hlsl };

/// The text of one stage, and where its `#include "..."` looks after the including file's own
/// folder.
struct ShaderSource {
    std::filesystem::path file; ///< named in messages; its folder is searched for includes
    std::string text;
    ShaderStage stage = ShaderStage::compute;
    std::vector<std::filesystem::path> include_folders = {};
    std::map<std::string, std::string, std::less<>> macros = {}; ///< defined before the first line
    ShaderLanguage language = ShaderLanguage::glsl;
    std::vector<std::filesystem::path> confined_to = {}; ///< no other files are read; empty: any
    std::span<const ShaderInclude> built_in = {};        ///< looked through after all folders
    bool optimised = true; ///< false: what the compiler itself makes of it, not validated
};

struct PreprocessedShader {
    std::string text; ///< with all includes; equal texts compile to equal SPIR-V
    std::vector<std::filesystem::path> includes;
};

struct ShaderBinary {
    std::vector<std::uint32_t> words; ///< SPIR-V 1.6, with the names reflection needs
    std::vector<std::filesystem::path> includes;
};

/// First binding number of fragment stages, whose numbers all lie this much higher than the source
/// says (glslang shifts explicit ones too). Vertex stages start at 0, so the two stages of a raster
/// kernel do not meet. Nothing depends on the numbers: graphs bind by name.
inline constexpr std::uint32_t kFragmentBindingBase = 32;

/// False in a build without TUFF_RUNTIME_SHADERC; then the two functions below always fail with
/// `shader/no-compiler`.
bool shader_compiler_available();

/// Changes whenever the same text may compile to other words.
std::string shader_compiler_version();

/// Error: `shader/compile`, one for each message of the compiler, with file, line and line text.
Result<PreprocessedShader> preprocess_shader(const ShaderSource& source);
Result<ShaderBinary> compile_shader(const ShaderSource& source);

/// The stage that a file's extension says (.comp, .vert, .frag, .rgen, .rmiss, .rchit, .rahit).
std::optional<ShaderStage> stage_of(const std::filesystem::path& file);

/// The inverse: ".comp" and so on.
const char* extension_of(ShaderStage stage);

/// Stages that a kernel has without a file of its own, because another of its files names them:
/// `//! vertex oit/corner` in a .frag says that oit/corner.vert is its vertex stage, `//! calls
/// bvh/device` in a .rgen that it calls bvh/device.rmiss, .rchit and .rahit. The names are those of
/// kernels below the same folder.
struct NamedStages {
    std::string kernel; ///< empty: none
    std::vector<ShaderStage> stages = {};
};

/// What the text of a `stage` names.
NamedStages named_stages(ShaderStage stage, std::string_view text);

/// The file of a stage of `kernel` below `folder`: its own, or the one that another of its stages
/// names; nothing where the kernel has no such stage.
std::optional<std::filesystem::path> stage_file(const std::filesystem::path& folder,
                                                std::string_view kernel, ShaderStage stage);

/// Reads a source file. Error: `shader/unreadable`.
Result<std::string> read_shader_file(const std::filesystem::path& file);

} // namespace tuff
