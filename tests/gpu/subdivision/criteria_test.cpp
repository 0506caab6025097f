#include "tests/gpu/subdivision/subdivided.hpp"

#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

/// What the criteria of subdivision/adaptive promise, triangle by triangle.
namespace tuff {
namespace {

using passes::SplitCriterion;
using passes::Subdivide;
using passes::SubdividedKind;
using testing_gpu::LoopMesh;
using testing_gpu::Running;
using testing_gpu::SubdividedMesh;

constexpr std::uint32_t kCriteriaLevels = 3;
constexpr std::uint32_t kPictureHeight = 300;
constexpr double kCriteriaFov = 50.0;
constexpr double kPixels = 30.0;
constexpr double kTolerance = 0.8; // pixels

/// Triangle 4^k t of a level and the 4^k - 1 that follow it are triangle t of k levels before.
struct LoopPyramid {
    std::vector<LoopMesh> levels;
    std::vector<glm::dvec3> limits; ///< of the last level's vertices, which include all others
    std::vector<std::map<std::array<std::uint32_t, 3>, std::uint32_t>> numbers; ///< of triangles

    LoopPyramid(const LoopMesh& cage, std::uint32_t count) : levels{cage} {
        for (std::uint32_t level = 0; level < count; ++level)
            levels.push_back(testing_gpu::refined(levels.back()));
        limits = testing_gpu::limit_of(levels.back()).positions;
        for (const LoopMesh& mesh : levels) {
            auto& of_level = numbers.emplace_back();
            for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
                of_level[sorted(mesh.triangles[t])] = t;
        }
    }
    static std::array<std::uint32_t, 3> sorted(glm::uvec3 t) {
        std::array<std::uint32_t, 3> of{t.x, t.y, t.z};
        std::ranges::sort(of);
        return of;
    }
    std::array<glm::dvec3, 3> corners(std::uint32_t level, std::uint32_t triangle) const {
        const glm::uvec3 t = levels[level].triangles[triangle];
        return {limits[t.x], limits[t.y], limits[t.z]};
    }
};

double point_to_triangle(glm::dvec3 p, const std::array<glm::dvec3, 3>& t) {
    const glm::dvec3 ab = t[1] - t[0];
    const glm::dvec3 ac = t[2] - t[0];
    const glm::dvec3 normal = glm::cross(ab, ac);
    const double area = glm::dot(normal, normal);
    double best = 1e300;
    const double v = glm::dot(glm::cross(p - t[0], ac), normal) / area;
    const double w = glm::dot(glm::cross(ab, p - t[0]), normal) / area;
    if (v >= 0.0 && w >= 0.0 && v + w <= 1.0)
        best = std::abs(glm::dot(p - t[0], normal)) / std::sqrt(area);
    for (std::size_t k = 0; k < 3; ++k) {
        const glm::dvec3 edge = t[(k + 1) % 3] - t[k];
        const double along = std::clamp(glm::dot(p - t[k], edge) / glm::dot(edge, edge), 0.0, 1.0);
        best = std::min(best, glm::distance(p, t[k] + along * edge));
    }
    return best;
}

class SplitCriteria : public testing_gpu::SubdivisionTest {
  protected:
    Subdivide pass_for(const passes::Cage& cage, SplitCriterion criterion) const {
        Subdivide pass{.cage = cage,
                       .width = 400,
                       .height = kPictureHeight,
                       .criterion = criterion,
                       .levels = kCriteriaLevels,
                       .least_level = 0,
                       .pixels = static_cast<float>(kPixels),
                       .tolerance = static_cast<float>(kTolerance)};
        pass.camera.mode = passes::CameraMode::free;
        pass.camera.position = eye_;
        pass.camera.target = {};
        pass.camera.vertical_fov = static_cast<float>(kCriteriaFov);
        pass.camera.near_plane = 0.01f;
        pass.camera.far_plane = 100.0f;
        return pass;
    }
    double pixels(double size, glm::dvec3 where) const {
        const double of_unit = kPictureHeight / (2.0 * std::tan(0.5 * glm::radians(kCriteriaFov)));
        return size * of_unit / glm::distance(where, glm::dvec3(eye_));
    }
    double longest_edge(const std::array<glm::dvec3, 3>& t) const {
        double longest = 0.0;
        for (std::size_t k = 0; k < 3; ++k) {
            const glm::dvec3 other = t[(k + 1) % 3];
            longest = std::max(longest, pixels(glm::distance(t[k], other), 0.5 * (t[k] + other)));
        }
        return longest;
    }
    /// How far the surface is from a triangle of a level, by the vertices of the finest level.
    double rise(const LoopPyramid& loop, std::uint32_t level, std::uint32_t triangle) const {
        const auto finest = static_cast<std::uint32_t>(loop.levels.size() - 1);
        const std::array<glm::dvec3, 3> flat = loop.corners(level, triangle);
        const std::uint32_t parts = 1u << 2 * (finest - level);
        double most = 0.0;
        for (std::uint32_t i = parts * triangle; i < parts * (triangle + 1); ++i)
            for (const glm::dvec3 at : loop.corners(finest, i))
                most = std::max(most, pixels(point_to_triangle(at, flat), at));
        return most;
    }

    const glm::vec3 eye_{0.9f, 1.0f, 1.6f};
};

TEST_F(SplitCriteria, TrianglesAreSplitWhereTheirCriterionSaysSoAndNowhereElse) {
    LoopMesh creased = testing_gpu::torus(6, 7, 0.3, 6);
    creased.sharpness = testing_gpu::creases_that_end_and_meet();
    for (const auto& [label, cage] : {std::pair{"blob", testing_gpu::random_blob(3)},
                                      {"sheet", testing_gpu::sheet(5, 4, 0.4, 7)},
                                      {"creases", creased}}) {
        SCOPED_TRACE(label);
        const LoopPyramid loop(cage, kCriteriaLevels + 1);
        Graph g = graph();
        const passes::Cage made = this->cage(g, cage);
        output(g, "edges", pass_for(made, SplitCriterion::edges));
        output(g, "flatness", pass_for(made, SplitCriterion::flatness));
        Running running = run(std::move(g));
        ASSERT_TRUE(running);
        for (const std::string name : {"edges", "flatness"}) {
            SCOPED_TRACE(name);
            const SubdividedMesh got = read(running, name);
            const auto numbers =
                testing_gpu::matched(got, {loop.levels.back(), {.positions = loop.limits}}, 3e-6);
            ASSERT_FALSE(numbers.empty());
            std::size_t coarse = 0;
            std::size_t split = 0;
            double most = 0.0;
            double least = 1e300;
            double mean = 0.0;
            for (std::size_t t = 0; t < got.triangles.size(); ++t) {
                if (got.tags[t].y >> 8 != static_cast<std::uint32_t>(SubdividedKind::whole))
                    continue;
                const std::uint32_t level = got.tags[t].y & 0xffu;
                const glm::uvec3 of = got.triangles[t];
                const auto at = loop.numbers[level].find(
                    LoopPyramid::sorted({numbers.at(of.x), numbers.at(of.y), numbers.at(of.z)}));
                ASSERT_NE(at, loop.numbers[level].end()) << "triangle " << t;
                if (level < kCriteriaLevels) {
                    ++coarse;
                    if (name == "flatness") {
                        most = std::max(most, rise(loop, level, at->second));
                    } else {
                        ASSERT_LE(longest_edge(loop.corners(level, at->second)), 1.0001 * kPixels);
                    }
                }
                if (level > 0) {
                    ++split;
                    const std::uint32_t parent = at->second / 4;
                    if (name == "flatness") {
                        const double away = rise(loop, level - 1, parent);
                        least = std::min(least, away);
                        mean += away;
                    } else {
                        ASSERT_GT(longest_edge(loop.corners(level - 1, parent)), 0.9999 * kPixels);
                    }
                }
            }
            if (name == "flatness") {
                // The criterion knows a triangle's own edges and corners.
                EXPECT_LT(most, 4.0 * kTolerance);
                EXPECT_GT(least, kTolerance / 8.0);
                EXPECT_GT(mean / static_cast<double>(split), kTolerance);
            }
            EXPECT_GT(coarse, 10u);
            EXPECT_GT(split, 100u);
        }
    }
}

} // namespace
} // namespace tuff
