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

/// Whether reading a texel of an sRGB format undoes the sRGB curve. Other formats do not care.
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

    /// Whether there is no picture.
    bool empty() const { return texels.empty(); }

    /// The texel as RGBA. Channels the format lacks are 0, alpha 1. Unorm and snorm channels are
    /// normalised, integers keep their value, depth and stencil come in the first channel.
    /// Combined depth-stencil formats have no host layout and give {0, 0, 0, 1}.
    /// Precondition: the coordinates lie inside `extent` and `texels` has its full size.
    std::array<float, 4> texel(std::uint32_t x, std::uint32_t y, std::uint32_t z = 0,
                               Transfer transfer = Transfer::linear) const;

    /// The inverse of `texel`: rounds to nearest, clamps to what the format can hold (NaN becomes 0
    /// in fixed-point formats). Same preconditions.
    void set_texel(std::array<float, 4> value, std::uint32_t x, std::uint32_t y,
                   std::uint32_t z = 0, Transfer transfer = Transfer::linear);
};

/// Limits of what the loaders accept.
constexpr std::uint64_t kMaxImageBytes = std::uint64_t{1} << 30;
/// The longest side of a picture that is read or written, texels.
constexpr std::uint32_t kMaxImageSide = 16384;

/// Bytes of a tightly packed image.
std::uint64_t byte_size(Format format, Extent extent);

/// An image of zero bytes.
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
    /// Whether PNG files of 16 bits a channel keep them: as rgba16_unorm, or, where `ldr` is
    /// rgba8_srgb, as linear numbers of `hdr`, since there is no such format of 16 bits.
    bool keep_16_bits = false;
};

/// Reads PNG, JPEG, TGA, BMP, Radiance HDR, OpenEXR or NPY. The content decides, not the name; TGA
/// alone, which has no signature, goes by its extension. Files of one or two channels are expanded
/// to RGBA, grey copied to the three colours. Images above `kMaxImageSide` texels a side or
/// `kMaxImageBytes` are refused before any memory is taken for them.
///
/// NPY arrays of shape (height, width), (height, width, channels) or (depth, height, width,
/// channels), in C order and little-endian, keep their element type: u1 -> 8-bit unorm, u2 ->
/// 16-bit unorm, f2 and f4 -> floats, u4 and i4 -> integers; i1, i2, f8 and layouts without a format
/// of their own become floats of the same value. Three channels become four with alpha 1.
///
/// Errors: image/not-found, image/unreadable, image/unknown-format, image/too-large,
/// image/corrupt, image/unsupported.
Result<HostImage> load_image(const std::filesystem::path& path, ImageLoadOptions options = {});

/// The same for a file already in memory. `name` stands for it in diagnostics, and its extension
/// tells TGA.
Result<HostImage> decode_image(std::span<const std::byte> file, std::string_view name,
                               ImageLoadOptions options = {});

/// A text that a picture carries. `name`: at most 79 printable ASCII characters.
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
/// The file is written under a temporary name beside `path` and renamed, so that `path` holds the
/// old content or the new, never a part.
///
/// `texts` go into PNG files as international text (iTXt), into OpenEXR files as attributes and
/// into the comment of JPEG files, of which those that do not fit are left out; other formats have
/// no room for them.
///
/// Errors: image/unknown-extension, image/unwritable, image/unsupported.
Result<void> save_image(const std::filesystem::path& path, const HostImage& image,
                        std::span<const ImageText> texts = {});
/// What `save_image` knows, in small letters: ".png".
std::span<const std::string_view> saved_image_extensions();

/// Writes `data`, an array of `shape` in C order, as NPY. `data` holds at least as many elements as
/// `shape` says; bytes beyond are not written. Errors: image/unwritable, image/unsupported when
/// `data` is too short.
Result<void> save_npy(const std::filesystem::path& path, ElementType type,
                      std::span<const std::uint64_t> shape, std::span<const std::byte> data);
/// The same of an array of `count` elements: vectors add a dimension, records make a structured
/// array with their members' names.
Result<void> save_npy(const std::filesystem::path& path, const BufferElements& elements,
                      std::uint64_t count, std::span<const std::byte> data);

/// How far two pictures are apart. All figures are over linear RGBA values but `mean_delta_e`.
struct ImageDifference {
    double max_absolute = 0.0;  ///< largest difference of a channel
    double mean_absolute = 0.0; ///< mean over all channels
    double rmse = 0.0;          ///< root of the mean square
    double psnr = 0.0;          ///< dB for a peak of 1; infinity for equal images
    double mean_delta_e = 0.0;  ///< mean CIE 1976 Lab distance of the colours, clamped to [0, 1]
    /// The square of kTile texels a side (less at the edges) whose colours are furthest apart: of
    /// pictures of the same thing from two devices single texels differ much, but no area does.
    struct Tile {
        std::uint32_t left = 0;    ///< texels
        std::uint32_t top = 0;     ///< texels
        double mean_delta_e = 0.0; ///< over the tile
    };
    /// Texels a side of a tile.
    static constexpr std::uint32_t kTile = 16;
    Tile worst;        ///< whose colours are furthest apart
    HostImage picture; ///< rgba8_unorm; channel differences of the sRGB values times 8
};

/// Compares two images of equal extent; formats may differ. A texel that is NaN in both is equal,
/// in one only is infinitely far. Error: image/size-mismatch.
Result<ImageDifference> compare_images(const HostImage& a, const HostImage& b);

} // namespace tuff
