#include "apps/tuff/report/output_paths.hpp"

#include "apps/shared/video.hpp"
#include "apps/tuff/report/film.hpp"
#include "core/file_access.hpp"
#include "scene/files.hpp"

#include <tuff/image.hpp>
#include <tuff/volume.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <system_error>

namespace tuff::cli {
namespace fs = std::filesystem;
namespace {

constexpr std::array<std::string_view, 9> kBufferExtensions = {
    ".bin", ".csv", ".npy", ".jpg", ".avi", ".ply", ".obj", ".glb", ".gltf"};

bool is_hidden(const fs::path& path) {
    return std::ranges::any_of(
        path, [](const fs::path& part) { return part.native().starts_with('.') && part != "."; });
}

/// Why a file may not be written; empty where it may be.
std::string objection(const fs::path& file, const OutputFolders& folders) {
    const fs::path base = folders.out_dir.empty() ? fs::path(".") : folders.out_dir;
    const fs::path target = base / file; // `file` alone where it is absolute
    std::optional<fs::path> left;
    for (const fs::path& folder : folders.more)
        if (!left) left = path_below(folder, target.parent_path());
    if (!left) {
        if (file.is_absolute()) return "an absolute path";
        if (std::ranges::find(file, "..") != file.end()) return "which leads out of the folder";
        left = path_below(base, target.parent_path());
        if (!left) return "which leads out of the folder by a link";
    }
    if (is_hidden(*left / file.filename())) return "which is hidden";
    std::error_code ignored;
    const fs::file_status there = fs::symlink_status(target, ignored);
    if (fs::is_symlink(there)) return "which is a link";
    if (fs::is_directory(there)) return "which is a folder";
    if (fs::exists(there) && !fs::is_regular_file(there)) return "which is not a plain file";
    return {};
}

} // namespace

Result<fs::path> output_path(const ConfiguredOutput& output, const fs::path& name,
                             const OutputFolders& folders) {
    const std::string why = objection(name, folders);
    if (why.empty()) return folders.out_dir / name;
    return fail({.code = "cli/unsafe-output",
                 .message = fmt::format("output \"{}\" would be written to '{}', {}", output.name,
                                        name.string(), why),
                 .where = output.where,
                 .hint = fmt::format("a config's files go below the current folder or --out-dir; "
                                     "--out {}=FILE or --allow-write DIR allows more",
                                     output.name)});
}

Result<void> check_extension(const ConfiguredOutput& output, const fs::path& file, bool named) {
    const std::string extension = lower_extension(file);
    const bool buffer = output.type == "Buffer";
    if (!buffer && is_volume_file(file)) return {};
    if (!buffer && output.of_field && extension == ".pvti") return {};
    if ((buffer && named) || (!buffer && (output.type.empty() || is_film_name(file)))) return {};
    const std::span<const std::string_view> known =
        buffer ? std::span<const std::string_view>(kBufferExtensions) : saved_image_extensions();
    if (std::ranges::find(known, extension) != known.end()) return {};
    return fail(
        {.code = "cli/unknown-extension",
         .message = fmt::format("output \"{}\" is {}, and '{}' has {}", output.name,
                                buffer ? "a buffer" : "an image", file.string(),
                                extension.empty() ? std::string("no extension")
                                                  : fmt::format("the extension '{}'", extension)),
         .where = named ? SourcePlace{} : output.where,
         .hint = fmt::format(
             "{} are written as {}{}", buffer ? "buffers" : "images", fmt::join(known, ", "),
             buffer ? ""
                    : fmt::format(", as films {}, .avi", fmt::join(video_extensions(), ", ")))});
}

} // namespace tuff::cli
