#include "config/build/asset_loading.hpp"

#include <tuff/assets.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

namespace tuff {
namespace {

std::string volume_key(const VolumeSpec& spec, const std::filesystem::path& file) {
    std::string key = fmt::format("volume:{}:{}:{}", file.string(), spec.array, spec.normalize);
    if (spec.frame) key += fmt::format(":frame {}", *spec.frame);
    if (spec.raw)
        key += fmt::format(":raw {} {} {} {} {} {} {}", static_cast<int>(spec.raw->type),
                           spec.raw->extent.width, spec.raw->extent.height, spec.raw->extent.depth,
                           spec.raw->channels, spec.raw->big_endian, spec.raw->offset);
    if (spec.spacing) key += fmt::format(":spacing {}", *spec.spacing);
    if (spec.origin) key += fmt::format(":origin {}", *spec.origin);
    return key;
}

Result<ImageAsset> read_volume_asset(const VolumeSpec& spec, const std::filesystem::path& file,
                                     const AssetFolders& folders) {
    Result<Volume> volume = load_volume(
        file, {.frame = spec.frame,
               .array = spec.array,
               .normalize = spec.normalize,
               .raw = spec.raw,
               .spacing = spec.spacing,
               .origin = spec.origin,
               .confined_to = {folders.confined_to.begin(), folders.confined_to.end()}});
    if (!volume) return propagate(std::move(volume));
    // A volume of one slice is still a volume.
    return ImageAsset{
        .desc = {.format = volume->image.format,
                 .extent = volume->image.extent,
                 .shape = ImageShape::d3},
        .texels = std::make_shared<const std::vector<std::byte>>(std::move(volume->image.texels)),
        .geometry = volume->geometry,
        .warnings = std::move(volume->warnings)};
}

} // namespace

Result<LoadedAsset> load_volume_asset(const AssetSpec& spec, const AssetFolders& folders,
                                      AssetCache& cache) {
    auto found = find_asset(spec.file, folders.own, folders.confined_to);
    if (!found) return propagate(std::move(found));
    std::vector<std::filesystem::path> files = {*found};
    if (!spec.volume.raw)
        if (auto data = volume_data_file(*found)) files.push_back(std::move(*data));
    const std::string key = volume_key(spec.volume, *found);
    const auto volume = cache.get<ImageAsset>(
        key, files, [&] { return read_volume_asset(spec.volume, *found, folders); });
    if (!volume) return std::unexpected(volume.error());
    return LoadedAsset{.key = key,
                       .add =
                           [volume = *volume](Graph& graph, std::string_view name) {
                               for (const Diagnostic& warning : volume->warnings)
                                   graph.report(warning);
                               return PortValue::of(
                                   graph.constant_image(name, volume->desc, volume->texels));
                           },
                       .geometry = (*volume)->geometry,
                       .files = files};
}

} // namespace tuff
