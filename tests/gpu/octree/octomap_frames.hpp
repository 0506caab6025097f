#pragma once

#include <array>
#include <cstdint>
#include <vector>

/// Frames that OctoMap and octree/fuse are given; needs nothing of Tuff's.
namespace tuff::testing_gpu {

using FramePoint = std::array<float, 3>;

inline constexpr unsigned kOctomapFrames = 76;
inline constexpr FramePoint kOctomapEye{-0.9301f, 0.8703f, -0.9107f};

/// 24 points that all frames but the last six have, and six of the frame's own.
inline std::vector<FramePoint> octomap_frame(unsigned frame) {
    std::uint32_t state = 0;
    const auto number = [&state] {
        state = state * 1664525u + 1013904223u;
        return (static_cast<float>(state >> 22) - 511.37f) / 800.0f;
    };
    std::vector<FramePoint> points;
    state = 12345u;
    for (unsigned i = 0; i < 24; ++i) {
        const FramePoint point{number(), number(), number()};
        if (frame + 6 < kOctomapFrames) points.push_back(point);
    }
    state = 777u + 91u * frame;
    for (unsigned i = 0; i < 6; ++i) {
        const float x = number();
        const float y = number();
        points.push_back({x, y, 0.61f + 0.3f * number()});
    }
    return points;
}

} // namespace tuff::testing_gpu
