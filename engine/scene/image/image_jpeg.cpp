// JPEG: stb reads files with Huffman codes and samples of 8 bits, libjpeg-turbo those with arithmetic
// codes. Its functions are looked for when the first such file comes.
#include "scene/image/image_codec.hpp"

#include <fmt/format.h>

#include <optional>

#if TUFF_HAS_TURBOJPEG
#include <dlfcn.h>
#include <turbojpeg.h>
#endif

namespace tuff::codec {
namespace {

/// What the frame of a file says, as far as it decides who reads the file.
struct JpegCoding {
    bool arithmetic = false;
    bool differs = false; ///< lossless or hierarchical
    unsigned bits = 8;    ///< of a sample
    unsigned components = 1;
    std::uint64_t width = 0;
    std::uint64_t height = 0;
};

/// The first frame; nothing where the file ends before it.
std::optional<JpegCoding> coding_of(std::span<const std::byte> file) {
    const auto byte = [&](std::size_t i) { return std::to_integer<unsigned>(file[i]); };
    const auto word = [&](std::size_t i) { return byte(i) << 8 | byte(i + 1); };
    for (std::size_t at = 2; at + 3 < file.size();) {
        if (byte(at) != 0xff || byte(at + 1) == 0xff) {
            ++at;
            continue;
        }
        const unsigned marker = byte(at + 1);
        const bool is_bare = marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8);
        const bool is_frame =
            marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
        if (marker == 0xd9 || marker == 0xda) return {};
        if (is_frame && at + 9 < file.size())
            return JpegCoding{.arithmetic = marker >= 0xc9,
                              .differs = marker % 4 == 3 || (marker >= 0xc5 && marker <= 0xc7) ||
                                         marker >= 0xcd,
                              .bits = byte(at + 4),
                              .components = byte(at + 9),
                              .width = word(at + 7),
                              .height = word(at + 5)};
        at += 2 + (is_bare ? 0 : word(at + 2));
    }
    return {};
}

#if TUFF_HAS_TURBOJPEG

/// A file is longer than its picture's share of this. Arithmetic codes of a flat picture are short,
/// but a header that claims more is a lie that would only cost memory.
constexpr std::uint64_t kMaxPixelsOfByte = std::uint64_t{1} << 16;

/// The functions that are called.
struct TurboReader {
    decltype(&tjInitDecompress) init = nullptr;
    decltype(&tjDecompress2) decompress = nullptr;
    decltype(&tjGetErrorStr2) message = nullptr;
    decltype(&tjDestroy) destroy = nullptr;
};

std::optional<TurboReader> load_reader() {
    void* const library = dlopen("libturbojpeg.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library) return {};
    TurboReader turbo;
    const auto find = [&]<class Function>(Function& function, const char* name) {
        function = reinterpret_cast<Function>(dlsym(library, name));
        return function != nullptr;
    };
    const bool complete =
        find(turbo.init, "tjInitDecompress") && find(turbo.decompress, "tjDecompress2") &&
        find(turbo.message, "tjGetErrorStr2") && find(turbo.destroy, "tjDestroy");
    return complete ? std::optional(turbo) : std::nullopt;
}

const std::optional<TurboReader>& turbo_reader() {
    static const std::optional<TurboReader> reader = load_reader();
    return reader;
}

Result<HostImage> decode_arithmetic(std::span<const std::byte> file, std::string_view name,
                                    const JpegCoding& coding, Format format) {
    const auto& turbo = turbo_reader();
    if (!turbo)
        return fail("image/unsupported",
                    fmt::format("'{}' has arithmetic codes, and libjpeg-turbo, which reads them, is "
                                "not installed",
                                name),
                    "install libturbojpeg (Debian: libturbojpeg0), or save the file with Huffman "
                    "codes");
    const auto [w, h] = std::pair(coding.width, coding.height);
    if (auto fits = check_extent(name, w, h, 1, 4); !fits) return propagate(std::move(fits));
    if (w == 0 || h == 0 || w * h > file.size() * kMaxPixelsOfByte)
        return fail("image/corrupt",
                    fmt::format("'{}' claims {}x{} texels in {} bytes", name, w, h, file.size()));
    HostImage image = make_image(
        format, {static_cast<std::uint32_t>(w), static_cast<std::uint32_t>(h), 1});
    const tjhandle handle = turbo->init();
    const int failed = turbo->decompress(
        handle, reinterpret_cast<const unsigned char*>(file.data()), file.size(),
        reinterpret_cast<unsigned char*>(image.texels.data()), static_cast<int>(w), 0,
        static_cast<int>(h), TJPF_RGBA, TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS);
    const std::string reason = failed != 0 ? turbo->message(handle) : "";
    turbo->destroy(handle);
    if (failed != 0)
        return fail("image/corrupt", fmt::format("'{}' is damaged or cut short: {}", name, reason));
    return image;
}

#else

Result<HostImage> decode_arithmetic(std::span<const std::byte>, std::string_view name,
                                    const JpegCoding&, Format) {
    return fail("image/unsupported",
                fmt::format("'{}' has arithmetic codes, and Tuff was built without libjpeg-turbo, "
                            "which reads them",
                            name),
                "build it where libturbojpeg0-dev is installed, or save the file with Huffman "
                "codes");
}

#endif

} // namespace

Result<HostImage> decode_jpeg(std::span<const std::byte> file, std::string_view name,
                              ImageLoadOptions options) {
    const std::optional<JpegCoding> coding = coding_of(file);
    if (!coding) return decode_stb(file, name, options); // which says what is wrong with it
    const auto unsupported = [&](std::string_view what) {
        return fail("image/unsupported", fmt::format("'{}' is a JPEG file {}", name, what),
                    "save it with 8 bits a sample and one, three or four components, as baseline "
                    "or progressive");
    };
    if (coding->differs) return unsupported("with lossless or hierarchical coding");
    if (coding->bits != 8)
        return unsupported(fmt::format("of {} bits a sample", coding->bits));
    const unsigned n = coding->components;
    if (n != 1 && n != 3 && (n != 4 || coding->arithmetic))
        return unsupported(fmt::format("of {} components{}", n,
                                       coding->arithmetic ? " with arithmetic codes" : ""));
    return coding->arithmetic ? decode_arithmetic(file, name, *coding, options.ldr)
                              : decode_stb(file, name, options);
}

} // namespace tuff::codec
