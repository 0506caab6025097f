#include "passes/volume/capture.hpp"

#include "passes/primitives/elements.hpp"
#include "passes/scene/environment.hpp"

#include <algorithm>
#include <array>

namespace tuff::passes {
namespace {

/// Faces nearer than this share of the near plane's distance are cut off, and nearer than this
/// share of a ten-thousandth of the far plane's: as near as coordinates can tell.
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

void set_reflection_numbers(KernelNode& node, std::span<const MeshMedium> media,
                            const Reflections& reflections) {
    const bool reflects = std::ranges::any_of(
        media, [](const MeshMedium& medium) { return medium.reflectance > 0.0f; });
    node.set("reflects", std::uint32_t(reflects));
    node.set("environment_lit", std::uint32_t(bool(reflections.map)));
    node.set("environment_rotation", reflections.map.rotation);
    node.set("environment_scale", reflections.map ? reflections.radiance * reflections.map.intensity
                                                  : reflections.radiance);
}

void bind_environment(Graph& graph, KernelNode& node, const Reflections& reflections) {
    const EnvironmentMap map = reflections.map ? reflections.map : even_environment(graph);
    specialize_cube_lookups(graph, node);
    node.read("environment_map", map.specular);
}

/// Everything the nodes that draw faces share.
class Capture {
  public:
    Capture(Graph& graph, std::span<const MeshMedium> media, const VolumeView& view, Image opaque,
            EyeInside mode, const Reflections& reflections, std::uint32_t room)
        : graph_(graph), media_(media), view_(view), opaque_(opaque), mode_(mode),
          reflections_(reflections), blends_(graph.target().float32_blending) {
        const float aspect = static_cast<float>(view.width) / static_cast<float>(view.height);
        view_projection_ = view.camera.projection(aspect) * view.camera.view();
        faces_.lists = {.payload = FragmentPayload::face,
                        .layout = FragmentLayout::arrays,
                        .capacity = room,
                        .area = {.size = {view.width, view.height}}};
        none_ = graph_.fill(array(graph_, "no_normals", 1), 0, "no_normals");
        for (std::uint32_t number = 0; number < media_.size(); ++number)
            arguments_.push_back(
                media_[number].arguments ? numbered(media_[number].arguments, number) : Buffer{});
    }

    CapturedFaces draw() {
        FragmentLists& lists = faces_.lists;
        RasterNodeBuilder count = graph_.raster("volume/count_fragments", "count");
        const Buffer counts = count.accumulate("counts", no_fragments(graph_, lists.area.pixels()));
        count.read("opaque", opaque_, Sampler::nearest());
        draw_media(count);
        const ListHeads heads = heads_of_counts(graph_, counts, lists.area.pixels());
        lists.heads = heads.heads;
        lists.status = heads.total;
        store(counts);
        if (mode_ == EyeInside::near_pass) {
            RasterNodeBuilder near =
                graph_.raster("volume/near_state", near_variant(), "near_state");
            attach_near(near);
            draw_media(near);
        }
        if (near_) near_images();
        sort_faces(graph_, lists);
        return faces_;
    }

  private:
    /// `counts` has what is to be stored, and counts down.
    void store(Buffer counts) {
        const bool near = mode_ == EyeInside::near_state;
        RasterNodeBuilder node = near ? graph_.raster("volume/store_near", near_variant(), "store")
                                      : graph_.raster("volume/store_fragments", "store");
        if (near) attach_near(node);
        node.read("opaque", opaque_, Sampler::nearest());
        node.read("heads", faces_.lists.heads);
        bind_environment(graph_, node, reflections_);
        static_cast<void>(node.accumulate("counts", counts));
        faces_.lists.fragments = node.write("fragments", fragment_buffer(graph_, faces_.lists));
        draw_media(node);
    }

    ShaderVariant near_variant() const {
        if (!blends_) return {{"MANY_LIGHTS", 0}, {"BLENDED", 0}};
        return {{"MANY_LIGHTS", many_lights()}, {"BLENDED", 1}};
    }

    void attach_near(RasterNodeBuilder& node) {
        if (!blends_) {
            const std::uint64_t words =
                near_state_words(media_.size()) * faces_.lists.area.pixels();
            near_ = graph_.fill(array(graph_, "near_counts", words), 0, "near_counts");
            near_ = node.accumulate("near", near_);
            return;
        }
        node.state().blend = added();
        const auto attach = [&](std::string_view name) {
            return node.blended_color(near_image(name), cleared(0.0f));
        };
        set_near_images(attach);
    }

    /// What blending would have left.
    void near_images() {
        ComputeNodeBuilder node =
            graph_.compute("volume/near_images", {{"MANY_LIGHTS", many_lights()}});
        node.set("size", glm::uvec2(view_.width, view_.height));
        node.set("near_words", near_state_words(media_.size()));
        node.set("media", static_cast<std::uint32_t>(media_.size()));
        set_media(node, media_);
        node.read("near", near_);
        set_near_images([&](std::string_view name) { return node.write(name, near_image(name)); });
        node.dispatch_over({view_.width, view_.height, 1});
    }

    Image near_image(std::string_view name) {
        return graph_.image(
            name, {.format = Format::rgba32_sfloat, .extent = {view_.width, view_.height, 1}});
    }

    template <typename Make>
    void set_near_images(Make make) {
        faces_.near_extinction = make("near_extinction");
        faces_.near_emission = make("near_emission");
        faces_.near_scatter = make("near_scatter");
        if (many_lights() != 0) faces_.near_shadows = make("near_shadows");
    }

    std::uint32_t many_lights() const { return shadowed_lights(media_) > kLightsOfThreeImages; }

    void draw_media(RasterNodeBuilder& node) {
        node.area({view_.width, view_.height, 1});
        node.state().depth_test = false;
        node.state().depth_write = false;
        view_.set(node);
        node.set("view_projection", view_projection_);
        node.set("near_plane", nearest_face(view_.camera));
        node.set("depth_tested", std::uint32_t(mode_ != EyeInside::whole_lists));
        set_reflection_numbers(node, media_, reflections_);
        node.set("fragment_room", faces_.lists.capacity);
        node.set("near_words", near_state_words(media_.size()));
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
    glm::mat4 view_projection_{1.0f};
    const bool blends_; ///< the device, onto 32-bit floats
    CapturedFaces faces_;
    Buffer near_; ///< counts in place of blending
    Buffer none_;
    std::vector<Buffer> arguments_; ///< of indirect draws
};

} // namespace

void sort_faces(Graph& graph, FragmentLists& lists) {
    ComputeNodeBuilder sort = graph.compute("volume/sort_fragments");
    const auto pixels = static_cast<std::uint32_t>(lists.area.pixels());
    sort.set("pixels", pixels);
    sort.set("fragment_room", lists.capacity);
    sort.read("heads", lists.heads);
    lists.fragments = sort.write("fragments", lists.fragments);
    sort.dispatch_each(pixels);
}

std::uint32_t near_state_words(std::size_t media) {
    return static_cast<std::uint32_t>((media + 1) / 2);
}

float nearest_face(const Camera& camera) {
    return kNearestFace * std::min(camera.near_plane, 1e-4f * camera.far_plane);
}

void set_reflections(Graph& graph, KernelNode& node, std::span<const MeshMedium> media,
                     const Reflections& reflections) {
    set_reflection_numbers(node, media, reflections);
    bind_environment(graph, node, reflections);
}

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

CapturedFaces capture_faces(Graph& graph, std::span<const MeshMedium> media, const VolumeView& view,
                            Image opaque, EyeInside mode, const Reflections& reflections,
                            std::uint32_t room) {
    return Capture(graph, media, view, opaque, mode, reflections, room).draw();
}

} // namespace tuff::passes
