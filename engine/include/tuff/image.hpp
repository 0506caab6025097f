#pragma once

#include <tuff/buffer_elements.hpp>
#include <tuff/diagnostic.hpp>
#include <tuff/format.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tuff {

/// Whether reading a texel of an sRGB format undoes the sRGB curve. Ignored for other formats.
enum class Transfer : std::uint8_t {
    linear, ///< colour channels as linear light, as a GPU sampler gives them
    stored, ///< the stored number divided by 255
};

/// An image or volume in host memory: texels in the byte layout that Vulkan gives `format`, rows
/// tightly packed, top row first, slices one after the other. It holds exactly
/// `byte_size(format, extent)` bytes.
struct HostImage {
    Format format = Format::undefined; ///< of the texels
    Extent extent;                     ///< texels
    std::vector<std::byte> texels;     ///< row by row from the top, packed

    /// Whether it has no texels.
    bool empty() const { return texels.empty(); }

    /// The texel as RGBA. Channels the format lacks are 0, alpha 1. Unorm and snorm channels are
    /// normalised, integers keep their value, depth and stencil are in the first channel.
    /// Combined depth-stencil formats have no host layout and return {0, 0, 0, 1}.
    /// Precondition: the coordinates are inside `extent` and `texels` has its full size.
    std::array<float, 4> texel(std::uint32_t x, std::uint32_t y, std::uint32_t z = 0,
                               Transfer transfer = Transfer::linear) const;

    /// The inverse of `texel`: rounds to nearest, clamps to the range of the format (NaN becomes 0
    /// in fixed-point formats). Same preconditions.
    void set_texel(std::array<float, 4> value, std::uint32_t x, std::uint32_t y,
                   std::uint32_t z = 0, Transfer transfer = Transfer::linear);
};

/// Largest image that the loaders accept, bytes.
constexpr std::uint64_t kMaxImageBytes = std::uint64_t{1} << 30;
/// The longest side of a picture that is read or written, texels.
constexpr std::uint32_t kMaxImageSide = 16384;

/// Bytes of a tightly packed image.
std::uint64_t byte_size(Format format, Extent extent);

/// An image whose bytes are all zero.
HostImage make_image(Format format, Extent extent);

/// The same picture in another colour format, texel by texel, through linear RGBA floats.
HostImage convert(const HostImage& image, Format format);

/// Both directions of the sRGB transfer function (IEC 61966-2-1). Values outside [0, 1] are clamped
/// by `linear_to_srgb` only.
float srgb_to_linear(float encoded);
/// The inverse of `srgb_to_linear`.
float linear_to_srgb(float linear);

/// Formats a loader produces. Files of 8 or 16 integer bits a channel (PNG, JPEG, TGA, BMP) arrive
/// as `ldr`, files of floats (HDR, EXR) as `hdr`.
struct ImageLoadOptions {
    Format ldr = Format::rgba8_unorm;   ///< rgba8_unorm or rgba8_srgb
    Format hdr = Format::rgba32_sfloat; ///< rgba32_sfloat or rgba16_sfloat
    /// Whether PNG files keep 16 bits a channel: as rgba16_unorm, or, if `ldr` is
    /// rgba8_srgb, as linear values of `hdr`, since sRGB formats have only 8 bits.
    bool keep_16_bits = false;
};

/// Reads PNG, JPEG, TGA, BMP, Radiance HDR, OpenEXR or NPY. The content decides, not the name; only
/// TGA, which has no signature, is known by its extension. Files of one or two channels are
/// expanded to RGBA, with grey copied to the three colours. Images above `kMaxImageSide` texels a
/// side or `kMaxImageBytes` are refused before memory is allocated.
///
/// NPY arrays of shape (height, width), (height, width, channels) or (depth, height, width,
/// channels), in C order and little-endian, keep their element type: u1 -> 8-bit unorm, u2 ->
/// 16-bit unorm, f2 and f4 -> floats, u4 and i4 -> integers; i1, i2, f8 and others without a
/// format become floats of the same value. Three channels become four with alpha 1.
///
/// Errors: image/not-found, image/unreadable, image/unknown-format, image/too-large,
/// image/corrupt, image/unsupported.
Result<HostImage> load_image(const std::filesystem::path& path, ImageLoadOptions options = {});

/// The same for a file in memory. Diagnostics call it `name`, and the extension of `name`
/// identifies TGA.
Result<HostImage> decode_image(std::span<const std::byte> file, std::string_view name,
                               ImageLoadOptions options = {});

/// Metadata of a picture file. `name`: at most 79 printable ASCII characters.
struct ImageText {
    std::string name; ///< "tuff.frame"
    std::string text; ///< UTF-8, without zero bytes
};

/// Writes an image; the extension chooses the format:
/// - `.png` 8 bits a channel. Unorm and sRGB texels are written as stored (16-bit ones rounded),
///   floats are clamped to [0, 1] and sRGB-encoded; integer formats are refused. Depth 1 only.
/// - `.jpg`, `.jpeg` the same bytes without alpha, at quality 95 of 100. Depth 1 only.
/// - `.hdr` Radiance RGBE, linear. Depth 1 only.
/// - `.exr` half floats for 16-bit floats and unorms, full floats otherwise; linear. Depth 1 only.
/// - `.npy` any format but combined depth-stencil, stored numbers (sRGB stays encoded, BGRA becomes
///   RGBA, packed formats become f4), shape ([depth,] height, width, channels).
/// - `.pfm` full floats, linear, 1 or 3 channels. Depth 1 only.
/// - those of `save_volume`.
///
/// The file is written under a temporary name beside `path` and renamed, so `path` always has the
/// complete old or new content.
///
/// `texts` go into PNG files as international text (iTXt), into OpenEXR files as attributes and
/// into the comment of JPEG files, where texts that do not fit are left out; other formats do
/// not store them.
///
/// Errors: image/unknown-extension, image/unwritable, image/unsupported.
Result<void> save_image(const std::filesystem::path& path, const HostImage& image,
                        std::span<const ImageText> texts = {});
/// Extensions that `save_image` supports, in small letters: ".png".
std::span<const std::string_view> saved_image_extensions();

/// Writes `data`, an array of `shape` in C order, as NPY. `data` has at least the elements of
/// `shape`; further bytes are not written. Errors: image/unwritable, image/unsupported if
/// `data` is too short.
Result<void> save_npy(const std::filesystem::path& path, ElementType type,
                      std::span<const std::uint64_t> shape, std::span<const std::byte> data);
/// The same for an array of `count` elements: vectors add a dimension, records make a structured
/// array with their members' names.
Result<void> save_npy(const std::filesystem::path& path, const BufferElements& elements,
                      std::uint64_t count, std::span<const std::byte> data);

/// Differences of two pictures, all over linear RGBA values except `mean_delta_e`.
struct ImageDifference {
    double max_absolute = 0.0;  ///< largest difference of a channel
    double mean_absolute = 0.0; ///< mean over all channels
    double rmse = 0.0;          ///< root of the mean square
    double psnr = 0.0;          ///< dB for a peak of 1; infinity for equal images
    double mean_delta_e = 0.0;  ///< mean CIE 1976 Lab distance of the colours, clamped to [0, 1]
    /// A square of kTile texels a side (less at the edges). In pictures of the same scene from two
    /// devices single texels can differ much, but tiles do not.
    struct Tile {
        std::uint32_t left = 0;    ///< texels
        std::uint32_t top = 0;     ///< texels
        double mean_delta_e = 0.0; ///< over the tile
    };
    /// Texels a side of a tile.
    static constexpr std::uint32_t kTile = 16;
    Tile worst;        ///< the tile with the largest mean_delta_e
    HostImage picture; ///< rgba8_unorm; channel differences of the sRGB values times 8
};

/// Compares two images of equal extent; formats may differ. A texel that is NaN in both is equal;
/// if it is NaN in one, the difference is infinite. Error: image/size-mismatch.
Result<ImageDifference> compare_images(const HostImage& a, const HostImage& b);

} // namespace tuff
