#include "passes/common/text.hpp"

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

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
[[gnu::visibility("hidden")]] extern const std::byte tuff_text_font_end[];
}

namespace tuff::passes {
namespace {

constexpr char32_t kUnknown = 0xfffd;
constexpr float kPoint = 64.0f; // FreeType's unit is a 64th of a texel

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

/// FreeType's face of the font; one for the program, one thread at a time.
class Font {
  public:
    Font() {
        const auto size = static_cast<FT_Long>(tuff_text_font_end - tuff_text_font);
        const auto* bytes = reinterpret_cast<const FT_Byte*>(tuff_text_font);
        if (FT_Init_FreeType(&library_) != 0 ||
            FT_New_Memory_Face(library_, bytes, size, 0, &face_) != 0)
            throw std::runtime_error("the font inside this program cannot be read");
    }
    ~Font() { FT_Done_FreeType(library_); }
    Font(const Font&) = delete;
    Font& operator=(const Font&) = delete;

    /// Calls `visit` with each letter's outline, loaded into the face's slot, and how far it is
    /// from the start of the text, in texels. Returns the width of the text.
    template <typename Visit>
    float lay_out(std::string_view text, float size, Visit&& visit) {
        FT_Set_Char_Size(face_, 0, static_cast<FT_F26Dot6>(std::lround(size * kPoint)), 72, 72);
        float x = 0.0f;
        FT_UInt before = 0;
        while (!text.empty()) {
            const FT_UInt glyph = FT_Get_Char_Index(face_, next_letter(text));
            FT_Vector kerning{};
            if (before != 0) FT_Get_Kerning(face_, before, glyph, FT_KERNING_UNFITTED, &kerning);
            before = glyph;
            x += static_cast<float>(kerning.x) / kPoint;
            if (FT_Load_Glyph(face_, glyph, FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP) != 0) continue;
            visit(*face_->glyph, x);
            x += static_cast<float>(face_->glyph->linearHoriAdvance) / 65536.0f;
        }
        return x;
    }

    std::mutex mutex;

  private:
    FT_Library library_ = nullptr;
    FT_Face face_ = nullptr;
};

Font& font() {
    static Font the_font;
    return the_font;
}

/// Draws the outline in the slot with its origin at `place`.
void draw_outline(Canvas& canvas, FT_GlyphSlotRec_& slot, glm::vec2 place, bool upwards,
                  glm::vec4 color) {
    if (slot.format != FT_GLYPH_FORMAT_OUTLINE) return;
    FT_Outline& outline = slot.outline;
    if (upwards) {
        const FT_Matrix turned{0, -0x10000, 0x10000, 0};
        FT_Outline_Transform(&outline, &turned);
    }
    // The part of a texel goes into the outline, the rest into where its bitmap is put.
    const glm::vec2 whole = glm::floor(place);
    const glm::vec2 part = place - whole;
    FT_Outline_Translate(&outline, std::lround(part.x * kPoint), -std::lround(part.y * kPoint));
    if (FT_Render_Glyph(&slot, FT_RENDER_MODE_NORMAL) != 0) return;
    const FT_Bitmap& bitmap = slot.bitmap;
    for (unsigned row = 0; row < bitmap.rows; ++row)
        for (unsigned column = 0; column < bitmap.width; ++column) {
            const unsigned char covered =
                bitmap.buffer[static_cast<int>(row) * bitmap.pitch + static_cast<int>(column)];
            canvas.mix(static_cast<int>(whole.x) + slot.bitmap_left + static_cast<int>(column),
                       static_cast<int>(whole.y) - slot.bitmap_top + static_cast<int>(row), color,
                       static_cast<float>(covered) / 255.0f);
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
    Font& face = font();
    const std::lock_guard lock(face.mutex);
    return face.lay_out(text, size, [](FT_GlyphSlotRec_&, float) {});
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
    Font& face = font();
    const std::lock_guard lock(face.mutex);
    face.lay_out(text, size, [&](FT_GlyphSlotRec_& slot, float x) {
        draw_outline(canvas, slot, start + along * x, upwards, color);
    });
}

} // namespace tuff::passes
