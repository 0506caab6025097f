#pragma once

#include "scene/image/stored_texels.hpp"
#include "scene/volume/stored_volume.hpp"

#include <array>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The formats behind load_volume and save_volume, each from memory to memory. Decoders have been
/// told by the signature that the file is theirs.
namespace tuff::codec {

/// The most bytes of a volume's file.
inline constexpr std::uint64_t kMaxVolumeFileBytes = std::uint64_t{2} << 30;

/// A file of which a decoder reads one volume.
struct VolumeFile {
    std::span<const std::byte> bytes;
    std::filesystem::path path; ///< for diagnostics, and for what lies beside
    const VolumeLoadOptions& options;
    std::string name() const { return path.string(); }
    std::string_view text() const {
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }
};

Result<StoredVolume> decode_nrrd(const VolumeFile& file);
Result<StoredVolume> decode_nifti(const VolumeFile& file);
Result<StoredVolume> decode_vti(const VolumeFile& file);
Result<StoredVolume> decode_vdb(const VolumeFile& file);
Result<StoredVolume> decode_nvdb(const VolumeFile& file);
Result<StoredVolume> decode_raw(const VolumeFile& file, const RawLayout& layout);

bool is_nrrd(std::span<const std::byte> file);
/// Also of one within gzip.
bool is_nifti(std::span<const std::byte> file);
bool is_vti(std::span<const std::byte> file);
bool is_vdb(std::span<const std::byte> file);
bool is_nvdb(std::span<const std::byte> file);

/// The value of "data file" in a NRRD header; empty where the data follow.
std::string nrrd_data_file(std::string_view header);

/// What is written. Tuff puts the format into its files so that it comes back.
struct VolumeToWrite {
    const StoredTexels& texels;
    const VolumeGeometry& geometry;
    std::string_view name;
    std::string_view format() const { return info(texels.image.format).name; }
};
using EncodedVolume = Result<std::vector<std::byte>>;

/// Where texels lie in a field that is written in pieces.
struct FieldPlace {
    std::array<std::uint32_t, 3> whole{}; ///< texels of the field
    std::array<std::uint32_t, 3> first{}; ///< the lowest one of the piece
    std::array<std::uint32_t, 3> count{}; ///< texels of the piece
};

EncodedVolume encode_nrrd(const VolumeToWrite& volume);
EncodedVolume encode_nifti(const VolumeToWrite& volume);
EncodedVolume encode_vti(const VolumeToWrite& volume);
/// VTK image data of one piece. Its texels are cells, so that pieces meet and none overlaps.
EncodedVolume encode_vti_piece(const VolumeToWrite& volume, const FieldPlace& place);
/// The file that puts pieces together, each beside it. `volume` is one of them, for what all have.
struct NamedPiece {
    std::string file;
    FieldPlace place;
};
std::string pvti_text(const VolumeToWrite& volume, std::span<const NamedPiece> pieces);
EncodedVolume encode_vdb(const VolumeToWrite& volume);
EncodedVolume encode_nvdb(const VolumeToWrite& volume);

/// The error volume/no-library: this Tuff was built without what a format takes.
std::unexpected<Diagnostics> without_library(std::string_view format, std::string_view package);

} // namespace tuff::codec
