#include "passes/raytrace/path_trace.hpp"

#include "passes/raytrace/digest.hpp"
#include "passes/raytrace/emitters.hpp"

#include <glm/trigonometric.hpp>
#include <glm/vec2.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxSamples = 1024;
/// How many more things a path finds behind its last bounce, if that was seen through: a closed
/// pane has two faces, and something behind them may shine.
constexpr std::uint32_t kLooks = 2;

/// A number for all parameters that a picture depends on: FNV-1a over the bits of what is added.
class PictureKey {
  public:
    void add(std::uint32_t word) {
        for (int byte = 0; byte < 4; ++byte)
            hash_ = (hash_ ^ (word >> (8 * byte) & 0xffu)) * 0x100000001b3ull;
    }
    void add(float number) { add(std::bit_cast<std::uint32_t>(number)); }
    void add(glm::vec3 v) {
        for (int c = 0; c < 3; ++c)
            add(v[c]);
    }
    glm::uvec2 words() const {
        return {static_cast<std::uint32_t>(hash_), static_cast<std::uint32_t>(hash_ >> 32)};
    }

  private:
    std::uint64_t hash_ = 0xcbf29ce484222325ull;
};

glm::uvec2 key_of(const PathTrace& pass, const TracerSetup& setup) {
    PictureKey key;
    const Camera& camera = setup.camera.camera;
    for (const glm::vec3 v : {camera.position, camera.target, camera.up, pass.sun.color,
                              pass.ambient, pass.background, setup.around.scale})
        key.add(v);
    for (const float number :
         {camera.vertical_fov, camera.orthographic_height, camera.near_plane, pass.lens.radius,
          pass.lens.focus, pass.sun.azimuth, pass.sun.elevation, pass.sun.intensity, pass.sun.size,
          pass.roughness_scale, pass.specular, pass.limit, setup.around.map.rotation})
        key.add(number);
    for (const std::uint32_t word :
         {static_cast<std::uint32_t>(camera.kind), static_cast<std::uint32_t>(pass.texture_levels),
          pass.bounces, pass.roulette_from, std::uint32_t(pass.show_environment),
          std::uint32_t(pass.shadows), std::uint32_t(pass.jitter), std::uint32_t(pass.emitters)})
        key.add(word);
    for (const std::uint32_t word : pass.shapes.settings)
        key.add(word);
    return key.words();
}

/// What is kept of a picture from one execution to the next, as in raytrace/begin.comp.
struct KeptSamples {
    std::uint32_t samples = 0;
    std::array<std::uint32_t, 2> key{}; ///< of what they are samples of
    std::uint32_t unused = 0;

    static constexpr std::string_view kStructName = "KeptSamples";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(KeptSamples, samples), TUFF_MEMBER(KeptSamples, key),
                          TUFF_MEMBER(KeptSamples, unused)};
    }
};

struct Frame {
    Buffer before; ///< one word: samples that there are before this execution
    Buffer after;  ///< `KeptSamples`
};

/// There are no samples before where anything has changed.
Frame begin_frame(Graph& graph, const PathTrace& pass, const TracerSetup& setup) {
    const BufferDesc kept{.size = sizeof(KeptSamples), .stride = 4};
    const BufferHistory memory = graph.history_buffer("samples", kept);
    const Buffer digest = digest_of(graph, setup);
    ComputeNodeBuilder node = graph.compute("raytrace/begin");
    node.read("before", memory.previous[0]);
    node.read("digest", digest);
    node.set("key", key_of(pass, setup));
    node.set("samples", pass.samples);
    node.set("reset", std::uint32_t(pass.reset));
    node.match<KeptSamples>("before");
    node.match<KeptSamples>("after");
    Frame frame;
    frame.before = node.write("frame", array(graph, "frame", 1));
    frame.after = node.write("after", graph.buffer("now", kept));
    node.dispatch(1);
    (void)graph.copy(frame.after, memory.current, "keep_samples");
    return frame;
}

} // namespace

void PathTrace::describe(PassInfo<PathTrace>& info) {
    info.summary("Path-traces global illumination, which improves with each execution")
        .details(
            "An execution traces \"samples\" paths a pixel. The result is the mean of all paths "
            "since the last change of the camera, the lights, any other parameter, or the contents "
            "of the scene's buffers, its textures, the hierarchy's triangles or the environment; "
            "\"reset\" also starts again. Runs are the same to the bit for any scheduling, because "
            "random numbers depend only on slot, bounce and sample.\n\nA path scatters up to "
            "\"bounces\" times: by the cosine on matt surfaces, by visible microfacets on shiny "
            "surfaces, and as a mirror below roughness 0.01. From bounce \"roulette_from\" on, "
            "dark paths end by Russian roulette. At each surface one light is sampled directly: "
            "the sun, or a direction of the environment by its brightness, with multiple "
            "importance sampling (power heuristic). Points on emissive triangles are sampled too, "
            "by the triangles' power, if their emission is even; scattered rays find the light of "
            "other emissive materials.\n\n\"lens\" gives depth of field. \"limit\" bounds the "
            "indirect light of one path, which removes single bright pixels and some light. "
            "Textures are looked up by ray cones, as in raytrace/whitted; the cones of the n-th "
            "sample are 1 / sqrt(n) as wide, so first pictures flicker less and no blur is left in "
            "the end.\n\nFaces are visible from both sides. Masked and blended materials are "
            "passed by chance, which counts as a bounce. Behind the last bounce a path still finds "
            "emission through one more such surface, and the environment through any number of "
            "them. Shadow rays pass such materials and lose the share that they block.\n\nThe "
            "chapter scatters over the whole sphere and has no probability densities, which loses "
            "half of the paths and darkens the rest; here the furnace test holds.")
        .source("Garcia, Avila, Ribeiro and Garcia, \"Stackless LBVH and global illumination\", "
                "GPU Pro 4, 2013; Kajiya, \"The Rendering Equation\", SIGGRAPH 1986")
        .complexity("O(pixels * samples * bounces * log triangles)")
        .cost([](const PathTrace& pass, const Graph&) {
            const double rays =
                static_cast<double>(pass.width) * pass.height * pass.samples * (pass.bounces + 1);
            return Cost{.bytes = 400.0 * rays, .operations = 3000.0 * rays};
        });
    describe_tracer(info);
    describe_shapes(info);
    info.group("lens", static_cast<LensParameters PathTrace::*>(&TracerParameters::lens));
    info.parameter("samples", &PathTrace::samples, "paths for each pixel in an execution")
        .range(1, kMaxSamples)
        .structural();
    info.parameter("roulette_from", &PathTrace::roulette_from,
                   "bounce from which dark paths may end by Russian roulette")
        .range(0, kMaxBounces);
    info.parameter("limit", &PathTrace::limit,
                   "greatest radiance that the indirect light of a path adds; 0: no limit")
        .range(0.0, 65504.0);
    info.parameter("jitter", &PathTrace::jitter,
                   "jitters rays within their pixels, which smooths edges");
    info.parameter("emitters", &PathTrace::emitters,
                   "samples emissive triangles as lights; without it, scattered rays find the same "
                   "light with more noise")
        .structural();
    info.parameter("reset", &PathTrace::reset, "starts again in every execution");
    info.output("color", &PathTrace::color, "scene-linear, rgba32_sfloat");
    info.output("count", &PathTrace::count, "the first word: samples a pixel so far")
        .elements<KeptSamples>();
}

void PathTrace::build(Graph& graph) {
    auto setup = set_up(graph, scene, bvh, environment, *this);
    if (!setup || !add_shapes(graph, *setup, shapes)) return;
    setup->camera.within = jitter ? PixelSample::anywhere : PixelSample::middle;
    Tracing& tracing = setup->tracing;
    warn_of_ended_loops(graph, tracing.bvh, traversal);
    const Frame frame = begin_frame(graph, *this, *setup);
    tracing.frame = frame.before;
    count = frame.after;
    const bool lit_by_map = !setup->around.even;
    const Buffer sums = lit_by_map ? environment_sums(graph, setup->around.map.panorama) : Buffer{};

    const TriangleMesh& mesh = tracing.bvh.mesh;
    const bool lit_by_emitters = emitters && mesh.triangle_count > 0 && has_emitters(*scene.data);
    LightSums lights{.sums = sums};
    if (lit_by_emitters) lights = with_emitters(graph, sums, scene, mesh);

    const auto trace_sample = [&](const Paths& before, std::uint32_t sample) {
        const Shader shader{.kernel = "raytrace/shade_path", .bind = [&](ComputeNodeBuilder& node) {
                                bind_shading(node, *this, setup->around);
                                node.specialize("lit_by_map", std::uint32_t(lit_by_map));
                                node.specialize("lit_by_emitters", std::uint32_t(lit_by_emitters));
                                node.read_optional("environment_sums", lights.sums);
                                node.set("emitter_offset", lights.emitter_offset);
                                node.set("emitter_triangles", mesh.triangle_count);
                                node.read("frame", tracing.frame);
                                node.set("sample_offset", sample);
                                node.set("sun_radius", std::tan(0.5f * glm::radians(sun.size)));
                                node.set("bounces", bounces);
                                node.set("roulette_from", roulette_from);
                                node.set("limit", limit);
                            }};
        const Paths begun = begin_paths(graph, tracing, setup->camera, sample, before);
        const std::uint32_t last = bounces + (tracing.see_through ? kLooks : 0);
        return graph.repeat(
            "bounce", last + 1, begun, [&](const Paths& paths, std::uint32_t bounce) {
                return trace_bounce(graph, tracing, paths, shader,
                                    {.bounce = bounce, .last = last, .lit = bounce <= bounces});
            });
    };
    const Paths paths = graph.repeat("sample", samples, Paths{}, trace_sample);

    const ImageHistory memory = graph.history_image("mean", picture_desc(*this));
    ComputeNodeBuilder node = graph.compute("raytrace/accumulate");
    node.read("paths", paths.paths);
    node.read("frame", tracing.frame);
    node.read("before", memory.previous[0], Sampler::nearest());
    node.set("size", glm::uvec2(width, height));
    node.set("tiles_per_row", setup->camera.size.tiles_per_row());
    node.set("slots", tracing.slots);
    node.set("samples", samples);
    (void)node.write("after", memory.current);
    color = node.write("result", graph.image("color", picture_desc(*this)));
    node.dispatch_each(tracing.slots);
}

TUFF_PASS(PathTrace)

} // namespace tuff::passes
