#include "tests/gpu/volume/mesh_test.hpp"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace tuff::testing_gpu {

BallMesh ball_mesh(std::uint32_t side, float radius) {
    BallMesh ball;
    for (int face = 0; face < 6; ++face) {
        const int axis = face / 2;
        const float sign = face % 2 == 0 ? 1.0f : -1.0f;
        const auto first = static_cast<std::uint32_t>(ball.positions.size());
        for (std::uint32_t j = 0; j <= side; ++j)
            for (std::uint32_t i = 0; i <= side; ++i) {
                // Tangents of even angles; the same numbers along the edges of all faces.
                const auto along = [&](std::uint32_t k) {
                    const int steps = 2 * static_cast<int>(k) - static_cast<int>(side);
                    return std::tan(0.785398163f * static_cast<float>(steps) /
                                    static_cast<float>(side));
                };
                glm::vec3 p;
                p[axis] = sign;
                p[(axis + 1) % 3] = sign * (i == 0 ? -1.0f : i == side ? 1.0f : along(i));
                p[(axis + 2) % 3] = j == 0 ? -1.0f : j == side ? 1.0f : along(j);
                ball.positions.push_back(radius * glm::normalize(p));
            }
        for (std::uint32_t j = 0; j < side; ++j)
            for (std::uint32_t i = 0; i < side; ++i) {
                const std::uint32_t a = first + j * (side + 1) + i;
                for (const std::uint32_t corner :
                     {a, a + 1, a + side + 2, a, a + side + 2, a + side + 1})
                    ball.indices.push_back(corner);
            }
    }
    return ball;
}

Stay stay_of(const TestBox& test, const TestView& view, std::uint32_t x, std::uint32_t y) {
    Stay stay = stay_in_box(test.low, test.high, view.eye(), view.ray(x, y));
    stay.extinction = test.extinction;
    stay.emission = test.emission;
    stay.scatter = test.scatter;
    stay.shadow_of = test.shadow_of;
    return stay;
}

bool is_near_an_edge(const std::vector<TestBox>& boxes, const TestView& view, std::uint32_t x,
                     std::uint32_t y) {
    constexpr float kNear = 0.03f;
    // Two faces meet there, and the one that is drawn may be the other's neighbour: on a grid of
    // 1/16 pixel (SwiftShader) its distance is then off.
    const auto is_on_two_faces = [&](const TestBox& box, double t) {
        const glm::dvec3 at = view.eye() + t * view.ray(x, y);
        int faces = 0;
        for (int i = 0; i < 3; ++i)
            faces += std::min(std::abs(at[i] - static_cast<double>(box.low[i])),
                              std::abs(at[i] - static_cast<double>(box.high[i]))) <
                     static_cast<double>(kNear);
        return faces > 1;
    };
    return std::ranges::any_of(boxes, [&](TestBox test) {
        const Stay stay = stay_of(test, view, x, y);
        if (stay.leaves > stay.enters &&
            (is_on_two_faces(test, stay.enters) || is_on_two_faces(test, stay.leaves)))
            return true;
        TestBox larger = test;
        larger.low -= kNear;
        larger.high += kNear;
        test.low += kNear;
        test.high -= kNear;
        const Stay inner = stay_of(test, view, x, y);
        const Stay outer = stay_of(larger, view, x, y);
        return outer.leaves > outer.enters && !(inner.leaves > inner.enters);
    });
}

passes::MeshMedium MeshTest::medium_of(Graph& g, const TestBox& test) {
    passes::MeshMedium medium = box(g, test.low, test.high);
    medium.extinction = test.extinction;
    medium.emission = test.emission;
    medium.scatter = test.scatter;
    medium.shadow_of = test.shadow_of;
    medium.reflectance = test.reflectance;
    return medium;
}

} // namespace tuff::testing_gpu
