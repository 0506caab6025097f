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

/// Pictures from SVG files and texts.
namespace tuff {

/// How a file of shapes becomes a picture.
struct DrawingOptions {
    /// Texels; none: the size in the file. The drawing is scaled to fit, in the
    /// middle.
    std::optional<std::array<std::uint32_t, 2>> size;
    /// r8_unorm: the part of each texel that the shapes cover (their alpha), instead of colours.
    bool coverage = false;
};

/// Draws an SVG file with librsvg: rgba8_unorm with alpha, 0 where nothing is drawn; colours are
/// those of the file, not multiplied by alpha. A separate process reads it, and reads no file that
/// it names. Its texts use the machine's fonts.
///
/// Errors: image/no-library, image/corrupt, image/too-large, image/no-size, image/unreadable.
Result<HostImage> decode_drawing(std::span<const std::byte> file, std::string_view name,
                                 const DrawingOptions& options = {});
/// The same for a file. Errors also: image/not-found, image/unknown-format.
Result<HostImage> load_drawing(const std::filesystem::path& path,
                               const DrawingOptions& options = {});
/// Whether a file is an SVG, by its first bytes.
bool is_drawing(std::span<const std::byte> file);

/// Alignment of the lines of a text.
enum class TextAlign : std::uint8_t { left, middle, right };
/// Names in configs, in the order of `TextAlign`.
inline constexpr std::array<std::string_view, 3> kTextAlignNames = {"left", "middle", "right"};

/// A text as a picture.
struct TextDrawing {
    std::string text;                  ///< UTF-8; "\n" begins a line
    float size = 64.0f;                ///< of the em square, texels
    float padding = 0.0f;              ///< around the text, texels
    TextAlign align = TextAlign::left; ///< of several lines
    /// Size of the picture, with the text in its middle, texels; none: the size of the text.
    std::optional<std::array<std::uint32_t, 2>> box;
};

/// Draws the text in DejaVu Sans: r8_unorm, the covered part of each texel. Letters that the font
/// lacks show its missing-glyph sign. Errors: text/empty, text/too-large, text/does-not-fit.
Result<HostImage> draw_text(const TextDrawing& drawing);
/// The same with a TrueType or OpenType file, which a separate process reads.
/// Errors also: text/bad-font, image/not-found, image/unreadable.
Result<HostImage> draw_text(const TextDrawing& drawing, const std::filesystem::path& font);
/// The same with a font in memory; `name` is for diagnostics.
Result<HostImage> draw_text(const TextDrawing& drawing, std::span<const std::byte> font,
                            std::string_view name);

} // namespace tuff
