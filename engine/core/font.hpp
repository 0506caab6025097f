#pragma once

#include <glm/vec2.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace tuff {

/// A glyph of a laid out text.
struct PlacedGlyph {
    int number = 0; ///< of the font
    float x = 0.0f; ///< from the start of the text, texels
};
/// A text in one line.
struct TextLine {
    std::vector<PlacedGlyph> glyphs;
    float width = 0.0f; ///< from its start to its end, texels
};
/// A glyph's coverage.
struct GlyphPicture {
    glm::ivec2 corner{}; ///< the upper left one, from the glyph's origin on the base line
    glm::ivec2 size{};
    std::vector<unsigned char> covered; ///< row by row from the top; 255: all of a texel
};

/// The next letter of a text in UTF-8, which is taken off it; U+FFFD for what is none.
char32_t next_letter(std::string_view& text);

/// A TrueType or OpenType font, read by stb_truetype. Sizes are of the em square, in texels.
class Font {
  public:
    /// DejaVu Sans, which is part of Tuff.
    static const Font& built_in();
    /// The first font of a file; nothing where it has none. A damaged file may crash the process,
    /// here or later: files of others are read in one of their own.
    static std::optional<Font> parse(std::vector<std::byte> file);

    Font(Font&&) noexcept;
    Font& operator=(Font&&) noexcept;
    ~Font();

    /// The text is UTF-8; bytes that are not, and letters that the font lacks, become the sign for
    /// an unknown letter.
    TextLine lay_out(std::string_view text, float size) const;
    /// A glyph whose origin lies at this part of a texel, 0 to 1.
    GlyphPicture draw(int glyph, float size, glm::vec2 part) const;
    /// From the top of a line to its base line.
    float ascent(float size) const;
    /// From the top of a line to that of the next.
    float line_height(float size) const;

  private:
    struct State;
    explicit Font(std::unique_ptr<const State> state);
    float scale(float size) const;
    std::unique_ptr<const State> state_;
};

} // namespace tuff
