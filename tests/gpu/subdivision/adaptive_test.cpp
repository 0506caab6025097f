#include "passes/geometry/triangles.hpp"
#include "passes/primitives/map.hpp"
#include "passes/scene/animate.hpp"
#include "tests/common/animated_model.hpp"
#include "tests/common/test_folder.hpp"
#include "tests/gpu/subdivision/subdivided.hpp"

#include <tuff/scene.hpp>
#include <tuff/scene_resources.hpp>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <cmath>
#include <set>

/// subdivision/adaptive against Loop subdivision of whole meshes on the host. Checks are those of
/// chapter 36's specification.
namespace tuff {
namespace {

using passes::LevelJoin;
using passes::SplitCriterion;
using passes::Subdivide;
using passes::SubdividedKind;
using testing_gpu::bytes_of;
using testing_gpu::LoopLevels;
using testing_gpu::LoopMesh;
using testing_gpu::Running;
using testing_gpu::SubdividedMesh;

constexpr double kNearPosition = 2e-6; // of cages a unit or some units in size

using AdaptiveSubdivision = testing_gpu::SubdivisionTest;

/// As sets: each triangle from its least vertex on.
std::set<std::array<std::uint32_t, 3>>
triangle_set(const std::vector<glm::uvec3>& triangles,
             const std::map<std::uint32_t, std::uint32_t>* numbers = nullptr) {
    std::set<std::array<std::uint32_t, 3>> all;
    for (const glm::uvec3& t : triangles) {
        std::array<std::uint32_t, 3> at{t.x, t.y, t.z};
        if (numbers != nullptr)
            for (std::uint32_t& v : at)
                v = numbers->at(v);
        std::ranges::rotate(at, std::ranges::min_element(at));
        all.insert(at);
    }
    return all;
}

/// Positions, triangles and normals of a mesh all of whose triangles are of level `levels`.
void expect_uniform(const SubdividedMesh& got, const LoopMesh& cage, std::uint32_t levels,
                    double near = kNearPosition) {
    const LoopLevels expected = testing_gpu::reference_levels(cage, levels);
    const auto numbers = testing_gpu::matched(got, expected, near);
    ASSERT_FALSE(numbers.empty());
    ASSERT_EQ(got.triangles.size(), expected.mesh.triangles.size());
    ASSERT_EQ(triangle_set(got.triangles, &numbers), triangle_set(expected.mesh.triangles));
    testing_gpu::expect_no_cracks(got, cage, expected, numbers);
    // By the triangle's corners, wherever it begins.
    std::map<std::array<std::uint32_t, 2>, glm::dvec3> normals;
    for (std::size_t t = 0; t < expected.mesh.triangles.size(); ++t)
        for (int k = 0; k < 3; ++k)
            normals[{expected.mesh.triangles[t][k], expected.mesh.triangles[t][(k + 1) % 3]}] =
                expected.limit.normals[t][static_cast<std::size_t>(k)];
    for (std::size_t t = 0; t < got.triangles.size(); ++t)
        for (int k = 0; k < 3; ++k) {
            const std::uint32_t vertex = got.triangles[t][k];
            const glm::dvec3 normal(got.corner_normals[t][static_cast<std::size_t>(k)]);
            const glm::dvec3 theirs =
                normals.at({numbers.at(vertex), numbers.at(got.triangles[t][(k + 1) % 3])});
            ASSERT_LT(glm::distance(normal, theirs), 2e-4) << "triangle " << t << " corner " << k;
            if (got.normals[vertex].w == 0.0f) {
                ASSERT_EQ(normal, glm::dvec3(glm::vec3(got.normals[vertex])));
            }
        }
}

/// Adds piece `i`, so far away that it does not touch the others.
void add_beside(LoopMesh& all, const LoopMesh& mesh, std::uint32_t i) {
    const auto first = static_cast<std::uint32_t>(all.positions.size());
    const glm::dvec3 away(2.6 * (i % 4) - 4.0, 2.6 * (i / 4) - 2.6, 0.0);
    for (const glm::dvec3& at : mesh.positions)
        all.positions.push_back(glm::dvec3(glm::vec3(at + away)));
    for (const glm::uvec3& t : mesh.triangles)
        all.triangles.push_back(t + first);
}

TEST_F(AdaptiveSubdivision, AllTrianglesOfADepthAreThoseOfTheReference) {
    const auto check = [&](const LoopMesh& cage, std::uint32_t levels, const std::string& label,
                           double near = kNearPosition) {
        SCOPED_TRACE(label);
        const SubdividedMesh got =
            subdivided(cage, {.criterion = SplitCriterion::depth, .levels = levels});
        expect_uniform(got, cage, levels, near);
        EXPECT_EQ(got.status.level, levels);
        for (const glm::uvec2 tag : got.tags)
            ASSERT_EQ(tag.y, levels);
    };
    check(testing_gpu::octahedron(), 3, "octahedron"); // 512 triangles
    for (const std::uint32_t levels : {0u, 2u})
        check(testing_gpu::tetrahedron(), levels, fmt::format("tetrahedron, level {}", levels));
    // All at once: pieces that do not touch.
    LoopMesh many;
    std::uint32_t pieces = 0;
    for (const std::uint32_t sides : {3u, 5u, 6u, 7u, 8u, 9u, 10u, 11u, 12u, 30u})
        add_beside(many, testing_gpu::bipyramid(sides), pieces++);
    check(many, 2, "3 to 12 neighbours, and 30", 4e-6);
    check(testing_gpu::torus(7, 9, 0.2, 1), 2, "torus");
    check(testing_gpu::sheet(3, 4, 0.2, 2), 2, "sheet");
    check(testing_gpu::sheet(1, 1, 0.2, 3), 2, "two triangles");
    check(LoopMesh{.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0.1}}, .triangles = {{0, 1, 2}}}, 3,
          "one triangle");
    check(testing_gpu::random_blob(1), 1, "blob");
}

TEST_F(AdaptiveSubdivision, CreasesStaySharpForAsManyLevelsAsTheySay) {
    for (const double sharpness : {0.25, 1.0, 1.5, 2.75, 4.0, 10.0}) {
        SCOPED_TRACE(sharpness);
        const LoopMesh cage = testing_gpu::cube(sharpness);
        expect_uniform(subdivided(cage, {.criterion = SplitCriterion::depth, .levels = 2}), cage,
                       2);
    }
    // One crease that ends on the surface, two that meet, and three in one vertex.
    LoopMesh cage = testing_gpu::torus(6, 6, 0.2, 4);
    cage.sharpness = testing_gpu::creases_that_end_and_meet();
    expect_uniform(subdivided(cage, {.criterion = SplitCriterion::depth, .levels = 2}), cage, 2);
    cage.sharpness = testing_gpu::three_creases_that_meet();
    expect_uniform(subdivided(cage, {.criterion = SplitCriterion::depth, .levels = 2}), cage, 2);
    // Ends of few and many neighbours.
    for (const std::uint32_t sides : {3u, 4u, 5u, 7u, 9u, 12u, 30u}) {
        SCOPED_TRACE(sides);
        LoopMesh ends = testing_gpu::bipyramid(sides);
        ends.sharpness = {{{0, 2}, 10.0}};
        expect_uniform(subdivided(ends, {.criterion = SplitCriterion::depth, .levels = 1}), ends,
                       1);
    }
    // And one that runs into a boundary.
    LoopMesh open = testing_gpu::sheet(4, 4, 0.2, 5);
    open.sharpness = testing_gpu::creases_into_boundaries();
    expect_uniform(subdivided(open, {.criterion = SplitCriterion::depth, .levels = 2}), open, 2);
    open.fixed.assign(open.positions.size(), false);
    open.fixed[0] = open.fixed[24] = true; // the corners of a single triangle
    expect_uniform(subdivided(open, {.criterion = SplitCriterion::depth, .levels = 2}), open, 2);
}

TEST_F(AdaptiveSubdivision, AnAngleMakesTheSameCreasesAsTheirList) {
    Graph g = graph();
    passes::MakeCage listed = cage_of(g, testing_gpu::cube(10.0));
    passes::MakeCage by_angle = listed;
    by_angle.creases.clear();
    by_angle.crease_angle = 60.0f;
    for (const auto& [name, pass] : {std::pair{"list", listed}, {"angle", by_angle}})
        output(g, name,
               {.cage = g.add(pass).cage, .criterion = SplitCriterion::depth, .levels = 2});
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const SubdividedMesh a = read(running, "list");
    const SubdividedMesh b = read(running, "angle");
    EXPECT_EQ(a.positions, b.positions);
    EXPECT_EQ(a.corner_normals, b.corner_normals);
    EXPECT_EQ(a.triangles.size(), 12u * 16u);
}

TEST_F(AdaptiveSubdivision, WhereEverythingIsSplitAdaptiveIsUniform) {
    const LoopMesh cage = testing_gpu::random_blob(2);
    Graph g = graph();
    const passes::Cage made = this->cage(g, cage);
    const Subdivide all{.cage = made,
                        .criterion = SplitCriterion::edges,
                        .levels = 2,
                        .least_level = 0,
                        .pixels = 0.0f,
                        .tolerance = 0.0f,
                        .angle = 0.0f};
    output(g, "depth", {.cage = made, .criterion = SplitCriterion::depth, .levels = 2});
    const std::array<std::pair<std::string, SplitCriterion>, 3> criteria{
        {{"edges", SplitCriterion::edges},
         {"flatness", SplitCriterion::flatness},
         {"angle", SplitCriterion::angle}}};
    for (const auto& [name, criterion] : criteria) {
        Subdivide pass = all;
        pass.join = criterion == SplitCriterion::edges ? LevelJoin::balanced : LevelJoin::fans;
        pass.criterion = criterion;
        output(g, name, pass);
    }
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const SubdividedMesh expected = read(running, "depth");
    EXPECT_EQ(expected.triangles.size(), cage.triangles.size() * 16);
    for (const auto& [name, criterion] : criteria) {
        const SubdividedMesh got = read(running, name);
        EXPECT_EQ(got.triangles, expected.triangles) << name;
        EXPECT_EQ(got.positions, expected.positions) << name;
        EXPECT_EQ(got.normals, expected.normals) << name;
        EXPECT_EQ(got.tags, expected.tags) << name;
    }
}

struct Mixed {
    std::string label;
    LoopMesh cage;
};

TEST_F(AdaptiveSubdivision, LevelsThatDifferMeetWithoutCracks) {
    LoopMesh creased = testing_gpu::torus(6, 7, 0.3, 6);
    creased.sharpness = {{{0, 1}, 10.0}, {{1, 2}, 10.0}, {{8, 14}, 1.5}, {{14, 20}, 2.5}};
    const std::vector<Mixed> cages{{"octahedron", testing_gpu::octahedron()},
                                   {"twelve", testing_gpu::bipyramid(12)},
                                   {"three", testing_gpu::bipyramid(3)},
                                   {"blob", testing_gpu::random_blob(3)},
                                   {"other blob", testing_gpu::random_blob(4)},
                                   {"sheet", testing_gpu::sheet(5, 4, 0.4, 7)},
                                   {"creases", creased},
                                   {"cube", testing_gpu::cube(10.0)}};
    constexpr std::uint32_t kLevels = 4;
    std::mt19937 random(8);
    std::uniform_real_distribution<float> place(-1.0f, 1.0f);
    std::size_t parts = 0;
    std::size_t slivers = 0;
    for (const auto& [label, cage] : cages) {
        SCOPED_TRACE(label);
        Graph g = graph();
        const passes::Cage made = this->cage(g, cage);
        // Eyes beside the surface, so that levels change fast.
        std::vector<Subdivide> passes_of;
        for (std::uint32_t i = 0; i < 4; ++i) {
            Subdivide pass{.cage = made,
                           .width = 400,
                           .height = 300,
                           .criterion = i == 0   ? SplitCriterion::flatness
                                        : i == 1 ? SplitCriterion::angle
                                                 : SplitCriterion::edges,
                           .levels = kLevels,
                           .least_level = i % 2,
                           .pixels = 60.0f,
                           .tolerance = 1.0f,
                           .angle = 14.0f,
                           .join = i == 3 ? LevelJoin::slivers : LevelJoin::fans};
            pass.camera.mode = passes::CameraMode::free;
            const glm::vec3 near = cage.positions[random() % cage.positions.size()];
            pass.camera.position = near + 0.25f * glm::vec3(place(random), place(random), 1.0f);
            pass.camera.near_plane = 0.01f;
            pass.camera.far_plane = 100.0f;
            passes_of.push_back(pass);
            output(g, fmt::format("view {}", i), pass);
        }
        Running running = run(std::move(g));
        ASSERT_TRUE(running);
        const LoopLevels levels = testing_gpu::reference_levels(cage, kLevels);
        for (std::uint32_t i = 0; i < 4; ++i) {
            SCOPED_TRACE(i);
            const SubdividedMesh got = read(running, fmt::format("view {}", i));
            const auto numbers = testing_gpu::matched(got, levels, 3e-6);
            ASSERT_FALSE(numbers.empty());
            testing_gpu::expect_no_cracks(got, cage, levels, numbers);
            for (const glm::uvec2 tag : got.tags) {
                const auto kind = static_cast<SubdividedKind>(tag.y >> 8);
                if (kind == SubdividedKind::part) ++parts;
                if (kind == SubdividedKind::sliver) ++slivers;
                EXPECT_LT(tag.x, cage.triangles.size());
                EXPECT_FALSE(i == 3 && kind == SubdividedKind::part);
            }
        }
    }
    EXPECT_GT(parts, 500u);
    EXPECT_GT(slivers, 100u);
}

/// The greatest difference of the levels of triangles at one edge.
std::uint32_t steepest(const SubdividedMesh& mesh) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> level_at;
    std::uint32_t most = 0;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        for (int k = 0; k < 3; ++k) {
            const std::uint32_t level = mesh.tags[t].y & 0xffu;
            const auto edge = LoopMesh::edge(mesh.triangles[t][k], mesh.triangles[t][(k + 1) % 3]);
            const auto [met, is_new] = level_at.emplace(edge, level);
            if (!is_new)
                most = std::max(most, std::max(met->second, level) - std::min(met->second, level));
        }
    return most;
}

/// The greatest difference of the levels of triangles at one vertex.
std::uint32_t steepest_around_corners(const SubdividedMesh& mesh) {
    std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> levels_at; // least, greatest
    std::uint32_t most = 0;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        for (int k = 0; k < 3; ++k) {
            const std::uint32_t level = mesh.tags[t].y & 0xffu;
            auto& [low, high] =
                levels_at.emplace(mesh.triangles[t][k], std::pair(level, level)).first->second;
            low = std::min(low, level);
            high = std::max(high, level);
            most = std::max(most, high - low);
        }
    return most;
}

bool is_sliver(glm::uvec2 tag) {
    return static_cast<SubdividedKind>(tag.y >> 8) == SubdividedKind::sliver;
}

/// Balanced levels differ by one at most, also around a corner, by every criterion, and fans alone
/// join them.
TEST_F(AdaptiveSubdivision, BalancedLevelsDifferByOneAtMostAndNeedNoSlivers) {
    LoopMesh creased = testing_gpu::torus(6, 7, 0.3, 6);
    creased.sharpness = {{{0, 1}, 10.0}, {{1, 2}, 10.0}, {{8, 14}, 1.5}, {{14, 20}, 2.5}};
    const std::vector<Mixed> cages{{"octahedron", testing_gpu::octahedron()},
                                   {"blob", testing_gpu::random_blob(3)},
                                   {"sheet", testing_gpu::sheet(5, 4, 0.4, 7)},
                                   {"creases", creased}};
    constexpr std::uint32_t kLevels = 4;
    constexpr std::array kCriteria{SplitCriterion::flatness, SplitCriterion::angle,
                                   SplitCriterion::edges};
    std::size_t slivers_otherwise = 0; // each stands for a step of more than one level
    std::uint32_t steep_otherwise = 0;
    for (const auto& [label, cage] : cages) {
        SCOPED_TRACE(label);
        Graph g = graph();
        const passes::Cage made = this->cage(g, cage);
        for (std::size_t i = 0; i < kCriteria.size(); ++i)
            for (const LevelJoin join : {LevelJoin::fans, LevelJoin::balanced}) {
                Subdivide pass{.cage = made,
                               .width = 400,
                               .height = 300,
                               .criterion = kCriteria[i],
                               .levels = kLevels,
                               .least_level = 0,
                               .pixels = 60.0f,
                               .tolerance = 1.0f,
                               .angle = 14.0f,
                               .join = join};
                pass.camera.mode = passes::CameraMode::free;
                pass.camera.position = glm::vec3(cage.positions[1]) + glm::vec3(0.1f, 0.2f, 0.2f);
                pass.camera.near_plane = 0.01f;
                pass.camera.far_plane = 100.0f;
                output(g, fmt::format("{} {}", i, join == LevelJoin::balanced), pass);
            }
        Running running = run(std::move(g));
        ASSERT_TRUE(running);
        const LoopLevels levels = testing_gpu::reference_levels(cage, kLevels);
        for (std::size_t i = 0; i < kCriteria.size(); ++i) {
            SCOPED_TRACE(i);
            const SubdividedMesh fans = read(running, fmt::format("{} false", i));
            const SubdividedMesh got = read(running, fmt::format("{} true", i));
            const auto numbers = testing_gpu::matched(got, levels, 3e-6);
            ASSERT_FALSE(numbers.empty());
            testing_gpu::expect_no_cracks(got, cage, levels, numbers);
            EXPECT_LE(steepest(got), 1u);
            EXPECT_LE(steepest_around_corners(got), 1u);
            steep_otherwise = std::max(steep_otherwise, steepest_around_corners(fans));
            slivers_otherwise += static_cast<std::size_t>(
                std::ranges::count_if(fans.tags, [](glm::uvec2 tag) { return is_sliver(tag); }));
            for (const glm::uvec2 tag : got.tags)
                ASSERT_FALSE(is_sliver(tag));
            // What triangles wait for is little: there are about as many, and they go as deep.
            EXPECT_GT(2 * got.triangles.size(), fans.triangles.size());
            EXPECT_GE(got.status.level + 1, fans.status.level);
        }
    }
    EXPECT_GT(slivers_otherwise, 5u); // or this test could not fail
    EXPECT_GT(steep_otherwise, 1u);
}

/// Each criterion alone: levels follow the distance from the eye, or the curvature.
TEST_F(AdaptiveSubdivision, EdgesFollowTheScreenAndAnglesTheCurvature) {
    // A long sheet, flat at one end and waved at the other.
    constexpr double kDepth = 3.2;
    LoopMesh cage = testing_gpu::sheet(24, 4, 0.0, 0);
    double last = 0.0;
    for (const glm::dvec3& at : cage.positions)
        last = std::max(last, at.x);
    for (glm::dvec3& at : cage.positions)
        if (at.x > 0.5 * last) at.y += 0.25 * last / 24.0 * std::sin(3.0 * at.x * 24.0 / last);
    Graph g = graph();
    Subdivide pass{.cage = this->cage(g, cage),
                   .width = 400,
                   .height = 300,
                   .levels = 4,
                   .least_level = 0,
                   .pixels = 20.0f,
                   .angle = 8.0f,
                   .join = LevelJoin::balanced};
    pass.camera.mode = passes::CameraMode::free;
    pass.camera.position = glm::vec3(-1.0, 1.5, -0.5 * kDepth);
    pass.camera.target = glm::vec3(0.3 * last, 0.0, -0.5 * kDepth);
    pass.camera.near_plane = 0.001f;
    pass.camera.far_plane = 1000.0f;
    for (const auto& [name, criterion] :
         {std::pair{"screen", SplitCriterion::edges}, {"curvature", SplitCriterion::angle}}) {
        pass.criterion = criterion;
        output(g, name, pass);
    }
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const auto mean_level = [&](const SubdividedMesh& mesh, double from, double to) {
        double sum = 0.0;
        double area = 0.0;
        for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
            const glm::uvec3 of = mesh.triangles[t];
            const glm::dvec3 a(mesh.positions[of.x]);
            const glm::dvec3 b(mesh.positions[of.y]);
            const glm::dvec3 c(mesh.positions[of.z]);
            const double x = (a.x + b.x + c.x) / (3.0 * last);
            const double z = (a.z + b.z + c.z) / 3.0;
            // Away from the boundary, whose corners are round.
            if (x < from || x > to || z > -0.25 * kDepth || z < -0.75 * kDepth) continue;
            const double own = glm::length(glm::cross(b - a, c - a));
            sum += own * (mesh.tags[t].y & 0xffu);
            area += own;
        }
        return sum / area;
    };
    const SubdividedMesh screen = read(running, "screen");
    EXPECT_GT(mean_level(screen, 0.05, 0.2), mean_level(screen, 0.35, 0.5) + 0.5);
    EXPECT_GE(mean_level(screen, 0.35, 0.5), mean_level(screen, 0.8, 0.95));
    const SubdividedMesh curvature = read(running, "curvature");
    // Balanced levels fall off over two triangles of the cage around what is curved.
    EXPECT_EQ(mean_level(curvature, 0.15, 0.36), 0.0);
    EXPECT_GT(mean_level(curvature, 0.6, 0.9), 1.0);
}

TEST_F(AdaptiveSubdivision, APlaneStaysAPlaneAndIsFlatAtOnce) {
    const LoopMesh cage = testing_gpu::sheet(8, 8, 0.0, 0);
    Graph g = graph();
    const passes::Cage made = this->cage(g, cage);
    output(g, "depth", {.cage = made, .criterion = SplitCriterion::depth, .levels = 2});
    output(g, "angle",
           {.cage = made,
            .criterion = SplitCriterion::angle,
            .levels = 4,
            .least_level = 0,
            .angle = 2.0f});
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const SubdividedMesh all = read(running, "depth");
    for (const glm::uvec3& t : all.triangles)
        for (int k = 0; k < 3; ++k) {
            ASSERT_EQ(all.positions[t[k]].y, 0.0f);
            ASSERT_NEAR(all.normals[t[k]].y, 1.0f, 1e-6f);
        }
    // Inside nothing is split; the corners of the boundary are round.
    const SubdividedMesh flat = read(running, "angle");
    EXPECT_GT(flat.triangles.size(), 128u);
    std::size_t whole = 0;
    for (const glm::uvec2 tag : flat.tags)
        if (tag.y == 0) ++whole;
    EXPECT_GT(whole, 90u);
}

TEST_F(AdaptiveSubdivision, MovedPositionsAreThoseOfACageMovedBefore) {
    const LoopMesh cage = testing_gpu::random_blob(5);
    LoopMesh moved = cage;
    for (glm::dvec3& at : moved.positions)
        at = glm::dvec3(2.0f * glm::vec3(at));
    Graph g = graph();
    passes::MakeCage by_device = cage_of(g, cage);
    by_device.positions = g.add(passes::Map{.source = by_device.positions,
                                            .expression = "2.0 * x",
                                            .type = passes::Element::f32,
                                            .result_type = passes::Element::f32})
                              .result;
    output(g, "device",
           {.cage = g.add(by_device).cage, .criterion = SplitCriterion::depth, .levels = 1});
    output(g, "host",
           {.cage = this->cage(g, moved), .criterion = SplitCriterion::depth, .levels = 1});
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const SubdividedMesh a = read(running, "device");
    const SubdividedMesh b = read(running, "host");
    EXPECT_EQ(a.positions, b.positions);
    EXPECT_EQ(a.triangles, b.triangles);
    EXPECT_FALSE(a.triangles.empty());
}

/// A cage whose nodes a glTF animation moves, at several times: as a cage moved on the host.
TEST_F(AdaptiveSubdivision, AnimatedCagesAreThoseOfTheirMoment) {
    const LoopMesh cage = testing_gpu::random_blob(7);
    test::AnimatedModel model;
    test::AnimatedModel::Mesh mesh;
    for (const glm::dvec3& at : cage.positions)
        mesh.positions.emplace_back(at);
    mesh.normals.assign(mesh.positions.size(), glm::vec3(0.0f, 1.0f, 0.0f));
    test::AnimatedModel::Target target;
    for (std::size_t i = 0; i < mesh.positions.size(); ++i)
        target.positions.emplace_back(0.1f * std::sin(static_cast<float>(i)), 0.05f, -0.1f);
    mesh.targets = {target};
    mesh.target_weights = {0.0f};
    for (const glm::uvec3& t : cage.triangles)
        mesh.indices.insert(mesh.indices.end(), {t.x, t.y, t.z});
    model.meshes = {mesh};
    model.nodes = {{.name = "cage", .mesh = 0}};
    model.clips = {{.name = "sway",
                    .channels = {{.node = 0,
                                  .path = "translation",
                                  .interpolation = "LINEAR",
                                  .times = {0.0f, 2.0f},
                                  .values = {0.0f, 0.0f, 0.0f, 0.5f, -0.25f, 1.0f}},
                                 {.node = 0,
                                  .path = "weights",
                                  .interpolation = "LINEAR",
                                  .times = {0.0f, 2.0f},
                                  .values = {0.0f, 1.0f}}}}};
    const auto scene = load_gltf(model.write(test::empty_folder()));
    ASSERT_TRUE(scene) << to_string(scene.error());
    const SceneAsset asset = pack_scene(*scene);
    constexpr std::array kTimes{0.0f, 0.5f, 1.5f};
    Graph g = graph();
    const Scene still = add_scene(g, "cage", asset);
    const passes::MakeCage listed = cage_of(g, cage);
    for (const float time : kTimes) {
        const std::string name = fmt::format("{}", time);
        const Scene posed =
            g.add(passes::Animate{.source = still, .time = time, .clip = "sway"}, name + " pose")
                .scene;
        passes::MakeCage pass = listed;
        pass.positions = g.add(passes::Triangles{.scene = posed}, name + " mesh").mesh.positions;
        const passes::Cage made = g.add(pass, name + " cage").cage;
        output(g, name, {.cage = made, .criterion = SplitCriterion::depth, .levels = 1});
        // And with tables made of the scene itself, whose vertices may be fewer.
        passes::MakeCage of_scene{.scene = still, .positions = pass.positions};
        output(g, name + " scene",
               {.cage = g.add(of_scene, name + " scene cage").cage,
                .criterion = SplitCriterion::depth,
                .levels = 1});
    }
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    for (const float time : kTimes) {
        SCOPED_TRACE(time);
        const double share = 0.5 * time;
        LoopMesh moved = cage;
        for (std::size_t i = 0; i < moved.positions.size(); ++i)
            moved.positions[i] =
                glm::dvec3(mesh.positions[i]) +
                share * (glm::dvec3(target.positions[i]) + glm::dvec3(0.5, -0.25, 1.0));
        expect_uniform(read(running, fmt::format("{}", time)), moved, 1);
        expect_uniform(read(running, fmt::format("{} scene", time)), moved, 1);
    }
}

TEST_F(AdaptiveSubdivision, WithoutRoomTheSurfaceIsCoarserAndWholeAndTheRoomGrows) {
    const LoopMesh cage = testing_gpu::octahedron();
    std::uint64_t room = 0;
    std::uint32_t rounds = 0;
    for (bool full = true; full; ++rounds) {
        ASSERT_LT(rounds, 4u);
        Graph g = graph();
        if (room > 0) g.set_pools({{"small/triangles", room}});
        output(g, "small",
               {.cage = this->cage(g, cage),
                .criterion = SplitCriterion::depth,
                .levels = 3,
                .most_triangles = 40});
        Running running = run(std::move(g));
        ASSERT_TRUE(running);
        const SubdividedMesh got = read(running, "small");
        expect_uniform(got, cage, got.status.level);
        full = got.status.stopped > 0;
        const Diagnostics warnings = got.status.warnings();
        ASSERT_EQ(warnings.size(), full ? 1u : 0u);
        ASSERT_EQ(got.status.pool_needs().size(), full ? 1u : 0u);
        if (!full) {
            EXPECT_EQ(got.triangles.size(), 512u);
            continue;
        }
        EXPECT_EQ(warnings[0].code, "subdivision/full");
        EXPECT_EQ(got.status.level, rounds + 1);
        room = got.status.pool_needs()[0].elements;
    }
    EXPECT_EQ(rounds, 3u); // 32, 128 and 512 triangles
}

TEST_F(AdaptiveSubdivision, CagesWithFlatFacesAndLoneVerticesAreSubdividedAllTheSame) {
    // A vertex of no triangle, a triangle without area, and one with two corners at one vertex.
    LoopMesh cage = testing_gpu::sheet(3, 3, 0.0, 0);
    cage.positions[5] = cage.positions[6];
    cage.positions.emplace_back(9.0, 9.0, 9.0);
    LoopMesh odd = cage;
    odd.triangles.insert(odd.triangles.begin() + 3, glm::uvec3(2, 2, 7));
    Graph g = graph();
    output(g, "plain",
           {.cage = this->cage(g, cage), .criterion = SplitCriterion::angle, .levels = 3});
    output(g, "odd", {.cage = this->cage(g, odd), .criterion = SplitCriterion::angle, .levels = 3});
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const SubdividedMesh a = read(running, "plain");
    const SubdividedMesh b = read(running, "odd");
    EXPECT_EQ(a.positions, b.positions);
    EXPECT_EQ(a.triangles, b.triangles);
    const auto numbers =
        testing_gpu::matched(a, testing_gpu::reference_levels(cage, 3), kNearPosition);
    EXPECT_FALSE(numbers.empty());
    for (const glm::uvec2 tag : b.tags)
        EXPECT_NE(tag.x, 3u);
    for (const auto& normals : a.corner_normals)
        for (const glm::vec3& normal : normals)
            EXPECT_NEAR(glm::length(normal), 1.0f, 1e-5f);
}

TEST_F(AdaptiveSubdivision, ACageWithoutFacesGivesNothing) {
    Graph g = graph();
    passes::MakeCage pass =
        cage_of(g, LoopMesh{.positions = {{0, 0, 0}}, .triangles = {{0, 0, 0}}});
    output(g, "none", {.cage = g.add(pass).cage, .criterion = SplitCriterion::depth, .levels = 2});
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const SubdividedMesh got = read(running, "none");
    EXPECT_TRUE(got.triangles.empty());
    EXPECT_EQ(got.status.level, 0u);
}

} // namespace
} // namespace tuff
