// The corners of the interface's triangles, in pixels from the window's upper left.

// Five words a corner: x, y, u, v (floats), colour (8 bits a channel, red lowest).
readonly buffer Corners { uint words[]; } corners;
readonly buffer Frame {
    vec2 window; // pixels
    vec2 range;
    float gain;
    uint channels;
    uint flags;
    uint unused;
} frame;

layout(location = 0) out vec2 coordinates;
layout(location = 1) out vec4 color;

void place_corner(uint index) {
    const uint first = 5u * index;
    const vec2 position =
        vec2(uintBitsToFloat(corners.words[first]), uintBitsToFloat(corners.words[first + 1u]));
    coordinates = vec2(uintBitsToFloat(corners.words[first + 2u]),
                       uintBitsToFloat(corners.words[first + 3u]));
    color = unpackUnorm4x8(corners.words[first + 4u]);
    gl_Position = vec4(2.0 * position / frame.window - 1.0, 0.0, 1.0);
}
