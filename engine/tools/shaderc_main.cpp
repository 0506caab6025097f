// tuff_shaderc: compiles one GLSL stage at build time, with the very code and options of the run
// time, and writes it as a C++ source with a depfile for the build system.

#include "gpu/shader/shader_compiler.hpp"
#include "gpu/shader/shader_reflection.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
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

std::string source_text(const std::string& symbol, const std::vector<std::uint32_t>& words) {
    constexpr std::size_t kWordsPerLine = 8;
    std::string text = "#include <cstdint>\n#include <span>\n\nnamespace tuff::embedded {\n\n";
    text += "static const std::uint32_t kWords[] = {";
    for (std::size_t i = 0; i < words.size(); ++i)
        text += fmt::format("{}0x{:x}u,", i % kWordsPerLine == 0 ? "\n    " : " ", words[i]);
    text += fmt::format("\n}};\n\nextern const std::span<const std::uint32_t> {0};\n"
                        "const std::span<const std::uint32_t> {0} = kWords;\n\n"
                        "}} // namespace tuff::embedded\n",
                        symbol);
    return text;
}

std::string depfile_text(const fs::path& output, const fs::path& source,
                         const std::vector<fs::path>& includes) {
    std::string text = escape(output) + ": " + escape(source);
    for (const fs::path& include : includes)
        text += " \\\n  " + escape(include);
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

tuff::Result<tuff::ShaderBinary> compile(const fs::path& root, const fs::path& file) {
    const auto stage = tuff::stage_of(file);
    if (!stage)
        return tuff::fail(
            "shader/unknown-stage",
            fmt::format("{} is no .comp, .vert, .frag, .rgen, .rmiss, .rchit or .rahit file",
                        file.string()));
    auto text = tuff::read_shader_file(file);
    if (!text) return tuff::propagate(std::move(text));
    auto binary = tuff::compile_shader({.file = file,
                                        .text = std::move(*text),
                                        .stage = *stage,
                                        .include_folders = {root / "include"}});
    if (!binary) return binary;
    // A kernel that cannot be used is better found now than in the first frame.
    auto usable = tuff::reflect_shader(file.stem().string(), *stage, binary->words);
    if (!usable) return tuff::propagate(std::move(usable));
    return binary;
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 6) {
        fmt::print(stderr, "usage: tuff_shaderc SHADER_ROOT SOURCE SYMBOL OUTPUT.cpp DEPFILE\n");
        return 2;
    }
    const fs::path source = argv[2];
    const fs::path output = argv[4];
    const auto binary = compile(argv[1], source);
    if (!binary) {
        fmt::print(stderr, "{}\n", tuff::to_string(binary.error()));
        return 1;
    }
    const bool written = write(output, source_text(argv[3], binary->words)) &&
                         write(argv[5], depfile_text(output, source, binary->includes));
    return written ? 0 : 1;
}
