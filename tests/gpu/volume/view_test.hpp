#pragma once

#include "passes/volume/cast.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

/// What the tests of the passes share that look at volumes: volumes, rays and transfer functions
/// in double precision.
namespace tuff::testing_gpu {

/// A volume of one number a texel.
struct TestVolume {
    glm::ivec3 dims{1};
    std::vector<float> numbers;
    glm::dvec3 spacing{1.0};

    static TestVolume of(glm::ivec3 dims, const std::function<double(glm::ivec3)>& number);
    /// From 0 to 1, without order.
    static TestVolume noise(glm::ivec3 dims, std::uint32_t seed);

    /// Of the texel, or of the nearest one in the volume.
    double at(glm::ivec3 texel) const;
    /// By the eight texels around; the middle of the first one is 0.
    double between(glm::dvec3 place) const;
    glm::dvec3 edges() const { return glm::dvec3(dims) * spacing; }
    Image image(Graph& graph, std::string_view name = "volume") const;
};

/// The volume filtered by a cube of weights, as correlation; texels beyond it are the nearest ones.
TestVolume filtered(const TestVolume& volume, const std::vector<float>& weights);

/// A ray in texels, whose middle of the first one is 0, over the world's length.
struct TestRay {
    glm::dvec3 origin{0.0};
    glm::dvec3 direction{0.0}; ///< of a unit of the world
    glm::dvec3 world{0.0};     ///< the same, of unit length in the world
    double begin = 0.0;
    double end = 0.0; ///< not above `begin`: it does not meet what is shown

    glm::dvec3 at(double t) const { return origin + t * direction; }
};

/// A free camera before the box whose longest side is 2.
passes::CameraParameters test_camera();

/// The ray of a pixel.
TestRay test_ray(const TestVolume& volume, const passes::ViewParameters& seen, std::uint32_t x,
                 std::uint32_t y);

/// The length of a step in the box.
double test_stride(const TestVolume& volume, double step);

/// The light of a ray and its opacity, sample by sample.
glm::dvec4 test_cast(const TestVolume& volume, const passes::VolumeCast& pass, const TestRay& ray);

/// Of a transfer function with ascending values.
glm::dvec4 test_transfer(const std::vector<float>& transfer, double number);

/// What a graph has left, fetched once: tests look at each pixel.
class Pictures {
  public:
    explicit Pictures(Running running) : running_(std::move(running)) {}
    const HostImage& image(const std::string& output);
    template <typename T>
    std::vector<T> buffer(std::string_view output) {
        return running_.buffer<T>(output);
    }

  private:
    Running running_;
    std::map<std::string, HostImage> images_;
};

class VolumeViewTest : public GpuTest {
  public:
    /// Runs the passes that `add` adds to a graph with the volume, and returns what they put out.
    using Add = std::function<void(Graph&, Image)>;
    Pictures seen(const TestVolume& volume, const Add& add);
};

inline constexpr std::uint32_t kCastWidth = 41;
inline constexpr std::uint32_t kCastHeight = 29;

class CastTest : public VolumeViewTest {
  public:
    /// A cast that goes all the way through, before the camera of these tests.
    static passes::VolumeCast cast(Image source, const TestVolume& volume);
};

glm::dvec4 pixel(const HostImage& image, std::uint32_t x, std::uint32_t y);
/// The greatest part, without its sign.
double greatest(glm::dvec4 v);

/// Calls `check(x, y, ray)` for the pixels whose rays are in the volume for a while.
template <typename Check>
void each_ray(const TestVolume& volume, const passes::VolumeCast& pass, Check&& check) {
    int rays = 0;
    for (std::uint32_t y = 0; y < kCastHeight; ++y)
        for (std::uint32_t x = 0; x < kCastWidth; ++x) {
            const TestRay ray = test_ray(volume, passes::view_parameters(pass), x, y);
            if (ray.end - ray.begin < 1e-3) continue;
            check(x, y, ray);
            ++rays;
        }
    EXPECT_GT(rays, 100);
}

/// The codes of what is wrong with a graph.
std::string codes_of(const Graph& graph);

} // namespace tuff::testing_gpu
