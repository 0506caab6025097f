// librsvg brings glib, cairo and pango: it is loaded by the process that draws, and by no other.
#include "core/format_module.hpp"
#include "core/isolated.hpp"
#include "formats/svg.hpp"
#include "scene/drawing/isolated_image.hpp"
#include "scene/files.hpp"
#include "scene/image/image_codec.hpp"

#include <tuff/drawing.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace tuff {
namespace {

constexpr std::uint64_t kMaxSvgBytes = std::uint64_t{64} << 20;
constexpr std::string_view kSvgModule = "svg.so";

/// Takes the texels that the module draws.
struct SvgCanvas {
    HostImage image;
    std::string_view name;
    Result<void> fits;

    static unsigned char* take(void* owner, unsigned width, unsigned height) {
        auto& canvas = *static_cast<SvgCanvas*>(owner);
        canvas.fits = codec::check_extent(canvas.name, width, height, 1, 4);
        if (!canvas.fits) return nullptr;
        canvas.image = make_image(Format::rgba8_unorm, {width, height, 1});
        return reinterpret_cast<unsigned char*>(canvas.image.texels.data());
    }
};

HostImage coverage_of(const HostImage& drawn) {
    HostImage covered = make_image(Format::r8_unorm, drawn.extent);
    for (std::size_t i = 0; i < covered.texels.size(); ++i)
        covered.texels[i] = drawn.texels[4 * i + 3];
    return covered;
}

Result<HostImage> draw_here(std::span<const std::byte> file, std::string_view name,
                            const DrawingOptions& options) {
    const auto draw = reinterpret_cast<TuffDrawSvg>(format_function(kSvgModule, "tuff_draw_svg"));
    if (!draw) return fail("image/no-library", fmt::format("'{}' cannot be drawn", name));
    SvgCanvas canvas{.image = {}, .name = name, .fits = {}};
    TuffSvgTarget target{.width = options.size ? (*options.size)[0] : 0,
                         .height = options.size ? (*options.size)[1] : 0,
                         .owner = &canvas,
                         .take = &SvgCanvas::take,
                         .message = {}};
    const TuffSvgEnd end = draw(reinterpret_cast<const char*>(file.data()), file.size(), &target);
    if (!canvas.fits) return propagate(std::move(canvas.fits));
    switch (end) {
    case tuff_svg_drawn: break;
    case tuff_svg_no_size:
        return fail("image/no-size", fmt::format("'{}' does not say how large it is", name),
                    "give the asset a \"size\"");
    case tuff_svg_too_large:
        return fail("image/too-large", fmt::format("'{}': {}", name, target.message));
    case tuff_svg_corrupt:
        return fail("image/corrupt",
                    fmt::format("'{}' is damaged or no SVG: {}", name, target.message));
    }
    return options.coverage ? coverage_of(canvas.image) : std::move(canvas.image);
}

} // namespace

bool is_drawing(std::span<const std::byte> file) {
    std::string_view text(reinterpret_cast<const char*>(file.data()),
                          std::min<std::size_t>(file.size(), 4096));
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first != text.npos && text[first] == '<' && text.contains("<svg");
}

Result<HostImage> decode_drawing(std::span<const std::byte> file, std::string_view name,
                                 const DrawingOptions& options) {
    if (file.size() > kMaxSvgBytes)
        return fail("image/too-large", fmt::format("'{}' has {} bytes", name, file.size()));
    if (!is_drawing(file)) return fail("image/unknown-format", fmt::format("'{}' is no SVG", name));
    if (format_module(kSvgModule).empty())
        return fail("image/no-library",
                    fmt::format("'{}' is an SVG, and this Tuff was built without librsvg", name),
                    "install librsvg2-dev and build again");
    if (options.size)
        if (auto fits = codec::check_extent(name, (*options.size)[0], (*options.size)[1], 1, 4);
            !fits)
            return propagate(std::move(fits));
    // The texels twice, layers of transparent groups, and the libraries.
    constexpr std::uint64_t kSvgMemory = std::uint64_t{3} << 30;
    constexpr unsigned kSvgSeconds = 10;
    return draw_isolated(
        kSvgMemory, reading_seconds(file.size()) + kSvgSeconds,
        [&] { return draw_here(file, name, options); },
        {.code = "image/corrupt",
         .severity = Severity::error,
         .message = fmt::format("'{}' is damaged, or takes too long to draw", name),
         .where = {},
         .hint = ""});
}

Result<HostImage> load_drawing(const std::filesystem::path& path, const DrawingOptions& options) {
    auto file = read_file(path, "image", kMaxSvgBytes);
    if (!file) return propagate(std::move(file));
    return decode_drawing(*file, path.string(), options);
}

} // namespace tuff
