#include "passes/geometry/visibility_view.hpp"
#include "tests/gpu/geometry/raster_test.hpp"

#include <glm/geometric.hpp>
#include <glm/mat4x4.hpp>
#include <glm/matrix.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <set>

/// What a picture of visible triangles shows, against rays through the middles of its pixels.
namespace tuff {
namespace {

using passes::ComputeRaster;
using passes::VisibilityColor;
using passes::VisibilityView;
using testing_gpu::RasterCase;
using testing_gpu::Running;

constexpr glm::vec4 kBackground{0.25f, 0.5f, 0.75f, 1.0f};
constexpr double kHalfRounding = 0x1p-11; ///< rounding of a half, relative

/// A pixel's place in its triangle, in double precision, and how far floats may be off.
struct Place {
    glm::dvec3 weights{};
    glm::dvec3 normal{};
    double weights_off = 0.0;
    double normal_off = 0.0;
};

/// Where the ray through the middle of a pixel meets the triangle's plane. The kernel finds the
/// same from edges in clip space.
Place place_of(const RasterCase& one, std::uint32_t triangle, glm::dvec2 middle) {
    std::array<glm::dvec3, 3> corners;
    for (std::uint32_t i = 0; i < 3; ++i)
        corners[i] = one.mesh.positions[one.mesh.indices[3 * triangle + i]];
    const auto& [a, b, c] = corners;
    const glm::dmat4 clip_from_mesh(one.setup.clip_from_mesh);
    const glm::dmat4 mesh_from_clip = glm::inverse(clip_from_mesh);
    const glm::dvec3 across = glm::cross(b - a, c - a);
    const double area = glm::length(across);
    const glm::dvec4 plane(across, -glm::dot(across, a));
    const glm::dvec4 near = mesh_from_clip * glm::dvec4(middle, 0.0, 1.0);
    const glm::dvec4 far = mesh_from_clip * glm::dvec4(middle, 1.0, 1.0);
    const glm::dvec4 met = near * glm::dot(plane, far) - far * glm::dot(plane, near);
    const glm::dvec3 at = glm::dvec3(met) / met.w;
    const auto share = [&](const glm::dvec3& p, const glm::dvec3& q) {
        return glm::dot(glm::cross(p - at, q - at), across) / (area * area);
    };
    Place place{.weights = {share(b, c), share(c, a), share(a, b)}, .normal = across / area};

    // Each weight is a sum of products of three floats, each of which is a sum itself: what is lost
    // is a few roundings of the greatest of them, in units of what the weights are divided by.
    std::array<glm::dvec3, 3> seen;
    std::array<double, 3> sizes{};
    for (std::uint32_t i = 0; i < 3; ++i) {
        const glm::dvec4 clip = clip_from_mesh * glm::dvec4(corners[i], 1.0);
        seen[i] = {clip.x, clip.y, clip.w};
        for (int column = 0; column < 4; ++column)
            for (const int row : {0, 1, 3})
                sizes[i] = std::max(sizes[i], std::abs(clip_from_mesh[column][row] *
                                                       (column < 3 ? corners[i][column] : 1.0)));
    }
    const glm::dvec3 m(middle, 1.0);
    double sum = 0.0, terms = 0.0;
    for (std::uint32_t i = 0; i < 3; ++i) {
        const std::uint32_t j = (i + 1) % 3;
        sum += glm::dot(glm::cross(seen[i], seen[j]), m);
        terms += 6.0 * sizes[i] * sizes[j];
    }
    const double greatest = std::max(
        {1.0, std::abs(place.weights.x), std::abs(place.weights.y), std::abs(place.weights.z)});
    place.weights_off = 8.0 * 0x1p-24 * terms / std::abs(sum) * greatest + 0x1p-22;
    const double reach = std::max({glm::length(a), glm::length(b), glm::length(c)});
    place.normal_off =
        16.0 * 0x1p-24 * reach * (glm::length(b - a) + glm::length(c - a)) / area + kHalfRounding;
    return place;
}

class VisibilityViewTest : public testing_gpu::RasterTest {
  protected:
    static constexpr VisibilityColor kColors[] = {VisibilityColor::numbers,
                                                  VisibilityColor::normals,
                                                  VisibilityColor::weights, VisibilityColor::depth};
    void expect_reference(const RasterCase& one) {
        Graph g = graph();
        const ComputeRaster drawn = g.add(pass_of(g, one, ComputeRaster{}), one.name);
        output(g, one.name, drawn.visibility);
        for (std::size_t i = 0; i < std::size(kColors); ++i) {
            const VisibilityView view = g.add(VisibilityView{.visibility = drawn.visibility,
                                                             .color_by = kColors[i],
                                                             .background = kBackground},
                                              fmt::format("view_{}", i));
            g.output(fmt::format("result_{}", i), view.result);
            g.output(fmt::format("normals_{}", i), view.normals);
            g.output(fmt::format("weights_{}", i), view.weights);
        }
        Running running = run(std::move(g));
        if (!running) return;
        const auto visible = keys(running, one.name);
        for (std::size_t i = 0; i < std::size(kColors); ++i)
            expect_pixels(one, visible, kColors[i], running.image(fmt::format("result_{}", i)),
                          running.image(fmt::format("normals_{}", i)),
                          running.image(fmt::format("weights_{}", i)));
    }

  private:
    static void expect_pixels(const RasterCase& one,
                              const std::vector<testing_gpu::RasterFragment>& visible,
                              VisibilityColor color_by, const HostImage& result,
                              const HostImage& normals, const HostImage& weights) {
        SCOPED_TRACE(fmt::format("{} by {}", one.name, static_cast<int>(color_by)));
        const auto [width, height] = std::pair(one.setup.width, one.setup.height);
        ASSERT_EQ(visible.size(), std::size_t{width} * height);
        std::size_t precise = 0;
        std::set<std::uint32_t> triangles;
        std::set<std::array<float, 4>> colors;
        for (std::uint32_t y = 0; y < height; ++y)
            for (std::uint32_t x = 0; x < width; ++x) {
                const auto& [triangle, depth] = visible[std::size_t{y} * width + x];
                const auto color = result.texel(x, y);
                if (triangle == ~0u) {
                    for (std::size_t i = 0; i < 4; ++i)
                        ASSERT_EQ(color[i], kBackground[static_cast<int>(i)]);
                    ASSERT_EQ(normals.texel(x, y), (std::array<float, 4>{}));
                    ASSERT_EQ(weights.texel(x, y), (std::array<float, 4>{}));
                    continue;
                }
                triangles.insert(triangle);
                colors.insert(color);
                const glm::dvec2 middle =
                    2.0 * glm::dvec2(x + 0.5, y + 0.5) / glm::dvec2(width, height) - 1.0;
                const Place place = place_of(one, triangle, middle);
                if (place.weights_off < 1e-3) ++precise;
                ASSERT_EQ(weights.texel(x, y)[3], 1.0f);
                ASSERT_EQ(normals.texel(x, y)[3], 1.0f);
                for (std::size_t i = 0; i < 3; ++i) {
                    const int axis = static_cast<int>(i);
                    ASSERT_NEAR(weights.texel(x, y)[i], place.weights[axis], place.weights_off)
                        << x << ", " << y << " of triangle " << triangle;
                    ASSERT_NEAR(normals.texel(x, y)[i], place.normal[axis], place.normal_off);
                    const double half = kHalfRounding * (1.0 + std::abs(place.weights[axis]));
                    switch (color_by) {
                    case VisibilityColor::numbers: break;
                    case VisibilityColor::normals:
                        ASSERT_NEAR(color[i], 0.5 + 0.5 * place.normal[axis], place.normal_off);
                        break;
                    case VisibilityColor::weights:
                        ASSERT_NEAR(color[i], place.weights[axis], place.weights_off + half);
                        break;
                    case VisibilityColor::depth:
                        ASSERT_NEAR(color[i], 1.0f - std::bit_cast<float>(depth), kHalfRounding);
                        break;
                    }
                }
            }
        EXPECT_GT(precise, visible.size() / 4);
        if (color_by == VisibilityColor::numbers) {
            EXPECT_EQ(colors.size(), triangles.size());
        }
    }
};

TEST_F(VisibilityViewTest, IsWhereRaysMeetTheTriangles) {
    const auto cases = testing_gpu::raster_cases();
    for (const char* name : {"medium", "deep"})
        expect_reference(case_named(cases, name));
}

} // namespace
} // namespace tuff
