#pragma once

#include "passes/mapping/rgbd.hpp"

#include <glm/vec3.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// The format of a list of poses.
enum class PoseLayout : std::uint8_t {
    matrices,    ///< four rows of four numbers
    quaternions, ///< x, y, z, and a quaternion: x, y, z, w
};

/// Makes a pose from parameters or a recording. See `describe`.
struct MappingPose {
    static constexpr std::string_view kName = "mapping/pose";

    Buffer list; ///< optional
    PoseLayout layout = PoseLayout::matrices;
    std::uint32_t index = 0;
    glm::vec3 position{0.0f};
    glm::vec3 target{0.0f, 0.0f, 1.0f};

    Buffer pose;

    static void describe(PassInfo<MappingPose>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::PoseLayout> {
    static constexpr std::array<std::string_view, 2> names{"matrices", "quaternions"};
};
