#include "passes/volume/view_rays.hpp"

#include <fmt/format.h>
#include <glm/ext/matrix_transform.hpp>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <cmath>
#include <span>

namespace tuff::passes {
namespace {

constexpr std::size_t kMaxClipPlanes = 6;

/// From texels, whose first corner is 0, to the world.
using Placement = glm::dmat4;

Placement in_box(const SampledVolume& volume, VolumeUp up) {
    const glm::dvec3 edges(volume.edges());
    const double scale = 2.0 / static_cast<double>(volume.longest());
    glm::dmat4 placed(1.0);
    if (up == VolumeUp::z)
        placed = glm::rotate(placed, glm::radians(-90.0), glm::dvec3(1.0, 0.0, 0.0));
    placed = glm::scale(placed, glm::dvec3(scale));
    placed = glm::translate(placed, -0.5 * edges);
    return glm::scale(placed, glm::dvec3(volume.spacing));
}

std::optional<glm::dmat3> axes_of(Graph& graph, const std::vector<float>& axes) {
    if (axes.empty()) return glm::dmat3(1.0);
    glm::dmat3 all(0.0);
    if (axes.size() == 9) {
        for (int i = 0; i < 9; ++i)
            all[i / 3][i % 3] = static_cast<double>(axes[static_cast<std::size_t>(i)]);
        if (std::abs(glm::determinant(all)) > 1e-6) return all;
    }
    graph.error("volume/bad-axes",
                axes.size() == 9 ? "the three vectors of \"axes\" lie in one plane"
                                 : fmt::format("\"axes\" has {} numbers", axes.size()),
                "give three vectors of unit length, nine numbers, or none");
    return std::nullopt;
}

std::optional<Placement> in_world(Graph& graph, const SampledVolume& volume,
                                  const ViewParameters& parameters) {
    const auto axes = axes_of(graph, parameters.axes);
    if (!axes) return std::nullopt;
    const glm::dmat4 placed =
        glm::translate(glm::dmat4(1.0), glm::dvec3(parameters.origin)) * glm::dmat4(*axes);
    return glm::translate(glm::scale(placed, glm::dvec3(volume.spacing)), glm::dvec3(-0.5));
}

SceneData box_scene(const Placement& placement, glm::uvec3 dims) {
    SceneData scene;
    for (int corner = 0; corner < 8; ++corner) {
        const glm::dvec3 texel =
            glm::dvec3(dims) * glm::dvec3(corner & 1, corner >> 1 & 1, corner >> 2);
        const glm::vec3 place(placement * glm::dvec4(texel, 1.0));
        const Bounds& so_far = scene.bounds;
        scene.bounds = corner == 0
                           ? Bounds{place, place}
                           : Bounds{glm::min(so_far.min, place), glm::max(so_far.max, place)};
    }
    return scene;
}

bool are_planes(Graph& graph, const std::vector<float>& planes) {
    const bool whole = planes.size() % 4 == 0 && planes.size() <= 4 * kMaxClipPlanes;
    bool flat = false;
    for (std::size_t i = 0; whole && i < planes.size(); i += 4)
        flat |= planes[i] == 0.0f && planes[i + 1] == 0.0f && planes[i + 2] == 0.0f;
    if (whole && !flat) return true;
    graph.error("volume/bad-planes",
                flat ? "a plane of \"clip_planes\" has no direction"
                     : fmt::format("\"clip_planes\" has {} numbers", planes.size()),
                "give four numbers for each of at most six planes: a, b, c, d");
    return false;
}

} // namespace

std::optional<ViewRays> rays_through(Graph& graph, const SampledVolume& volume,
                                     const ViewParameters& parameters, const Scene& scene) {
    if (!are_planes(graph, parameters.clip_planes)) return std::nullopt;
    const bool world = parameters.space == VolumeSpace::world;
    const auto placement =
        world ? in_world(graph, volume, parameters) : std::optional(in_box(volume, parameters.up));
    if (!placement) return std::nullopt;
    const bool orbits_scene = world && scene;
    const auto camera = camera_for(graph, parameters.camera,
                                   orbits_scene ? *scene.data : box_scene(*placement, volume.dims),
                                   parameters.width, parameters.height);
    if (!camera) return std::nullopt;
    ViewRays rays{.camera = *camera,
                  .texels = glm::mat4(glm::inverse(*placement)),
                  .finest = 0.0f,
                  .parameters = parameters,
                  .dims = volume.dims};
    if (parameters.rays == VolumeRays::orthographic) {
        const float target = glm::distance(camera->position, camera->target);
        if (camera->kind == Projection::perspective)
            rays.camera.orthographic_height =
                2.0f * target * std::tan(0.5f * glm::radians(camera->vertical_fov));
        rays.camera.kind = Projection::orthographic;
    }
    const auto edge = [&](int axis) {
        return static_cast<float>(glm::length(glm::dvec3((*placement)[axis])));
    };
    rays.finest = std::min({edge(0), edge(1), edge(2)});
    return rays;
}

void ViewRays::set(ComputeNodeBuilder& node) const {
    const bool parallel = camera.kind == Projection::orthographic;
    const glm::mat3 axes = glm::transpose(glm::mat3(camera.view()));
    const float aspect =
        static_cast<float>(parameters.width) / static_cast<float>(parameters.height);
    const float up = parallel ? 0.5f * camera.orthographic_height
                              : std::tan(0.5f * glm::radians(camera.vertical_fov));
    node.set("rays.eye", camera.position);
    node.set("rays.forward", -axes[2]);
    node.set("rays.right", aspect * up * axes[0]);
    node.set("rays.down", -up * axes[1]);
    node.set("rays.parallel", std::uint32_t{parallel});
    node.set("rays.near_plane", camera.near_plane);
    node.set("rays.far_plane", camera.far_plane);
    node.set("rays.texels", texels);
    const glm::vec3 all(dims);
    node.set("rays.low", parameters.clip_low * all);
    node.set("rays.high", parameters.clip_high * all);
    std::vector<glm::vec4> planes;
    for (std::size_t i = 0; i + 3 < parameters.clip_planes.size(); i += 4)
        planes.emplace_back(parameters.clip_planes[i], parameters.clip_planes[i + 1],
                            parameters.clip_planes[i + 2], parameters.clip_planes[i + 3]);
    node.set("rays.planes", static_cast<std::uint32_t>(planes.size()));
    node.set("rays.plane", std::span<const glm::vec4>(planes));
    node.set("rays.stride", stride());
}

double ViewRays::steps_through() const {
    return static_cast<double>(std::max({dims.x, dims.y, dims.z})) /
           static_cast<double>(parameters.step);
}

} // namespace tuff::passes
