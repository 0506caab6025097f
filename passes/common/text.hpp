#pragma once

#include <glm/glm.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// Texts in pictures that passes make: axes, captions. The letters are those of DejaVu Sans, drawn
/// by stb_truetype, so that a text looks the same on every machine.
namespace tuff::passes {

/// A picture on the host, row by row from the top left, as displays show it.
struct Canvas {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::vector<glm::u8vec4> texels;

    Canvas(std::uint32_t width, std::uint32_t height, glm::vec4 background);
    /// Mixes `color` into a texel; outside nothing is drawn. `coverage` is of the texel, 0 to 1.
    void mix(int x, int y, glm::vec4 color, float coverage);
    /// Fills the rectangle between two corners, the second one excluded.
    void fill(glm::ivec2 low, glm::ivec2 high, glm::vec4 color);
};

/// The canvas as the contents of a constant of format rgba8_unorm. Equal canvases give the same
/// bytes while any graph holds them: a graph that is rebuilt uploads nothing.
std::shared_ptr<const std::vector<std::byte>> shared_texels(const Canvas& canvas);

/// Which part of a text is at the place where it is drawn.
enum class TextAnchor : std::uint8_t { left, middle, right };

/// How far it is from the start of a text to its end, in texels. The text is UTF-8; bytes that are
/// not, and letters that the font lacks, count as the sign for an unknown letter.
float text_width(std::string_view text, float size);
/// From the base line up to the top of capital letters.
float capital_height(float size);
/// The text, or as much of its beginning as is no wider than `limit`, with "..." behind it.
std::string shortened(std::string_view text, float size, float limit);

/// Draws a text of `size` texels (the height of a line) with its base line at `place`. Upwards:
/// from the bottom to the top, as along a vertical axis.
void draw_text(Canvas& canvas, std::string_view text, float size, glm::vec2 place, glm::vec4 color,
               TextAnchor anchor = TextAnchor::left, bool upwards = false);

} // namespace tuff::passes
