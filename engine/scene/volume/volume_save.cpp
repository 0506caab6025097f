#include "core/lower_case.hpp"
#include "scene/files.hpp"
#include "scene/volume/gzip.hpp"
#include "scene/volume/volume_codec.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

namespace tuff {
namespace {

codec::EncodedVolume encode_nifti_gz(const codec::VolumeToWrite& volume) {
    auto file = codec::encode_nifti(volume);
    if (!file) return file;
    return to_gzip(*file);
}

codec::EncodedVolume encode_texels(const codec::VolumeToWrite& volume) {
    return volume.texels.image.texels;
}

struct VolumeEncoder {
    std::string_view extension;
    codec::EncodedVolume (*encode)(const codec::VolumeToWrite&);
};

constexpr std::array<VolumeEncoder, 8> kVolumeEncoders = {{{".nrrd", codec::encode_nrrd},
                                                           {".nii", codec::encode_nifti},
                                                           {".nii.gz", encode_nifti_gz},
                                                           {".vti", codec::encode_vti},
                                                           {".vdb", codec::encode_vdb},
                                                           {".nvdb", codec::encode_nvdb},
                                                           {".raw", encode_texels},
                                                           {".bin", encode_texels}}};

const VolumeEncoder* encoder_of(const std::filesystem::path& path) {
    const std::string name = lower_case(path.filename().string());
    for (const VolumeEncoder& encoder : kVolumeEncoders)
        if (name.ends_with(encoder.extension)) return &encoder;
    return nullptr;
}

} // namespace

Result<void> save_volume(const std::filesystem::path& path, const HostImage& image,
                         const VolumeGeometry& geometry, std::string_view name) {
    const VolumeEncoder* const encoder = encoder_of(path);
    if (!encoder)
        return fail(
            "image/unknown-extension",
            fmt::format("'{}' has an extension that names no format of volumes", path.string()),
            fmt::format("use one of {}", fmt::join(saved_volume_extensions(), ", ")));
    const FormatInfo& facts = info(image.format);
    if (facts.texel_bytes == 0 || image.empty() ||
        image.texels.size() != byte_size(image.format, image.extent))
        return fail("image/unsupported",
                    fmt::format("{} bytes are not {}x{}x{} texels of {}", image.texels.size(),
                                image.extent.width, image.extent.height, image.extent.depth,
                                facts.name));
    if (auto sound = check_geometry(path.string(), geometry); !sound) return sound;
    auto texels = stored_texels(image);
    if (!texels) return propagate(std::move(texels));
    auto file = encoder->encode({*texels, geometry, name});
    if (!file) return propagate(std::move(file));
    return write_file(path, *file);
}

std::span<const std::string_view> saved_volume_extensions() {
    static constexpr auto kAll = [] {
        std::array<std::string_view, kVolumeEncoders.size()> all;
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i] = kVolumeEncoders[i].extension;
        return all;
    }();
    return kAll;
}

bool is_volume_file(const std::filesystem::path& path) {
    return encoder_of(path) != nullptr;
}

} // namespace tuff
