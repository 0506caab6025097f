#pragma once

#include "passes/hair/hair.hpp"

#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>

namespace tuff::passes {

/// Where the head is, as a parameter group.
struct HeadParameters {
    glm::vec3 position{0.0f};
    glm::vec3 turn{0.0f};

    static void describe_fields(auto&& field) {
        field("position", &HeadParameters::position, "where the groom's origin is")
            .range(-kFarthestHair, kFarthestHair)
            .unit("world units");
        field("turn", &HeadParameters::turn,
              "the axis about which the head is turned, as long as the angle")
            .range(-1e5, 1e5)
            .unit("degrees");
    }
    glm::vec4 quaternion() const; ///< (x, y, z, w)
};

/// The steps of an execution, on the device: shaders/hair/clock.glsl.
struct HairClock {
    Buffer words;
    std::uint32_t most = 0; ///< steps that there is room for
};

/// What a clock is told.
struct ClockRequest {
    std::uint32_t most = 1;
    float frame_time = 1.0f / 60.0f;
    float dt = 1.0f / 60.0f;
    float teleport = 0.0f;
    bool reset = false;
    HeadParameters head;
    HeadParameters head_before; ///< where there is no clock before
    Buffer before;              ///< optional: that of the last execution, or zeros at first
};

BufferDesc clock_desc(std::uint32_t most);
HairClock make_clock(Graph& graph, const ClockRequest& request);

} // namespace tuff::passes
