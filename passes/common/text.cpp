#include "passes/common/text.hpp"

#include <stb/stb_truetype.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <stdexcept>

extern "C" {
// Of the object that CMake makes of the font's file.
[[gnu::visibility("hidden")]] extern const std::byte tuff_text_font[];
}

namespace tuff::passes {
namespace {

constexpr char32_t kUnknown = 0xfffd;

/// The next letter of a text in UTF-8, which is taken off it; U+FFFD for what is none.
char32_t next_letter(std::string_view& text) {
    const auto first = static_cast<unsigned char>(text.front());
    text.remove_prefix(1);
    if (first < 0x80) return first;
    const int more = first >= 0xf0 && first < 0xf8 ? 3 : first >= 0xe0 ? 2 : first >= 0xc2 ? 1 : 0;
    if (more == 0 || first >= 0xf8 || text.size() < static_cast<std::size_t>(more)) return kUnknown;
    char32_t letter = first & (0x3fu >> more);
    for (int i = 0; i < more; ++i) {
        const auto byte = static_cast<unsigned char>(text[static_cast<std::size_t>(i)]);
        if ((byte & 0xc0u) != 0x80u) return kUnknown;
        letter = letter << 6u | (byte & 0x3fu);
    }
    constexpr char32_t kLeast[] = {0, 0x80, 0x800, 0x10000};
    text.remove_prefix(static_cast<std::size_t>(more));
    const bool surrogate = letter >= 0xd800 && letter < 0xe000;
    return letter < kLeast[more] || letter > 0x10ffff || surrogate ? kUnknown : letter;
}

const stbtt_fontinfo& font() {
    static const stbtt_fontinfo kFont = [] {
        stbtt_fontinfo info{};
        if (stbtt_InitFont(&info, reinterpret_cast<const unsigned char*>(tuff_text_font), 0) == 0)
            throw std::runtime_error("the font inside this program cannot be read");
        return info;
    }();
    return kFont;
}

float scale_of(float size) {
    return stbtt_ScaleForMappingEmToPixels(&font(), size);
}

/// Calls `visit` with each letter's glyph and how far it is from the start of the text, in texels.
/// Returns the width of the text.
template <typename Visit>
float lay_out(std::string_view text, float size, Visit&& visit) {
    const float scale = scale_of(size);
    float x = 0.0f;
    int before = 0;
    while (!text.empty()) {
        const int glyph = stbtt_FindGlyphIndex(&font(), static_cast<int>(next_letter(text)));
        int advance = 0;
        int bearing = 0;
        stbtt_GetGlyphHMetrics(&font(), glyph, &advance, &bearing);
        if (before != 0)
            x += scale * static_cast<float>(stbtt_GetGlyphKernAdvance(&font(), before, glyph));
        before = glyph;
        visit(glyph, x);
        x += scale * static_cast<float>(advance);
    }
    return x;
}

/// Draws a glyph `along` texels behind the start of its text.
void draw_glyph(Canvas& canvas, int glyph, float size, glm::vec2 start, float along, bool upwards,
                glm::vec4 color) {
    // In the text's own axes: along it, and across it from the top to the bottom.
    const glm::vec2 place =
        upwards ? glm::vec2(along - start.y, start.x) : glm::vec2(start.x + along, start.y);
    const glm::vec2 whole = glm::floor(place);
    const glm::vec2 part = place - whole;
    const float scale = scale_of(size);
    glm::ivec2 low(0), high(0);
    stbtt_GetGlyphBitmapBoxSubpixel(&font(), glyph, scale, scale, part.x, part.y, &low.x, &low.y,
                                    &high.x, &high.y);
    const glm::ivec2 box = high - low;
    if (box.x <= 0 || box.y <= 0) return;
    std::vector<unsigned char> covered(static_cast<std::size_t>(box.x) *
                                       static_cast<std::size_t>(box.y));
    stbtt_MakeGlyphBitmapSubpixel(&font(), covered.data(), box.x, box.y, box.x, scale, scale,
                                  part.x, part.y, glyph);
    const glm::ivec2 corner = glm::ivec2(whole) + low;
    for (int row = 0; row < box.y; ++row)
        for (int column = 0; column < box.x; ++column) {
            const glm::ivec2 at = corner + glm::ivec2(column, row);
            const float share =
                static_cast<float>(covered[static_cast<std::size_t>(row * box.x + column)]) /
                255.0f;
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
    return lay_out(text, size, [](int, float) {});
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
    lay_out(text, size,
            [&](int glyph, float x) { draw_glyph(canvas, glyph, size, start, x, upwards, color); });
}

} // namespace tuff::passes
