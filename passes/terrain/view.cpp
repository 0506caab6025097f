#include "passes/terrain/view.hpp"

#include <tuff/scene.hpp>

#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <cmath>

namespace tuff::passes {
namespace {

/// By Gribb and Hartmann: rows of the matrix added to the last one; depth goes from 0 on.
std::array<glm::vec4, 6> planes_of(const glm::mat4& clip_from_world) {
    const auto row = [&](int i) {
        return glm::vec4(clip_from_world[0][i], clip_from_world[1][i], clip_from_world[2][i],
                         clip_from_world[3][i]);
    };
    std::array<glm::vec4, 6> planes{row(3) + row(0), row(3) - row(0), row(3) + row(1),
                                    row(3) - row(1), row(2),          row(3) - row(2)};
    for (glm::vec4& plane : planes) {
        const float length = glm::length(glm::vec3(plane));
        if (length > 0.0f) plane /= length;
    }
    return planes;
}

/// For cameras that turn about it. Heights of maps are taken to be 0 to 1.
Bounds world_bounds(const Surface& surface) {
    if (is_ground(surface.kind)) {
        const float side = 0.5f * surface.ground.x;
        const float top = surface.ground.z + surface.ground.y;
        const bool known = surface.kind != SurfaceKind::heights;
        return {glm::vec3(-side, known ? surface.bounds.x : std::min(surface.ground.z, top), -side),
                glm::vec3(side, known ? surface.bounds.y : std::max(surface.ground.z, top), side)};
    }
    const float scale =
        surface.kind == SurfaceKind::knot ? 3.0f * surface.shape.x : surface.shape.x;
    const glm::vec3 reach(scale + surface.shape.y);
    return {-reach, reach};
}

} // namespace

UnitEye unit_eye(glm::dvec3 world, const Surface& surface) {
    const double units = kUnitsOfSide / static_cast<double>(surface.ground.x);
    UnitEye eye;
    const auto along = [&](double at, std::uint32_t& cell, float& rest) {
        const double place = at * units + 0.5 * kUnitsOfSide;
        const double low = std::clamp(std::floor(place), 0.0, kUnitsOfSide - 1.0);
        cell = static_cast<std::uint32_t>(low);
        rest = static_cast<float>(place - low);
    };
    along(world.x, eye.cell.x, eye.rest.x);
    along(world.z, eye.cell.y, eye.rest.y);
    eye.height = static_cast<float>((world.y - static_cast<double>(surface.ground.z)) * units);
    return eye;
}

std::optional<TerrainView> terrain_view(Graph& graph, const CameraParameters& camera,
                                        const Surface& surface, std::uint32_t width,
                                        std::uint32_t height) {
    SceneData scene;
    scene.bounds = world_bounds(surface);
    const std::optional<Camera> found = camera_for(graph, camera, scene, width, height);
    if (!found) return {};
    if (found->kind != Projection::perspective) {
        graph.error("terrain/needs-perspective",
                    "the camera is orthographic, so everything has the same distance",
                    "use a perspective camera");
        return {};
    }
    TerrainView view{.camera = *found};
    view.clip_from_world =
        found->projection(static_cast<float>(width) / static_cast<float>(height)) * found->view();
    view.planes = planes_of(view.clip_from_world);
    const UnitEye eye = unit_eye(glm::dvec3(found->position), surface);
    view.eye_cell = eye.cell;
    view.eye_rest = eye.rest;
    view.eye_height = eye.height;
    view.units = static_cast<float>(kUnitsOfSide / static_cast<double>(surface.ground.x));
    view.extent = 2.0 * std::tan(0.5 * glm::radians(static_cast<double>(found->vertical_fov)));
    return view;
}

} // namespace tuff::passes
