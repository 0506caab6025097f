#include <tuff/scene.hpp>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace tuff {
namespace {

bool same_vertices(const SceneData& a, const SceneData& b) {
    return a.vertices.size() == b.vertices.size() &&
           std::memcmp(a.vertices.data(), b.vertices.data(), a.vertices.size() * sizeof(Vertex)) ==
               0;
}

TEST(Arcade, IsAsLargeForEachSeedAndNeverTwiceTheSame) {
    const SceneData one = make_arcade(1);
    const SceneData again = make_arcade(1);
    const SceneData other = make_arcade(2);
    EXPECT_NEAR(static_cast<double>(one.triangle_count()), 260e3, 10e3);
    EXPECT_EQ(one.triangle_count(), other.triangle_count());
    EXPECT_EQ(one.indices, other.indices);
    EXPECT_TRUE(same_vertices(one, again));
    EXPECT_FALSE(same_vertices(one, other));
}

TEST(Arcade, FacesAreWhereItsNormalsPoint) {
    const SceneData scene = make_arcade(7);
    double least_area = 1e30;
    double most_area = 0.0;
    for (const SceneDraw& draw : scene.draws)
        for (std::uint32_t i = 0; i < draw.index_count; i += 3) {
            const auto corner = [&](std::uint32_t k) -> const Vertex& {
                const std::uint32_t index = scene.indices[draw.first_index + i + k];
                EXPECT_LT(index, draw.vertex_count);
                return scene.vertices[static_cast<std::size_t>(draw.vertex_offset) + index];
            };
            const glm::dvec3 a(corner(0).position);
            const glm::dvec3 normal =
                glm::cross(glm::dvec3(corner(1).position) - a, glm::dvec3(corner(2).position) - a);
            least_area = std::min(least_area, 0.5 * glm::length(normal));
            most_area = std::max(most_area, 0.5 * glm::length(normal));
            for (std::uint32_t k = 0; k < 3; ++k) {
                ASSERT_NEAR(glm::length(corner(k).normal), 1.0, 1e-5);
                ASSERT_GT(glm::dot(normal, glm::dvec3(corner(k).normal)), 0.0)
                    << scene.mesh_names[draw.mesh] << " triangle " << i / 3;
            }
        }
    EXPECT_GT(least_area, 1e-8);
    EXPECT_GT(most_area, 1e4 * least_area) << "triangles of very different sizes";
}

TEST(Arcade, LiesWhereItIsSaidTo) {
    const Bounds bounds = make_arcade(1).bounds;
    EXPECT_NEAR(bounds.center().x, 0.0, 0.1);
    EXPECT_NEAR(bounds.center().z, 0.0, 0.5);
    EXPECT_NEAR(bounds.max.x - bounds.min.x, 10.6, 0.1);
    EXPECT_NEAR(bounds.max.z - bounds.min.z, 25.2, 0.5);
    EXPECT_GT(bounds.min.y, -0.5);
}

} // namespace
} // namespace tuff
