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
};

/// The triangles of a frame as the interface's kernel takes them: one list of corners and one of
/// commands, each with a rectangle outside of which nothing is drawn.
struct DrawList {
    struct Corner {
        float x, y, u, v;
        std::uint32_t color, command;
    };
    struct Command {
        std::array<float, 4> clip;
        std::uint32_t texture;
        std::array<std::uint32_t, 3> unused;
    };
    std::vector<Corner> corners;
    std::vector<Command> commands;
};

DrawList flatten(const ImDrawData& data);

} // namespace tuff::viewer
