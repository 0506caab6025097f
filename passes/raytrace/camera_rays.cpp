#include "passes/raytrace/camera_rays.hpp"

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>

#include <cmath>

namespace tuff::passes {

void CameraRays::set(ComputeNodeBuilder& node) const {
    const glm::mat4 view = camera.view();
    const glm::vec3 right(view[0][0], view[1][0], view[2][0]);
    const glm::vec3 up(view[0][1], view[1][1], view[2][1]);
    const glm::vec3 forward(-view[0][2], -view[1][2], -view[2][2]);
    const float aspect = static_cast<float>(size.width) / static_cast<float>(size.height);
    const bool perspective = camera.kind == Projection::perspective;
    const float half = perspective ? std::tan(0.5f * glm::radians(camera.vertical_fov))
                                   : 0.5f * camera.orthographic_height;
    // y of clip space points down.
    const glm::vec3 x = right * (half * aspect);
    const glm::vec3 y = -up * half;
    const glm::vec3 none(0.0f);
    // Parallel rays begin at the near plane: what lies before it cannot be seen.
    node.set("origin",
             perspective ? camera.position : camera.position + forward * camera.near_plane);
    node.set("origin_x", perspective ? none : x);
    node.set("origin_y", perspective ? none : y);
    node.set("direction", forward);
    node.set("direction_x", perspective ? x : none);
    node.set("direction_y", perspective ? y : none);
    node.set("forward", forward);
    node.set("lens_x", right);
    node.set("lens_y", up);
    node.set("lens_radius", perspective ? lens.radius : 0.0f);
    node.set("focus",
             lens.focus > 0.0f ? lens.focus : glm::dot(camera.target - camera.position, forward));
    const float pixel = has_cones ? 2.0f * half / static_cast<float>(size.height) : 0.0f;
    node.set("pixel_width", perspective ? 0.0f : pixel);
    node.set("pixel_spread", perspective ? pixel : 0.0f);
    node.set("size", glm::uvec2(size.width, size.height));
    node.set("tiles_per_row", size.tiles_per_row());
    node.set("slots", size.slots());
    node.set("jitter", std::uint32_t(within == PixelSample::anywhere));
}

std::optional<CameraRays> camera_rays(Graph& graph, const SceneData& scene, std::uint32_t width,
                                      std::uint32_t height, const CameraParameters& camera,
                                      const LensParameters& lens) {
    const auto found = camera_for(graph, camera, scene, width, height);
    if (!found) return {};
    return CameraRays{.size = {width, height}, .camera = *found, .lens = lens};
}

} // namespace tuff::passes
