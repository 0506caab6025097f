#include "config/kernel/kernel_source.hpp"

#include "config/check/flat_config.hpp"
#include "core/file_access.hpp"
#include "gpu/shader/shader_cache.hpp"
#include "gpu/shader/shader_compiler.hpp"

#include <fmt/format.h>
#include <spirv-tools/libspirv.hpp>

#include <algorithm>
#include <cstring>

namespace tuff {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kInline = "<glsl>"; // how the compiler names the text of a config
constexpr std::string_view kExtensionHint =
    "a kernel is a .comp or .frag (GLSL), a .hlsl (compute) or a .spv";

/// The line of the text, from 1; empty where there is none.
std::string_view line_at(std::string_view text, int line) {
    for (; line > 1; --line) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos) return {};
        text.remove_prefix(end + 1);
    }
    return text.substr(0, text.find('\n'));
}

/// FNV-1a.
std::uint64_t hash_words(std::span<const std::uint32_t> words) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const std::uint32_t word : words)
        hash = (hash ^ word) * 0x100000001b3;
    return hash;
}

/// Makes the KernelSource of one node.
class KernelLoader {
  public:
    KernelLoader(const NodeDecl& decl, const KernelFolders& folders, std::set<fs::path>& files,
                 Problems& problems)
        : decl_(decl), folders_(folders), files_(files), problems_(problems) {}

    std::optional<KernelSource> load() {
        if (!(decl_.kernel->is_inline ? compile_text() : load_file())) return std::nullopt;
        auto facts = reflect_stage(source_.name, source_.shader.words);
        auto interface = reflect_shader(source_.name, source_.shader.stage, source_.shader.words);
        if (!facts || !interface) {
            report(std::move(interface ? facts.error() : interface.error()));
            return std::nullopt;
        }
        source_.facts = std::move(*facts);
        source_.interface = std::move(*interface);
        source_.name = fmt::format("{}#{:016x}", source_.name, hash_words(source_.shader.words));
        source_.interface.name = source_.name;
        return std::move(source_);
    }

  private:
    void error(std::string_view code, std::string message, std::string hint = {}) {
        problems_.error(code, decl_.target.span, std::move(message), std::move(hint));
    }

    /// Errors with a place in the kernel say which node it is of; others are put at the node.
    void report(Diagnostics all) {
        const SourcePlace node = decl_.name.span.place();
        for (Diagnostic& d : all) {
            if (d.where.file == kInline || d.where.file.empty())
                d.where = kernel_place(decl_, source_, d.where.line);
            else
                d.message = fmt::format("kernel of node \"{}\" ({}:{}): {}", decl_.name.text,
                                        node.file, node.line, d.message);
        }
        problems_.take(std::move(all), decl_.target.span);
    }

    bool compile_text() {
        source_.name = fmt::format("glsl/{}", decl_.name.text);
        source_.text = decl_.kernel->text;
        const bool has_version = source_.text.find("#version") != std::string::npos;
        ShaderSource source{.file = kInline,
                            .text = (has_version ? "" : "#version 460\n#line 1\n") + source_.text,
                            .stage = decl_.kernel->is_fragment ? ShaderStage::fragment
                                                               : ShaderStage::compute};
        return compile(source, folders_.own);
    }

    bool load_file() {
        const fs::path written = decl_.target.text;
        const fs::path file = (folders_.own / written).lexically_normal();
        source_.name = written.generic_string();
        source_.file = file.string();
        const fs::path roots[] = {folders_.own, folders_.main};
        if (written.is_absolute() || !lies_within(file, roots)) {
            error("config/kernel-outside",
                  fmt::format("kernel {} lies outside the folder of the config", decl_.target.text),
                  "put the kernel beside the config or in a folder below it");
            return false;
        }
        const auto stage = stage_of_file(file.extension());
        if (!stage) {
            error("config/kernel-type",
                  fmt::format("a config cannot run {} as a kernel", decl_.target.text),
                  std::string(kExtensionHint));
            return false;
        }
        std::error_code ignored;
        Result<std::string> text =
            fs::exists(file, ignored) && !fs::is_regular_file(file, ignored)
                ? fail("config/unreadable",
                       fmt::format("cannot read {}: it is no file", file.string()))
                : read_text_file(file);
        if (!text) {
            for (Diagnostic& d : text.error())
                d.where = decl_.target.span.place();
            problems_.take(std::move(text.error()), decl_.target.span);
            return false;
        }
        files_.insert(file);
        if (file.extension() == ".spv") return take_words(*text);
        source_.text = std::move(*text);
        return compile(
            {.file = file,
             .text = source_.text,
             .stage = *stage,
             .language = file.extension() == ".hlsl" ? ShaderLanguage::hlsl : ShaderLanguage::glsl},
            file.parent_path());
    }

    static std::optional<ShaderStage> stage_of_file(const fs::path& extension) {
        if (extension == ".frag") return ShaderStage::fragment;
        for (const char* compute : {".comp", ".hlsl", ".spv"})
            if (extension == compute) return ShaderStage::compute; // SPIR-V says it itself
        return std::nullopt;
    }

    bool compile(ShaderSource source, const fs::path& folder) {
        source.include_folders = {folder, folders_.own / "include"};
        source.confined_to = {folders_.own, folders_.main};
        source.built_in = shader_includes();
        auto preprocessed = preprocess_shader(source);
        if (!preprocessed) return report(std::move(preprocessed.error())), false;
        for (const fs::path& include : preprocessed->includes)
            files_.insert(include);
        const char* const size =
            source.language == ShaderLanguage::hlsl ? "numthreads" : "local_size";
        if (source.stage == ShaderStage::compute &&
            preprocessed->text.find(size) == std::string::npos) {
            problems_.take({{.code = "config/kernel-group",
                             .message = fmt::format("kernel of node \"{}\" does not say how large "
                                                    "its groups are",
                                                    decl_.name.text),
                             .where = kernel_place(decl_, source_, 1),
                             .hint = source.language == ShaderLanguage::hlsl
                                         ? "write [numthreads(8, 8, 1)] before main"
                                         : "write layout(local_size_x = 8, local_size_y = 8) in;"}},
                           decl_.target.span);
            return false;
        }
        ShaderCache cache(default_cache_directory());
        const std::string key =
            fmt::format("{}\n{}{}\n{}", shader_compiler_version(), extension_of(source.stage),
                        source.language == ShaderLanguage::hlsl ? " hlsl" : "", preprocessed->text);
        source_.shader.stage = source.stage;
        if (auto cached = cache.load(key)) {
            source_.shader.words = std::move(*cached);
            return true;
        }
        auto binary = compile_shader(source);
        if (!binary) return report(std::move(binary.error())), false;
        cache.store(key, binary->words);
        source_.shader.words = std::move(binary->words);
        return true;
    }

    /// Takes a file of SPIR-V as it is, if it is valid and has one compute or fragment stage.
    bool take_words(const std::string& bytes) {
        std::vector<std::uint32_t>& words = source_.shader.words;
        words.resize(bytes.size() / sizeof(std::uint32_t));
        std::memcpy(words.data(), bytes.data(), words.size() * sizeof(std::uint32_t));
        std::string why = "it is not SPIR-V";
        spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_3);
        tools.SetMessageConsumer([&why](spv_message_level_t, const char*, const spv_position_t&,
                                        const char* text) { why = text; });
        if (bytes.size() % sizeof(std::uint32_t) != 0 || !tools.Validate(words)) {
            error("config/kernel-damaged", fmt::format("{} is damaged: {}", source_.file, why),
                  "compile it again: glslc -g --target-env=vulkan1.3 kernel.comp -o kernel.spv");
            return false;
        }
        const auto facts = reflect_stage(source_.name, words);
        const auto suits = [](const StageFacts::EntryPoint& entry) {
            return entry.stage == ShaderStage::compute || entry.stage == ShaderStage::fragment;
        };
        if (!facts || facts->entry_points.size() != 1 || !suits(facts->entry_points.front()) ||
            facts->entry_points.front().name != "main") {
            error("config/kernel-stage",
                  fmt::format("{} has no compute or fragment stage with the one entry point main",
                              source_.file),
                  std::string(kExtensionHint));
            return false;
        }
        source_.shader.stage = *facts->entry_points.front().stage;
        return true;
    }

    const NodeDecl& decl_;
    const KernelFolders& folders_;
    std::set<fs::path>& files_;
    Problems& problems_;
    KernelSource source_;
};

} // namespace

SourcePlace kernel_place(const NodeDecl& decl, const KernelSource& source, int line) {
    if (!decl.kernel->is_inline && !source.text.empty() && line > 0) {
        const std::string text(line_at(source.text, line));
        const std::size_t first = std::min(text.find_first_not_of(" \t"), text.size());
        return {.file = source.file,
                .line = line,
                .column = static_cast<int>(first) + 1,
                .length = std::max(static_cast<int>(text.size() - first), 1),
                .line_text = text};
    }
    const std::vector<Span>& lines = decl.kernel->lines;
    if (lines.size() > 1 && line > 0 && static_cast<std::size_t>(line) <= lines.size())
        return lines[static_cast<std::size_t>(line) - 1].place();
    return decl.target.span.place();
}

std::optional<KernelSource> read_kernel_source(const NodeDecl& decl, const KernelFolders& folders,
                                               std::set<fs::path>& files, Problems& problems) {
    return KernelLoader(decl, folders, files, problems).load();
}

} // namespace tuff
