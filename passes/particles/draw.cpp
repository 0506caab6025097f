#include "passes/particles/draw.hpp"

#include <glm/matrix.hpp>

#include <algorithm>
#include <optional>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxSide =
    8192; // so that twice as many texels are no more than devices take
constexpr std::uint32_t kCornersOfBall = 4;

std::optional<Camera> checked_camera(Graph& graph, const DrawParticles& pass) {
    SceneData scene;
    scene.bounds = {pass.box.low, pass.box.high};
    return camera_for(graph, pass.camera, scene, pass.width, pass.height);
}

/// Everything the nodes of one picture share.
class Picture {
  public:
    Picture(Graph& graph, const DrawParticles& pass, const Camera& camera)
        : graph_(graph), pass_(pass), camera_(camera),
          view_projection_(
              camera.projection(static_cast<float>(pass.width) / static_cast<float>(pass.height)) *
              camera.view()) {
        const std::uint32_t scale = pass.smooth ? 2 : 1;
        const Extent extent{pass.width * scale, pass.height * scale, 1};
        color_ = graph.image("color", {.format = Format::rgba16_sfloat, .extent = extent});
        depth_ = graph.image("depth", {.format = Format::d32_sfloat, .extent = extent});
    }

    Image draw() {
        draw_ground();
        if (pass_.source.count > 0) draw_balls();
        if (!pass_.smooth) return color_;
        const Extent extent{pass_.width, pass_.height, 1};
        const Image small =
            graph_.image("result", {.format = Format::rgba16_sfloat, .extent = extent});
        // Half the size with linear filtering: the mean of two by two texels.
        return graph_.blit(color_, small, Filter::linear, {}, "smooth");
    }

  private:
    void set_view(KernelNode& node) const {
        node.set("view_projection", view_projection_);
        node.set("eye", camera_.position);
        node.set("sphere", glm::vec4(pass_.sphere.center, pass_.sphere.radius));
        node.set("low", pass_.box.low);
        node.set("high", pass_.box.high);
    }

    void draw_ground() {
        RasterNodeBuilder node = graph_.raster("particles/ground", "ground");
        color_ = node.color(color_, discarded());
        depth_ = node.depth(depth_, cleared(1.0f));
        node.state().depth_compare = CompareOp::always;
        set_view(node);
        node.set("inverse_view_projection", glm::inverse(view_projection_));
        node.draw({.count = 3});
    }

    /// The device knows how many there are.
    void count_balls() {
        ComputeNodeBuilder node = graph_.compute("particles/draw_arguments");
        bind_count(node, pass_.source);
        node.set("corners", kCornersOfBall);
        arguments_ = node.write("arguments", array(graph_, "arguments", 4));
        node.dispatch(1);
    }

    void draw_balls() {
        if (pass_.source.tally) count_balls();
        RasterNodeBuilder node = graph_.raster("particles/balls", "balls");
        color_ = node.color(color_, loaded());
        depth_ = node.depth(depth_, loaded());
        node.state().topology = Topology::triangle_strip;
        set_view(node);
        node.set("radius", pass_.source.radius);
        node.set("brightest", pass_.brightest);
        node.set("color_by", static_cast<std::uint32_t>(pass_.color));
        node.read_optional("lives",
                           pass_.color == ParticleColor::age ? pass_.source.lives : Buffer{});
        node.read("positions", pass_.source.positions);
        node.read("velocities", pass_.source.velocities);
        if (pass_.source.tally)
            node.draw_indirect(arguments_, 0, 1);
        else
            node.draw({.count = kCornersOfBall, .instance_count = pass_.source.count});
    }

    Graph& graph_;
    const DrawParticles& pass_;
    const Camera& camera_;
    glm::mat4 view_projection_;
    Image color_;
    Image depth_;
    Buffer arguments_; ///< of the draw, where the number of particles is on the device
};

bool has_lives(Graph& graph, const DrawParticles& pass) {
    if (pass.color != ParticleColor::age || pass.source.lives) return true;
    graph.error("particles/no-lives", "\"color\" is the age, but the particles have no ages",
                "set a \"capacity\" of the emitter in particles/simulate, or choose another color");
    return false;
}

} // namespace

void DrawParticles::describe(PassInfo<DrawParticles>& info) {
    info.summary("Draws particles as spheres on a floor, colored by their speed or age")
        .details("Each particle is a square that faces the camera; each pixel of it intersects a "
                 "ray with the sphere. The obstacle and the floor are drawn the same way. The sun "
                 "shines from the upper left and the obstacle casts a shadow. Particles with many "
                 "contacts, inside a pile, are darker.")
        .source("Buck and Purcell, \"A Toolkit for Computation on GPUs\", GPU Gems, chapter 37, "
                "2004")
        .complexity("O(particles + texels)")
        .cost([](const DrawParticles& pass, const Graph&) {
            const double texels =
                static_cast<double>(pass.width) * pass.height * (pass.smooth ? 4.0 : 1.0);
            return Cost{.bytes = 32.0 * pass.source.count + 12.0 * texels,
                        .operations = 200.0 * pass.source.count + 100.0 * texels};
        });
    info.input("source", &DrawParticles::source, "the particles");
    info.parameter("width", &DrawParticles::width, "width of the picture")
        .range(1, kMaxSide)
        .unit("texels")
        .structural();
    info.parameter("height", &DrawParticles::height, "height of the picture")
        .range(1, kMaxSide)
        .unit("texels")
        .structural();
    info.parameter("smooth", &DrawParticles::smooth,
                   "renders at twice the size and reduces, for smooth edges")
        .structural();
    info.group("camera", &DrawParticles::camera);
    info.group("box", &DrawParticles::box);
    info.group("sphere", &DrawParticles::sphere);
    info.parameter("color", &DrawParticles::color, "what the color shows");
    info.parameter("brightest", &DrawParticles::brightest,
                   "speed, number of contacts or age in seconds that gets the last color")
        .range(1e-6, kFarthest);
    info.output("result", &DrawParticles::result, "the picture, rgba16_sfloat, linear light");
}

void DrawParticles::build(Graph& graph) {
    if (!is_valid(graph, source) || !is_valid(graph, box, 0.0f) || !has_lives(graph, *this)) return;
    const std::optional<Camera> view = checked_camera(graph, *this);
    if (!view) return;
    result = Picture(graph, *this, *view).draw();
}

TUFF_PASS(DrawParticles)

} // namespace tuff::passes
