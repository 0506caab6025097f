#include "core/font.hpp"
#include "core/isolated.hpp"
#include "scene/drawing/isolated_image.hpp"
#include "scene/files.hpp"

#include <tuff/drawing.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tuff {
namespace {

constexpr std::uint64_t kMaxFontBytes = std::uint64_t{64} << 20;

/// The lines of a text where they are drawn, the first one's base line at `ascent`.
class TextLayout {
  public:
    TextLayout(const Font& font, const TextDrawing& drawing) : font_(font), drawing_(drawing) {
        std::string_view rest = drawing.text;
        while (true) {
            const std::size_t end = rest.find('\n');
            lines_.push_back(font.lay_out(rest.substr(0, end), drawing.size));
            width_ = std::max(width_, lines_.back().width);
            if (end == rest.npos) break;
            rest.remove_prefix(end + 1);
        }
    }

    /// Of the lines from end to end, without padding.
    float width() const { return width_; }
    float height() const {
        return static_cast<float>(lines_.size()) * font_.line_height(drawing_.size);
    }

    /// Draws with the upper left corner of the first line at `corner`.
    void draw(HostImage& image, glm::vec2 corner) const {
        for (std::size_t i = 0; i < lines_.size(); ++i) {
            const float spare = width_ - lines_[i].width;
            const float before = drawing_.align == TextAlign::left     ? 0.0f
                                 : drawing_.align == TextAlign::middle ? 0.5f * spare
                                                                       : spare;
            const glm::vec2 start(corner.x + before,
                                  corner.y + font_.ascent(drawing_.size) +
                                      static_cast<float>(i) * font_.line_height(drawing_.size));
            for (const PlacedGlyph& glyph : lines_[i].glyphs)
                draw_glyph(image, glyph.number, start + glm::vec2(glyph.x, 0.0f));
        }
    }

  private:
    void draw_glyph(HostImage& image, int number, glm::vec2 place) const {
        const glm::vec2 whole(std::floor(place.x), std::floor(place.y));
        const GlyphPicture glyph = font_.draw(number, drawing_.size, place - whole);
        const glm::ivec2 corner = glm::ivec2(whole) + glyph.corner;
        for (int row = 0; row < glyph.size.y; ++row)
            for (int column = 0; column < glyph.size.x; ++column) {
                const int x = corner.x + column;
                const int y = corner.y + row;
                if (x < 0 || y < 0 || x >= static_cast<int>(image.extent.width) ||
                    y >= static_cast<int>(image.extent.height))
                    continue;
                std::byte& texel = image.texels[static_cast<std::size_t>(y) * image.extent.width +
                                                static_cast<std::size_t>(x)];
                const unsigned covered =
                    std::to_integer<unsigned>(texel) +
                    glyph.covered[static_cast<std::size_t>(row * glyph.size.x + column)];
                texel = static_cast<std::byte>(std::min(covered, 255u));
            }
    }

    const Font& font_;
    const TextDrawing& drawing_;
    std::vector<TextLine> lines_;
    float width_ = 0.0f;
};

Result<HostImage> draw_with(const Font& font, const TextDrawing& drawing) {
    const TextLayout layout(font, drawing);
    const double width = std::ceil(static_cast<double>(layout.width() + 2 * drawing.padding));
    const double height = std::ceil(static_cast<double>(layout.height() + 2 * drawing.padding));
    std::array<double, 2> picture{std::max(width, 1.0), std::max(height, 1.0)};
    if (drawing.box) {
        picture = {static_cast<double>((*drawing.box)[0]), static_cast<double>((*drawing.box)[1])};
        if (width > picture[0] || height > picture[1])
            return fail("text/does-not-fit",
                        fmt::format("the text takes {} x {} texels, its box has {} x {}", width,
                                    height, picture[0], picture[1]),
                        "make \"size\" or \"padding\" smaller, or \"box\" larger");
    }
    if (!(picture[0] <= kMaxImageSide && picture[1] <= kMaxImageSide))
        return fail("text/too-large",
                    fmt::format("the text takes {} x {} texels, {} a side are the limit",
                                picture[0], picture[1], kMaxImageSide),
                    "make \"size\" smaller, or the text shorter");
    HostImage image = make_image(Format::r8_unorm, {static_cast<std::uint32_t>(picture[0]),
                                                    static_cast<std::uint32_t>(picture[1]), 1});
    layout.draw(image,
                0.5f * (glm::vec2(static_cast<float>(picture[0]), static_cast<float>(picture[1])) -
                        glm::vec2(layout.width(), layout.height())));
    return image;
}

Result<void> check_text(const TextDrawing& drawing) {
    constexpr std::size_t kMaxLetters = 1u << 16;
    if (drawing.text.find_first_not_of(" \t\n") == std::string::npos)
        return fail("text/empty", "the text has no letters");
    if (drawing.text.size() > kMaxLetters)
        return fail("text/too-large", fmt::format("the text has {} bytes, {} are the limit",
                                                  drawing.text.size(), kMaxLetters));
    return {};
}

} // namespace

Result<HostImage> draw_text(const TextDrawing& drawing) {
    if (auto sound = check_text(drawing); !sound) return propagate(std::move(sound));
    return draw_with(Font::built_in(), drawing);
}

Result<HostImage> draw_text(const TextDrawing& drawing, std::span<const std::byte> file,
                            std::string_view name) {
    if (auto sound = check_text(drawing); !sound) return propagate(std::move(sound));
    const Diagnostic bad{.code = "text/bad-font",
                         .severity = Severity::error,
                         .message =
                             fmt::format("'{}' is damaged or no TrueType or OpenType font", name),
                         .where = {},
                         .hint = "leave \"font\" out for DejaVu Sans"};
    constexpr std::uint64_t kFontMemory = std::uint64_t{1} << 30;
    return draw_isolated(
        kFontMemory, reading_seconds(file.size()),
        [&]() -> Result<HostImage> {
            const auto font = Font::parse({file.begin(), file.end()});
            if (!font) return fail(bad.code, bad.message, bad.hint);
            return draw_with(*font, drawing);
        },
        bad);
}

Result<HostImage> draw_text(const TextDrawing& drawing, const std::filesystem::path& font) {
    auto file = read_file(font, "image", kMaxFontBytes);
    if (!file) return propagate(std::move(file));
    return draw_text(drawing, *file, font.string());
}

} // namespace tuff
