#include "scene/files.hpp"
#include "scene/image/image_codec.hpp"

#include <tuff/drawing.hpp>
#include <tuff/file_kinds.hpp>
#include <tuff/image.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>

namespace tuff {
namespace {

// Compressed files are smaller than their texels but for headers; this is room enough for both.
constexpr std::uint64_t kMaxImageFileBytes = kMaxImageBytes + (std::uint64_t{1} << 20);

enum class FileKind { unknown, stb, jpeg, exr, npy, svg };

FileKind kind_of(std::span<const std::byte> file, std::string_view name) {
    const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
    if (text.starts_with("\x89PNG\r\n\x1a\n") || text.starts_with("BM") ||
        text.starts_with("#?RADIANCE") || text.starts_with("#?RGBE"))
        return FileKind::stb;
    if (text.starts_with("\xff\xd8\xff")) return FileKind::jpeg;
    if (text.starts_with("\x76\x2f\x31\x01")) return FileKind::exr;
    if (text.starts_with("\x93NUMPY")) return FileKind::npy;
    if (is_drawing(file)) return FileKind::svg;
    if (lower_extension(std::filesystem::path(name)) == ".tga") return FileKind::stb;
    return FileKind::unknown;
}

/// Colours of files are sRGB or mean nothing: their bytes are the same.
Result<HostImage> drawn_as(Result<HostImage> drawing, Format ldr) {
    if (drawing) drawing->format = ldr;
    return drawing;
}

} // namespace

namespace codec {

Result<void> check_extent(std::string_view name, std::uint64_t width, std::uint64_t height,
                          std::uint64_t depth, std::uint64_t texel_bytes) {
    const bool sides = width <= kMaxImageSide && height <= kMaxImageSide && depth <= kMaxImageSide;
    if (sides && width * height * depth * texel_bytes <= kMaxImageBytes) return {};
    return fail("image/too-large",
                fmt::format("'{}' claims {}x{}x{} texels, more than {} a side or {} MiB in all",
                            name, width, height, depth, kMaxImageSide, kMaxImageBytes >> 20));
}

} // namespace codec

Result<HostImage> decode_image(std::span<const std::byte> file, std::string_view name,
                               ImageLoadOptions options) {
    if (options.ldr != Format::rgba8_unorm && options.ldr != Format::rgba8_srgb)
        return fail("image/unsupported",
                    fmt::format("'{}' cannot be loaded as {}", name, info(options.ldr).name),
                    "ask for rgba8_unorm or rgba8_srgb");
    if (options.hdr != Format::rgba32_sfloat && options.hdr != Format::rgba16_sfloat)
        return fail("image/unsupported",
                    fmt::format("'{}' cannot be loaded as {}", name, info(options.hdr).name),
                    "ask for rgba32_sfloat or rgba16_sfloat");
    if (file.size() > kMaxImageFileBytes)
        return fail("image/too-large", fmt::format("'{}' has {} bytes", name, file.size()));
    switch (kind_of(file, name)) {
    case FileKind::stb: return codec::decode_stb(file, name, options);
    case FileKind::jpeg: return codec::decode_jpeg(file, name, options);
    case FileKind::exr: return codec::decode_exr(file, name, options.hdr);
    case FileKind::npy: return codec::decode_npy(file, name, codec::NpyShape::image);
    case FileKind::svg: return drawn_as(decode_drawing(file, name), options.ldr);
    case FileKind::unknown: break;
    }
    return fail("image/unknown-format", fmt::format("'{}' is no image of a known kind", name),
                "PNG, JPEG, TGA, BMP, Radiance HDR, OpenEXR, NPY and SVG are read");
}

Result<HostImage> load_image(const std::filesystem::path& path, ImageLoadOptions options) {
    auto file = read_file(path, "image", kMaxImageFileBytes);
    if (!file) return propagate(std::move(file));
    return decode_image(*file, path.string(), options);
}

std::span<const std::string_view> loaded_image_extensions() {
    static constexpr std::array<std::string_view, 9> kAll = {
        ".png", ".jpg", ".jpeg", ".tga", ".bmp", ".hdr", ".exr", ".npy", ".svg"};
    return kAll;
}

bool is_image_file(const std::filesystem::path& path) {
    return std::ranges::count(loaded_image_extensions(), lower_extension(path)) > 0;
}

} // namespace tuff
