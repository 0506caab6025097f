#include "passes/volume/media.hpp"

#include "passes/common/picture.hpp"
#include "passes/common/status.hpp"
#include "passes/common/warning.hpp"
#include "passes/primitives/elements.hpp"

#include <fmt/format.h>
#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>

#include <cmath>
#include <string>
#include <utility>

namespace tuff::passes {
namespace {

constexpr std::uint64_t kBallWords = 4;
constexpr std::uint64_t kOpticsWords = 12;

} // namespace

glm::vec3 MediaLights::sum() const {
    glm::vec3 all = even;
    for (const glm::vec3& light : shadowed())
        all += light;
    return all;
}

VolumeStatus VolumeStatus::read(std::span<const std::uint32_t> words) {
    return status_from<VolumeStatus>(words);
}

Diagnostics VolumeStatus::warnings() const {
    Diagnostics all;
    if (dropped_spheres > 0)
        all.push_back(warning("volume/bad-spheres",
                              fmt::format("{} spheres are not finite, have no positive radius or "
                                          "have a negative value: they are dropped",
                                          dropped_spheres),
                              "check the values of the spheres"));
    if (list_overflows > 0)
        all.push_back(warning("volume/list-full",
                              fmt::format("the lists of spheres of rays were full {} times: the "
                                          "picture is not exact there",
                                          list_overflows),
                              "increase \"list_capacity\""));
    if (tiles_without_room > 0)
        all.push_back(
            warning("volume/few-tile-entries",
                    fmt::format("the lists of {} tiles had no room: the picture is right, but slow",
                                tiles_without_room),
                    fmt::format("set \"tile_capacity\" to {}", tile_entries_needed)));
    if (pixels_without_room > 0)
        all.push_back(warning(
            "volume/few-fragments",
            fmt::format("the faces in {} pixels had no room: these pixels show no meshes",
                        pixels_without_room),
            fmt::format("there are {} faces: increase \"fragments_per_pixel\"", fragments_needed)));
    if (odd_pixels > 0)
        all.push_back(
            warning("volume/open-mesh",
                    fmt::format("in {} pixels rays enter a mesh without leaving it", odd_pixels),
                    "close the mesh"));
    else if (fewest_inside < most_inside)
        all.push_back(warning("volume/open-mesh",
                              fmt::format("some pixels count {} meshes around the eye, others {}: "
                                          "a mesh has a hole towards the eye, and its medium "
                                          "begins at the eye there",
                                          fewest_inside, most_inside),
                              "close the mesh"));
    return all;
}

std::vector<PoolNeed> VolumeStatus::pool_needs() const {
    std::vector<PoolNeed> needs;
    if (pixels_without_room > 0) needs.push_back({"fragments", fragments_needed});
    if (tiles_without_room > 0) needs.push_back({"tile_entries", tile_entries_needed});
    return needs;
}

void VolumeView::set_rays(KernelNode& node) const {
    const glm::mat3 axes = glm::transpose(glm::mat3(camera.view()));
    const float up = std::tan(0.5f * glm::radians(camera.vertical_fov));
    const float aspect = static_cast<float>(width) / static_cast<float>(height);
    const glm::vec3 right = aspect * up * axes[0];
    const glm::vec3 down = -up * axes[1];
    node.set("first", -axes[2] - right - down);
    node.set("per_x", right * (2.0f / static_cast<float>(width)));
    node.set("per_y", down * (2.0f / static_cast<float>(height)));
}

void VolumeView::set(KernelNode& node) const {
    set_rays(node);
    node.set("eye", camera.position);
    node.set("size", glm::uvec2(width, height));
}

void VolumeView::dispatch(ComputeNodeBuilder& node) const {
    node.dispatch_over({width, height, 1});
}

std::optional<VolumeView> volume_view(Graph& graph, const Scene& scene,
                                      const CameraParameters& camera, std::uint32_t width,
                                      std::uint32_t height) {
    if (!in_range(graph, "width", width, 1, kMaxVolumeSide) ||
        !in_range(graph, "height", height, 1, kMaxVolumeSide))
        return {};
    const SceneData none;
    const std::optional<Camera> resolved =
        camera_for(graph, camera, scene ? *scene.data : none, width, height);
    if (!resolved) return {};
    if (resolved->kind != Projection::perspective) {
        graph.error("volume/parallel-rays", "the camera's rays are parallel",
                    "use a perspective camera: media are rendered from one point");
        return {};
    }
    return VolumeView{.camera = *resolved, .width = width, .height = height};
}

bool is_valid(Graph& graph, const MediaSpheres& spheres) {
    if (!in_range(graph, "spheres.count", spheres.count, 0, kMaxSpheres)) return false;
    const auto fits = [&](Buffer buffer, std::uint64_t words, std::string_view name) {
        const std::uint64_t room = capacity(graph, buffer) / words;
        if (room >= spheres.count) return true;
        graph.error("primitives/too-short",
                    fmt::format("\"{}\" has room for {} spheres of {}", name, room, spheres.count));
        return false;
    };
    return fits(spheres.balls, kBallWords, "balls") && fits(spheres.optics, kOpticsWords, "optics");
}

MediaSpheres no_spheres(Graph& graph) {
    return {.balls = graph.fill(array(graph, "no_balls", kBallWords), 0, "no_balls"),
            .optics = graph.fill(array(graph, "no_optics", kOpticsWords), 0, "no_optics")};
}

Image volume_picture(Graph& graph, std::string_view name, Extent extent, Format format) {
    return graph.image(name, {.format = format, .extent = extent});
}

} // namespace tuff::passes
