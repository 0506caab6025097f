#include "passes/bodies/draw.hpp"

#include <glm/ext/matrix_clip_space.hpp>
#include <glm/ext/matrix_transform.hpp>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <optional>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxBodiesSide = 8192;         // texels
constexpr std::uint32_t kBoxVertices = 36;             // of the box around a body
constexpr float kRodWidth = 0.012f;                    // of a rod of a joint, largest bodies
constexpr std::uint64_t kTintGroups = 20;              // bytes: where the tally has groups
constexpr glm::vec3 kTowardsSun{-0.39f, 0.81f, 0.44f}; // as in shaders/bodies/view.glsl

class BodiesPicture {
  public:
    BodiesPicture(Graph& graph, const DrawBodies& pass, const Camera& camera)
        : graph_(graph), pass_(pass), camera_(camera),
          middle_(0.5f * (pass.bodies.low + pass.bodies.high)),
          radius_(0.5f * glm::length(pass.bodies.high - pass.bodies.low)),
          seen_(
              camera.projection(static_cast<float>(pass.width) / static_cast<float>(pass.height)) *
              camera.view()) {
        const glm::vec3 sun = glm::normalize(kTowardsSun);
        sun_ = glm::orthoRH_ZO(-radius_, radius_, -radius_, radius_, 0.0f, 4.0f * radius_) *
               glm::lookAtRH(middle_ + 2.0f * radius_ * sun, middle_, glm::vec3(0.0f, 1.0f, 0.0f));
    }

    Image draw() {
        draw_shadows();
        const std::uint32_t scale = pass_.smooth ? 2 : 1;
        const Extent extent{pass_.width * scale, pass_.height * scale, 1};
        Image color = graph_.image("color", {.format = Format::rgba16_sfloat, .extent = extent});
        Image depth = graph_.image("depth", {.format = Format::d32_sfloat, .extent = extent});
        RasterNodeBuilder ground = graph_.raster("bodies/ground");
        color = ground.color(color, discarded());
        depth = ground.depth(depth, cleared(1.0f));
        ground.state().depth_compare = CompareOp::always;
        ground.read("shadow", shadow_);
        ground.set("view_projection", seen_);
        ground.set("inverse_view_projection", glm::inverse(seen_));
        ground.set("sun", sun_);
        ground.set("eye", camera_.position);
        ground.set("middle", middle_);
        ground.set("size", radius_);
        ground.set("floor_y", pass_.floor_y);
        ground.set("has_floor", std::uint32_t(pass_.floor));
        ground.set("tile", pass_.tile);
        ground.set("texel", texel());
        ground.draw({.count = 3});

        RasterNodeBuilder node = graph_.raster("bodies/seen");
        color = node.color(color, loaded());
        depth = node.depth(depth, loaded());
        set_up(node, seen_, camera_.position, false);
        node.read("geometry", pass_.bodies.geometry);
        node.read("motions", pass_.bodies.motions);
        node.read("rest", pass_.bodies.rest);
        node.read_optional("tints", tints());
        node.read("shadow", shadow_);
        node.draw({.count = kBoxVertices, .instance_count = pass_.bodies.count});
        draw_rods(color, depth);
        if (!pass_.smooth) return color;
        const Extent small{pass_.width, pass_.height, 1};
        // Half the size with linear filtering: the mean of two by two texels.
        return graph_.blit(
            color, graph_.image("result", {.format = Format::rgba16_sfloat, .extent = small}),
            Filter::linear, {}, "smooth");
    }

  private:
    float texel() const { return 2.0f * radius_ / static_cast<float>(pass_.shadows); }

    void set_up(RasterNodeBuilder& node, const glm::mat4& view, glm::vec3 eye, bool parallel) {
        node.read("places", pass_.bodies.places);
        node.read("turns", pass_.bodies.turns);
        node.read("shapes", pass_.bodies.shapes);
        node.state().cull = CullMode::front;
        node.set("view_projection", view);
        node.set("sun", sun_);
        node.set("eye", eye);
        node.set("direction", -glm::normalize(kTowardsSun));
        node.set("parallel", std::uint32_t(parallel));
        node.set("color_by", static_cast<std::uint32_t>(pass_.color));
        node.set("brightest", pass_.brightest);
        node.set("texel", texel());
    }

    /// What joints hold bodies by.
    void draw_rods(Image& color, Image& depth) {
        if (pass_.bodies.joint_count == 0) return;
        RasterNodeBuilder node = graph_.raster("bodies/rods");
        color = node.color(color, loaded());
        depth = node.depth(depth, loaded());
        node.state().topology = Topology::triangle_strip;
        node.read("places", pass_.bodies.places);
        node.read("turns", pass_.bodies.turns);
        node.read("joints", pass_.bodies.joints);
        node.set("view_projection", seen_);
        node.set("eye", camera_.position);
        node.set("count", pass_.bodies.count);
        node.set("width", kRodWidth * pass_.bodies.largest);
        node.draw({.count = 4, .instance_count = pass_.bodies.joint_count});
    }

    void draw_shadows() {
        const Extent extent{pass_.shadows, pass_.shadows, 1};
        shadow_ = graph_.image("shadow", {.format = Format::d32_sfloat, .extent = extent});
        RasterNodeBuilder node = graph_.raster("bodies/shade");
        shadow_ = node.depth(shadow_, cleared(1.0f));
        set_up(node, sun_, glm::vec3(0.0f), true);
        node.read("geometry", pass_.bodies.geometry);
        node.draw({.count = kBoxVertices, .instance_count = pass_.bodies.count});
    }

    /// A number a body, where the colour tells of constraints.
    Buffer tints() {
        if (pass_.color != BodyColor::set && pass_.color != BodyColor::batch) return {};
        ComputeNodeBuilder node = graph_.compute("bodies/tints");
        node.read("keys", pass_.batches.keys);
        node.read("ordered", pass_.batches.ordered);
        node.read("ordered_batches", pass_.batches.ordered_batches);
        node.read("ends", pass_.batches.ends);
        node.read("tally", pass_.contacts.pairs.tally);
        node.set("cells", pass_.batches.cells);
        node.set("by_set", std::uint32_t(pass_.color == BodyColor::set));
        const Buffer tints =
            node.write("tints", graph_.fill(body_array(graph_, "tints", pass_.bodies.count, 4), 0,
                                            "untouched"));
        node.dispatch_indirect(pass_.contacts.pairs.tally, kTintGroups);
        return tints;
    }

    Graph& graph_;
    const DrawBodies& pass_;
    const Camera& camera_;
    glm::vec3 middle_;
    float radius_;
    glm::mat4 seen_;
    glm::mat4 sun_;
    Image shadow_;
};

} // namespace

void DrawBodies::describe(PassInfo<DrawBodies>& info) {
    info.summary("Draws rigid bodies on a floor, with the sun's shadows")
        .details("The pass draws the box around each body and intersects a ray with the shape "
                 "inside, so spheres are round at any size. Bodies that never move are grey. "
                 "Joints are thin rods to the center of their second body.\n\n"
                 "The colors \"set\" and \"batch\" show how the solver processes the bodies; "
                 "they need \"contacts\" and \"batches\".")
        .complexity("O(bodies + texels)")
        .cost([](const DrawBodies& pass, const Graph&) {
            const double texels =
                static_cast<double>(pass.width) * pass.height * (pass.smooth ? 4.0 : 1.0);
            return Cost{.bytes = 128.0 * pass.bodies.count + 12.0 * texels,
                        .operations = 2000.0 * pass.bodies.count + 200.0 * texels};
        });
    info.input("bodies", &DrawBodies::bodies, "the bodies");
    info.optional_input("contacts", &DrawBodies::contacts,
                        "contacts of bodies/simulate, for \"set\" and \"batch\"");
    info.optional_input("batches", &DrawBodies::batches,
                        "batches of bodies/simulate, for \"set\" and \"batch\"");
    info.parameter("width", &DrawBodies::width, "width of the picture")
        .range(1, kMaxBodiesSide)
        .unit("texels")
        .structural();
    info.parameter("height", &DrawBodies::height, "height of the picture")
        .range(1, kMaxBodiesSide)
        .unit("texels")
        .structural();
    info.parameter("smooth", &DrawBodies::smooth,
                   "draws at twice the size and reduces the picture, for smooth edges")
        .structural();
    info.group("camera", &DrawBodies::camera);
    info.parameter("color", &DrawBodies::color, "what the color of a body shows").structural();
    info.parameter("brightest", &DrawBodies::brightest, "speed or batch that has the last color")
        .range(1e-6, 1e6);
    info.parameter("floor", &DrawBodies::floor, "whether a floor is drawn");
    info.parameter("floor_y", &DrawBodies::floor_y, "height of the floor")
        .range(-1e6, 1e6)
        .unit("metres");
    info.parameter("tile", &DrawBodies::tile, "side of the floor's tiles")
        .range(1e-3, 1e6)
        .unit("metres");
    info.parameter("shadows", &DrawBodies::shadows, "side of the shadow map")
        .range(64, kMaxBodiesSide)
        .unit("texels")
        .structural();
    info.output("result", &DrawBodies::result, "the picture, rgba16_sfloat, linear");
}

void DrawBodies::build(Graph& graph) {
    if (!is_valid(graph, bodies)) return;
    if ((color == BodyColor::set || color == BodyColor::batch) && !(contacts && batches)) {
        graph.error("bodies/no-batches",
                    "bodies cannot be colored by set or batch, because "
                    "\"contacts\" or \"batches\" is not connected",
                    "connect \"contacts\" and \"batches\" of bodies/simulate");
        return;
    }
    SceneData scene;
    scene.bounds = {bodies.low, bodies.high};
    const std::optional<Camera> view = camera_for(graph, camera, scene, width, height);
    if (view) result = BodiesPicture(graph, *this, *view).draw();
}

TUFF_PASS(DrawBodies)

} // namespace tuff::passes
