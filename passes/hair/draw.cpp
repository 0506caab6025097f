#include "passes/hair/draw.hpp"

#include "passes/common/div_round_up.hpp"
#include "passes/common/picture.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>

#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxHairSide = 8192;
constexpr float kHairNear = 0.01f; // planes of cameras that leave them to the pass
constexpr float kHairFar = 100.0f;

/// What of a camera kernels are told.
struct HairView {
    glm::mat4 clip_from_world{1.0f};
    glm::vec3 eye{0.0f};
    float scale = 1.0f; ///< pixels of a world unit, at distance 1 where it is a perspective
};

std::optional<HairView> hair_view(Graph& graph, CameraParameters parameters, std::uint32_t width,
                                  std::uint32_t height) {
    if (parameters.near_plane == 0.0f) parameters.near_plane = kHairNear;
    if (parameters.far_plane == 0.0f) parameters.far_plane = kHairFar;
    SceneData about; // a head, which orbits go about
    about.bounds = {glm::vec3(-0.2f), glm::vec3(0.2f)};
    const std::optional<Camera> camera = camera_for(graph, parameters, about, width, height);
    if (!camera) return {};
    const glm::mat4 projection =
        camera->projection(static_cast<float>(width) / static_cast<float>(height));
    return HairView{.clip_from_world = projection * camera->view(),
                    .eye = camera->position,
                    .scale = std::abs(projection[1][1]) * 0.5f * static_cast<float>(height)};
}

std::optional<glm::vec3> light_direction(Graph& graph, glm::vec3 to_light,
                                         const HairShadow& shadow) {
    if (shadow) return shadow.to_light;
    const float size = glm::length(to_light);
    if (size > 0.0f && std::isfinite(size)) return to_light / size;
    graph.error("pass/out-of-range", "parameter \"to_light\" is zero or not finite, so it has "
                                     "no direction");
    return {};
}

std::array<glm::vec4, kMaxHairGroups> group_colors(const std::vector<float>& numbers) {
    std::array<glm::vec4, kMaxHairGroups> all;
    const std::size_t count = numbers.size() / 3;
    for (std::size_t group = 0; group < all.size(); ++group) {
        const std::size_t at = 3 * std::min(group, count - 1);
        all[group] = {numbers[at], numbers[at + 1], numbers[at + 2], 1.0f};
    }
    return all;
}

/// The nodes of a picture with hair.
class HairPicture {
  public:
    HairPicture(Graph& graph, const DrawHair& pass, const HairView& view)
        : graph_(graph), pass_(pass), view_(view),
          thinned_(thinned_hair(pass.detail, pass.shape.count, view.eye)) {}

    FragmentLists capture() {
        FragmentLists lists{.payload = FragmentPayload::hdr,
                            .layout = FragmentLayout::linked,
                            .area = {.origin = {}, .size = {pass_.width, pass_.height}}};
        const double pixels = static_cast<double>(lists.area.pixels());
        lists.capacity = fragment_room(
            graph_, lists.payload, lists.layout,
            static_cast<std::uint64_t>(std::ceil(pixels * static_cast<double>(pass_.layers))));
        lists.heads =
            graph_.fill(array(graph_, "heads", lists.area.pixels()), 0xffffffffu, "clear_heads");
        lists.fragments = fragment_buffer(graph_, lists);
        lists.status = graph_.fill(array(graph_, "status", sizeof(OitStatus) / 4), 0, "no_status");
        if (pass_.shape.count == 0) {
            lists.fragments = graph_.fill(lists.fragments, 0, "no_fragments");
            return lists;
        }
        if (pass_.raster == HairRaster::compute)
            by_compute(lists);
        else
            by_ribbons(lists);
        return lists;
    }

    Image opaque(Image under) {
        const ImageDesc desc{.format = Format::rgba16_sfloat,
                             .extent = {pass_.width, pass_.height, 1}};
        Image color = graph_.blit(under, graph_.image("color", desc), Filter::nearest);
        if (pass_.shape.count == 0) return color;
        const Image nearest = graph_.image(
            "nearest", {.format = Format::d32_sfloat, .extent = {pass_.width, pass_.height, 1}});
        RasterNodeBuilder node = graph_.raster("hair/opaque_ribbon", "ribbons");
        color = node.color(color, loaded());
        static_cast<void>(node.depth(nearest, cleared(1.0f)));
        bind_ribbons(node, 0);
        return color;
    }

  private:
    void set_common(KernelNode& node, std::uint32_t capacity) const {
        node.set("vertices", pass_.shape.vertices);
        node.set("clip_from_world", view_.clip_from_world);
        node.set("size", glm::vec2(pass_.width, pass_.height));
        node.set("scale", view_.scale);
        node.set("radius", pass_.radius * thinned_.widening);
        node.set("tip", pass_.tip);
        node.set("opacity", pass_.opacity);
        node.set("capacity", capacity);
        node.specialize("has_thinning", std::uint32_t(pass_.detail.thins));
        node.set("strands", pass_.shape.count);
        node.set("stride", thinned_.stride);
        node.read("positions", pass_.shape.positions);
        node.read("colors", pass_.lit);
        node.read_optional("depth", pass_.depth ? ImageView(pass_.depth).mip(0) : ImageView{},
                           Sampler::nearest());
    }
    void bind_ribbons(RasterNodeBuilder& node, std::uint32_t capacity) const {
        node.state().topology = Topology::triangle_strip;
        set_common(node, capacity);
        const std::uint32_t corners = 2 * pass_.shape.vertices;
        if (pass_.detail.thins)
            node.draw_indirect(counts({corners, thinned_.drawn, 0, 0}), 0, 1);
        else
            node.draw({.count = corners, .instance_count = pass_.shape.count});
    }
    /// Counts from a buffer: when they change, the graph is the same.
    Buffer counts(const std::array<std::uint32_t, 4>& words) const {
        auto bytes = std::make_shared<std::vector<std::byte>>(sizeof(words));
        std::memcpy(bytes->data(), words.data(), bytes->size());
        return graph_.upload(array(graph_, "counts", words.size()), bytes, "count_strands");
    }
    void by_ribbons(FragmentLists& lists) {
        RasterNodeBuilder node = graph_.raster("hair/ribbon", "ribbons");
        node.area({pass_.width, pass_.height, 1});
        node.state().depth_test = false;
        node.state().depth_write = false;
        lists.heads = node.accumulate("heads", lists.heads);
        lists.fragments = node.write("fragments", lists.fragments);
        lists.status = node.accumulate("status", lists.status);
        bind_ribbons(node, lists.capacity);
    }
    void by_compute(FragmentLists& lists) {
        ComputeNodeBuilder node = graph_.compute("hair/ribbons");
        node.set("count", thinned_.drawn);
        set_common(node, lists.capacity);
        lists.heads = node.write("heads", lists.heads);
        lists.fragments = node.write("fragments", lists.fragments);
        lists.status = node.write("status", lists.status);
        const std::uint32_t edges = pass_.shape.vertices - 1;
        if (!pass_.detail.thins) return node.dispatch_each(pass_.shape.count * edges);
        const Groups groups =
            fold_groups(div_round_up(thinned_.drawn * edges, node.group_size()[0]));
        node.dispatch_indirect(counts({groups.x, groups.y, 1, 0}));
    }

    Graph& graph_;
    const DrawHair& pass_;
    const HairView& view_;
    ThinnedHair thinned_;
};

template <typename Pass>
void describe_picture(PassInfo<Pass>& info) {
    info.parameter("width", &Pass::width, "width of the picture")
        .range(1, kMaxHairSide)
        .unit("texels")
        .structural();
    info.parameter("height", &Pass::height, "height of the picture")
        .range(1, kMaxHairSide)
        .unit("texels")
        .structural();
}

template <typename Pass>
void describe_light(PassInfo<Pass>& info) {
    info.parameter("to_light", &Pass::to_light,
                   "direction to the light, used without "
                   "\"shadow\"");
    info.parameter("light", &Pass::light, "irradiance of a surface that faces the light")
        .range(0.0, 1e6);
    info.parameter("ambient", &Pass::ambient, "radiance of the environment").range(0.0, 1e6);
}

} // namespace

void ShadeHair::describe(PassInfo<ShadeHair>& info) {
    info.summary("Shades hair: computes the light that each vertex sends to a camera")
        .details(
            "\"kajiya_kay\" has a diffuse and a specular term, which depend on the angles to "
            "the fibre. \"marschner\" has the three paths of light in a fibre with a tilted "
            "surface: R (reflected), TT (transmitted) and TRT (reflected once inside, with the "
            "hair's color). The azimuthal integral has 16 samples of the point where light "
            "enters.\n\n"
            "Multiple scattering is approximated: light fades with the optical depth of the "
            "hair towards the light, and its own color fades less.\n\n"
            "Errors: hair/few-numbers.")
        .source("Kajiya and Kay, \"Rendering Fur with Three Dimensional Textures\", SIGGRAPH "
                "1989; Marschner et al., \"Light Scattering from Human Hair Fibers\", SIGGRAPH "
                "2003; d'Eon et al., \"An Energy-Conserving Hair Reflectance Model\", EGSR 2011")
        .complexity("O(vertices)")
        .cost([](const ShadeHair& pass, const Graph&) {
            const auto vertices = static_cast<double>(pass.shape.vertex_count());
            return Cost{.bytes = 48.0 * vertices,
                        .operations =
                            vertices * (pass.model == FibreModel::marschner ? 1500.0 : 100.0)};
        });
    info.input("shape", &ShadeHair::shape, "the hair");
    info.optional_input("shadow", &ShadeHair::shadow,
                        "the hair between a place and the light; "
                        "without it nothing casts a shadow");
    info.group("camera", &ShadeHair::camera);
    info.parameter("model", &ShadeHair::model, "how a fibre scatters light").structural();
    info.parameter("colors", &ShadeHair::colors,
                   "linear red, green and blue for each group; the last color is that of all "
                   "further groups")
        .range(0.0, 1.0);
    describe_light(info);
    info.parameter("exponent", &ShadeHair::exponent, "kajiya_kay: exponent of the highlight")
        .range(1.0, 1e4);
    info.parameter("specular", &ShadeHair::specular,
                   "strength of the light that a fibre "
                   "scatters once")
        .range(0.0, 100.0);
    info.parameter("shift", &ShadeHair::shift, "marschner: tilt of the cuticle scales")
        .range(-20.0, 20.0)
        .unit("degrees");
    info.parameter("roughness", &ShadeHair::roughness,
                   "marschner: longitudinal roughness, along the fibre")
        .range(0.5, 60.0)
        .unit("degrees");
    info.parameter("spread", &ShadeHair::spread,
                   "marschner: azimuthal roughness, around the "
                   "fibre")
        .range(2.0, 90.0)
        .unit("degrees");
    info.parameter("scattering", &ShadeHair::scattering,
                   "strength of the light that comes from other hairs")
        .range(0.0, 100.0);
    info.parameter("variation", &ShadeHair::variation,
                   "relative variation of the color from strand to strand")
        .range(0.0, 1.0);
    info.output("lit", &ShadeHair::lit, "one vec4 a vertex: red, green, blue, 1")
        .elements<glm::vec4>();
}

void ShadeHair::build(Graph& graph) {
    if (!is_valid(graph, shape)) return;
    if (colors.empty() || colors.size() % 3 != 0 ||
        colors.size() > std::size_t{3} * kMaxHairGroups) {
        graph.error(
            "hair/few-numbers", fmt::format("parameter \"colors\" has {} numbers", colors.size()),
            fmt::format("give three numbers for each of at most {} groups", kMaxHairGroups));
        return;
    }
    const auto view = hair_view(graph, camera, 16, 9);
    const auto direction = light_direction(graph, to_light, shadow);
    if (!view || !direction) return;
    const auto count = static_cast<std::uint32_t>(shape.vertex_count());
    ComputeNodeBuilder node = graph.compute("hair/shade");
    node.specialize("kModel", static_cast<std::uint32_t>(model));
    node.set("count", count);
    node.set("vertices", shape.vertices);
    node.set("eye", view->eye);
    node.set("to_light", *direction);
    node.set("light", light);
    node.set("ambient", ambient);
    const auto by_group = group_colors(colors);
    node.set("group_colors", std::span<const glm::vec4>(by_group));
    node.set("exponent", exponent);
    node.set("specular", specular);
    node.set("shift", glm::radians(shift));
    node.set("roughness", glm::radians(roughness));
    node.set("spread", glm::radians(spread));
    node.set("scattering", scattering);
    node.set("variation", variation);
    bind_shadow(graph, node, shadow);
    node.read("positions", shape.positions);
    node.read("tangents", shape.tangents);
    node.read("groups", shape.groups);
    lit = node.write("colors", vectors(graph, "lit", count));
    node.dispatch_each(count);
}

void DrawHair::describe(PassInfo<DrawHair>& info) {
    info.summary("Draws hair as ribbons that face the camera and may be thinner than a pixel")
        .details(
            "A strand covers a share of a pixel's width, however thin the strand is. That "
            "share times \"opacity\" is the alpha of its fragment.\n\n"
            "\"lists\" sorts and blends the fragments of each pixel as oit/resolve does. The "
            "lists are also an output, for other passes of oit. \"opaque\" shows the nearest "
            "ribbon.\n\n"
            "Fragments come from the rasterizer (\"ribbons\") or from a kernel (\"compute\"). "
            "The two differ only where edges of a strand meet. Fragments beyond the capacity "
            "for \"layers\" are lost with the warning oit/full-pool, and the capacity grows.\n\n"
            "\"detail.thins\" draws fewer strands from afar, as many times as wide as there are "
            "fewer of them: strands that cross a pixel at random then cover the same share of it. "
            "Fewer strands are a subset of more, spread evenly over all groups. Shading and "
            "shadows do not change.\n\n"
            "Errors: image/size-mismatch.")
        .source("Yuksel and Tariq, \"Advanced Techniques in Real-time Hair Rendering and "
                "Simulation\", SIGGRAPH 2010 courses")
        .complexity("O(pixels along strands)")
        .cost([](const DrawHair& pass, const Graph&) {
            const double pixels = static_cast<double>(pass.width) * pass.height;
            const auto vertices = static_cast<double>(pass.shape.vertex_count());
            return Cost{.bytes = 32.0 * vertices +
                                 pixels * (24.0 + 20.0 * static_cast<double>(pass.layers)),
                        .operations = 100.0 * vertices};
        });
    info.input("shape", &DrawHair::shape, "the hair");
    info.input("lit", &DrawHair::lit, "color of each vertex, from hair/shade")
        .elements<glm::vec4>();
    info.optional_input("under", &DrawHair::under,
                        "the picture behind the hair; without it "
                        "black")
        .picture();
    info.optional_input("depth", &DrawHair::depth,
                        "depth of the picture behind: nearer "
                        "surfaces hide hair")
        .depth_picture();
    describe_picture(info);
    info.group("camera", &DrawHair::camera);
    info.parameter("raster", &DrawHair::raster, "what draws: the rasterizer, or a kernel")
        .structural();
    info.parameter("blend", &DrawHair::blend, "how fragments are blended").structural();
    info.parameter("radius", &DrawHair::radius, "radius of a strand at its root")
        .range(0.0, 1e3)
        .unit("world units");
    info.parameter("tip", &DrawHair::tip, "radius at the tip, as a share of that at the root")
        .range(0.0, 1.0);
    info.parameter("opacity", &DrawHair::opacity, "opacity of a strand").range(0.0, 1.0);
    info.parameter("layers", &DrawHair::layers, "average number of fragments of a pixel")
        .range(0.0, 1024.0)
        .structural();
    info.parameter("long_lists", &DrawHair::long_lists,
                   "pixels with more than 32 fragments: \"exact\" blends all; \"nearest\" "
                   "blends the nearest, which hide the others if strands are not much thinner "
                   "than a pixel")
        .structural();
    info.group("detail", &DrawHair::detail);
    info.output("result", &DrawHair::result, "the picture, rgba16_sfloat, linear");
    info.output("lists", &DrawHair::lists, "the fragments; none with \"opaque\"");
}

void DrawHair::build(Graph& graph) {
    if (!is_valid(graph, shape)) return;
    const Extent extent{width, height, 1};
    const auto fits = [&](Image image, std::string_view name) {
        if (!image || (graph.extent(image).width == width && graph.extent(image).height == height))
            return true;
        graph.error("image/size-mismatch",
                    fmt::format("\"{}\" is {}x{} texels, but the picture is {}x{}", name,
                                graph.extent(image).width, graph.extent(image).height, width,
                                height),
                    "set \"width\" and \"height\" to the size of the input");
        return false;
    };
    if (!fits(under, "under") || !fits(depth, "depth")) return;
    if (graph.desc(lit).size < shape.vertex_count() * sizeof(glm::vec4)) {
        graph.error("primitives/too-short",
                    "\"lit\" has fewer colors than the hair has "
                    "vertices",
                    "connect the output of hair/shade for the same hair");
        return;
    }
    const auto view = hair_view(graph, camera, width, height);
    if (!view) return;
    const Image behind =
        under
            ? under
            : graph.clear(graph.image("black", {.format = Format::rgba16_sfloat, .extent = extent}),
                          std::array<float, 4>{0.0f, 0.0f, 0.0f, 0.0f}, "black");
    HairPicture picture(graph, *this, *view);
    lists = picture.capture();
    if (blend == HairBlend::opaque) {
        result = picture.opaque(behind);
        return;
    }
    graph.status<OitStatus>(lists.status);
    OitResolve resolve{.lists = lists,
                       .view = {.color = behind, .depth = behind},
                       .background = behind,
                       .long_lists = long_lists};
    if (long_lists == LongLists::nearest) resolve.keep = kMaxKept;
    result = graph.add(resolve).color;
}

void HairBust::describe(PassInfo<HairBust>& info) {
    info.summary("Draws the bodies that hair collides with as one smooth surface")
        .details("The pass draws the capsules of hair/colliders, with smooth transitions "
                 "between them and the shadow of the hair on them. It also outputs their "
                 "depth, for hair/draw.")
        .source("Hart, \"Sphere Tracing\", The Visual Computer 12, 1996")
        .complexity("O(pixels * capsules)")
        .cost([](const HairBust& pass, const Graph&) {
            const double pixels = static_cast<double>(pass.width) * pass.height;
            return Cost{.bytes = 12.0 * pixels,
                        .operations = 400.0 * pixels * pass.colliders.count};
        });
    info.input("colliders", &HairBust::colliders, "the colliders to draw");
    info.optional_input("shadow", &HairBust::shadow, "the shadow of the hair");
    describe_picture(info);
    info.group("camera", &HairBust::camera);
    info.group("head", &HairBust::head);
    info.parameter("skin", &HairBust::skin, "linear color of the surface").range(0.0, 1.0);
    info.parameter("background_low", &HairBust::background_low,
                   "radiance at the bottom of the background")
        .range(0.0, 1e6);
    info.parameter("background_high", &HairBust::background_high,
                   "radiance at the top of the background")
        .range(0.0, 1e6);
    describe_light(info);
    info.parameter("blend", &HairBust::blend, "width of the smooth transitions")
        .range(0.0, 1e3)
        .unit("world units");
    info.parameter("reach", &HairBust::reach,
                   "radius of a sphere around the head's origin "
                   "that contains all bodies")
        .range(0.0, 1e3)
        .unit("world units");
    info.output("color", &HairBust::color, "the picture, rgba16_sfloat, linear");
    info.output("depth", &HairBust::depth,
                "clip-space depth, r32_sfloat; 1 where there is no "
                "surface");
}

void HairBust::build(Graph& graph) {
    const auto view = hair_view(graph, camera, width, height);
    const auto direction = light_direction(graph, to_light, shadow);
    if (!view || !direction) return;
    const Extent extent{width, height, 1};
    ComputeNodeBuilder node = graph.compute("hair/bust");
    node.set("count", colliders.count);
    node.set("turn", head.quaternion());
    node.set("shift", head.position);
    node.set("attached", std::uint32_t(colliders.attached));
    node.set("clip_from_world", view->clip_from_world);
    node.set("world_from_clip", glm::inverse(view->clip_from_world));
    node.set("skin", skin);
    node.set("background_low", background_low);
    node.set("background_high", background_high);
    node.set("to_light", *direction);
    node.set("light", light);
    node.set("ambient", ambient);
    node.set("blend", blend);
    node.set("reach", reach);
    bind_shadow(graph, node, shadow);
    node.read("capsules", colliders.capsules);
    color = node.write("color",
                       graph.image("color", {.format = Format::rgba16_sfloat, .extent = extent}));
    depth =
        node.write("depth", graph.image("depth", {.format = Format::r32_sfloat, .extent = extent}));
    node.dispatch_over(extent);
}

TUFF_PASS(ShadeHair)
TUFF_PASS(DrawHair)
TUFF_PASS(HairBust)

} // namespace tuff::passes
