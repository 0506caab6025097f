#pragma once

#include "passes/common/picture.hpp"
#include "passes/lights/shade.hpp"
#include "passes/lights/view.hpp"

#include <glm/matrix.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <string_view>
#include <utility>

/// What passes that light the surfaces of a picture have in common: `ShadeLights` and
/// `TiledLights`, whose fields have the same names.
namespace tuff::passes {

inline constexpr float kMaxRadiance = 65504.0f; // that half precision holds

inline ImageView first_level(Image image) {
    return image ? ImageView(image).mip(0) : ImageView(image);
}

/// Bytes of a texel of all pictures that are read and written.
template <typename Pass>
double lit_texel_bytes(const Pass& pass, const Graph& graph) {
    double bytes = 0.0;
    for (const Image image :
         {pass.depth, pass.normal, pass.albedo, pass.material, pass.under, pass.result})
        if (image) bytes += tuff::info(graph.desc(image).format).texel_bytes;
    return bytes;
}

template <typename Pass>
void describe_lit_inputs(PassInfo<Pass>& info) {
    info.input("depth", &Pass::depth, "of the picture: 0 near, 1 nothing").depth_picture();
    info.input("normal", &Pass::normal, "normals of surfaces, in the world").picture();
    info.input("albedo", &Pass::albedo, "linear colour of surfaces").picture();
    info.optional_input("material", &Pass::material, kMaterialPicture).picture();
    info.optional_input("under", &Pass::under,
                        "light that is there already, and what lies behind all surfaces")
        .picture();
    info.optional_input("hidden", &Pass::hidden,
                        "r32_uint from lights/shadows: bit i is set where light i of the first 32 "
                        "is blocked");
    info.optional_input("scene", &Pass::scene,
                        "what the camera is placed about, or whose camera it is");
    info.group("camera", &Pass::camera);
}

template <typename Pass>
void describe_lit_result(PassInfo<Pass>& info) {
    info.parameter("roughness", &Pass::roughness, "of all surfaces without \"material\"")
        .range(0.0, 1.0);
    info.parameter("metallic", &Pass::metallic, "of all surfaces without \"material\"")
        .range(0.0, 1.0);
    info.parameter("ambient", &Pass::ambient, "multiplies the colour of surfaces and is added")
        .range(0.0, kMaxRadiance);
    info.parameter("background", &Pass::background,
                   "where nothing is, unless \"under\" is connected");
    info.parameter("storage", &Pass::storage, "format of the result").structural();
    info.output("result", &Pass::result, "scene-linear, of the size of \"depth\"");
}

/// Whether all pictures have the size of "depth"; reports the first that has not.
template <typename Pass>
bool are_of_one_size(Graph& graph, const Pass& pass) {
    const std::pair<Image, std::string_view> pictures[] = {{pass.normal, "normal"},
                                                           {pass.albedo, "albedo"},
                                                           {pass.material, "material"},
                                                           {pass.under, "under"},
                                                           {pass.hidden, "hidden"}};
    for (const auto& [picture, name] : pictures)
        if (picture && !same_size(graph, pass.depth, "depth", picture, name)) return false;
    return true;
}

/// Reads all pictures and writes the result.
template <typename Pass>
void bind_lit_picture(Graph& graph, ComputeNodeBuilder& node, Pass& pass, const LightView& view) {
    set_view(node, view);
    node.set("world_from_view", glm::inverse(view.view_from_world));
    node.set("roughness", pass.roughness);
    node.set("metallic", pass.metallic);
    node.set("ambient", pass.ambient);
    node.set("background", pass.background);
    node.read("depth", first_level(pass.depth), Sampler::nearest());
    node.read("normal", first_level(pass.normal), Sampler::nearest());
    node.read("albedo", first_level(pass.albedo), Sampler::nearest());
    node.read_optional("material", first_level(pass.material), Sampler::nearest());
    node.read_optional("under", first_level(pass.under), Sampler::nearest());
    node.read_optional("hidden", first_level(pass.hidden), Sampler::nearest());
    const Format format =
        pass.storage == LitStorage::rgba16_sfloat ? Format::rgba16_sfloat : Format::rgba32_sfloat;
    pass.result = node.write("result", image_like(graph, "result", pass.depth, format));
}

} // namespace tuff::passes
