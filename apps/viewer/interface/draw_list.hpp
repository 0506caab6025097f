#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

struct ImDrawData;

namespace tuff::viewer {

/// What a texture id of the interface means.
enum class InterfaceTexture : std::uint32_t { font = 0, picture = 1 };

/// How texels become colours; the names of the shader.
struct PictureDisplay {
    std::array<float, 2> range = {0.0f, 1.0f}; ///< the values shown as black and white
    float gain = 1.0f;
    std::uint32_t channels = 0; ///< 0: colour, 1 to 4: one channel, 5: luminance
    bool encoded = false;       ///< the numbers are those of the screen, not linear light
    bool mark_faults = false;   ///< NaN and infinity get colours of their own
    friend bool operator==(const PictureDisplay&, const PictureDisplay&) = default;
};

/// The triangles of a frame as the interface's kernels take them, three corners each. They are cut
/// at the rectangles outside of which nothing is drawn, so that no fragment has to ask.
struct DrawList {
    struct Corner {
        float x, y; ///< pixels
        float u, v;
        std::uint32_t color; ///< 8 bits a channel, red lowest
        friend bool operator==(const Corner&, const Corner&) = default;
    };
    std::vector<Corner> corners;
    /// Corners of what lies below the picture, of the picture, and of what lies above it.
    std::array<std::uint32_t, 3> counts{};
    friend bool operator==(const DrawList&, const DrawList&) = default;
};

DrawList flatten(const ImDrawData& data);

} // namespace tuff::viewer
