#pragma once

#include "tests/gpu/volume/volume_test.hpp"

#include <cstdint>
#include <vector>

/// What the tests of meshes of media share.
namespace tuff::testing_gpu {

inline constexpr glm::vec3 kBehind(0.2f, 0.5f, 0.9f);
inline constexpr passes::EyeInside kEyeModes[] = {
    passes::EyeInside::whole_lists, passes::EyeInside::near_pass, passes::EyeInside::near_state};

struct TestBox {
    glm::vec3 low;
    glm::vec3 high;
    glm::vec3 extinction{1.0f};
    glm::vec3 emission{0.0f};
    glm::vec3 scatter{0.0f};
    std::uint32_t shadow_of = 0; ///< as of `MeshMedium`
    float reflectance = 0.0f;
};

/// A ball of triangles: each face of a cube in `side` x `side` squares, moved out to the radius.
struct BallMesh {
    std::vector<glm::vec3> positions;
    std::vector<std::uint32_t> indices;
};
BallMesh ball_mesh(std::uint32_t side, float radius);

/// Where the ray of a texel is in a box.
Stay stay_of(const TestBox& test, const TestView& view, std::uint32_t x, std::uint32_t y);

/// Texels whose ray nearly meets an edge of a box count for nothing: who draws them is a matter of
/// the rasterizer's grid.
bool is_near_an_edge(const std::vector<TestBox>& boxes, const TestView& view, std::uint32_t x,
                     std::uint32_t y);

class MeshTest : public VolumeTest {
  public:
    static passes::MeshMedium medium_of(Graph& g, const TestBox& test);
};

} // namespace tuff::testing_gpu
