#pragma once

#include <tuff/image.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Volumes in files: NRRD, NIfTI, OpenVDB, VTK image data, NPY, and bytes without a header. In all
/// of them x is the axis that runs fastest; no axis is flipped.
namespace tuff {

/// The place of a volume in the world. The centre of texel (i, j, k) is at `origin` + i
/// * spacing[0] * axes[0] + j * spacing[1] * axes[1] + k * spacing[2] * axes[2].
struct VolumeGeometry {
    std::array<double, 3> spacing = {1.0, 1.0, 1.0}; ///< from one texel to the next; above 0
    std::array<double, 3> origin = {0.0, 0.0, 0.0};  ///< the centre of the first texel
    /// Unit vectors: directions of the texels' x, y and z in the world.
    std::array<std::array<double, 3>, 3> axes = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    /// The world's x, y and z point to the right, the front and the head of a patient.
    bool anatomical = false;

    friend bool operator==(const VolumeGeometry&, const VolumeGeometry&) = default;
};

/// Layout of a file without a header.
struct RawLayout {
    Extent extent;                      ///< texels
    ElementType type = ElementType::u8; ///< of each number
    std::uint32_t channels = 1;         ///< of a texel, 1 to 4
    bool big_endian = false;            ///< byte order of numbers
    std::uint64_t offset = 0;           ///< bytes before the first texel
};

/// Options for reading volumes.
struct VolumeLoadOptions {
    std::optional<std::uint32_t> frame; ///< of a series of volumes, from 0
    std::string array;                  ///< name, in files with several; empty: the first
    bool normalize = true; ///< maps unsigned numbers of 8 and 16 bits to 0 to 1, as in pictures
    std::optional<RawLayout> raw;                      ///< layout of a file without a header
    std::optional<std::array<double, 3>> spacing = {}; ///< instead of the file's
    std::optional<std::array<double, 3>> origin = {};  ///< instead of the file's
    /// Folders that files named by a header must be in or below; empty: anywhere.
    std::vector<std::filesystem::path> confined_to = {};
};

/// A volume and its place in the world.
struct Volume {
    HostImage image;         ///< its texels
    VolumeGeometry geometry; ///< their place
    Diagnostics warnings;    ///< losses of the conversion: volume/precision
};

/// Reads NRRD (.nrrd, or .nhdr beside its data), NIfTI 1 and 2 (.nii, .nii.gz), OpenVDB (.vdb),
/// NanoVDB (.nvdb), VTK image data (.vti), NPY, or with `options.raw` plain bytes. The content
/// decides, not the name.
///
/// Numbers become texels: u8 and u16 -> unorm of the same size (without `normalize` floats of the
/// same value), f16 and f32 -> floats of the same size, others -> f32, with a warning if that
/// changes a value. Three channels become four with alpha 1. Slope and intercept of NIfTI are
/// applied, to f32. A volume that Tuff wrote keeps its format. NPY arrays have
/// shape (depth, height, width[, channels]); their 32-bit integers stay integers.
///
/// Errors: volume/not-found, volume/unreadable, volume/too-large, volume/unknown-format,
/// volume/corrupt, volume/unsupported, volume/bad-geometry, volume/no-such-frame,
/// volume/no-such-array, volume/no-library, asset/outside, and for NPY those of `load_image`.
Result<Volume> load_volume(const std::filesystem::path& path,
                           const VolumeLoadOptions& options = {});

/// The data file of a detached NRRD header; none for other files.
std::optional<std::filesystem::path> volume_data_file(const std::filesystem::path& path);

/// Writes a volume, or a picture as one of depth 1; the extension chooses the format:
/// - `.nrrd` raw encoding, little-endian.
/// - `.nii`, `.nii.gz` NIfTI 1, with spacing and origin as 32-bit floats.
/// - `.vti` VTK image data: point data, as appended raw bytes.
/// - `.vdb` a grid of floats or integers, or one of vectors with the fourth channel in a grid
///   beside it; texels that are 0 take no space.
/// - `.nvdb` a grid of floats or of vectors of four; texels that are 0 take no space.
/// - `.raw`, `.bin` only the texels.
///
/// Half floats are written as floats if the format has none. `name` is the name of the array in
/// formats with names. Like `save_image`, it replaces an old file only by a complete one.
///
/// Errors: image/unknown-extension, image/unwritable, image/unsupported, volume/no-library.
Result<void> save_volume(const std::filesystem::path& path, const HostImage& image,
                         const VolumeGeometry& geometry = {}, std::string_view name = "volume");
/// Extensions that `save_volume` supports, in small letters: ".nrrd".
std::span<const std::string_view> saved_volume_extensions();
/// Whether a file's name has one of these extensions.
bool is_volume_file(const std::filesystem::path& path);

} // namespace tuff
