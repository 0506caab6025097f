#include "passes/volume/capture.hpp"

#include "passes/primitives/elements.hpp"
#include "passes/primitives/scan.hpp"
#include "passes/scene/environment.hpp"

#include <algorithm>
#include <array>

namespace tuff::passes {
namespace {

/// Faces nearer than this share of the near plane's distance are cut off, and nearer than this
/// share of a ten-thousandth of the far plane's: as near as coordinates can tell. The camera's own
/// near plane would take away the fronts of media that reach it.
constexpr float kNearestFace = 1e-3f;

/// Shadows of these are counted in what the images of media leave free; those of others have an
/// image of their own.
constexpr std::uint32_t kLightsOfThreeImages = 2;

BlendState added() {
    return {.source_color = BlendFactor::one,
            .destination_color = BlendFactor::one,
            .source_alpha = BlendFactor::one,
            .destination_alpha = BlendFactor::one};
}

/// Everything the nodes that draw faces share.
class Capture {
  public:
    Capture(Graph& graph, std::span<const MeshMedium> media, const VolumeView& view, Image opaque,
            EyeInside mode, const Reflections& reflections, std::uint32_t room)
        : graph_(graph), media_(media), view_(view), opaque_(opaque), mode_(mode),
          reflections_(reflections), room_(room) {
        const float aspect = static_cast<float>(view.width) / static_cast<float>(view.height);
        view_projection_ = view.camera.projection(aspect) * view.camera.view();
        pixels_ = std::uint64_t{view.width} * view.height;
        none_ = graph_.fill(array(graph_, "no_normals", 1), 0, "no_normals");
        for (std::uint32_t number = 0; number < media_.size(); ++number)
            arguments_.push_back(
                media_[number].arguments ? numbered(media_[number].arguments, number) : Buffer{});
    }

    FaceLists draw() {
        lists_.room = room_;
        RasterNodeBuilder count = graph_.raster("volume/count_fragments", "count");
        lists_.counts = count.accumulate(
            "counts", graph_.fill(array(graph_, "face_counts", pixels_), 0, "no_faces"));
        count.read("opaque", opaque_, Sampler::nearest());
        draw_media(count);
        const Scan scan = graph_.add(Scan{.source = lists_.counts}, "face_starts");
        lists_.starts = scan.result;
        lists_.total = scan.total;
        store();
        if (mode_ == EyeInside::near_pass) {
            RasterNodeBuilder near =
                graph_.raster("volume/near_state", {{"MANY_LIGHTS", many_lights()}}, "near_state");
            attach_near(near);
            draw_media(near);
        }
        ComputeNodeBuilder sort = graph_.compute("volume/sort_fragments");
        sort.set("pixels", static_cast<std::uint32_t>(pixels_));
        sort.set("fragment_room", room_);
        sort.read("counts", lists_.counts);
        sort.read("starts", lists_.starts);
        lists_.fragments = sort.write("fragments", lists_.fragments);
        sort.dispatch_each(static_cast<std::uint32_t>(pixels_));
        return lists_;
    }

  private:
    void store() {
        const bool near = mode_ == EyeInside::near_state;
        RasterNodeBuilder node =
            near ? graph_.raster("volume/store_near", {{"MANY_LIGHTS", many_lights()}}, "store")
                 : graph_.raster("volume/store_fragments", "store");
        if (near) attach_near(node);
        node.read("opaque", opaque_, Sampler::nearest());
        node.read("counts", lists_.counts);
        node.read("starts", lists_.starts);
        const EnvironmentMap map = reflections_.map ? reflections_.map : even_environment(graph_);
        specialize_cube_lookups(graph_, node);
        node.read("environment_map", map.specular);
        // What the slots are counted by is of no use afterwards.
        [[maybe_unused]] const Buffer filled = node.accumulate(
            "filled", graph_.fill(array(graph_, "faces_filled", pixels_), 0, "none_filled"));
        lists_.fragments =
            node.write("fragments",
                       graph_.buffer("fragments",
                                     {.size = std::max(room_, 1u) * kFragmentBytes, .stride = 4}));
        draw_media(node);
    }

    void attach_near(RasterNodeBuilder& node) {
        node.state().blend = added();
        const auto attach = [&](std::string_view name) {
            const Image image = graph_.image(
                name, {.format = Format::rgba32_sfloat, .extent = {view_.width, view_.height, 1}});
            return node.blended_color(image, cleared(0.0f));
        };
        lists_.near_extinction = attach("near_extinction");
        lists_.near_emission = attach("near_emission");
        lists_.near_scatter = attach("near_scatter");
        if (many_lights() != 0) lists_.near_shadows = attach("near_shadows");
    }

    std::uint32_t many_lights() const { return shadowed_lights(media_) > kLightsOfThreeImages; }

    void draw_media(RasterNodeBuilder& node) {
        node.area({view_.width, view_.height, 1});
        node.state().depth_test = false;
        node.state().depth_write = false;
        view_.set(node);
        node.set("view_projection", view_projection_);
        node.set("near_plane",
                 kNearestFace * std::min(view_.camera.near_plane, 1e-4f * view_.camera.far_plane));
        node.set("depth_tested", std::uint32_t(mode_ != EyeInside::whole_lists));
        const bool reflects = std::ranges::any_of(
            media_, [](const MeshMedium& medium) { return medium.reflectance > 0.0f; });
        node.set("reflects", std::uint32_t(reflects));
        node.set("environment_lit", std::uint32_t(bool(reflections_.map)));
        node.set("fragment_room", room_);
        node.set("environment_rotation", reflections_.map.rotation);
        node.set("environment_scale", reflections_.map
                                          ? reflections_.radiance * reflections_.map.intensity
                                          : reflections_.radiance);
        set_media(node, media_);
        for (std::uint32_t number = 0; number < media_.size(); ++number)
            draw_medium(node, media_[number], number);
    }

    void draw_medium(RasterNodeBuilder& node, const MeshMedium& medium, std::uint32_t number) {
        if (medium.mesh.triangle_count == 0) return;
        node.begin_group();
        node.read("positions", medium.mesh.positions);
        node.read("indices", medium.mesh.indices);
        // Too few normals are none: triangles have their own.
        node.read("normals", medium.normals ? medium.normals : none_);
        if (medium.arguments)
            node.draw_indirect(arguments_[number], 0, 1);
        else
            node.draw({.count = 3 * medium.mesh.triangle_count, .first_instance = number});
    }

    /// The number of a medium is the number of its instance, in the last word.
    Buffer numbered(Buffer arguments, std::uint32_t number) {
        constexpr std::uint64_t kBefore = 12;
        const Buffer filled = graph_.fill(array(graph_, "arguments", 4), number, "number");
        return graph_.copy(BufferView(arguments, 0, kBefore), BufferView(filled, 0, kBefore),
                           "arguments");
    }

    Graph& graph_;
    std::span<const MeshMedium> media_;
    const VolumeView& view_;
    Image opaque_;
    EyeInside mode_;
    const Reflections& reflections_;
    std::uint32_t room_;
    glm::mat4 view_projection_{1.0f};
    std::uint64_t pixels_ = 0;
    FaceLists lists_;
    Buffer none_;
    std::vector<Buffer> arguments_; ///< of indirect draws
};

} // namespace

std::uint32_t shadowed_lights(std::span<const MeshMedium> media) {
    std::uint32_t lights = kLightsOfThreeImages;
    for (const MeshMedium& medium : media)
        lights = std::max(lights, medium.shadow_of);
    return lights;
}

void set_media(KernelNode& node, std::span<const MeshMedium> media) {
    std::array<glm::vec4, kMaxMedia> extinction{};
    std::array<glm::vec4, kMaxMedia> emission{};
    std::array<glm::vec4, kMaxMedia> scatter{};
    for (std::size_t i = 0; i < std::min<std::size_t>(media.size(), kMaxMedia); ++i) {
        extinction[i] = glm::vec4(media[i].extinction, media[i].reflectance);
        emission[i] = glm::vec4(media[i].emission, 0.0f);
        scatter[i] = glm::vec4(media[i].scatter, static_cast<float>(media[i].shadow_of));
    }
    node.set("extinction", std::span<const glm::vec4>(extinction));
    node.set("emission", std::span<const glm::vec4>(emission));
    node.set("scatter", std::span<const glm::vec4>(scatter));
}

FaceLists capture_faces(Graph& graph, std::span<const MeshMedium> media, const VolumeView& view,
                        Image opaque, EyeInside mode, const Reflections& reflections,
                        std::uint32_t room) {
    return Capture(graph, media, view, opaque, mode, reflections, room).draw();
}

} // namespace tuff::passes
