#pragma once

#include "passes/mapping/rgbd.hpp"

#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>

#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// How the camera moves through the room.
enum class RoomPath : std::uint8_t {
    orbit, ///< around the center, which it looks at
    still, ///< fixed, by the parameters
};

/// Simulates a recording of a furnished room. See `describe`.
struct MappingRoom {
    static constexpr std::string_view kName = "mapping/room";

    int width = 640;
    int height = 480;
    float vertical_fov = 50.0f; ///< degrees
    glm::vec2 range{0.3f, 5.0f};
    float frame = 0.0f;
    float frames = 240.0f; ///< frames of one orbit
    RoomPath path = RoomPath::orbit;
    glm::vec3 position{1.1f, 1.3f, 0.0f};
    glm::vec3 target{0.0f, 0.8f, 0.0f};
    float noise = 1.0f;
    float relative = 0.0f;
    float dropout = 0.01f;
    float ball = 120.0f; ///< the first frame without the balloon
    std::uint32_t seed = 1;

    RgbdFrame result;
    Buffer pose;

    static void describe(PassInfo<MappingRoom>& info);
    void build(Graph& graph);

    /// Pose, camera to world.
    glm::dmat4 camera() const;
    /// Center and radius of the balloon; radius 0: there is none.
    glm::vec4 ball_now() const;
};

/// Pose, camera to world, of a camera that looks from `position` at `target`, with the world's y
/// up.
glm::dmat4 looking_at(glm::dvec3 position, glm::dvec3 target);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::RoomPath> {
    static constexpr std::array<std::string_view, 2> names{"orbit", "still"};
};
