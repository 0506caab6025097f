#include "passes/terrain/bisection_wide.hpp"
#include "passes/terrain/draw_mesh.hpp"
#include "passes/terrain/mesh.hpp"
#include "passes/terrain/quadtree.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <tuff/camera.hpp>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace tuff {
namespace {

using passes::Bisect;
using passes::BisectWide;
using passes::MeshDrawer;
using passes::Surface;
using passes::TerrainMesh;

constexpr std::uint32_t kTruthWidth = 128, kTruthHeight = 72;
constexpr double kWaveHeight = 0.05, kWaveNumber = 12.0;
constexpr std::uint32_t kCellsOfLeaf = 2; // along a side
constexpr std::uint32_t kCutsOfLeaf = 2;

class HeightTruthTest : public testing_gpu::GpuTest {
  protected:
    static passes::CameraParameters camera() {
        return {.mode = passes::CameraMode::free,
                .position = {0.1f, 0.3f, 0.25f},
                .target = {-0.1f, -0.5f, -0.65f},
                .vertical_fov = 60.0f,
                .near_plane = 0.05f,
                .far_plane = 10.0f};
    }
    static TerrainMesh mesh_of(Graph& g, const Surface& surface, std::string_view tree) {
        TerrainMesh mesh{.surface = surface,
                         .capacity = 4096,
                         .patch = kCellsOfLeaf,
                         .cuts = tree == "quadtree" ? 0 : kCutsOfLeaf};
        if (tree == "quadtree")
            mesh.tree = g.add(passes::BuildQuadTree{.surface = surface,
                                                    .camera = camera(),
                                                    .width = kTruthWidth,
                                                    .height = kTruthHeight,
                                                    .max_level = 5})
                            .tree;
        else if (tree == "bisection")
            mesh.bisection = g.add(bisection<Bisect>(surface)).seen;
        else
            mesh.bisection = g.add(bisection<BisectWide>(surface)).seen;
        return g.add(mesh);
    }
    template <typename Pass>
    static Pass bisection(const Surface& surface) {
        return {.surface = surface,
                .camera = camera(),
                .width = kTruthWidth,
                .height = kTruthHeight,
                .edge = 10.0f,
                .max_level = 12,
                .iterations = 16,
                .capacity = 4096};
    }
};

// Check 13: waves are as far away as they say in every pixel, but for what straight lines between
// vertices leave out. Over a triangle whose longest edge e lies across a right or obtuse angle that
// is e^2 / 8 times the greatest curvature, which of A sin(w x) cos(w z) is A w^2. Cells of
// quadtrees beside coarser ones have e^2 = 5 cells; both are on the ground, without heights.
TEST_F(HeightTruthTest, WavesAreWhereTheyShouldBeInEveryPixelOfAllTreesByBothDrawers) {
    const Camera eye{.position = camera().position,
                     .target = camera().target,
                     .vertical_fov = 60.0f,
                     .near_plane = camera().near_plane,
                     .far_plane = camera().far_plane};
    const glm::dmat4 world_from_clip =
        glm::inverse(glm::dmat4(eye.projection(static_cast<float>(kTruthWidth) / kTruthHeight)) *
                     glm::dmat4(eye.view()));
    for (const std::string_view tree : {"quadtree", "bisection", "bisection_wide"})
        for (const MeshDrawer by : {MeshDrawer::compute, MeshDrawer::device}) {
            Graph g = graph();
            const auto wave = static_cast<float>(kWaveNumber);
            const Surface surface =
                g.add(passes::MakeSurface{.kind = passes::SurfaceKind::sine,
                                          .height = static_cast<float>(kWaveHeight),
                                          .waves = {wave, wave}})
                    .surface;
            const TerrainMesh mesh = mesh_of(g, surface, tree);
            const passes::DrawTerrainMesh drawn =
                g.add(passes::DrawTerrainMesh{.mesh = mesh.mesh,
                                              .vertices = mesh.vertices,
                                              .surface = surface,
                                              .width = kTruthWidth,
                                              .height = kTruthHeight,
                                              .camera = camera(),
                                              .by = by});
            g.output("depth", drawn.depth);
            g.output("places", drawn.places);
            testing_gpu::Running running = run(std::move(g));
            const HostImage depth = running.image("depth"), places = running.image("places");
            // That corners are rounded to: kernels have 256, and devices but SwiftShader.
            const bool coarse = by == MeshDrawer::device &&
                                device().caps().name.find("SwiftShader") != std::string::npos;
            const double steps_of_pixel = coarse ? 16.0 : 256.0;
            std::size_t seen = 0, wrong = 0;
            double worst = 0.0;
            for (std::uint32_t y = 0; y < kTruthHeight; ++y)
                for (std::uint32_t x = 0; x < kTruthWidth; ++x) {
                    const double z = depth.texel(x, y)[0];
                    if (z >= 1.0) continue;
                    glm::dvec4 world = world_from_clip *
                                       glm::dvec4((x + 0.5) / (kTruthWidth / 2.0) - 1.0,
                                                  (y + 0.5) / (kTruthHeight / 2.0) - 1.0, z, 1.0);
                    world /= world.w;
                    const double truth = kWaveHeight * std::sin(kWaveNumber * world.x) *
                                         std::cos(kWaveNumber * world.z);
                    const double level = std::round(static_cast<double>(places.texel(x, y)[2]));
                    // Quarters of the square are of level 2, and have its side as an edge.
                    const double square = tree == "quadtree" ? 5.0 * std::exp2(-2.0 * level) /
                                                                   (kCellsOfLeaf * kCellsOfLeaf)
                                                             : std::exp2(2.0 - level - kCutsOfLeaf);
                    const double bound = square / 8.0 * kWaveHeight * kWaveNumber * kWaveNumber;
                    // Depth has 24 bits: distances are off by d^2 2^-24 / near. Rounded corners
                    // move triangles sideways by that at most.
                    const double away =
                        glm::distance(glm::dvec3(world), glm::dvec3(camera().position));
                    const double rounding = 1e-5 + away * 2.0 * std::tan(glm::radians(30.0)) /
                                                       kTruthHeight / steps_of_pixel;
                    const double off = std::abs(world.y - truth) / (bound + rounding);
                    ++seen;
                    worst = std::max(worst, off);
                    wrong += off > 1.0;
                }
            const std::string what = fmt::format("{}, drawer {}", tree, static_cast<int>(by));
            EXPECT_GT(seen, 6000u) << what;
            EXPECT_EQ(wrong, 0u) << what << ", at most " << worst << " of the bound";
            EXPECT_GT(worst, 0.3) << what << ": the bound says nothing";
        }
}

} // namespace
} // namespace tuff
