#pragma once

#include "passes/volume/fragments.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

/// What the tests of media share: bodies, and the light of a ray through them in double precision.
namespace tuff::testing_gpu {

struct TestSphere {
    glm::vec3 center{0.0f};
    float radius = 1.0f;
    glm::vec3 extinction{1.0f};
    glm::vec3 emission{0.0f};
    glm::vec3 scatter{0.0f};
    glm::vec3 rotation{0.0f}; ///< modified Rodrigues parameters
};

/// Where a ray is inside a body. A shadow of light l has `shadow_of` l + 1.
struct Stay {
    double enters = 0.0;
    double leaves = 0.0;
    glm::dvec3 extinction{0.0};
    glm::dvec3 emission{0.0};
    glm::dvec3 scatter{0.0};
    std::uint32_t shadow_of = 0;
};

struct Light {
    glm::dvec3 light{0.0};
    glm::dvec3 through{1.0};
    glm::dvec3 over(glm::dvec3 behind) const { return light + through * behind; }
};

/// Cuts the ray at all ends and integrates; `far` may be infinite.
Light look_through(const std::vector<Stay>& stays, double far,
                   const passes::MediaLights& lights = {});

struct TestView {
    std::uint32_t width = 32;
    std::uint32_t height = 24;
    passes::CameraParameters camera{.mode = passes::CameraMode::free,
                                    .position = {0.0f, 0.0f, 5.0f},
                                    .target = {0.0f, 0.0f, 0.0f},
                                    .vertical_fov = 45.0f,
                                    .near_plane = 0.01f,
                                    .far_plane = 100.0f};
    glm::dvec3 eye() const { return camera.position; }
    /// Unit direction through the middle of a texel.
    glm::dvec3 ray(std::uint32_t x, std::uint32_t y) const;
};

/// The part of the ray in a ball, or a stay of no length.
Stay stay_in(const TestSphere& sphere, glm::dvec3 eye, glm::dvec3 ray);
/// And in a box.
Stay stay_in_box(glm::dvec3 low, glm::dvec3 high, glm::dvec3 eye, glm::dvec3 ray);

struct Looked {
    HostImage result;
    HostImage transmittance;
    passes::VolumeStatus status;
};

class VolumeTest : public GpuTest {
  public:
    static passes::MediaSpheres spheres(Graph& g, const std::vector<TestSphere>& spheres);
    /// A picture of one colour and one distance.
    static Image opaque(Graph& g, const TestView& view, glm::vec4 value);
    static Image opaque(Graph& g, const TestView& view,
                        const std::function<glm::vec4(std::uint32_t, std::uint32_t)>& value);
    /// A box whose faces look outwards, or a part of its triangles; the first two are that at z
    /// high.
    static passes::MeshMedium box(Graph& g, glm::vec3 low, glm::vec3 high,
                                  std::uint32_t triangles = 12, std::uint32_t first = 0);
    static passes::TriangleMesh mesh(Graph& g, const std::vector<glm::vec3>& positions,
                                     const std::vector<std::uint32_t>& indices);
    static void output(Graph& g, const passes::VolumeFragments& pass);
    /// The outputs of `output`.
    static Looked looked(Running& running);
    Looked look(Graph g, const passes::VolumeFragments& pass);
    /// Many pictures of one graph, whose kernels are compiled once.
    std::vector<Looked> look_all(Graph g, const std::vector<passes::VolumeFragments>& passes);
};

/// How much a ray's light may change where rays are rounded: most of what a ball adds or takes when
/// its contour moves by `shift`, which at the contour itself is a lot.
double shaken(const std::vector<TestSphere>& spheres, const passes::MediaLights& lights,
              glm::dvec3 eye, glm::dvec3 ray, double shift = 1e-6);

/// Random spheres in a box about the origin.
std::vector<TestSphere> random_spheres(std::size_t count, float extent, float least, float most,
                                       std::uint32_t seed);

/// The greatest difference of a colour from what `expected` says of its texel.
double worst_difference(const HostImage& image,
                        const std::function<glm::dvec3(std::uint32_t, std::uint32_t)>& expected);
double worst_difference(const HostImage& a, const HostImage& b);

inline constexpr float kNoOpaque = std::numeric_limits<float>::infinity();

} // namespace tuff::testing_gpu
