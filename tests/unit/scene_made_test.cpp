#include <tuff/closed_meshes.hpp>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <numbers>
#include <utility>
#include <vector>

/// Knots and trees that are made: closed surfaces.
namespace tuff {
namespace {

/// By its corners, a triangle at a time.
void for_triangles(const SceneData& scene,
                   const std::function<void(std::array<std::uint32_t, 3>)>& look) {
    ASSERT_EQ(scene.draws.size(), 1u);
    ASSERT_EQ(scene.draws[0].index_count, scene.indices.size());
    for (std::size_t i = 0; i + 2 < scene.indices.size(); i += 3)
        look({scene.indices[i], scene.indices[i + 1], scene.indices[i + 2]});
}

/// Every edge is that of two triangles, which go along it in opposite directions.
void expect_closed(const SceneData& scene) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
    for_triangles(scene, [&](std::array<std::uint32_t, 3> t) {
        for (std::size_t i = 0; i < 3; ++i)
            ++edges[{t[i], t[(i + 1) % 3]}];
    });
    std::vector<bool> used(scene.vertices.size());
    for (const auto& [edge, times] : edges) {
        ASSERT_EQ(times, 1) << edge.first << " to " << edge.second;
        ASSERT_TRUE(edges.contains({edge.second, edge.first}));
        used.at(edge.first) = true;
    }
    EXPECT_EQ(std::ranges::count(used, false), 0) << "vertices of no triangle";
}

/// Of the whole surface, by Euler's formula: 0 for a sphere, 1 for a torus.
std::int64_t genus(const SceneData& scene) {
    const auto faces = static_cast<std::int64_t>(scene.triangle_count());
    const std::int64_t euler =
        static_cast<std::int64_t>(scene.vertices.size()) - 3 * faces / 2 + faces;
    return (2 - euler) / 2;
}

glm::dvec3 place(const SceneData& scene, std::uint32_t vertex) {
    return scene.vertices[vertex].position;
}

double least_height(const SceneData& scene) {
    double least = 1e30;
    for_triangles(scene, [&](std::array<std::uint32_t, 3> t) {
        const glm::dvec3 a = place(scene, t[0]);
        const glm::dvec3 b = place(scene, t[1]);
        const glm::dvec3 c = place(scene, t[2]);
        const double longest =
            std::max({glm::distance(a, b), glm::distance(b, c), glm::distance(c, a)});
        least = std::min(least, glm::length(glm::cross(b - a, c - a)) / longest);
    });
    return least;
}

double volume(const SceneData& scene) {
    double sum = 0.0;
    for_triangles(scene, [&](std::array<std::uint32_t, 3> t) {
        sum += glm::dot(place(scene, t[0]), glm::cross(place(scene, t[1]), place(scene, t[2]))) / 6;
    });
    return sum;
}

void expect_unit_vectors(const SceneData& scene) {
    for (const Vertex& vertex : scene.vertices) {
        ASSERT_NEAR(glm::length(vertex.normal), 1.0, 1e-5);
        ASSERT_NEAR(glm::length(glm::vec3(vertex.tangent)), 1.0, 1e-5);
        ASSERT_NEAR(glm::dot(vertex.normal, glm::vec3(vertex.tangent)), 0.0, 1e-5);
    }
}

TEST(MadeKnot, IsAClosedTubeOfTwentyThousandTriangles) {
    for (std::uint32_t windings = 3; windings <= 8; ++windings) {
        SCOPED_TRACE(windings);
        const SceneData knot = make_torus_knot(windings);
        EXPECT_EQ(knot.triangle_count(), 20'000u);
        EXPECT_EQ(knot.vertices.size(), 10'000u);
        expect_closed(knot);
        EXPECT_EQ(genus(knot), 1);
        EXPECT_GT(least_height(knot), 1e-4);
        expect_unit_vectors(knot);
        for (const float end : {knot.bounds.max.x, knot.bounds.max.z, -knot.bounds.min.x}) {
            EXPECT_LE(end, 1.0f);
            EXPECT_GT(end, 0.8f);
        }
    }
}

// The volume of a tube is its section times its length, whichever way it bends (Pappus), and a
// little less where rings are twisted against their neighbours.
TEST(MadeKnot, HasTheVolumeOfATubeSoItFacesOutwards) {
    const SceneData knot = make_torus_knot(3);
    constexpr double kTubeRadius = 0.5 / 3.5;
    double length = 0.0;
    const auto middle = [&](std::uint32_t ring) {
        glm::dvec3 sum(0.0);
        for (std::uint32_t side = 0; side < 16; ++side)
            sum += place(knot, ring % 625 * 16 + side) / 16.0;
        return sum;
    };
    for (std::uint32_t ring = 0; ring < 625; ++ring)
        length += glm::distance(middle(ring), middle(ring + 1));
    const double section =
        16.0 / 2.0 * std::sin(2.0 * std::numbers::pi / 16.0) * kTubeRadius * kTubeRadius;
    EXPECT_NEAR(volume(knot), section * length, 3e-3 * section * length);
}

// Strands of the tube that are far apart along it are apart in space.
TEST(MadeKnot, DoesNotCutItself) {
    for (std::uint32_t windings = 3; windings <= 8; ++windings) {
        const SceneData knot = make_torus_knot(windings);
        const double thickness = 1.5 / windings;
        const double diameter = 2.0 * thickness / (3.0 + thickness);
        std::vector<glm::dvec3> middles;
        for (std::uint32_t ring = 0; ring < 625; ++ring)
            middles.push_back(0.5 * (place(knot, ring * 16) + place(knot, ring * 16 + 8)));
        std::vector<double> lengths{0.0};
        for (std::size_t i = 1; i <= middles.size(); ++i)
            lengths.push_back(lengths.back() + glm::distance(middles[i - 1], middles[i % 625]));
        double nearest = 1e30;
        for (std::size_t i = 0; i < middles.size(); ++i)
            for (std::size_t k = i + 1; k < middles.size(); ++k) {
                const double along = lengths[k] - lengths[i];
                if (std::min(along, lengths.back() - along) < 2.0 * diameter) continue;
                nearest = std::min(nearest, glm::distance(middles[i], middles[k]));
            }
        EXPECT_GT(nearest, diameter) << windings;
    }
}

TEST(MadeTree, IsOneClosedSurfaceAsLargeForEachSeed) {
    for (const std::uint32_t seed : {0u, 1u, 2u, 4'294'967'295u}) {
        SCOPED_TRACE(seed);
        const SceneData tree = make_tree(seed);
        // 1023 branches of two rings of twelve triangles, 512 tips and a foot of six.
        EXPECT_EQ(tree.triangle_count(), 1023u * 24u + 513u * 6u);
        expect_closed(tree);
        EXPECT_EQ(genus(tree), 0);
        EXPECT_GT(least_height(tree), 1e-5);
        expect_unit_vectors(tree);
        EXPECT_GT(volume(tree), 1e-3);
        EXPECT_NEAR(tree.bounds.max.y, 2.0f, 1e-6f);
        EXPECT_GT(tree.bounds.min.y, -0.05f);
    }
}

TEST(MadeTree, IsTheSameForASeedAndAnotherForAnother) {
    const SceneData one = make_tree(1);
    const SceneData again = make_tree(1);
    const SceneData other = make_tree(2);
    ASSERT_EQ(one.vertices.size(), again.vertices.size());
    ASSERT_EQ(one.vertices.size(), other.vertices.size());
    EXPECT_EQ(std::memcmp(one.vertices.data(), again.vertices.data(),
                          one.vertices.size() * sizeof(Vertex)),
              0);
    EXPECT_EQ(one.indices, again.indices);
    EXPECT_NE(std::memcmp(one.vertices.data(), other.vertices.data(),
                          one.vertices.size() * sizeof(Vertex)),
              0);
}

} // namespace
} // namespace tuff
