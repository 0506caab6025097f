#pragma once

#include "passes/common/picture.hpp"
#include "passes/fluid/sparse.hpp"
#include "passes/scene/camera_parameters.hpp"

namespace tuff::passes {

/// The appearance of smoke in bricks, as a parameter group.
struct SmokeLook {
    float step = 0.7f;
    float extinction = 0.4f;
    glm::vec3 albedo{0.9f};
    float glow = 1.0f;
    glm::vec3 towards_light{0.6f, 0.8f, 0.3f};
    glm::vec3 light{3.0f, 2.8f, 2.5f};
    glm::vec3 ambient{0.25f, 0.3f, 0.4f};
    glm::vec3 background{0.02f, 0.025f, 0.035f};

    static void describe_fields(auto&& field) {
        using L = SmokeLook;
        field("step", &L::step, "length of a step along a ray").range(0.05, 16.0).unit("cells");
        field("extinction", &L::extinction, "extinction of smoke of amount 1")
            .range(0.0, 1e4)
            .unit("1 / cell");
        field("albedo", &L::albedo, "albedo: share of the extinct light that is scattered")
            .range(0.0, 1.0);
        field("glow", &L::glow, "linear light that heat 1 emits").range(0.0, 1e4);
        field("towards_light", &L::towards_light,
              "direction to the light, of any length "
              "except 0");
        field("light", &L::light, "linear light from that direction").range(0.0, 65504.0);
        field("ambient", &L::ambient, "linear light from all sides").range(0.0, 65504.0);
        field("background", &L::background, "linear").range(0.0, 65504.0);
    }
};

/// Draws smoke in bricks. See `describe`.
struct SparseView {
    static constexpr std::string_view kName = "fluid/sparse_view";

    SparseSmoke smoke;
    Image behind;       ///< optional
    Image behind_depth; ///< optional
    std::uint32_t width = 640;
    std::uint32_t height = 480;
    CameraParameters camera;
    SmokeLook look;
    float opaque = 1.0f / 255.0f;
    float overlay = 0.0f;
    Image result;

    static void describe(PassInfo<SparseView>& info);
    void build(Graph& graph);
};

/// The transmittance towards the light at each cell of a slot, f32. Returns nothing, and reports an
/// error, if the light has no direction.
Buffer smoke_light(Graph& graph, const SparseSmoke& smoke, const SmokeLook& look);
/// Declares what is behind the smoke.
template <typename Pass>
void describe_smoke_behind(PassInfo<Pass>& info) {
    info.optional_input("behind", &Pass::behind,
                        "picture behind, from the same camera, instead of \"look.background\"")
        .picture();
    info.optional_input("behind_depth", &Pass::behind_depth,
                        "clip-space depth of other surfaces, from the same camera")
        .depth_picture();
}
/// Reports `image/size-mismatch`, and returns false, unless it has the size of the picture.
template <typename Pass>
[[nodiscard]] bool fits_behind(Graph& graph, const Pass& pass) {
    if (!pass.behind && !pass.behind_depth) return true;
    const Image size = graph.image(
        "size", {.format = Format::rgba16_sfloat, .extent = {pass.width, pass.height, 1}});
    return (!pass.behind || same_size(graph, size, "result", pass.behind, "behind")) &&
           (!pass.behind_depth ||
            same_size(graph, size, "result", pass.behind_depth, "behind_depth"));
}
/// Ends rays at `depth`, if there is one: for shaders/fluid/sparse_behind.glsl.
void set_behind_depth(KernelNode& node, Image depth, const Camera& camera, glm::uvec3 dims);
/// Sets the members of `SmokeLight` of shaders/fluid/sparse_shading.glsl, in `how`.
void set_look(KernelNode& node, const SmokeLook& look);

} // namespace tuff::passes
