// stb's functions are compiled in here as static ones, whatever other copies a program links.
#define STB_TRUETYPE_IMPLEMENTATION
#define STBTT_STATIC
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_truetype.h>
#pragma GCC diagnostic pop

#include "core/font.hpp"

#include <stdexcept>

extern "C" {
// Of the object that CMake makes of the font's file.
[[gnu::visibility("hidden")]] extern const std::byte tuff_built_in_font[];
}

namespace tuff {
namespace {

constexpr char32_t kUnknownLetter = 0xfffd;

std::optional<stbtt_fontinfo> open_font(const std::byte* file) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(file);
    stbtt_fontinfo info{};
    const int offset = stbtt_GetFontOffsetForIndex(bytes, 0);
    if (offset < 0 || stbtt_InitFont(&info, bytes, offset) == 0) return std::nullopt;
    return info;
}

} // namespace

char32_t next_letter(std::string_view& text) {
    const auto first = static_cast<unsigned char>(text.front());
    text.remove_prefix(1);
    if (first < 0x80) return first;
    const int more = first >= 0xf0 && first < 0xf8 ? 3 : first >= 0xe0 ? 2 : first >= 0xc2 ? 1 : 0;
    if (more == 0 || first >= 0xf8 || text.size() < static_cast<std::size_t>(more))
        return kUnknownLetter;
    char32_t letter = first & (0x3fu >> more);
    for (int i = 0; i < more; ++i) {
        const auto byte = static_cast<unsigned char>(text[static_cast<std::size_t>(i)]);
        if ((byte & 0xc0u) != 0x80u) return kUnknownLetter;
        letter = letter << 6u | (byte & 0x3fu);
    }
    constexpr char32_t kLeast[] = {0, 0x80, 0x800, 0x10000};
    text.remove_prefix(static_cast<std::size_t>(more));
    const bool surrogate = letter >= 0xd800 && letter < 0xe000;
    return letter < kLeast[more] || letter > 0x10ffff || surrogate ? kUnknownLetter : letter;
}

struct Font::State {
    std::vector<std::byte> file; ///< empty where the font is part of the program
    stbtt_fontinfo info{};
};

Font::Font(std::unique_ptr<const State> state) : state_(std::move(state)) {}
Font::Font(Font&&) noexcept = default;
Font& Font::operator=(Font&&) noexcept = default;
Font::~Font() = default;

const Font& Font::built_in() {
    static const Font kFont = [] {
        auto state = std::make_unique<State>();
        const auto info = open_font(tuff_built_in_font);
        if (!info) throw std::runtime_error("the font inside this program cannot be read");
        state->info = *info;
        return Font(std::move(state));
    }();
    return kFont;
}

std::optional<Font> Font::parse(std::vector<std::byte> file) {
    constexpr std::size_t kLeastBytes = 12; // of the table of tables
    if (file.size() < kLeastBytes) return std::nullopt;
    auto state = std::make_unique<State>();
    state->file = std::move(file);
    const auto info = open_font(state->file.data());
    if (!info) return std::nullopt;
    state->info = *info;
    return Font(std::move(state));
}

float Font::scale(float size) const {
    return stbtt_ScaleForMappingEmToPixels(&state_->info, size);
}

TextLine Font::lay_out(std::string_view text, float size) const {
    const stbtt_fontinfo& info = state_->info;
    const float texels = scale(size); // a unit of the font
    TextLine line;
    int before = 0;
    while (!text.empty()) {
        const int glyph = stbtt_FindGlyphIndex(&info, static_cast<int>(next_letter(text)));
        int advance = 0;
        int bearing = 0;
        stbtt_GetGlyphHMetrics(&info, glyph, &advance, &bearing);
        if (before != 0)
            line.width +=
                texels * static_cast<float>(stbtt_GetGlyphKernAdvance(&info, before, glyph));
        before = glyph;
        line.glyphs.push_back({glyph, line.width});
        line.width += texels * static_cast<float>(advance);
    }
    return line;
}

GlyphPicture Font::draw(int glyph, float size, glm::vec2 part) const {
    const stbtt_fontinfo& info = state_->info;
    const float texels = scale(size);
    GlyphPicture picture;
    glm::ivec2 high(0);
    stbtt_GetGlyphBitmapBoxSubpixel(&info, glyph, texels, texels, part.x, part.y, &picture.corner.x,
                                    &picture.corner.y, &high.x, &high.y);
    const glm::ivec2 box = high - picture.corner;
    if (box.x <= 0 || box.y <= 0) return picture;
    picture.size = box;
    picture.covered.resize(static_cast<std::size_t>(box.x) * static_cast<std::size_t>(box.y));
    stbtt_MakeGlyphBitmapSubpixel(&info, picture.covered.data(), box.x, box.y, box.x, texels,
                                  texels, part.x, part.y, glyph);
    return picture;
}

float Font::ascent(float size) const {
    int ascent = 0;
    int descent = 0;
    int gap = 0;
    stbtt_GetFontVMetrics(&state_->info, &ascent, &descent, &gap);
    return scale(size) * static_cast<float>(ascent);
}

float Font::line_height(float size) const {
    int ascent = 0;
    int descent = 0;
    int gap = 0;
    stbtt_GetFontVMetrics(&state_->info, &ascent, &descent, &gap);
    return scale(size) * static_cast<float>(ascent - descent + gap);
}

} // namespace tuff
