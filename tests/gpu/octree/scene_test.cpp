#include "passes/octree/extract.hpp"
#include "tests/gpu/octree/octree_test.hpp"

#include <glm/geometric.hpp>
#include <glm/vec4.hpp>

#include <algorithm>
#include <cmath>

/// A sphere before a plane, seen by a depth camera with noise: voxels are where surfaces are.
namespace tuff {
namespace {

using passes::ExtractVoxels;
using passes::FuseOctree;
using passes::Octree;
using passes::OctreePoint;
using testing_gpu::HostPoints;
using testing_gpu::rgba;
using testing_gpu::Running;

constexpr glm::dvec3 kMiddle{0.05, -0.1, -0.15};
constexpr double kRadius = 0.42;
constexpr double kPlane = -0.8; // z

struct DepthCamera {
    glm::dvec3 eye;
    std::uint32_t columns = 64;
    std::uint32_t rows = 48;

    /// World direction of a pixel, looking along -z.
    glm::dvec3 direction(std::uint32_t x, std::uint32_t y) const {
        return glm::normalize(glm::dvec3(((x + 0.5) / columns * 2.0 - 1.0) * 0.53,
                                         ((y + 0.5) / rows * 2.0 - 1.0) * 0.4, -1.0));
    }
    double depth(glm::dvec3 way) const {
        const glm::dvec3 to = kMiddle - eye;
        const double along = glm::dot(to, way);
        const double rest = kRadius * kRadius - glm::dot(to, to) + along * along;
        const double plane = (kPlane - eye.z) / way.z;
        return rest > 0.0 ? std::min(along - std::sqrt(rest), plane) : plane;
    }
};

double off_surface(glm::dvec3 p) {
    return std::min(std::abs(glm::length(p - kMiddle) - kRadius), std::abs(p.z - kPlane));
}

using OctreeScene = testing_gpu::OctreeTest;

TEST_F(OctreeScene, VoxelsLieOnNoisySurfacesAndCoverThem) {
    constexpr double kNoise = 0.01; // of the depth
    constexpr std::size_t kFrames = 8;
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    std::vector<HostPoints> frames;
    std::vector<glm::dvec3> surface;
    double most_noise = 0.0;
    for (std::size_t i = 0; i < kFrames; ++i) {
        const DepthCamera camera{{0.08 * (double(i) - 3.5), 0.02 * double(i), 0.9}};
        HostPoints frame;
        for (std::uint32_t y = 0; y < camera.rows; ++y)
            for (std::uint32_t x = 0; x < camera.columns; ++x) {
                const glm::dvec3 way = camera.direction(x, y);
                const double depth = camera.depth(way);
                const glm::dvec3 place = camera.eye + depth * way;
                if (std::abs(place.x) < 0.95 && std::abs(place.y) < 0.95) surface.push_back(place);
                most_noise = std::max(most_noise, kNoise * depth);
                // Three standard deviations hold 99.7 %: the rest is cut off.
                const double error = std::clamp(normal(random), -3.0, 3.0);
                frame.push_back({glm::vec3(camera.eye + depth * (1.0 + kNoise * error) * way),
                                 rgba(90, 120, 200)});
            }
        frames.push_back(std::move(frame));
    }
    FuseOctree pass{.tree = {.depth = 5, .nodes = 1u << 15}};
    Graph g = graph();
    Octree tree;
    for (std::size_t i = 0; i < kFrames; ++i) {
        const std::string name = "frame" + std::to_string(i);
        pass.points = points(g, name + "_points", frames[i]);
        pass.before = tree;
        tree = g.add(pass, name).octree;
    }
    const auto voxels = g.add(ExtractVoxels{.octree = tree}).voxels;
    g.output("places", voxels.places);
    g.output("status", voxels.status);
    Running running = run(std::move(g));
    if (!running) return;
    const auto places = running.buffer<glm::vec4>("places");
    const auto status = passes::OctreeVoxelStatus::read(running.buffer<std::uint32_t>("status"));
    ASSERT_GT(status.found, 500u);
    ASSERT_LE(status.found, status.room);
    const double leaf = 2.0 / 32.0;
    const double reach = 0.87 * leaf + 3.0 * most_noise; // half a diagonal, and the noise
    std::vector<glm::dvec3> centers;
    for (std::uint32_t i = 0; i < status.found; ++i) {
        centers.emplace_back(places[i]);
        ASSERT_LE(off_surface(centers.back()), reach);
    }
    std::size_t covered = 0;
    for (const glm::dvec3 point : surface)
        covered += std::ranges::any_of(centers, [&](const glm::dvec3& center) {
            return glm::length(center - point) <= reach;
        });
    EXPECT_GE(double(covered), 0.99 * double(surface.size()));
}

} // namespace
} // namespace tuff
