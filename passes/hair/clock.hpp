#pragma once

#include "passes/hair/hair.hpp"

#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>

namespace tuff::passes {

/// The position and rotation of the head, as a parameter group.
struct HeadParameters {
    glm::vec3 position{0.0f};
    glm::vec3 turn{0.0f};

    static void describe_fields(auto&& field) {
        field("position", &HeadParameters::position, "position of the groom's origin")
            .range(-kFarthestHair, kFarthestHair)
            .unit("world units");
        field("turn", &HeadParameters::turn,
              "rotation of the head: the direction is the axis, the length is the angle")
            .range(-1e5, 1e5)
            .unit("degrees");
    }
    glm::vec4 quaternion() const; ///< (x, y, z, w)
};

/// The steps of an execution, on the device: shaders/hair/clock.glsl.
struct HairClock {
    Buffer words;
    std::uint32_t most = 0; ///< capacity, in steps
};

/// The inputs of a clock.
struct ClockRequest {
    std::uint32_t most = 1;
    float frame_time = 1.0f / 60.0f;
    float dt = 1.0f / 60.0f;
    float teleport = 0.0f;
    bool reset = false;
    HeadParameters head;
    HeadParameters head_before; ///< used if there is no previous clock
    Buffer before;              ///< optional: the clock of the last execution; the first time zeros
};

BufferDesc clock_desc(std::uint32_t most);
HairClock make_clock(Graph& graph, const ClockRequest& request);

} // namespace tuff::passes
