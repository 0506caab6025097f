#include "config/build/asset_loading.hpp"

#include "config/build/generated_image.hpp"
#include "scene/image/mip_chain.hpp"

#include <tuff/assets.hpp>
#include <tuff/image.hpp>

#include <fmt/format.h>

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

Result<ImageAsset> read_image(const AssetSpec& spec, const std::filesystem::path& file) {
    ImageLoadOptions options;
    if (spec.srgb) options.ldr = Format::rgba8_srgb;
    Result<HostImage> image = load_image(file, options);
    if (!image) return propagate(std::move(image));
    if (spec.mips && (!can_filter(image->format) || image->extent.depth > 1))
        return fail(
            "config/bad-asset",
            fmt::format("{} ({}) cannot have mips", file.string(), info(image->format).name),
            "leave \"mips\" out");
    return image_asset(std::move(*image), spec.mips);
}

std::string generated_key(const AssetSpec& s) {
    return fmt::format("generate:{}:{}x{}:{}:{}:{}:{},{},{},{}:{}",
                       kGeneratorNames[static_cast<std::size_t>(s.generator)], s.size[0], s.size[1],
                       info(s.format).name, s.seed, s.cell, s.color[0], s.color[1], s.color[2],
                       s.color[3], s.mips);
}

} // namespace

Result<LoadedAsset> load_asset(const AssetSpec& spec, const AssetFolders& folders,
                               AssetCache& cache) {
    if (port_type(spec.kind) == "Scene") return load_scene_asset(spec, folders, cache);
    if (spec.kind == AssetKind::volume) return load_volume_asset(spec, folders, cache);
    std::vector<std::filesystem::path> files;
    std::string key = generated_key(spec);
    if (spec.kind != AssetKind::generate) {
        Result<std::filesystem::path> found =
            find_asset(spec.file, folders.own, folders.confined_to);
        if (!found) return propagate(std::move(found));
        key = fmt::format("{}:{}:{}:{}", static_cast<int>(spec.kind), spec.srgb, spec.mips,
                          found->string());
        files.push_back(std::move(*found));
    }
    auto image = cache.get<ImageAsset>(key, files, [&]() -> Result<ImageAsset> {
        if (spec.kind == AssetKind::generate) return image_asset(generate_image(spec), spec.mips);
        return read_image(spec, files.front());
    });
    if (!image) return propagate(std::move(image));
    return LoadedAsset{key, [image = *image](Graph& graph, std::string_view name) {
                           return PortValue::of(
                               graph.constant_image(name, image->desc, image->texels));
                       }};
}

} // namespace tuff
