#include "config/build/asset_loading.hpp"

#include "config/build/generated_image.hpp"
#include "scene/image/mip_chain.hpp"

#include <tuff/array.hpp>
#include <tuff/assets.hpp>
#include <tuff/drawing.hpp>
#include <tuff/image.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tuff {
namespace {

ImageAsset image_asset(HostImage image, bool mips) {
    ImageAsset asset;
    asset.desc.format = image.format;
    asset.desc.extent = image.extent;
    asset.desc.shape = image.extent.depth > 1 ? ImageShape::d3 : ImageShape::d2;
    asset.desc.mips = mips ? full_mip_count(image.extent) : 1;
    asset.texels = std::make_shared<const std::vector<std::byte>>(mips ? with_mips(std::move(image))
                                                                       : std::move(image.texels));
    return asset;
}

/// Integer texels cannot be averaged into mips.
bool can_filter(Format format) {
    const NumericKind kind = info(format).kind;
    return kind != NumericKind::uint && kind != NumericKind::sint;
}

/// An array in memory.
struct ArrayAsset {
    BufferElements elements;
    std::shared_ptr<const std::vector<std::byte>> bytes;
};

Result<ArrayAsset> read_array(const AssetSpec& spec, const std::filesystem::path& file) {
    Result<HostArray> array =
        spec.file.empty()
            ? make_array(spec.values, spec.type.value_or(ElementType::f32), spec.shape)
            : load_array(file, {.type = spec.type, .shape = spec.shape});
    if (!array) return propagate(std::move(array));
    return ArrayAsset{array->elements(),
                      std::make_shared<const std::vector<std::byte>>(std::move(array->bytes))};
}

Result<LoadedAsset> load_array_asset(const AssetSpec& spec, const AssetFolders& folders,
                                     AssetCache& cache) {
    const auto files = files_of(spec, folders);
    if (!files) return std::unexpected(files.error());
    const std::filesystem::path file = files->empty() ? "" : files->front();
    const std::string key =
        fmt::format("array:{}:[{}]:[{}]:{}", spec.type ? element_name(*spec.type) : "",
                    fmt::join(spec.shape, ","), fmt::join(spec.values, ","), file.string());
    auto array = cache.get<ArrayAsset>(key, *files, [&] { return read_array(spec, file); });
    if (!array) return propagate(std::move(array));
    return LoadedAsset{.key = key,
                       .add =
                           [array = *array](Graph& graph, std::string_view name) {
                               const BufferDesc desc{.size = array->bytes->size(),
                                                     .stride = array->elements.bytes()};
                               PortValue value =
                                   PortValue::of(graph.constant_buffer(name, desc, array->bytes));
                               value.elements = array->elements;
                               return value;
                           },
                       .files = *files};
}

std::string generated_key(const AssetSpec& s) {
    return fmt::format("generate:{}:{}x{}:{}:{}:{}:{},{},{},{}:{}",
                       kGeneratorNames[static_cast<std::size_t>(s.generator)], s.size[0], s.size[1],
                       info(s.format).name, s.seed, s.cell, s.color[0], s.color[1], s.color[2],
                       s.color[3], s.mips);
}

std::string text_key(const AssetSpec& s) {
    return fmt::format("text:{}:{}:{}:{}:{}x{}:{}:{}:{}", s.text.size, s.text.padding,
                       static_cast<int>(s.text.align), s.sized, s.size[0], s.size[1], s.mips,
                       s.file.size(), s.file + s.text.text);
}

/// The key of what a picture is made of; empty files: of no file.
std::string key_of(const AssetSpec& spec, const std::vector<std::filesystem::path>& files) {
    const std::string file = files.empty() ? "" : files.front().string();
    if (spec.kind == AssetKind::text) return text_key(spec) + ":" + file;
    if (files.empty()) return generated_key(spec);
    const std::string drawn = spec.sized ? fmt::format("{}x{}", spec.size[0], spec.size[1]) : "";
    return fmt::format("{}:{}:{}:{}:{}:{}", static_cast<int>(spec.kind), spec.srgb, spec.mips,
                       drawn, spec.coverage, file);
}

Result<ImageAsset> read_text(const AssetSpec& spec,
                             const std::vector<std::filesystem::path>& files) {
    TextDrawing drawing = spec.text;
    if (spec.sized) drawing.box = spec.size;
    Result<HostImage> image =
        files.empty() ? draw_text(drawing) : draw_text(drawing, files.front());
    if (!image) return propagate(std::move(image));
    return image_asset(std::move(*image), spec.mips);
}

/// A picture of shapes, drawn as the spec says.
Result<HostImage> read_drawing_file(const AssetSpec& spec, const std::filesystem::path& file) {
    DrawingOptions options{.size = {}, .coverage = spec.coverage};
    if (spec.sized) options.size = spec.size;
    Result<HostImage> image = load_drawing(file, options);
    if (image || image.error().front().code != "image/unknown-format") return image;
    return fail("config/bad-asset",
                fmt::format("'{}' is not an SVG: its size and colours are fixed", file.string()),
                "leave \"size\" and \"coverage\" out, or resize the picture by image/resize");
}

} // namespace

Result<std::vector<std::filesystem::path>> files_of(const AssetSpec& spec,
                                                    const AssetFolders& folders) {
    std::vector<std::filesystem::path> files;
    if (spec.file.empty()) return files;
    Result<std::filesystem::path> found = find_asset(spec.file, folders.own, folders.confined_to);
    if (!found) return propagate(std::move(found));
    files.push_back(std::move(*found));
    return files;
}

Result<ImageAsset> picture_asset(const AssetSpec& spec, HostImage image,
                                 const std::filesystem::path& file) {
    if (spec.mips && (!can_filter(image.format) || image.extent.depth > 1))
        return fail("config/bad-asset",
                    fmt::format("{} ({}) cannot have mips", file.string(), info(image.format).name),
                    "leave \"mips\" out");
    return image_asset(std::move(image), spec.mips);
}

Result<ImageAsset> read_picture(const AssetSpec& spec, const std::filesystem::path& file) {
    ImageLoadOptions options{.keep_16_bits = true};
    if (spec.srgb) options.ldr = Format::rgba8_srgb;
    const bool drawn = spec.sized || spec.coverage;
    Result<HostImage> image = drawn ? read_drawing_file(spec, file) : load_image(file, options);
    if (image && drawn && spec.srgb && image->format == Format::rgba8_unorm)
        image->format = Format::rgba8_srgb;
    if (!image) return propagate(std::move(image));
    return picture_asset(spec, std::move(*image), file);
}

Result<LoadedAsset> load_asset(const AssetSpec& spec, const AssetFolders& folders,
                               AssetCache& cache) {
    if (port_type(spec.kind) == "Scene") return load_scene_asset(spec, folders, cache);
    if (spec.kind == AssetKind::volume) return load_volume_asset(spec, folders, cache);
    if (spec.kind == AssetKind::recorded_poses) return load_recorded_poses(spec, folders, cache);
    if (spec.kind == AssetKind::array) return load_array_asset(spec, folders, cache);
    if (spec.series) return load_series_asset(spec, folders, cache);
    const auto files = files_of(spec, folders);
    if (!files) return std::unexpected(files.error());
    const std::string key = key_of(spec, *files);
    auto image = cache.get<ImageAsset>(key, *files, [&]() -> Result<ImageAsset> {
        if (spec.kind == AssetKind::text) return read_text(spec, *files);
        if (files->empty()) return image_asset(generate_image(spec), spec.mips);
        return read_picture(spec, files->front());
    });
    if (!image) return propagate(std::move(image));
    return LoadedAsset{.key = key,
                       .add =
                           [image = *image](Graph& graph, std::string_view name) {
                               return PortValue::of(
                                   graph.constant_image(name, image->desc, image->texels));
                           },
                       .files = *files};
}

} // namespace tuff
