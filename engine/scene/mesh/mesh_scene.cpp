#include "core/isolated.hpp"
#include "scene/files.hpp"
#include "scene/mesh/imported_scene.hpp"
#include "scene/mesh/mesh_files.hpp"
#include "scene/mesh/mesh_header.hpp"

#include <tuff/file_kinds.hpp>
#include <tuff/scene.hpp>

#include <assimp/Importer.hpp>
#include <assimp/scene.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <span>
#include <string>
#include <vector>

namespace tuff {
namespace {

constexpr std::uint64_t kMaxMeshFileBytes = std::uint64_t{1} << 32;

// What the process that tries a parser says: one of these, and the parser's reason.
constexpr char kParsed = '!';
constexpr char kNotParsed = '?';
constexpr std::size_t kMaxReason = 512;

/// Whether the parser of such files stands damaged ones. That of PLY takes memory for any number of
/// corners that a face promises.
bool is_robust(std::string_view extension) {
    return extension == ".obj";
}

std::unexpected<Diagnostics> import_failed(const std::string& why) {
    // The parser of OBJ looks at indices itself.
    if (why.find("index") != std::string::npos && why.find("range") != std::string::npos)
        return fail("mesh/index-out-of-range", why, "the file is damaged; export it again");
    return fail("mesh/corrupt", fmt::format("the file cannot be parsed: {}", why),
                "the file is damaged; export it again");
}

/// What assimp makes of a file; null where it makes nothing.
const aiScene* parse(Assimp::Importer& importer, const std::filesystem::path& path,
                     const MeshOptions& options, Diagnostics& refused) {
    importer.SetIOHandler(new MeshFiles(options.confined_to, refused)); // who owns it from here on
    // The steps that assimp offers for what is read abort the program on some damaged files.
    return importer.ReadFile(path.string(), 0u);
}

/// What a model takes in memory: assimp has a block of its own for each polygon.
std::uint64_t parsing_bytes(std::uint64_t file_bytes) {
    constexpr std::uint64_t kMax = std::uint64_t{8} << 30;
    constexpr std::uint64_t kRatio = 1024; // also of compressed files
    return std::min((std::uint64_t{256} << 20) + kRatio * std::min(file_bytes, kMax / kRatio),
                    kMax);
}

/// Whether the file can be parsed without a crash, without end and without more memory than such a
/// file takes, tried in a process of its own.
Result<void> try_parser(const std::filesystem::path& path, const MeshOptions& options) {
    std::error_code ignored;
    const std::uint64_t size = std::filesystem::file_size(path, ignored);
    char answer = 0;
    std::string why(kMaxReason, '\0');
    const IsolatedEnd end = run_isolated(
        parsing_bytes(size), reading_seconds(size),
        [&](AnswerPipe& pipe) {
            // Some parsers go on without what they have no memory for, and would take it here.
            std::set_new_handler([] { std::_Exit(1); });
            Diagnostics refused;
            Assimp::Importer importer;
            const bool parsed = parse(importer, path, options, refused) || !refused.empty();
            pipe.write(parsed ? &kParsed : &kNotParsed, 1);
            std::string reason = importer.GetErrorString();
            reason.resize(kMaxReason);
            pipe.write(reason.data(), reason.size());
        },
        [&](AnswerPipe& pipe) {
            return pipe.read(&answer, 1) && pipe.read(why.data(), kMaxReason);
        });
    if (end == IsolatedEnd::not_started)
        return fail("mesh/unreadable",
                    fmt::format("no process can be started to read '{}': {}", path.string(),
                                std::strerror(errno)),
                    "end some processes or close some files");
    if (end == IsolatedEnd::failed)
        return fail("mesh/corrupt", "the file cannot be parsed: its reader failed",
                    "the file is damaged; export it again");
    if (answer != kParsed) return import_failed(why.c_str()); // up to the first zero byte
    return {};
}

Result<SceneData> import(const std::filesystem::path& path, const MeshOptions& options) {
    if (!is_robust(lower_extension(path)))
        if (auto tried = try_parser(path, options); !tried) return propagate(std::move(tried));
    Diagnostics refused;
    Assimp::Importer importer;
    const aiScene* imported = parse(importer, path, options, refused);
    if (!refused.empty()) return std::unexpected(std::move(refused));
    if (!imported) return import_failed(importer.GetErrorString());
    return scene_of_import(*imported, path.parent_path(), options);
}

bool is_gltf(std::string_view extension) {
    return extension == ".gltf" || extension == ".glb";
}

Result<void> check_file(const std::filesystem::path& path, std::string_view extension) {
    if (!is_model_file(path) || is_gltf(extension))
        return fail("mesh/unknown-format",
                    fmt::format("'{}' is no kind of model that is understood", path.string()),
                    fmt::format("one of {}", fmt::join(model_extensions(), ", ")));
    const auto file = read_file(path, "mesh", kMaxMeshFileBytes);
    if (!file) return propagate(Result<std::vector<std::byte>>(file));
    if (extension == ".ply") return check_ply_header(*file);
    if (extension == ".off") return check_off(*file);
    if (!Assimp::Importer().IsExtensionSupported(std::string(extension)))
        return fail("mesh/unknown-format",
                    fmt::format("the installed assimp cannot read '{}'", path.string()),
                    "convert it, to .glb for instance");
    return {};
}

} // namespace

Result<SceneData> load_mesh(const std::filesystem::path& path, const MeshOptions& options) {
    Result<SceneData> scene;
    if (auto sound = check_file(path, lower_extension(path)); !sound) {
        scene = propagate(std::move(sound));
    } else {
        try {
            scene = import(path, options);
        } catch (const std::exception& error) {
            scene =
                fail("mesh/corrupt", fmt::format("the file cannot be parsed: {}", error.what()));
        }
    }
    if (!scene)
        for (Diagnostic& diagnostic : scene.error())
            if (!diagnostic.where.known()) diagnostic.where.file = path.string();
    return scene;
}

Result<SceneData> load_scene(const std::filesystem::path& path,
                             std::span<const std::filesystem::path> confined_to) {
    const std::string extension = lower_extension(path);
    std::vector<std::filesystem::path> folders(confined_to.begin(), confined_to.end());
    return is_gltf(extension) ? load_gltf(path, {.confined_to = std::move(folders)})
                              : load_mesh(path, {.confined_to = std::move(folders)});
}

std::span<const std::string_view> model_extensions() {
    // Of what assimp reads, all that has triangles and an extension that means nothing else.
    static constexpr std::array<std::string_view, 31> kAll = {
        ".gltf", ".glb",  ".obj", ".ply", ".off",   ".stl", ".3ds",     ".3mf",
        ".ac",   ".amf",  ".ase", ".b3d", ".blend", ".cob", ".dae",     ".dxf",
        ".fbx",  ".lwo",  ".lws", ".lxo", ".md2",   ".mdl", ".md5mesh", ".ms3d",
        ".nff",  ".ogex", ".q3o", ".smd", ".x",     ".x3d", ".zgl"};
    return kAll;
}

bool is_model_file(const std::filesystem::path& path) {
    return std::ranges::count(model_extensions(), lower_extension(path)) > 0;
}

} // namespace tuff
