// tuff_shaderc: compiles kernels at build time, with the very code and options of the run time,
// into one shader pack, with a depfile for the build system. Stages whose text is what it was are
// taken from a cache.

#include "gpu/shader/shader_cache.hpp"
#include "gpu/shader/shader_compiler.hpp"
#include "gpu/shader/shader_pack.hpp"
#include "gpu/shader/shader_reflection.hpp"
#include "gpu/shader/shader_variants.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <span>
#include <string>

namespace {

namespace fs = std::filesystem;

/// Spaces in a depfile separate names.
std::string escape(const fs::path& path) {
    std::string result;
    for (const char c : path.string()) {
        if (c == ' ' || c == '#') result += '\\';
        if (c == '$') result += '$';
        result += c;
    }
    return result;
}

std::string depfile_text(const fs::path& output, const std::set<fs::path>& sources) {
    std::string text = escape(output) + ":";
    for (const fs::path& source : sources)
        text += " \\\n  " + escape(source);
    return text + "\n";
}

bool write(const fs::path& file, const std::string& text) {
    std::error_code ignored;
    fs::create_directories(file.parent_path(), ignored);
    std::ofstream stream(file, std::ios::binary);
    stream << text;
    if (stream.flush()) return true;
    fmt::print(stderr, "tuff_shaderc: cannot write {}\n", file.string());
    return false;
}

/// Compiles stages below one folder, in all their variants.
class Packer {
  public:
    Packer(fs::path root, const fs::path& cache) : root_(std::move(root)), cache_(cache) {}

    tuff::Result<void> add(const fs::path& file) {
        const std::string kernel =
            fs::path(file).replace_extension().lexically_relative(root_).generic_string();
        const auto stage = tuff::stage_of(file);
        if (!stage)
            return tuff::fail(
                "shader/unknown-stage",
                fmt::format("{} is no .comp, .vert, .frag, .rgen, .rmiss, .rchit or .rahit file",
                            file.string()));
        const auto text = tuff::read_shader_file(file);
        if (!text) return std::unexpected(text.error());
        if (auto added = add_stage(kernel, *stage, file); !added) return added;
        // Stages of other kernels that this one shares.
        for (const tuff::ShaderStage named : tuff::named_stages(*stage, *text).stages)
            if (const auto other = tuff::stage_file(root_, kernel, named))
                if (auto added = add_stage(kernel, named, *other); !added) return added;
        return {};
    }

    std::span<const tuff::PackedShader> shaders() const { return shaders_; }
    const std::set<fs::path>& sources() const { return sources_; } ///< includes among them

  private:
    tuff::Result<void> add_stage(const std::string& kernel, tuff::ShaderStage stage,
                                 const fs::path& file) {
        sources_.insert(file);
        const auto text = tuff::read_shader_file(file);
        if (!text) return std::unexpected(text.error());
        const auto table = tuff::parse_variants(file, *text);
        if (!table) return std::unexpected(table.error());
        for (const tuff::ShaderVariant& variant : table->variants()) {
            const std::string name = variant.name_of(kernel);
            auto words = compile({.file = file,
                                  .text = *text,
                                  .stage = stage,
                                  .include_folders = {root_ / "include"},
                                  .macros = tuff::macro_definitions(variant.values())});
            if (!words) return tuff::propagate(std::move(words));
            // A kernel that cannot be used is better found now than in the first frame.
            auto usable = tuff::reflect_shader(name, stage, *words);
            if (!usable) return tuff::propagate(std::move(usable));
            shaders_.push_back({name, stage, std::move(*words)});
        }
        return {};
    }

    tuff::Result<std::vector<std::uint32_t>> compile(const tuff::ShaderSource& source) {
        const auto preprocessed = tuff::preprocess_shader(source);
        if (!preprocessed) return std::unexpected(preprocessed.error());
        sources_.insert(preprocessed->includes.begin(), preprocessed->includes.end());
        const std::string key = fmt::format("{}\n{}\n{}", tuff::shader_compiler_version(),
                                            tuff::extension_of(source.stage), preprocessed->text);
        if (auto cached = cache_.load(key)) return std::move(*cached);
        auto binary = tuff::compile_shader(source);
        if (!binary) return tuff::propagate(std::move(binary));
        cache_.store(key, binary->words);
        return std::move(binary->words);
    }

    fs::path root_;
    tuff::ShaderCache cache_;
    std::vector<tuff::PackedShader> shaders_;
    std::set<fs::path> sources_;
};

} // namespace

int main(int argc, char** argv) {
    const std::span<char* const> arguments(argv, static_cast<std::size_t>(argc));
    if (arguments.size() < 5) {
        fmt::print(stderr, "usage: tuff_shaderc FOLDER PACK DEPFILE CACHE_FOLDER SHADER...\n"
                           "Compiles the SHADERs, which lie below FOLDER, into PACK.\n");
        return 2;
    }
    Packer packer(arguments[1], arguments[4]);
    bool compiled = true;
    for (const char* file : arguments.subspan(5)) {
        const auto added = packer.add(file);
        if (!added) fmt::print(stderr, "{}\n", tuff::to_string(added.error()));
        compiled = compiled && added;
    }
    const bool written = compiled &&
                         write(arguments[2], tuff::write_shader_pack(packer.shaders())) &&
                         write(arguments[3], depfile_text(arguments[2], packer.sources()));
    return written ? 0 : 1;
}
