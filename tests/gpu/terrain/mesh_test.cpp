#include "passes/terrain/bisection_wide.hpp"
#include "passes/terrain/draw_mesh.hpp"
#include "passes/terrain/heights.hpp"
#include "passes/terrain/mesh.hpp"
#include "passes/terrain/planet.hpp"
#include "passes/terrain/quadtree.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/gpu/terrain/bisection_reference.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <random>
#include <tuple>

namespace tuff {
namespace {

using passes::Bisect;
using passes::BuildQuadTree;
using passes::DrawTerrainMesh;
using passes::MakeSurface;
using passes::MeshDrawer;
using passes::Surface;
using passes::SurfaceKind;
using passes::TerrainMesh;
using passes::TerrainVertex;

struct HostMesh {
    std::vector<glm::vec3> positions;
    std::vector<glm::uvec3> triangles; ///< of leaves that there are
    std::vector<TerrainVertex> vertices;
    std::uint32_t leaves = 0;
};

/// Which tree a mesh is of.
enum class Divided { quadtree, bisection };

class TerrainMeshTest : public testing_gpu::GpuTest {
  protected:
    static passes::CameraParameters camera_at(glm::vec3 eye, glm::vec3 towards) {
        return {.mode = passes::CameraMode::free,
                .position = eye,
                .target = eye + towards,
                .vertical_fov = 60.0f,
                .near_plane = 1e-3f,
                .far_plane = 100.0f};
    }

    struct Wish {
        Divided divided = Divided::quadtree;
        passes::CameraParameters camera;
        std::uint32_t levels = 6;
        std::uint32_t patch = 4;
        std::uint32_t cuts = 2;
        float k = 8.0f;
        float edge = 16.0f;
        bool normals = true;
        bool wide = false;
        bool culled = false;
        std::uint32_t capacity = 2048;
    };
    static TerrainMesh add_mesh(Graph& g, const Surface& surface, const Wish& wish) {
        TerrainMesh mesh{.surface = surface,
                         .capacity = wish.capacity,
                         .patch = wish.patch,
                         .cuts = wish.cuts,
                         .normals = wish.normals};
        if (wish.divided == Divided::quadtree)
            mesh.tree =
                g.add(BuildQuadTree{.surface = surface,
                                    .camera = wish.camera,
                                    .width = 256,
                                    .height = 144,
                                    .k = wish.k,
                                    .max_level = wish.levels,
                                    .keys = wish.wide ? passes::TreeKeys::wide
                                                      : passes::TreeKeys::narrow,
                                    .capacity = is_ground(surface.kind) ? 0 : wish.capacity})
                    .tree;
        else if (wish.wide) {
            mesh.bisection = g.add(passes::BisectWide{.surface = surface,
                                                      .camera = wish.camera,
                                                      .width = 256,
                                                      .height = 144,
                                                      .edge = wish.edge,
                                                      .max_level = std::max(2 * wish.levels, 8u),
                                                      .iterations = 2 * wish.levels + 4,
                                                      .capacity = wish.capacity})
                                 .tree;
        } else {
            const Bisect made = g.add(Bisect{.surface = surface,
                                             .camera = wish.camera,
                                             .width = 256,
                                             .height = 144,
                                             .edge = wish.edge,
                                             .max_level = std::max(2 * wish.levels, 8u),
                                             .iterations = 2 * wish.levels + 4,
                                             .capacity = wish.capacity});
            mesh.bisection = wish.culled ? made.seen : made.tree;
        }
        return g.add(mesh);
    }

    HostMesh made(const std::function<Surface(Graph&)>& surface, const Wish& wish,
                  Surface* numbers = nullptr) {
        Graph g = graph();
        const Surface s = surface(g);
        if (numbers) *numbers = s;
        const TerrainMesh mesh = add_mesh(g, s, wish);
        g.output("positions", mesh.mesh.positions);
        g.output("indices", mesh.mesh.indices);
        g.output("vertices", mesh.vertices);
        g.output("status", mesh.status);
        testing_gpu::Running running = run(std::move(g));
        HostMesh host;
        const auto status = running.buffer<std::uint32_t>("status");
        if (status.size() < 2) return host;
        EXPECT_LE(status[1], status[0]) << "no room";
        host.leaves = status[0];
        host.positions = running.buffer<glm::vec3>("positions");
        host.vertices = running.buffer<TerrainVertex>("vertices");
        const auto indices = running.buffer<std::uint32_t>("indices");
        const std::size_t each = mesh.mesh.triangle_count / wish.capacity;
        for (std::size_t i = 0; i < indices.size() / 3; ++i) {
            const glm::uvec3 t(indices[3 * i], indices[3 * i + 1], indices[3 * i + 2]);
            if (i / each < host.leaves)
                host.triangles.push_back(t);
            else
                EXPECT_EQ(t, glm::uvec3(0));
        }
        return host;
    }
};

/// Bits of a place, -0 as 0.
std::array<std::uint32_t, 3> bits_of(glm::vec3 p) {
    const glm::vec3 q = p + 0.0f;
    return {std::bit_cast<std::uint32_t>(q.x), std::bit_cast<std::uint32_t>(q.y),
            std::bit_cast<std::uint32_t>(q.z)};
}

struct MeshEdges {
    std::uint32_t open = 0;    ///< once, and not at the border
    std::uint32_t border = 0;  ///< once, at the border
    std::uint32_t closed = 0;  ///< twice, once in each direction
    std::uint32_t crowded = 0; ///< otherwise
};
/// By the bits of their ends: nothing is taken to be equal because it is near.
MeshEdges edges_of(const HostMesh& mesh, SurfaceKind kind) {
    using Bits = std::array<std::uint32_t, 3>;
    struct Found {
        int forth = 0;
        int back = 0;
        bool at_border = false;
    };
    std::map<std::pair<Bits, Bits>, Found> found;
    for (const glm::uvec3 t : mesh.triangles) {
        const std::array<Bits, 3> p{bits_of(mesh.positions[t.x]), bits_of(mesh.positions[t.y]),
                                    bits_of(mesh.positions[t.z])};
        if (p[0] == p[1] || p[1] == p[2] || p[0] == p[2]) continue;
        for (int i = 0; i < 3; ++i) {
            const Bits a = p[static_cast<std::size_t>(i)];
            const Bits b = p[static_cast<std::size_t>((i + 1) % 3)];
            Found& edge = found[a < b ? std::pair(a, b) : std::pair(b, a)];
            ++(a < b ? edge.forth : edge.back);
            const glm::vec4 u = mesh.vertices[t[i]].place, v = mesh.vertices[t[(i + 1) % 3]].place;
            const auto same_end = [](float x, float y) {
                return x == y && (x == 0.0f || x == 1.0f);
            };
            edge.at_border = is_ground(kind) && (same_end(u.x, v.x) || same_end(u.y, v.y));
        }
    }
    MeshEdges edges;
    for (const auto& [ends, edge] : found) {
        if (edge.forth == 1 && edge.back == 1)
            ++edges.closed;
        else if (edge.forth + edge.back == 1)
            ++(edge.at_border ? edges.border : edges.open);
        else
            ++edges.crowded;
    }
    return edges;
}

struct MeshCase {
    std::string name;
    MakeSurface pass;
    glm::vec3 eye;
    glm::vec3 towards;
};
std::vector<MeshCase> mesh_cases() {
    const glm::vec3 down(0.2f, -0.6f, -1.0f);
    return {
        {"fbm",
         {.kind = SurfaceKind::fbm, .height = 0.1f, .ridges = 0.4f},
         {0.11f, 0.16f, 0.23f},
         down},
        {"sine", {.kind = SurfaceKind::sine, .height = 0.05f}, {-0.31f, 0.12f, 0.05f}, down},
        {"sphere", {.kind = SurfaceKind::sphere}, {1.1f, 0.3f, 0.2f}, {-1.0f, -0.2f, 0.1f}},
        {"sphere pole", {.kind = SurfaceKind::sphere}, {0.02f, 1.15f, 0.01f}, {0.1f, -1.0f, 0.1f}},
        {"torus",
         {.kind = SurfaceKind::torus, .radius = 0.8f, .tube = 0.25f},
         {1.2f, 0.1f, 0.05f},
         {-1.0f, 0.0f, 0.1f}},
        {"knot",
         {.kind = SurfaceKind::knot, .radius = 0.3f, .tube = 0.12f},
         {0.95f, 0.1f, 0.1f},
         {-1.0f, 0.0f, 0.1f}}};
}

// Check 6: vertices are where double precision has them, to 1e-6 of the surface's size.
TEST_F(TerrainMeshTest, VerticesLieOnTheSurface) {
    for (const MeshCase& one : mesh_cases())
        for (const Divided divided : {Divided::quadtree, Divided::bisection}) {
            TrueSurface truth;
            const HostMesh mesh = made([&](Graph& g) { return g.add(one.pass).surface; },
                                       {.divided = divided,
                                        .camera = camera_at(one.eye, one.towards),
                                        .k = 4.0f,
                                        .edge = 60.0f,
                                        .capacity = 1u << 12},
                                       &truth.surface);
            ASSERT_GT(mesh.leaves, 10u) << one.name;
            double worst = 0.0, worst_normal = 1.0, worst_height = 0.0;
            for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
                for (int k = 0; k < 3; ++k) {
                    const std::uint32_t at = mesh.triangles[i][k];
                    const TerrainVertex& vertex = mesh.vertices[at];
                    const glm::dvec2 uv(vertex.place);
                    const glm::dvec3 expected = truth.point(uv);
                    worst =
                        std::max(worst, glm::distance(glm::dvec3(mesh.positions[at]), expected));
                    if (one.pass.kind == SurfaceKind::sphere)
                        worst_normal = std::min(worst_normal, glm::dot(glm::dvec3(vertex.normal),
                                                                       glm::normalize(expected)));
                    if (is_ground(one.pass.kind))
                        worst_height =
                            std::max(worst_height,
                                     std::abs(static_cast<double>(vertex.normal.w) - expected.y));
                }
            const double size = is_ground(one.pass.kind)             ? 1.0
                                : one.pass.kind == SurfaceKind::knot ? 0.9 + 0.12
                                                                     : 1.05;
            EXPECT_LT(worst, 1e-6 * 2.0 * size) << one.name;
            EXPECT_LT(worst_height, 1e-6) << one.name;
            EXPECT_GT(worst_normal, 0.98) << one.name;
        }
}

// Lists of wide nodes are the same trees, so they make the same triangles.
TEST_F(TerrainMeshTest, WideNodesMakeTheSameMesh) {
    for (const MeshCase& one : mesh_cases()) {
        Wish wish{.divided = Divided::bisection,
                  .camera = camera_at(one.eye, one.towards),
                  .edge = 90.0f,
                  .capacity = 1u << 14};
        const auto surface = [&](Graph& g) { return g.add(one.pass).surface; };
        const HostMesh bits = made(surface, wish);
        wish.wide = true;
        const HostMesh wide = made(surface, wish);
        ASSERT_GT(bits.leaves, 10u) << one.name;
        EXPECT_EQ(wide.leaves, bits.leaves) << one.name;
        EXPECT_EQ(wide.triangles, bits.triangles) << one.name;
        for (const glm::uvec3 t : bits.triangles)
            for (int k = 0; k < 3; ++k)
                ASSERT_EQ(wide.positions[t[k]], bits.positions[t[k]]) << one.name;
    }
}

// Check 6: triangles of a sphere leave it by the bound for chords.
TEST_F(TerrainMeshTest, TrianglesOfASphereKeepToTheBoundOfChords) {
    const HostMesh mesh = made(
        [](Graph& g) {
            return g.add(MakeSurface{.kind = SurfaceKind::sphere, .radius = 2.0f}).surface;
        },
        {.camera = camera_at({2.5f, 0.5f, 0.1f}, {-1, 0, 0})});
    ASSERT_GT(mesh.triangles.size(), 1000u);
    for (const glm::uvec3 t : mesh.triangles) {
        const glm::dvec3 a(mesh.positions[t.x]), b(mesh.positions[t.y]), c(mesh.positions[t.z]);
        for (const glm::dvec3 p : {a, b, c})
            ASSERT_NEAR(glm::length(p), 2.0, 2e-6);
        const double longest =
            std::max({glm::distance(a, b), glm::distance(b, c), glm::distance(c, a)});
        // The middle of a triangle is within the circle about its longest edge, or about it.
        const double angle = 2.0 * std::asin(std::min(longest / 4.0, 1.0)) * 2.0 / std::sqrt(3.0);
        ASSERT_LE(2.0 - glm::length((a + b + c) / 3.0), 2.0 * (1.0 - std::cos(angle / 2.0)) + 2e-6);
    }
}

// Check 5: every edge inside has exactly two triangles, wound alike, also where u and v come back
// to 0, at poles, across the edges of a planet's cube, and where neighbours differ by several
// levels.
TEST_F(TerrainMeshTest, MeshesHaveNoCracks) {
    std::uint32_t jumps = 0;
    const auto check = [&](const std::string& name, const std::function<Surface(Graph&)>& surface,
                           SurfaceKind kind, Wish wish, bool balanced = true) {
        for (const Divided divided : {Divided::quadtree, Divided::bisection}) {
            if (!balanced && divided == Divided::bisection) continue; // these conform anyway
            wish.divided = divided;
            const HostMesh mesh = made(surface, wish);
            const MeshEdges edges = edges_of(mesh, kind);
            const std::string what =
                fmt::format("{} {}", name, divided == Divided::quadtree ? "quadtree" : "bisection");
            EXPECT_EQ(edges.open, 0u) << what;
            EXPECT_EQ(edges.crowded, 0u) << what;
            EXPECT_GT(edges.closed, 200u) << what;
            EXPECT_EQ(edges.border > 0, is_ground(kind)) << what;
            if (divided == Divided::bisection) continue;
            // Levels that leaves side by side differ by, as their corners say.
            std::map<std::array<std::uint32_t, 3>, std::pair<float, float>> levels;
            for (const glm::uvec3 t : mesh.triangles)
                for (int k = 0; k < 3; ++k) {
                    const float level = mesh.vertices[t[k]].place.z;
                    auto& range = levels.try_emplace(bits_of(mesh.positions[t[k]]), level, level)
                                      .first->second;
                    range = {std::min(range.first, level), std::max(range.second, level)};
                }
            for (const auto& [at, range] : levels)
                jumps += range.second - range.first > 1.5f;
        }
    };
    for (const MeshCase& one : mesh_cases()) {
        MakeSurface pass = one.pass;
        const auto surface = [&](Graph& g) { return g.add(pass).surface; };
        Wish wish{.camera = camera_at(one.eye, one.towards),
                  .levels = 7,
                  .patch = 2,
                  .k = 3.0f,
                  .edge = 60.0f,
                  .normals = false,
                  .capacity = 1u << 13};
        check(one.name, surface, one.pass.kind, wish);
        if (is_ground(one.pass.kind)) continue;
        wish.k = 8.0f;
        pass.span = 0.12f; // trees are no longer balanced
        check(one.name + " unbalanced", surface, one.pass.kind, wish, false);
    }
    for (const glm::dvec3 eye : {glm::dvec3(1.05, 0.98, 1.02), glm::dvec3(0.1, 1.06, 0.9)})
        check("planet",
              [&](Graph& g) { return g.add(passes::MakePlanet{.eye = eye, .octaves = 8}).surface; },
              SurfaceKind::planet,
              {.camera = camera_at({}, glm::vec3(-eye)),
               .levels = 7,
               .patch = 2,
               .k = 4.0f,
               .edge = 60.0f,
               .normals = false,
               .wide = true,
               .capacity = 1u << 13});
    EXPECT_GT(jumps, 5u) << "no neighbours differ by two levels: the check would be for nothing";
}

// Check 5, in pictures: over the ground, no pixel shows what is behind it.
TEST_F(TerrainMeshTest, NoPixelShowsTheBackgroundThroughTheGround) {
    std::mt19937 random(4);
    std::uniform_real_distribution<float> one(-1.0f, 1.0f);
    for (int i = 0; i < 8; ++i) {
        const glm::vec3 eye(0.2f * one(random), 0.1f + 0.02f * (1.0f + one(random)),
                            0.2f * one(random));
        // Down, and not so far ahead that the end of the square is seen.
        const glm::vec3 towards(0.1f * one(random), -1.0f, 0.1f * one(random));
        const auto by = i % 3 == 0 ? MeshDrawer::device : MeshDrawer::compute;
        Wish wish{.divided = i % 2 == 0 ? Divided::quadtree : Divided::bisection,
                  .camera = camera_at(eye, towards),
                  .culled = true};
        Graph g = graph();
        const Surface surface =
            g.add(MakeSurface{.kind = SurfaceKind::fbm, .height = 0.06f}).surface;
        const TerrainMesh mesh = add_mesh(g, surface, wish);
        g.output("places", g.add(DrawTerrainMesh{.mesh = mesh.mesh,
                                                 .vertices = mesh.vertices,
                                                 .surface = surface,
                                                 .width = 160,
                                                 .height = 90,
                                                 .camera = wish.camera,
                                                 .by = by})
                               .places);
        const HostImage places = run(std::move(g)).image("places");
        std::uint32_t cracks = 0;
        for (std::uint32_t y = 0; y < 90; ++y)
            for (std::uint32_t x = 0; x < 160; ++x)
                cracks += places.texel(x, y)[2] < 0.0f;
        EXPECT_EQ(cracks, 0u) << "pose " << i;
    }
}

// The device's rasterizer and the kernels draw the same picture, but for pixels at edges; with the
// leaves outside of the view and without (check 11).
TEST_F(TerrainMeshTest, BothDrawersMakeTheSamePictureOfBothTrees) {
    constexpr std::uint32_t kWidth = 200, kHeight = 120;
    const bool coarse = device().caps().name.find("SwiftShader") != std::string::npos;
    for (const MeshCase& one : mesh_cases()) {
        if (one.name == "sine" || one.name == "sphere pole" || one.name == "torus") continue;
        for (const Divided divided : {Divided::quadtree, Divided::bisection}) {
            Graph g = graph();
            const Surface surface = g.add(one.pass).surface;
            const auto camera = camera_at(one.eye, one.towards);
            Wish wish{.divided = divided,
                      .camera = camera,
                      .k = 4.0f,
                      .edge = 60.0f,
                      .capacity = 1u << 12};
            const TerrainMesh mesh = add_mesh(g, surface, wish);
            wish.culled = true;
            g.push_scope("culled");
            const TerrainMesh seen = add_mesh(g, surface, wish);
            g.pop_scope();
            const auto draw = [&](const std::string& name, const TerrainMesh& of, MeshDrawer by) {
                const DrawTerrainMesh drawn = g.add(DrawTerrainMesh{.mesh = of.mesh,
                                                                    .vertices = of.vertices,
                                                                    .surface = surface,
                                                                    .width = kWidth,
                                                                    .height = kHeight,
                                                                    .camera = camera,
                                                                    .by = by},
                                                    name);
                g.output(name + "_color", drawn.color);
                g.output(name + "_depth", drawn.depth);
                g.output(name + "_normals", drawn.normals);
            };
            draw("device", mesh, MeshDrawer::device);
            draw("compute", mesh, MeshDrawer::compute);
            draw("seen", seen, MeshDrawer::compute);
            testing_gpu::Running running = run(std::move(g));
            std::uint32_t differ = 0, shown = 0, culled = 0;
            std::array<HostImage, 3> depth, color, normals;
            for (std::size_t i = 0; const std::string name : {"device", "compute", "seen"}) {
                depth[i] = running.image(name + "_depth");
                color[i] = running.image(name + "_color");
                normals[i++] = running.image(name + "_normals");
            }
            for (std::uint32_t y = 0; y < kHeight; ++y)
                for (std::uint32_t x = 0; x < kWidth; ++x) {
                    const float a = depth[0].texel(x, y)[0], b = depth[1].texel(x, y)[0];
                    shown += b < 1.0f;
                    bool same = std::abs(a - b) < (coarse ? 2e-2f : 2e-3f) * (1.0001f - b) + 1e-6f;
                    for (std::size_t c = 0; c < 3; ++c)
                        same &=
                            std::abs(color[0].texel(x, y)[c] - color[1].texel(x, y)[c]) < 0.08f &&
                            std::abs(normals[0].texel(x, y)[c] - normals[1].texel(x, y)[c]) < 0.08f;
                    differ += !same;
                    culled += depth[2].texel(x, y)[0] != b;
                }
            EXPECT_GT(shown, kWidth * kHeight / 5) << one.name;
            // Pixels whose middle is nearer to an edge than corners are rounded by: kernels round
            // to 1/256 pixel, devices to that or to 1/16.
            EXPECT_LT(differ, coarse ? shown / 12 : shown / 50) << one.name << ", of " << shown;
            EXPECT_EQ(culled, 0u) << one.name;
        }
    }
}

TEST_F(TerrainMeshTest, WhatDoesNotFitIsReported) {
    const auto code_of = [&](const std::function<TerrainMesh(Graph&, const Surface&)>& pass) {
        Graph g = graph();
        const Surface surface = g.add(MakeSurface{}).surface;
        (void)g.add(pass(g, surface));
        const auto plan = compile(std::move(g).finish(), device().caps());
        return plan ? std::string("none") : plan.error().front().code;
    };
    const auto camera = camera_at({0.1f, 0.2f, 0.3f}, {0, -1, -1});
    EXPECT_EQ(code_of([](Graph&, const Surface& s) { return TerrainMesh{.surface = s}; }),
              "terrain/one-tree");
    EXPECT_EQ(code_of([&](Graph& g, const Surface& s) {
                  const auto tree = g.add(Bisect{.surface = s, .camera = camera}).tree;
                  return TerrainMesh{.surface = s, .bisection = tree, .cuts = 3};
              }),
              "terrain/bad-patch");
    EXPECT_EQ(code_of([&](Graph& g, const Surface& s) {
                  const auto tree = g.add(Bisect{.surface = s, .camera = camera}).tree;
                  return TerrainMesh{
                      .surface = s, .bisection = tree, .capacity = 1u << 22, .cuts = 10};
              }),
              "primitives/too-long");
    Graph g = graph();
    const Surface surface = g.add(MakeSurface{.height = 0.0f}).surface;
    const TerrainMesh mesh =
        add_mesh(g, surface, {.divided = Divided::bisection, .camera = camera, .capacity = 64});
    const TerrainMesh small = g.add(
        TerrainMesh{.surface = surface, .bisection = mesh.bisection, .capacity = 16}, "small");
    g.output("status", small.status);
    testing_gpu::Running running = run(std::move(g));
    const auto status = passes::TerrainMeshStatus::read(running.buffer<std::uint32_t>("status"));
    EXPECT_EQ(status.drawn, 16u);
    EXPECT_GT(status.leaves, 16u);
    ASSERT_EQ(status.warnings().size(), 1u);
    EXPECT_EQ(status.warnings()[0].code, "terrain/full-mesh");
}

} // namespace
} // namespace tuff
