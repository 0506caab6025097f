#include "tests/gpu/mapping/mapping_test.hpp"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tuff::testing_gpu {
namespace {

double distance_to_box(glm::dvec3 p, glm::dvec3 middle, glm::dvec3 half) {
    const glm::dvec3 d = glm::abs(p - middle) - half;
    return glm::length(glm::max(d, glm::dvec3(0.0))) + std::min(std::max({d.x, d.y, d.z}), 0.0);
}

} // namespace

double room_distance(glm::dvec3 p, glm::dvec4 ball) {
    double nearest = -distance_to_box(p, {0, 1.25, 0}, {2, 1.25, 2});
    nearest = std::min(nearest, distance_to_box(p, {0, 0.37, 0}, {0.5, 0.37, 0.35}));
    nearest = std::min(nearest, glm::distance(p, glm::dvec3(0.15, 0.96, 0.05)) - 0.22);
    nearest = std::min(nearest, std::hypot(p.x + 1.4, p.z - 1.2) - 0.25);
    nearest = std::min(nearest, distance_to_box(p, {1.6, 0.6, -1.3}, {0.4, 0.6, 0.7}));
    nearest = std::min(nearest, distance_to_box(p, {0.9, 0.2, 1.4}, {0.35, 0.2, 0.3}));
    if (ball.w > 0.0) nearest = std::min(nearest, glm::distance(p, glm::dvec3(ball)) - ball.w);
    return nearest;
}

PoseError error_of(const glm::dmat4& pose, const glm::dmat4& truth) {
    const glm::dmat3 m = glm::transpose(glm::dmat3(truth)) * glm::dmat3(pose);
    const glm::dvec3 axis = 0.5 * glm::dvec3(m[1].z - m[2].y, m[2].x - m[0].z, m[0].y - m[1].x);
    const double cosine = 0.5 * (m[0].x + m[1].y + m[2].z - 1.0);
    return {glm::distance(glm::dvec3(pose[3]), glm::dvec3(truth[3])),
            std::atan2(glm::length(axis), cosine) * 180.0 / std::numbers::pi};
}

glm::dmat4 pose_of(const std::vector<glm::vec4>& rows) {
    glm::dmat4 m(1.0);
    for (int row = 0; row < 3 && rows.size() >= 3; ++row)
        for (int column = 0; column < 4; ++column)
            m[column][row] = double{rows[static_cast<std::size_t>(row)][column]};
    return m;
}

std::vector<glm::vec4> rows_of(const glm::dmat4& pose, float last) {
    const glm::mat4 rows = glm::transpose(glm::mat4(pose));
    return {rows[0], rows[1], rows[2], {0.0f, 0.0f, 0.0f, last}};
}

glm::vec4 lens_of(Extent extent) {
    const double focal = 0.5 * extent.height / std::tan(25.0 * std::numbers::pi / 180.0);
    return {focal, focal, 0.5 * (extent.width - 1.0), 0.5 * (extent.height - 1.0)};
}

Image MappingTest::depth_image(Graph& g, Extent extent, const std::vector<float>& depths) {
    return g.constant_image("depths", {.format = Format::r32_sfloat, .extent = extent},
                            bytes_of(depths));
}

Image MappingTest::color_image(Graph& g, Extent extent, const std::vector<std::uint32_t>& texels) {
    return g.constant_image("colors", {.format = Format::rgba8_unorm, .extent = extent},
                            bytes_of(texels));
}

Buffer MappingTest::pose_buffer(Graph& g, std::string_view name,
                                const std::vector<glm::vec4>& rows) {
    return g.constant_buffer(name, {.size = 16 * rows.size(), .stride = 16}, bytes_of(rows));
}

passes::RgbdFrame MappingTest::frame_of(Graph& g, Extent extent, const std::vector<float>& depths) {
    return {.depth = depth_image(g, extent, depths),
            .color = color_image(g, extent, std::vector<std::uint32_t>(depths.size(), ~0u)),
            .intrinsics = lens_of(extent)};
}

Running MappingTest::play(const std::function<Graph(int)>& build, int first, int end,
                          const std::function<void(Running&, int)>& after) {
    Running running = start(compile_graph(build(first)));
    if (!running) return running;
    for (int i = first; i < end; ++i) {
        if (i > first) {
            const GraphDesc next = build(i).finish();
            EXPECT_TRUE(running->set_parameters(next.parameters));
            running->set_uploads(next);
        }
        running.execute();
        if (after) after(running, i);
    }
    return running;
}

} // namespace tuff::testing_gpu
