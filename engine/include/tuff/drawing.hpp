#pragma once

#include <tuff/image.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// Pictures that are drawn: SVG files and texts.
namespace tuff {

/// How a file of shapes becomes a picture.
struct DrawingOptions {
    /// Texels; none: the size that the file says. The drawing is made as large as fits, in the
    /// middle.
    std::optional<std::array<std::uint32_t, 2>> size;
    /// r8_unorm, how much of a texel the shapes cover (their alpha), in place of colours.
    bool coverage = false;
};

/// Draws an SVG file, by librsvg: rgba8_unorm with alpha, 0 where nothing is drawn, colours as the
/// file has them and not multiplied by alpha. It is read in a process of its own, and no file that
/// it names is. Its texts take the machine's fonts.
///
/// Errors: image/no-library, image/corrupt, image/too-large, image/no-size, image/unreadable.
Result<HostImage> decode_drawing(std::span<const std::byte> file, std::string_view name,
                                 const DrawingOptions& options = {});
/// The same of a file. Errors also: image/not-found, image/unknown-format.
Result<HostImage> load_drawing(const std::filesystem::path& path,
                               const DrawingOptions& options = {});
/// Whether a file is one of shapes, by its first bytes.
bool is_drawing(std::span<const std::byte> file);

/// Where the lines of a text lie.
enum class TextAlign : std::uint8_t { left, middle, right };
/// What configs call them, in the order of `TextAlign`.
inline constexpr std::array<std::string_view, 3> kTextAlignNames = {"left", "middle", "right"};

/// A text as a picture.
struct TextDrawing {
    std::string text;                  ///< UTF-8; "\n" begins a line
    float size = 64.0f;                ///< of the em square, texels
    float padding = 0.0f;              ///< around the text, texels
    TextAlign align = TextAlign::left; ///< of several lines
    /// Of the picture, in whose middle the text stands; none: what the text needs.
    std::optional<std::array<std::uint32_t, 2>> box;
};

/// How much of each texel the letters of DejaVu Sans cover: r8_unorm. Letters that the font lacks
/// become its sign for them. Errors: text/empty, text/too-large, text/does-not-fit.
Result<HostImage> draw_text(const TextDrawing& drawing);
/// The same in the letters of a TrueType or OpenType file, which is read in a process of its own.
/// Errors also: text/bad-font, image/not-found, image/unreadable.
Result<HostImage> draw_text(const TextDrawing& drawing, const std::filesystem::path& font);
/// The same of a font in memory; `name` is for diagnostics.
Result<HostImage> draw_text(const TextDrawing& drawing, std::span<const std::byte> font,
                            std::string_view name);

} // namespace tuff
