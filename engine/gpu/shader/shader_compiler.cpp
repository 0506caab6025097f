#include "gpu/shader/shader_compiler.hpp"

#include "core/file_access.hpp"
#include "gpu/shader/assertion_lines.hpp"
#include "gpu/shader/exact_arithmetic.hpp"

#include <fmt/format.h>
#include <shaderc/shaderc.hpp>
#include <spirv-tools/libspirv.h>
#include <spirv-tools/optimizer.hpp>

#include <algorithm>
#include <charconv>
#include <memory>
#include <sstream>

namespace tuff {
namespace {

namespace fs = std::filesystem;

/// To be raised when options or passes below change: it is part of the cache's key.
constexpr int kOptionsRevision = 2;

/// Resolves `#include "..."`: beside the including file, then in the include folders.
class Includer final : public shaderc::CompileOptions::IncluderInterface {
  public:
    Includer(const ShaderSource& source, std::vector<fs::path>& found)
        : source_(source), found_(found) {}

    shaderc_include_result* GetInclude(const char* requested, shaderc_include_type,
                                       const char* requesting, std::size_t depth) override {
        auto answer = std::make_unique<Answer>();
        resolve(*answer, requested, requesting, depth);
        answer->result = {answer->name.c_str(), answer->name.size(), answer->content.c_str(),
                          answer->content.size(), answer.get()};
        return &answer.release()->result; // ReleaseInclude takes it back
    }

    void ReleaseInclude(shaderc_include_result* result) override {
        const std::unique_ptr<Answer> owned(static_cast<Answer*>(result->user_data));
    }

  private:
    struct Answer {
        std::string name; ///< empty: not found, and `content` is the error message
        std::string content;
        shaderc_include_result result{};
    };

    void resolve(Answer& answer, const char* requested, const char* requesting, std::size_t depth) {
        constexpr std::size_t kMaxDepth = 64;
        if (depth > kMaxDepth) {
            answer.content = "includes are nested too deeply; does a file include itself?";
            return;
        }
        std::vector<fs::path> folders = {fs::path(requesting).parent_path()};
        folders.insert(folders.end(), source_.include_folders.begin(),
                       source_.include_folders.end());
        bool outside = false;
        for (const fs::path& folder : folders) {
            const fs::path file = (folder / requested).lexically_normal();
            if (!source_.confined_to.empty() && !lies_within(file, source_.confined_to)) {
                outside = true;
                continue;
            }
            auto text = read_shader_file(file);
            if (!text) continue;
            answer.name = file.string();
            answer.content = std::move(*text);
            if (std::ranges::find(found_, file) == found_.end()) found_.push_back(file);
            return;
        }
        for (const fs::path& folder : {folders.front(), kBuiltIn}) {
            const std::string name = (folder / requested).lexically_normal().string();
            const auto found = std::ranges::find_if(source_.built_in, [&](const ShaderInclude& i) {
                return name == (kBuiltIn / i.name).string();
            });
            if (found == source_.built_in.end()) continue;
            answer.name = name;
            answer.content = found->text;
            return;
        }
        if (outside) {
            answer.content = fmt::format("\"{}\" may not be read: it lies outside the folder of "
                                         "the config",
                                         requested);
            return;
        }
        answer.content = fmt::format("no file \"{}\" beside {} or in the include folders",
                                     requested, requesting);
    }

    inline static const fs::path kBuiltIn = "<tuff>"; ///< names what is in no file

    const ShaderSource& source_;
    std::vector<fs::path>& found_;
};

shaderc_shader_kind kind_of(ShaderStage stage) {
    switch (stage) {
    case ShaderStage::vertex: return shaderc_vertex_shader;
    case ShaderStage::fragment: return shaderc_fragment_shader;
    case ShaderStage::compute: return shaderc_compute_shader;
    case ShaderStage::ray_generation: return shaderc_raygen_shader;
    case ShaderStage::any_hit: return shaderc_anyhit_shader;
    case ShaderStage::closest_hit: return shaderc_closesthit_shader;
    case ShaderStage::miss: return shaderc_miss_shader;
    }
    return shaderc_compute_shader;
}

shaderc::CompileOptions make_options(const ShaderSource& source, std::vector<fs::path>& includes) {
    shaderc::CompileOptions options;
    options.SetTargetEnvironment(shaderc_target_env_vulkan, shaderc_env_version_vulkan_1_3);
    // The compiler's storage buffers of HLSL are those of SPIR-V before 1.4.
    options.SetTargetSpirv(source.language == ShaderLanguage::hlsl ? shaderc_spirv_version_1_3
                                                                   : shaderc_spirv_version_1_6);
    if (source.language == ShaderLanguage::hlsl)
        options.SetSourceLanguage(shaderc_source_language_hlsl);
    options.SetAutoBindUniforms(true);
    options.SetAutoMapLocations(true);
    for (const shaderc_uniform_kind kind :
         {shaderc_uniform_kind_image, shaderc_uniform_kind_sampler, shaderc_uniform_kind_texture,
          shaderc_uniform_kind_buffer, shaderc_uniform_kind_storage_buffer,
          shaderc_uniform_kind_unordered_access_view})
        options.SetBindingBaseForStage(shaderc_fragment_shader, kind, kFragmentBindingBase);
    for (const auto& [macro, value] : source.macros)
        options.AddMacroDefinition(macro, value);
    options.SetIncluder(std::make_unique<Includer>(source, includes));
    return options;
}

std::string line_of(const std::string& text, int line) {
    std::istringstream stream(text);
    std::string result;
    for (int i = 0; i < line; ++i)
        if (!std::getline(stream, result)) return {};
    if (result.ends_with('\r')) result.pop_back();
    return result;
}

/// Splits "file:12" into the place it names; a place without a line where there is no number.
SourcePlace parse_place(std::string_view text, const ShaderSource& source) {
    SourcePlace place;
    const std::size_t colon = text.rfind(':');
    const std::string_view digits =
        colon == std::string_view::npos ? std::string_view{} : text.substr(colon + 1);
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), place.line);
    if (error != std::errc{} || end != digits.data() + digits.size()) {
        place.line = 0;
        place.file = source.file.string();
        return place;
    }
    place.file = text.substr(0, colon);
    if (place.file == source.file.string()) {
        place.line_text = line_of(source.text, place.line);
    } else if (const auto included = read_shader_file(place.file)) {
        place.line_text = line_of(*included, place.line);
    }
    const std::size_t first = place.line_text.find_first_not_of(" \t");
    if (first != std::string::npos) {
        place.column = static_cast<int>(first) + 1;
        place.length = static_cast<int>(place.line_text.size() - first);
    }
    return place;
}

/// Turns the compiler's "file:line: error: text" lines into diagnostics.
Diagnostics parse_messages(const std::string& messages, const ShaderSource& source) {
    constexpr std::string_view kMark = ": error: ";
    Diagnostics all;
    std::istringstream stream(messages);
    for (std::string line; std::getline(stream, line);) {
        const std::size_t mark = line.find(kMark);
        if (mark == std::string::npos) continue;
        all.push_back({.code = "shader/compile",
                       .severity = Severity::error,
                       .message = line.substr(mark + kMark.size()),
                       .where = parse_place(std::string_view(line).substr(0, mark), source),
                       .hint = {}});
    }
    if (all.empty())
        all.push_back({.code = "shader/compile",
                       .severity = Severity::error,
                       .message = messages,
                       .where = {.file = source.file.string(), .line_text = {}},
                       .hint = {}});
    return all;
}

/// shaderc's own optimisation strips names, which reflection lives by; so the same passes run here.
Result<std::vector<std::uint32_t>> optimise(std::vector<std::uint32_t> words,
                                            const ShaderSource& source) {
    std::string message;
    spvtools::Optimizer optimizer(SPV_ENV_VULKAN_1_3);
    optimizer.SetMessageConsumer([&message](spv_message_level_t level, const char*,
                                            const spv_position_t&, const char* text) {
        if (level <= SPV_MSG_ERROR) message = text;
    });
    // Small ids are a twelfth less of a shader pack.
    optimizer.RegisterPerformancePasses().RegisterPass(spvtools::CreateCompactIdsPass());
    spvtools::OptimizerOptions options;
    options.set_run_validator(true);
    options.set_preserve_spec_constants(true);
    std::vector<std::uint32_t> result;
    if (optimizer.Run(words.data(), words.size(), &result, options)) return result;
    return fail({.code = "shader/compile",
                 .severity = Severity::error,
                 .message = fmt::format("the compiled SPIR-V is not valid: {}", message),
                 .where = {.file = source.file.string(), .line_text = {}},
                 .hint = {}});
}

/// The line may be behind an #if.
bool is_exact(const ShaderSource& source) {
    if (!source.text.contains("tuff_exact")) return false;
    const auto preprocessed = preprocess_shader(source);
    return preprocessed && wants_exact_arithmetic(preprocessed->text);
}

} // namespace

bool shader_compiler_available() {
    return true;
}

std::string shader_compiler_version() {
    unsigned int version = 0;
    unsigned int revision = 0;
    shaderc_get_spv_version(&version, &revision);
    return fmt::format("shaderc {}.{} {} options {}", version, revision,
                       spvSoftwareVersionDetailsString(), kOptionsRevision);
}

Result<PreprocessedShader> preprocess_shader(const ShaderSource& source) {
    PreprocessedShader output;
    const shaderc::CompileOptions options = make_options(source, output.includes);
    const shaderc::Compiler compiler;
    const auto result = compiler.PreprocessGlsl(source.text, kind_of(source.stage),
                                                source.file.string().c_str(), options);
    if (result.GetCompilationStatus() != shaderc_compilation_status_success)
        return std::unexpected(parse_messages(result.GetErrorMessage(), source));
    output.text.assign(result.begin(), result.end());
    return output;
}

Result<ShaderBinary> compile_shader(const ShaderSource& source) {
    ShaderBinary output;
    const shaderc::CompileOptions options = make_options(source, output.includes);
    const shaderc::Compiler compiler;
    const auto result = compiler.CompileGlslToSpv(source.text, kind_of(source.stage),
                                                  source.file.string().c_str(), options);
    if (result.GetCompilationStatus() != shaderc_compilation_status_success)
        return std::unexpected(parse_messages(result.GetErrorMessage(), source));
    output.words.assign(result.begin(), result.end());
    if (is_exact(source)) output.words = with_exact_arithmetic(std::move(output.words));
    if (!source.optimised) return output;
    auto words = optimise(std::move(output.words), source);
    if (!words) return propagate(std::move(words));
    output.words = with_assertion_lines(std::move(*words), source.text);
    return output;
}

} // namespace tuff
