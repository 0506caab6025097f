#include "core/file_access.hpp"
#include "scene/files.hpp"
#include "scene/image/image_codec.hpp"
#include "scene/volume/gzip.hpp"
#include "scene/volume/volume_codec.hpp"

#include <fmt/format.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>

namespace tuff {
namespace {

/// What a header of NRRD may take before its data.
constexpr std::size_t kMaxNrrdHeader = std::size_t{1} << 20;

Result<StoredVolume> decode(const codec::VolumeFile& file) {
    if (file.options.raw) return codec::decode_raw(file, *file.options.raw);
    if (codec::is_nrrd(file.bytes)) return codec::decode_nrrd(file);
    if (codec::is_vdb(file.bytes)) return codec::decode_vdb(file);
    if (codec::is_nvdb(file.bytes)) return codec::decode_nvdb(file);
    if (codec::is_vti(file.bytes)) return codec::decode_vti(file);
    if (codec::is_nifti(file.bytes)) return codec::decode_nifti(file);
    return fail(
        "volume/unknown-format", fmt::format("'{}' is no volume of a known kind", file.name()),
        "NRRD, NIfTI, VDB, NVDB, VTI and NPY are read; bytes without a header need \"type\" and "
        "\"size\" beside the file");
}

} // namespace

namespace codec {

bool is_nvdb(std::span<const std::byte> file) {
    constexpr std::string_view kMagic = "NanoVDB0";
    return file.size() > kMagic.size() &&
           std::memcmp(file.data(), kMagic.data(), kMagic.size()) == 0;
}

std::unexpected<Diagnostics> without_library(std::string_view format, std::string_view package) {
    return fail("volume/no-library", fmt::format("this Tuff was built without {}", format),
                fmt::format("install the Debian package {} and build again", package));
}

Result<StoredVolume> decode_raw(const VolumeFile& file, const RawLayout& layout) {
    if (auto fits = check_volume_size(
            file.name(), {layout.extent.width, layout.extent.height, layout.extent.depth},
            layout.channels, layout.type);
        !fits)
        return propagate(std::move(fits));
    StoredVolume stored{.extent = layout.extent, .type = layout.type, .channels = layout.channels};
    const std::uint64_t wanted = stored_bytes(layout.extent, layout.channels, layout.type);
    const std::uint64_t there =
        file.bytes.size() - std::min<std::uint64_t>(layout.offset, file.bytes.size());
    if (wanted > there)
        return corrupt_volume(file.name(),
                              fmt::format("{}x{}x{} texels of {} {} take {} bytes, and it has {} "
                                          "after the first {}",
                                          layout.extent.width, layout.extent.height,
                                          layout.extent.depth, layout.channels,
                                          element_name(layout.type), wanted, there, layout.offset));
    const auto data = file.bytes.subspan(static_cast<std::size_t>(layout.offset),
                                         static_cast<std::size_t>(wanted));
    stored.numbers.assign(data.begin(), data.end());
    if (layout.big_endian) swap_bytes(stored.numbers, element_bytes(layout.type));
    return stored;
}

} // namespace codec

Result<Volume> load_volume(const std::filesystem::path& path, const VolumeLoadOptions& options) {
    auto bytes = read_file(path, "volume", codec::kMaxVolumeFileBytes);
    if (!bytes) return propagate(std::move(bytes));
    const codec::VolumeFile file{*bytes, path, options};
    if (!options.raw && file.text().starts_with("\x93NUMPY")) {
        Result<HostImage> array = codec::decode_npy(*bytes, file.name(), codec::NpyShape::volume);
        if (!array) return propagate(std::move(array));
        Volume volume{.image = std::move(*array)};
        if (options.spacing) volume.geometry.spacing = *options.spacing;
        if (options.origin) volume.geometry.origin = *options.origin;
        if (auto sound = check_geometry(file.name(), volume.geometry); !sound)
            return propagate(std::move(sound));
        return volume;
    }
    Result<StoredVolume> stored = decode(file);
    if (!stored) return propagate(std::move(stored));
    return volume_of(std::move(*stored), file.name(), options);
}

std::optional<std::filesystem::path> volume_data_file(const std::filesystem::path& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return std::nullopt; // pipes would hang
    std::string head(kMaxNrrdHeader, '\0');
    std::ifstream stream(path, std::ios::binary);
    stream.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(stream.gcount()));
    if (!codec::is_nrrd(std::as_bytes(std::span(head)))) return std::nullopt;
    const std::string data = codec::nrrd_data_file(head);
    if (data.empty()) return std::nullopt;
    return path.parent_path() / data;
}

} // namespace tuff
