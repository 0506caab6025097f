#include "passes/common/text.hpp"

#include "core/font.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>

namespace tuff::passes {
namespace {

/// Draws a glyph `along` texels behind the start of its text.
void draw_glyph(Canvas& canvas, int number, float size, glm::vec2 start, float along, bool upwards,
                glm::vec4 color) {
    // In the text's own axes: along it, and across it from the top to the bottom.
    const glm::vec2 place =
        upwards ? glm::vec2(along - start.y, start.x) : glm::vec2(start.x + along, start.y);
    const glm::vec2 whole = glm::floor(place);
    const GlyphPicture glyph = Font::built_in().draw(number, size, place - whole);
    const glm::ivec2 corner = glm::ivec2(whole) + glyph.corner;
    for (int row = 0; row < glyph.size.y; ++row)
        for (int column = 0; column < glyph.size.x; ++column) {
            const glm::ivec2 at = corner + glm::ivec2(column, row);
            const auto texel = static_cast<std::size_t>(row * glyph.size.x + column);
            const float share = static_cast<float>(glyph.covered[texel]) / 255.0f;
            if (upwards)
                canvas.mix(at.y, -1 - at.x, color, share);
            else
                canvas.mix(at.x, at.y, color, share);
        }
}

glm::u8vec4 encoded(glm::vec4 color) {
    return glm::u8vec4(glm::round(glm::clamp(color, 0.0f, 1.0f) * 255.0f));
}

} // namespace

Canvas::Canvas(std::uint32_t columns, std::uint32_t rows, glm::vec4 background)
    : width(columns), height(rows), texels(std::size_t{columns} * rows, encoded(background)) {}

void Canvas::mix(int x, int y, glm::vec4 color, float coverage) {
    if (x < 0 || y < 0 || x >= static_cast<int>(width) || y >= static_cast<int>(height)) return;
    glm::u8vec4& texel = texels[static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x)];
    texel = encoded(glm::mix(glm::vec4(texel) / 255.0f, color, coverage));
}

void Canvas::fill(glm::ivec2 low, glm::ivec2 high, glm::vec4 color) {
    for (int y = low.y; y < high.y; ++y)
        for (int x = low.x; x < high.x; ++x)
            mix(x, y, color, 1.0f);
}

std::shared_ptr<const std::vector<std::byte>> shared_texels(const Canvas& canvas) {
    static std::mutex mutex;
    static std::vector<std::weak_ptr<const std::vector<std::byte>>> known;
    const std::span<const std::byte> bytes = std::as_bytes(std::span(canvas.texels));
    const std::lock_guard lock(mutex);
    std::erase_if(known, [](const auto& one) { return one.expired(); });
    for (const auto& one : known)
        if (auto held = one.lock(); held && std::ranges::equal(*held, bytes)) return held;
    auto made = std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end());
    known.push_back(made);
    return made;
}

float text_width(std::string_view text, float size) {
    return Font::built_in().lay_out(text, size).width;
}

float capital_height(float size) {
    return 0.729f * size; // DejaVu Sans: 1493 of 2048 units
}

std::string shortened(std::string_view text, float size, float limit) {
    if (text_width(text, size) <= limit) return std::string(text);
    constexpr std::string_view kCut = "...";
    std::string_view rest = text;
    std::string kept;
    while (!rest.empty()) {
        std::string_view after = rest;
        next_letter(after);
        const std::string longer = kept + std::string(rest.substr(0, rest.size() - after.size()));
        if (text_width(longer + std::string(kCut), size) > limit) break;
        kept = longer;
        rest = after;
    }
    return kept + std::string(kCut);
}

void draw_text(Canvas& canvas, std::string_view text, float size, glm::vec2 place, glm::vec4 color,
               TextAnchor anchor, bool upwards) {
    const float width = anchor == TextAnchor::left ? 0.0f : text_width(text, size);
    const float before = anchor == TextAnchor::right ? width : 0.5f * width;
    const glm::vec2 along = upwards ? glm::vec2(0.0f, -1.0f) : glm::vec2(1.0f, 0.0f);
    const glm::vec2 start = place - along * before;
    for (const PlacedGlyph& glyph : Font::built_in().lay_out(text, size).glyphs)
        draw_glyph(canvas, glyph.number, size, start, glyph.x, upwards, color);
}

} // namespace tuff::passes
