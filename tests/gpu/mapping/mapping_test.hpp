#pragma once

#include "passes/mapping/room.hpp"
#include "passes/mapping/tracking.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <glm/gtc/matrix_access.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tuff::testing_gpu {

/// Distance to the room of shaders/mapping/room.glsl; a ball of radius 0 is none.
double room_distance(glm::dvec3 p, glm::dvec4 ball);

/// Metres and degrees between two poses.
struct PoseError {
    double distance = 0.0;
    double angle = 0.0;
};
PoseError error_of(const glm::dmat4& pose, const glm::dmat4& truth);

/// A pose as kernels write it.
glm::dmat4 pose_of(const std::vector<glm::vec4>& rows);
/// Four rows.
std::vector<glm::vec4> rows_of(const glm::dmat4& pose, float last = 1.0f);

/// Point of a pixel at depth 1.
inline glm::dvec3 ray_of(glm::dvec4 k, double u, double v) {
    return {(u - k.z) / k.x, (v - k.w) / k.y, 1.0};
}

class MappingTest : public GpuTest {
  protected:
    static Image depth_image(Graph& g, Extent extent, const std::vector<float>& depths);
    static Image color_image(Graph& g, Extent extent, const std::vector<std::uint32_t>& texels);
    static Buffer pose_buffer(Graph& g, std::string_view name, const std::vector<glm::vec4>& rows);
    /// A frame of these depths, white, of a camera of 50 degrees.
    static passes::RgbdFrame frame_of(Graph& g, Extent extent, const std::vector<float>& depths);

    /// Runs the graphs of these numbers one after the other, as frames of one executor.
    Running play(const std::function<Graph(int)>& build, int first, int end,
                 const std::function<void(Running&, int)>& after = {});
};

/// The intrinsics of a camera of 50 degrees.
glm::vec4 lens_of(Extent extent);

} // namespace tuff::testing_gpu
