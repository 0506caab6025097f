// PNG, JPEG, TGA, BMP and Radiance HDR through stb. Its functions are compiled in here as static
// ones with the limits this library wants, whatever other copies a program links.
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_NO_STDIO
#define STBI_MAX_DIMENSIONS 16384
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_ONLY_TGA
#define STBI_ONLY_BMP
#define STBI_ONLY_HDR
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_image.h>
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

#include "scene/image/image_codec.hpp"

#include <fmt/format.h>

#include <cstring>
#include <memory>

namespace tuff::codec {
namespace {

/// A file cannot hold more pixels than its best compression gives. No codec here beats this ratio
/// on a real picture; a header that claims more is a lie that would only cost memory.
constexpr std::uint64_t kMaxCompression = 4096;

struct StbFree {
    void operator()(void* memory) const { stbi_image_free(memory); }
};

template <typename T>
HostImage take_pixels(const T* pixels, Format format, Extent extent) {
    HostImage image = make_image(format, extent);
    std::memcpy(image.texels.data(), pixels, image.texels.size());
    return image;
}

/// sRGB colours as linear numbers.
HostImage linear_of(const HostImage& encoded, Format format) {
    HostImage image = make_image(format, encoded.extent);
    for (std::uint32_t y = 0; y < image.extent.height; ++y)
        for (std::uint32_t x = 0; x < image.extent.width; ++x) {
            auto texel = encoded.texel(x, y);
            for (std::size_t c = 0; c < 3; ++c)
                texel[c] = srgb_to_linear(texel[c]);
            image.set_texel(texel, x, y);
        }
    return image;
}

void append_bytes(void* context, void* data, int size) {
    auto& out = *static_cast<std::vector<std::byte>*>(context);
    const auto* bytes = static_cast<const std::byte*>(data);
    out.insert(out.end(), bytes, bytes + size);
}

/// Whether the scan lines of a Radiance file are whole. Debian's stb loops for ever on a run of
/// length zero, which is also what it reads beyond the end of a file.
bool hdr_is_whole(std::span<const std::byte> file, std::uint64_t width, std::uint64_t height) {
    const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
    const std::size_t blank = text.find("\n\n");
    const std::size_t line = blank == text.npos ? text.npos : text.find('\n', blank + 2);
    if (line == text.npos) return false;
    const auto data = file.subspan(line + 1);
    const auto byte = [&](std::size_t i) { return std::to_integer<unsigned>(data[i]); };
    std::size_t at = 0;
    for (std::uint64_t row = 0; row < height; ++row) {
        const bool encoded = width >= 8 && width < 32768 && data.size() - at >= 4 &&
                             byte(at) == 2 && byte(at + 1) == 2 && byte(at + 2) < 128;
        if (!encoded) return row == 0 && data.size() / 4 >= width * height;
        at += 4;
        for (std::uint64_t left = 4 * width; left > 0;) {
            if (at >= data.size() || byte(at) == 0) return false;
            const bool run = byte(at) > 128;
            const unsigned count = run ? byte(at) - 128 : byte(at);
            const std::size_t used = run ? 2 : 1 + std::size_t{count};
            if (count > left || used > data.size() - at) return false;
            left -= count;
            at += used;
        }
    }
    return true;
}

} // namespace

Result<HostImage> decode_stb(std::span<const std::byte> file, std::string_view name,
                             ImageLoadOptions options) {
    const auto corrupt = [&] {
        const char* reason = stbi_failure_reason();
        return fail("image/corrupt", fmt::format("'{}' is damaged or cut short: {}", name,
                                                 reason ? reason : "unknown reason"));
    };
    const auto* bytes = reinterpret_cast<const stbi_uc*>(file.data());
    const int size = static_cast<int>(file.size());
    int width = 0;
    int height = 0;
    int channels = 0;
    if (!stbi_info_from_memory(bytes, size, &width, &height, &channels)) return corrupt();
    const bool hdr = stbi_is_hdr_from_memory(bytes, size) != 0;
    if (width <= 0 || height <= 0)
        return fail("image/corrupt", fmt::format("'{}' has no texels", name));
    const std::uint64_t w = static_cast<std::uint64_t>(width);
    const std::uint64_t h = static_cast<std::uint64_t>(height);
    const bool deep = options.keep_16_bits && stbi_is_16_bit_from_memory(bytes, size) != 0;
    if (auto fits = check_extent(name, w, h, 1, hdr || deep ? 16 : 4); !fits)
        return propagate(std::move(fits));
    if (w * h > file.size() * kMaxCompression)
        return fail("image/corrupt",
                    fmt::format("'{}' claims {}x{} texels in {} bytes", name, w, h, file.size()));

    const Extent extent{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), 1};
    if (hdr && !hdr_is_whole(file, w, h))
        return fail("image/corrupt", fmt::format("'{}' is damaged or cut short", name));
    if (hdr) {
        const std::unique_ptr<float, StbFree> pixels(
            stbi_loadf_from_memory(bytes, size, &width, &height, &channels, 4));
        if (!pixels) return corrupt();
        HostImage image = take_pixels(pixels.get(), Format::rgba32_sfloat, extent);
        return options.hdr == Format::rgba32_sfloat ? std::move(image)
                                                    : convert(image, options.hdr);
    }
    if (deep) {
        const std::unique_ptr<stbi_us, StbFree> pixels(
            stbi_load_16_from_memory(bytes, size, &width, &height, &channels, 4));
        if (!pixels) return corrupt();
        HostImage image = take_pixels(pixels.get(), Format::rgba16_unorm, extent);
        return options.ldr == Format::rgba8_srgb ? linear_of(image, options.hdr) : std::move(image);
    }
    const std::unique_ptr<stbi_uc, StbFree> pixels(
        stbi_load_from_memory(bytes, size, &width, &height, &channels, 4));
    if (!pixels) return corrupt();
    return take_pixels(pixels.get(), options.ldr, extent);
}

Result<std::vector<std::byte>> encode_png(const HostImage& image) {
    const int channels = static_cast<int>(info(image.format).channels);
    const int width = static_cast<int>(image.extent.width);
    const int height = static_cast<int>(image.extent.height);
    std::vector<std::byte> out;
    if (!stbi_write_png_to_func(append_bytes, &out, width, height, channels, image.texels.data(),
                                width * channels))
        return fail("image/unsupported", "the image cannot be encoded as PNG");
    return out;
}

Result<std::vector<std::byte>> encode_jpeg(const HostImage& image) {
    constexpr int kQuality = 95; // of 100; and no chroma is left out from 91 on
    std::vector<std::byte> out;
    if (!stbi_write_jpg_to_func(append_bytes, &out, static_cast<int>(image.extent.width),
                                static_cast<int>(image.extent.height),
                                static_cast<int>(info(image.format).channels), image.texels.data(),
                                kQuality))
        return fail("image/unsupported", "the image cannot be encoded as JPEG");
    return out;
}

Result<std::vector<std::byte>> encode_hdr(const HostImage& image) {
    std::vector<std::byte> out;
    if (!stbi_write_hdr_to_func(append_bytes, &out, static_cast<int>(image.extent.width),
                                static_cast<int>(image.extent.height), 4,
                                reinterpret_cast<const float*>(image.texels.data())))
        return fail("image/unsupported", "the image cannot be encoded as Radiance HDR");
    return out;
}

} // namespace tuff::codec
