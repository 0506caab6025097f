#include "scene/files.hpp"
#include "scene/image/image_codec.hpp"
#include "scene/image/stored_texels.hpp"

#include <tuff/image.hpp>
#include <tuff/volume.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <string>

namespace tuff {
namespace {

using Encoded = Result<std::vector<std::byte>>;

bool is_integer(const FormatInfo& facts) {
    return facts.kind == NumericKind::uint || facts.kind == NumericKind::sint;
}

/// Bytes for a screen, of one channel or four. `kind` of file stands in the diagnostic.
Result<HostImage> shown(const HostImage& image, std::string_view kind) {
    const FormatInfo& facts = info(image.format);
    if (is_integer(facts))
        return fail("image/unsupported",
                    fmt::format("integer format {} cannot be shown as {}", facts.name, kind),
                    "save it as .npy");
    if (image.format == Format::r8_unorm || image.format == Format::rgba8_unorm ||
        image.format == Format::rgba8_srgb)
        return image;
    const bool floats = facts.kind == NumericKind::sfloat || facts.kind == NumericKind::ufloat;
    // Stored unorm numbers go to stored bytes; only floats are linear light to be encoded.
    HostImage bytes =
        make_image(facts.channels == 1 ? Format::r8_unorm : Format::rgba8_unorm, image.extent);
    for (std::uint32_t y = 0; y < image.extent.height; ++y) {
        for (std::uint32_t x = 0; x < image.extent.width; ++x) {
            std::array<float, 4> value = image.texel(x, y, 0, Transfer::stored);
            if (floats && !facts.depth)
                for (std::size_t c = 0; c < 3; ++c)
                    value[c] = linear_to_srgb(value[c]);
            bytes.set_texel(value, x, y);
        }
    }
    return bytes;
}

using Texts = std::span<const ImageText>;

Encoded encode_png(const HostImage& image, Texts texts) {
    const auto bytes = shown(image, "PNG");
    if (!bytes) return std::unexpected(bytes.error());
    auto file = codec::encode_png(*bytes);
    if (file) *file = codec::with_png_texts(std::move(*file), texts);
    return file;
}

Encoded encode_jpeg(const HostImage& image, Texts texts) {
    const auto bytes = shown(image, "JPEG");
    if (!bytes) return std::unexpected(bytes.error());
    auto file = codec::encode_jpeg(*bytes);
    if (file) *file = codec::with_jpeg_comment(std::move(*file), texts);
    return file;
}

Encoded encode_hdr(const HostImage& image, Texts) {
    if (image.format == Format::rgba32_sfloat) return codec::encode_hdr(image);
    HostImage colours = convert(image, Format::rgba32_sfloat);
    if (info(image.format).channels == 1) {
        float* values = reinterpret_cast<float*>(colours.texels.data());
        for (std::size_t i = 0; i < colours.texels.size() / sizeof(float); i += 4)
            values[i + 1] = values[i + 2] = values[i];
    }
    return codec::encode_hdr(colours);
}

Encoded encode_exr(const HostImage& image, Texts texts) {
    const FormatInfo& facts = info(image.format);
    if (facts.kind == NumericKind::sfloat && !facts.depth) return codec::encode_exr(image, texts);
    // Halves keep 8-bit unorms apart; 16-bit ones and integers need the full float.
    const bool half = facts.texel_bytes == facts.channels && !is_integer(facts);
    constexpr std::array<Format, 5> kHalf = {Format::undefined, Format::r16_sfloat,
                                             Format::rg16_sfloat, Format::rgba16_sfloat,
                                             Format::rgba16_sfloat};
    constexpr std::array<Format, 5> kFull = {Format::undefined, Format::r32_sfloat,
                                             Format::rg32_sfloat, Format::rgba32_sfloat,
                                             Format::rgba32_sfloat};
    return codec::encode_exr(convert(image, (half ? kHalf : kFull)[facts.channels]), texts);
}

Encoded encode_npy(const HostImage& image, Texts) {
    const auto texels = stored_texels(image);
    if (!texels) return std::unexpected(texels.error());
    const Extent extent = image.extent;
    std::vector<std::uint64_t> shape = {extent.height, extent.width, texels->channels};
    if (extent.depth > 1) shape.insert(shape.begin(), extent.depth);
    return codec::encode_npy(texels->type, shape, texels->image.texels);
}

/// Portable float map: bottom row first, negative scale for little-endian.
Encoded encode_pfm(const HostImage& image, Texts) {
    const std::uint32_t channels = info(image.format).channels == 1 ? 1 : 3;
    const std::string header = fmt::format("{}\n{} {}\n-1.0\n", channels == 1 ? "Pf" : "PF",
                                           image.extent.width, image.extent.height);
    std::vector<std::byte> file(header.size());
    std::memcpy(file.data(), header.data(), header.size());
    file.reserve(header.size() +
                 std::size_t{image.extent.width} * image.extent.height * channels * sizeof(float));
    for (std::uint32_t y = image.extent.height; y-- > 0;) {
        for (std::uint32_t x = 0; x < image.extent.width; ++x) {
            const std::array<float, 4> value = image.texel(x, y);
            const auto* bytes = reinterpret_cast<const std::byte*>(value.data());
            file.insert(file.end(), bytes, bytes + channels * sizeof(float));
        }
    }
    return file;
}

struct Encoder {
    std::string_view extension;
    Encoded (*encode)(const HostImage&, Texts);
    bool volumes;
};

constexpr std::array<Encoder, 7> kEncoders = {{{".png", encode_png, false},
                                               {".jpg", encode_jpeg, false},
                                               {".jpeg", encode_jpeg, false},
                                               {".hdr", encode_hdr, false},
                                               {".exr", encode_exr, false},
                                               {".npy", encode_npy, true},
                                               {".pfm", encode_pfm, false}}};

Result<void> check_savable(const HostImage& image, const Encoder& encoder) {
    const FormatInfo& facts = info(image.format);
    if (facts.texel_bytes == 0 || (facts.depth && facts.stencil))
        return fail("image/unsupported", fmt::format("format {} cannot be saved", facts.name),
                    "copy the depth or the stencil aspect into an image of its own");
    if (image.texels.empty() || image.texels.size() != byte_size(image.format, image.extent))
        return fail("image/unsupported",
                    fmt::format("the image holds {} bytes where its {}x{}x{} texels take {}",
                                image.texels.size(), image.extent.width, image.extent.height,
                                image.extent.depth, byte_size(image.format, image.extent)));
    if (image.extent.depth > 1 && !encoder.volumes)
        return fail("image/unsupported",
                    fmt::format("a volume of depth {} cannot be saved as {}", image.extent.depth,
                                encoder.extension),
                    fmt::format("save it as .npy, {}", fmt::join(saved_volume_extensions(), ", ")));
    return {};
}

} // namespace

Encoded codec::encode_file(const HostImage& image, std::string_view extension, Texts texts) {
    for (const Encoder& encoder : kEncoders) {
        if (encoder.extension != extension) continue;
        if (auto savable = check_savable(image, encoder); !savable)
            return propagate(std::move(savable));
        return encoder.encode(image, texts);
    }
    return fail("image/unknown-extension",
                fmt::format("the extension '{}' names no image format", extension));
}

Result<void> save_image(const std::filesystem::path& path, const HostImage& image,
                        std::span<const ImageText> texts) {
    const std::string extension = lower_extension(path);
    if (std::ranges::find(kEncoders, extension, &Encoder::extension) != kEncoders.end()) {
        auto file = codec::encode_file(image, extension, texts);
        if (!file) return propagate(std::move(file));
        return write_file(path, *file);
    }
    if (is_volume_file(path)) return save_volume(path, image);
    return fail("image/unknown-extension",
                fmt::format("'{}' has {}, which names no image format", path.string(),
                            extension.empty() ? "no extension"
                                              : fmt::format("the extension '{}'", extension)),
                fmt::format("use one of {}", fmt::join(saved_image_extensions(), ", ")));
}

std::span<const std::string_view> saved_image_extensions() {
    static const std::vector<std::string_view> kAll = [] {
        std::vector<std::string_view> all;
        for (const Encoder& encoder : kEncoders)
            all.push_back(encoder.extension);
        std::ranges::copy(saved_volume_extensions(), std::back_inserter(all));
        return all;
    }();
    return kAll;
}

Result<void> save_npy(const std::filesystem::path& path, ElementType type,
                      std::span<const std::uint64_t> shape, std::span<const std::byte> data) {
    std::uint64_t wanted = element_bytes(type);
    for (const std::uint64_t size : shape)
        if (__builtin_mul_overflow(wanted, size, &wanted)) wanted = ~std::uint64_t{0};
    if (wanted > data.size())
        return fail("image/unsupported",
                    fmt::format("an array of shape ({}) does not fit in {} bytes",
                                fmt::join(shape, ", "), data.size()));
    return write_file(path, codec::encode_npy(type, shape, data.first(wanted)));
}

Result<void> save_npy(const std::filesystem::path& path, const BufferElements& elements,
                      std::uint64_t count, std::span<const std::byte> data) {
    if (!elements.is_record()) {
        const ElementMember& numbers = elements.members().front();
        std::vector<std::uint64_t> shape = {count};
        if (numbers.count > 1) shape.push_back(numbers.count);
        const std::size_t bytes = element_bytes(numbers.type) * numbers.count;
        if (bytes == elements.bytes()) return save_npy(path, numbers.type, shape, data);
        std::vector<std::byte> packed; // without what kernels leave between vectors of three
        for (std::uint64_t i = 0; i < count && (i + 1) * elements.bytes() <= data.size(); ++i) {
            const auto element = data.subspan(i * elements.bytes(), bytes);
            packed.insert(packed.end(), element.begin(), element.end());
        }
        return save_npy(path, numbers.type, shape, packed);
    }
    std::uint64_t wanted = 0;
    if (__builtin_mul_overflow(count, elements.bytes(), &wanted) || wanted > data.size())
        return fail("image/unsupported", fmt::format("{} records of {} bytes do not fit in {}",
                                                     count, elements.bytes(), data.size()));
    return write_file(path, codec::encode_npy(elements, count, data.first(wanted)));
}

} // namespace tuff
