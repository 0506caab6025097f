#include "passes/terrain/draw_mesh.hpp"
#include "passes/terrain/mesh.hpp"
#include "passes/terrain/planet.hpp"
#include "passes/terrain/quadtree.hpp"
#include "passes/terrain/shade_planet.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <glm/geometric.hpp>
#include <glm/vec2.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace tuff {
namespace {

using passes::MakePlanet;

constexpr double kEarth = 6.371e6; // metres

// The planet's heights as the page of the pass says them, in double precision and by itself.
double octave_at(glm::dvec3 place, std::uint32_t seed) {
    const glm::dvec3 low = glm::floor(place);
    const glm::dvec3 part = place - low;
    const glm::dvec3 t = part * part * part * (part * (part * 6.0 - 15.0) + 10.0);
    double sum = 0.0;
    for (int corner = 0; corner < 8; ++corner) {
        const glm::ivec3 side(corner & 1, corner >> 1 & 1, corner >> 2);
        glm::uvec3 v =
            glm::uvec3(glm::ivec3(low) + side) + glm::uvec3(seed * 0x9e3779b9u, seed, 0u);
        v = v * 1664525u + 1013904223u;
        v.x += v.y * v.z;
        v.y += v.z * v.x;
        v.z += v.x * v.y;
        v ^= v >> 16u;
        v.x += v.y * v.z;
        v.y += v.z * v.x;
        v.z += v.x * v.y;
        const glm::dvec3 gradient = glm::dvec3(v >> 16u) * (2.0 / 65535.0) - 1.0;
        double weight = 1.0;
        for (int axis = 0; axis < 3; ++axis)
            weight *= side[axis] == 1 ? t[axis] : 1.0 - t[axis];
        sum += weight * glm::dot(gradient, part - glm::dvec3(side));
    }
    return sum;
}

double height_at(const MakePlanet& planet, glm::dvec3 direction) {
    double sum = 0.0, height = planet.height, scale = planet.frequency;
    for (std::uint32_t i = 0; i < planet.octaves; ++i) {
        const double noise = octave_at(direction * scale, planet.seed + i);
        sum += height *
               ((1.0 - planet.ridges) * noise + planet.ridges * (1.0 - 2.0 * std::abs(noise)));
        height *= planet.gain;
        scale *= 2.0;
    }
    return sum;
}

glm::dvec3 direction_of(std::uint32_t face, glm::dvec2 place) { // in units of 2^-31 of the face
    const auto axes = passes::face_axes(face);
    glm::dvec3 c(0.0);
    c[static_cast<int>(axes[0])] = std::ldexp(place.x, -30) - 1.0;
    c[static_cast<int>(axes[1])] = std::ldexp(place.y, -30) - 1.0;
    c[static_cast<int>(axes[2])] = face % 2 == 0 ? 1.0 : -1.0;
    return glm::normalize(c);
}

struct PlanetVertex {
    std::uint32_t level = 0;
    glm::vec3 position{0.0f}; ///< from the eye
    float height = 0.0f;
};
using PlanetKey = std::tuple<std::uint32_t, std::uint64_t, std::uint64_t>;

class PlanetTest : public testing_gpu::GpuTest {
  protected:
    std::map<PlanetKey, PlanetVertex> vertices(const MakePlanet& planet, std::uint32_t levels,
                                               float k) {
        Graph g = graph();
        const passes::Surface surface = g.add(planet).surface;
        const glm::dvec3 down = -glm::normalize(planet.eye);
        const passes::BuildQuadTree tree =
            g.add(passes::BuildQuadTree{.surface = surface,
                                        .camera = {.mode = passes::CameraMode::free,
                                                   .position = glm::vec3(0.0f),
                                                   .target = glm::vec3(down),
                                                   .vertical_fov = 60.0f,
                                                   .near_plane = 0.1f,
                                                   .far_plane = 1e8f},
                                        .k = k,
                                        .max_level = levels,
                                        .keys = passes::TreeKeys::wide,
                                        .capacity = 1u << 13});
        constexpr std::uint32_t kPatch = 2;
        const passes::TerrainMesh mesh = g.add(passes::TerrainMesh{.surface = surface,
                                                                   .tree = tree.tree,
                                                                   .capacity = 1u << 13,
                                                                   .patch = kPatch,
                                                                   .stitched = false,
                                                                   .normals = false});
        g.output("keys", tree.tree.keys);
        g.output("positions", mesh.mesh.positions);
        g.output("vertices", mesh.vertices);
        g.output("status", mesh.status);
        testing_gpu::Running running = run(std::move(g));
        std::map<PlanetKey, PlanetVertex> found;
        const auto status = running.buffer<std::uint32_t>("status");
        if (status.size() < 2) return found;
        EXPECT_EQ(status[0], status[1]);
        const auto keys = running.buffer<std::uint64_t>("keys");
        const auto positions = running.buffer<glm::vec3>("positions");
        const auto more = running.buffer<passes::TerrainVertex>("vertices");
        for (std::uint32_t i = 0; i < status[0] * 9; ++i) {
            const passes::TreeNode node = passes::node_of_wide(keys[i / 9]);
            const std::uint64_t size = std::uint64_t{1} << (31 - node.level);
            found[{node.face, node.x * size + i % 3 * size / 2,
                   node.y * size + i % 9 / 3 * size / 2}] = {node.level, positions[i],
                                                             more[i].normal.w};
        }
        return found;
    }

    static MakePlanet earth(glm::dvec3 direction, double altitude) {
        return {.eye = glm::normalize(direction) * (kEarth + altitude),
                .above_ground = true,
                .radius = kEarth,
                .height = 6000.0,
                .octaves = passes::kPlanetOctaves,
                .gain = 0.55,
                .ridges = 0.3};
    }
};

// Check 6 for planets: every vertex is where double precision has it, to eight millionths of its
// distance from the eye, from orbit to 10 cm above the ground, with cells of 5 cm at 28 levels.
TEST_F(PlanetTest, VerticesAreWithinEightMillionthsOfTheirDistance) {
    std::uint32_t deepest = 0;
    for (const glm::dvec3 direction :
         {glm::dvec3(0.3, 0.8, -0.52), glm::dvec3(1.0, 0.999999, 0.2), glm::dvec3(-0.9, 0.1, 0.4)})
        for (const double altitude : {0.1, 3.0e5}) {
            const MakePlanet planet = earth(direction, altitude);
            const glm::dvec3 eye = planet.raised_eye();
            const auto found = vertices(planet, 28, 3.0f);
            ASSERT_GT(found.size(), 2000u);
            double worst = 0.0, worst_height = 0.0;
            for (const auto& [key, vertex] : found) {
                const auto& [face, x, y] = key;
                const glm::dvec3 n = direction_of(face, glm::dvec2(x, y));
                const double height = height_at(planet, n); // of the ground, below the sea as well
                const glm::dvec3 expected = n * (kEarth + std::max(height, 0.0)) - eye;
                const double away = std::max(glm::length(expected), altitude);
                worst =
                    std::max(worst, glm::distance(glm::dvec3(vertex.position), expected) / away);
                worst_height =
                    std::max(worst_height, std::abs(static_cast<double>(vertex.height) - height));
                deepest = std::max(deepest, vertex.level);
            }
            EXPECT_LT(worst, 8e-6) << altitude;
            EXPECT_LT(worst_height, 0.1) << altitude;
        }
    EXPECT_EQ(deepest, 28u);
}

// No jitter: where the eye moves on by a centimetre, what is seen moves by a centimetre, to eight
// millionths of its distance. A pixel of a 4K picture is 300 millionths.
TEST_F(PlanetTest, NeighbouringFramesDifferByTheEyesWayAlone) {
    const glm::dvec3 direction = glm::normalize(glm::dvec3(0.3, 0.8, -0.52));
    const glm::dvec3 aside = glm::normalize(glm::cross(direction, glm::dvec3(1, 0, 0)));
    std::map<PlanetKey, PlanetVertex> before;
    glm::dvec3 eye_before(0.0);
    for (int frame = 0; frame < 4; ++frame) {
        MakePlanet planet = earth(direction, 1.0);
        planet.eye = planet.raised_eye() + aside * (0.01 * frame);
        planet.above_ground = false;
        const auto now = vertices(planet, 28, 3.0f);
        std::size_t same = 0;
        for (const auto& [key, vertex] : now) {
            const auto found = before.find(key);
            if (found == before.end()) continue;
            ++same;
            const glm::dvec3 moved =
                glm::dvec3(vertex.position) - glm::dvec3(found->second.position);
            const double away = std::max(static_cast<double>(glm::length(vertex.position)), 1.0);
            ASSERT_LT(glm::distance(moved, eye_before - planet.eye), 8e-6 * away);
        }
        if (frame > 0) {
            EXPECT_GT(same, before.size() / 2);
        }
        before = now;
        eye_before = planet.eye;
    }
}

// Derivatives near the eye are those of the noise.
TEST_F(PlanetTest, OctavesHaveTheDerivativesThatDifferencesHave) {
    for (const glm::dvec3 place : {glm::dvec3(0.3, 5.7, -2.2), glm::dvec3(-41.9, 0.01, 7.5)}) {
        const passes::NoisePoint here = passes::planet_octave(place, 5);
        EXPECT_NEAR(here.value, octave_at(place, 5), 1e-14);
        const double h = 1e-4;
        for (int axis = 0; axis < 3; ++axis) {
            glm::dvec3 step(0.0), other(0.0);
            step[axis] = h;
            other[(axis + 1) % 3] = h;
            const auto at = [&](glm::dvec3 d) { return octave_at(place + d, 5); };
            EXPECT_NEAR(here.slope[axis], (at(step) - at(-step)) / (2 * h), 1e-6);
            EXPECT_NEAR(here.bend[axis], (at(step) + at(-step) - 2 * at({})) / (h * h), 1e-4);
            // Of this axis and the next: the third has its number.
            EXPECT_NEAR(
                here.twist[(axis + 2) % 3],
                (at(step + other) - at(step - other) - at(other - step) + at(-step - other)) /
                    (4 * h * h),
                1e-4);
        }
    }
}

TEST_F(PlanetTest, LightFallsOnTheDaySideAndIntoTheAir) {
    constexpr std::uint32_t kWidth = 96, kHeight = 64;
    const passes::CameraParameters camera{.mode = passes::CameraMode::free,
                                          .position = glm::vec3(0.0f),
                                          .target = glm::vec3(0.0f, 0.0f, -1.0f),
                                          .vertical_fov = 60.0f,
                                          .near_plane = 0.5f,
                                          .far_plane = 10.0f};
    Graph g = graph();
    const passes::Surface surface =
        g.add(MakePlanet{.eye = {0.0, 0.0, 3.0}, .height = 0.01, .octaves = 4}).surface;
    const passes::QuadTree tree = g.add(passes::BuildQuadTree{.surface = surface,
                                                              .camera = camera,
                                                              .k = 4.0f,
                                                              .max_level = 6,
                                                              .keys = passes::TreeKeys::wide,
                                                              .capacity = 4096})
                                      .tree;
    const passes::TerrainMesh mesh =
        g.add(passes::TerrainMesh{.surface = surface, .tree = tree, .capacity = 4096, .patch = 2});
    const passes::DrawTerrainMesh drawn = g.add(passes::DrawTerrainMesh{.mesh = mesh.mesh,
                                                                        .vertices = mesh.vertices,
                                                                        .surface = surface,
                                                                        .width = kWidth,
                                                                        .height = kHeight,
                                                                        .camera = camera});
    const auto lit = [&](const std::string& name, float air) {
        g.output(name, g.add(passes::ShadePlanet{.surface = surface,
                                                 .depth = drawn.depth,
                                                 .normals = drawn.normals,
                                                 .camera = camera,
                                                 .sun = {1.0f, 0.0f, 0.15f},
                                                 .air = air},
                             name)
                           .color);
    };
    lit("airy", 0.02f);
    lit("bare", 0.0f);
    g.output("depth", drawn.depth);
    testing_gpu::Running running = run(std::move(g));
    const HostImage airy = running.image("airy"), bare = running.image("bare");
    const HostImage depth = running.image("depth");
    const auto light = [](const HostImage& image, std::uint32_t x, std::uint32_t y) {
        const auto texel = image.texel(x, y);
        for (const float channel : texel)
            EXPECT_TRUE(std::isfinite(channel));
        return texel[0] + texel[1] + texel[2];
    };
    // Its radius is 3 tan(asin(1 / 3)) / (3 tan(30 degrees)) of half the height: 19.6 pixels.
    EXPECT_LT(depth.texel(48 + 17, 32)[0], 1.0f);
    EXPECT_EQ(depth.texel(48 + 21, 32)[0], 1.0f);
    EXPECT_GT(light(bare, 48 + 13, 32), 20.0f * light(bare, 48 - 13, 32));
    EXPECT_GT(light(airy, 48 + 13, 32), 5.0f * light(airy, 48 - 13, 32));
    // Beside the day side there is light in the air, blue rather than red; above there is none.
    const auto rim = airy.texel(48 + 20, 32);
    EXPECT_GT(light(airy, 48 + 20, 32), 0.05f);
    EXPECT_GT(rim[2], rim[0]);
    EXPECT_LT(light(airy, 48 - 22, 32), 0.3f * light(airy, 48 + 20, 32));
}

TEST_F(PlanetTest, AnEyeInTheMiddleIsRefused) {
    Graph g = graph();
    (void)g.add(MakePlanet{.eye = glm::dvec3(0.0)});
    const auto plan = compile(std::move(g).finish(), device().caps());
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().front().code, "terrain/bad-eye");

    Graph h = graph();
    const passes::Surface ground = h.add(passes::MakeSurface{}).surface;
    const Image image = h.clear(
        h.image("image", {.format = Format::rgba32_sfloat, .extent = {4, 4, 1}}), ClearValue{});
    (void)h.add(passes::ShadePlanet{.surface = ground, .depth = image, .normals = image});
    const auto other = compile(std::move(h).finish(), device().caps());
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().front().code, "terrain/not-a-planet");
}

} // namespace
} // namespace tuff
