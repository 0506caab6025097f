#pragma once

#include <tuff/image.hpp>

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

/// The codecs behind load_image and save_image, each from memory to memory. Decoders have been
/// told by the signature that the file is theirs; encoders get images whose format and extent
/// save_image has found fit.
namespace tuff::codec {

Result<HostImage> decode_stb(std::span<const std::byte> file, std::string_view name,
                             ImageLoadOptions options);
/// Errors: those of `decode_stb`, and image/unsupported for what neither stb nor libjpeg-turbo
/// reads: 12 bits, lossless and hierarchical coding, two or more than four components, and
/// arithmetic codes where there is no libjpeg-turbo.
Result<HostImage> decode_jpeg(std::span<const std::byte> file, std::string_view name,
                              ImageLoadOptions options);
Result<HostImage> decode_exr(std::span<const std::byte> file, std::string_view name, Format format);

/// How an NPY array of three dimensions is to be read.
enum class NpyShape { image, volume };
Result<HostImage> decode_npy(std::span<const std::byte> file, std::string_view name,
                             NpyShape shape);

/// `image` is rgba8 or r8 of any kind, written as it is stored.
Result<std::vector<std::byte>> encode_png(const HostImage& image);
/// The same kinds of image; alpha is left out.
Result<std::vector<std::byte>> encode_jpeg(const HostImage& image);
/// `image` is rgba32_sfloat.
Result<std::vector<std::byte>> encode_hdr(const HostImage& image);
/// `image` is of sfloat kind; its 16 or 32 bits and its channels become those of the file.
/// `texts` become attributes.
Result<std::vector<std::byte>> encode_exr(const HostImage& image, std::span<const ImageText> texts);
std::vector<std::byte> encode_npy(ElementType type, std::span<const std::uint64_t> shape,
                                  std::span<const std::byte> data);
/// A structured array of one dimension; `data` holds `count` records.
std::vector<std::byte> encode_npy(const BufferElements& records, std::uint64_t count,
                                  std::span<const std::byte> data);

/// `file`, as `encode_png` makes it, with texts behind its header.
std::vector<std::byte> with_png_texts(std::vector<std::byte> file,
                                      std::span<const ImageText> texts);
/// `file`, as `encode_jpeg` makes it, with a comment of a line a text.
std::vector<std::byte> with_jpeg_comment(std::vector<std::byte> file,
                                         std::span<const ImageText> texts);

/// The file that `save_image` writes where it ends in `extension`, in small letters, of images
/// alone. Errors: image/unknown-extension, image/unsupported.
Result<std::vector<std::byte>> encode_file(const HostImage& image, std::string_view extension,
                                           std::span<const ImageText> texts = {});

Result<void> check_extent(std::string_view name, std::uint64_t width, std::uint64_t height,
                          std::uint64_t depth, std::uint64_t texel_bytes);

} // namespace tuff::codec
