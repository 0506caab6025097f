#pragma once

#include "passes/mapping/rgbd.hpp"

#include <tuff/shared_struct.hpp>

#include <glm/vec3.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// A point in the format of octree/fuse.
struct MappingPoint {
    glm::vec3 position{0.0f};
    std::uint32_t color = 0; ///< RGBA8; alpha 0: the ray to it is free, and the point hit nothing

    static constexpr std::string_view kStructName = "MappingPoint";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(MappingPoint, position), TUFF_MEMBER(MappingPoint, color)};
    }
};

/// Makes a frame's points for octree/fuse. See `describe`.
struct MappingPoints {
    static constexpr std::string_view kName = "mapping/points";

    RgbdFrame frame;
    Buffer pose;

    Buffer points;
    Buffer count;
    Buffer matrix;

    static void describe(PassInfo<MappingPoints>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
