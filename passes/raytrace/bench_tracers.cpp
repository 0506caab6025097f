#include "apps/bench/checks.hpp"
#include "passes/bvh/implicit_build.hpp"
#include "passes/bvh/lbvh_build.hpp"
#include "passes/bvh/restructure_treelets.hpp"
#include "passes/bvh/sah_build.hpp"
#include "passes/bvh/statistics.hpp"
#include "passes/geometry/triangles.hpp"
#include "passes/raytrace/heat_map.hpp"
#include "passes/raytrace/path_trace.hpp"
#include "passes/raytrace/whitted.hpp"

#include <fmt/format.h>
#include <glm/gtc/matrix_transform.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// Whole pictures of the arcade by tracer and hierarchy. A size is pixels of a picture of 16:9:
/// 129600 is 480 x 270, 921600 is 1280 x 720, 2073600 is 1920 x 1080.
namespace tuff::bench {
namespace {

using passes::Bvh;
using passes::TriangleMesh;

enum class TracedBy : std::uint8_t { lbvh, heap, quality, sah };
constexpr std::array<std::string_view, 4> kTracedByNames = {"lbvh", "heap", "quality", "sah"};
constexpr std::uint32_t kArcadeSeed = 1;

Bvh hierarchy(Graph& graph, TracedBy builder, const Scene& scene, const TriangleMesh& mesh) {
    switch (builder) {
    case TracedBy::lbvh: return graph.add(passes::LbvhBuild{.mesh = mesh, .bvh = {}}).bvh;
    case TracedBy::heap: return graph.add(passes::ImplicitBuild{.mesh = mesh, .bvh = {}}).bvh;
    case TracedBy::quality: return graph.add(passes::QualityBuild{.mesh = mesh, .bvh = {}}).bvh;
    case TracedBy::sah:
        return graph.add(passes::SahBuild{.scene = scene, .mesh = mesh, .bvh = {}}).bvh;
    }
    return {};
}

/// How many paths go on after each bounce of the tracer `scope`: the lengths of its queues.
std::vector<Buffer> queue_lengths(const Graph& graph, std::string_view scope) {
    std::vector<Buffer> lengths;
    const GraphDesc& all = graph.peek();
    for (std::uint32_t i = 0; i < all.versions.size(); ++i) {
        const VersionDesc& version = all.versions[i];
        const std::string_view name = all.name(all.resources[version.resource.index].name);
        if (version.writer && !version.next && name.starts_with(scope) &&
            name.ends_with("/kept_count"))
            lengths.push_back({.version = VersionId{i}});
    }
    return lengths;
}

/// How far the colours of two hierarchies may be apart: hits are the same, and so is what is made
/// of them. On llvmpipe alone the last bits depend on what memory held before: with it filled
/// (`tuff run --poison`) pictures are equal, as SwiftShader's always are.
float apart_on(const DeviceCaps& caps) {
    return caps.name.contains("llvmpipe") ? 0x1p-20f : 0.0f;
}

/// The same picture as by another hierarchy, and one on which there is something.
Verdict same_pictures(const HostImage& got, const HostImage& by_another, float apart) {
    if (got.texels.empty() || got.extent != by_another.extent)
        return std::unexpected("there is no picture");
    for (std::uint32_t y = 0; y < got.extent.height; ++y)
        for (std::uint32_t x = 0; x < got.extent.width; ++x) {
            const auto a = got.texel(x, y);
            const auto b = by_another.texel(x, y);
            for (std::size_t c = 0; c < 3; ++c)
                if (!(std::abs(a[c] - b[c]) <= apart * (1.0f + std::abs(b[c]))))
                    return std::unexpected(
                        fmt::format("pixel {}, {} is {}, but {} by another way", x, y, a[c], b[c]));
        }
    double sum = 0.0;
    for (std::uint32_t y = 0; y < got.extent.height; ++y)
        for (std::uint32_t x = 0; x < got.extent.width; ++x)
            sum += static_cast<double>(got.texel(x, y)[1]);
    const double mean = sum / got.extent.width / got.extent.height;
    if (mean > 0.02 && mean < 10.0) return {};
    return std::unexpected(fmt::format("the picture's mean is {}", mean));
}

/// A tracer that looks into the arcade; a pixel of 16 to 9 an element.
template <typename Tracer>
Tracer arcade_view(const CaseBuilder& c, const Scene& scene) {
    const auto height = std::max(
        1u, static_cast<std::uint32_t>(std::sqrt(static_cast<double>(c.size()) * 9.0 / 16.0)));
    Tracer tracer;
    tracer.scene = scene;
    tracer.width = static_cast<std::uint32_t>(c.size() / height);
    tracer.height = height;
    tracer.camera.mode = passes::CameraMode::free;
    tracer.camera.position = {1.2f, 1.7f, 11.0f};
    tracer.camera.target = {-0.6f, 2.2f, 0.0f};
    tracer.camera.vertical_fov = 55.0f;
    return tracer;
}

template <typename Tracer>
void trace_arcade(CaseBuilder& c, TracedBy builder) {
    const Scene scene = add_scene(c.graph(), "arcade", pack_scene(make_arcade(kArcadeSeed)));
    const TriangleMesh mesh = c.graph().add(passes::Triangles{.scene = scene, .mesh = {}}).mesh;
    auto tracer = arcade_view<Tracer>(c, scene);
    const auto trace = [&](TracedBy by, std::string_view name) {
        tracer.bvh = hierarchy(c.graph(), by, scene, mesh);
        return c.graph().add(tracer, name).color;
    };
    const Image picture = trace(builder, "trace");
    const Bvh bvh = tracer.bvh;
    c.output("picture", picture);
    c.output("another",
             trace(builder == TracedBy::lbvh ? TracedBy::heap : TracedBy::lbvh, "another"));
    c.output("statistics", c.graph().add(passes::MeasureBvh{.bvh = bvh, .result = {}}).result);
    passes::HeatMap heat;
    heat.scene = scene;
    heat.bvh = bvh;
    heat.width = tracer.width;
    heat.height = tracer.height;
    heat.camera = tracer.camera;
    c.output("work", c.graph().add(heat).work);
    const std::vector<Buffer> lengths = queue_lengths(c.graph(), "trace/");
    for (std::size_t i = 0; i < lengths.size(); ++i)
        c.output(fmt::format("rays {}", i), lengths[i]);
    c.time_only("trace/");
    tracer.bvh = bvh;
    c.set_cost(cost_of(tracer, c.graph()));
    const std::uint64_t pixels = std::uint64_t{tracer.width} * tracer.height;
    c.check([=, queues = lengths.size(),
             apart = apart_on(c.caps())](CaseResults& results) -> Verdict {
        std::uint64_t rays = pixels;
        for (std::size_t i = 0; i < queues; ++i)
            for (const std::uint32_t length :
                 results.read<std::uint32_t>(fmt::format("rays {}", i)))
                rays += length;
        double boxes = 0.0;
        double triangles = 0.0;
        for (const glm::uvec2 tests : results.read<glm::uvec2>("work")) {
            boxes += tests.x;
            triangles += tests.y;
        }
        const auto statistics = results.read<passes::BvhStatistics>("statistics");
        if (statistics.empty() || rays == pixels) return std::unexpected("no ray is reflected");
        const auto of_pixels = static_cast<double>(pixels);
        results.set_remark(fmt::format(
            "{:.3g} M rays/s beside shadow rays, {:.2f} a pixel; a primary ray: {:.1f} boxes, "
            "{:.1f} triangles; SAH cost {:.1f}",
            static_cast<double>(rays) / 1e3 / results.milliseconds(),
            static_cast<double>(rays) / of_pixels, boxes / of_pixels, triangles / of_pixels,
            static_cast<double>(statistics[0].cost)));
        return same_pictures(results.read_image("picture"), results.read_image("another"), apart);
    });
}

/// With a point, a spot and a rectangle of 16 parts: 18 shadow rays a hit beside the sun's.
void trace_lights(CaseBuilder& c) {
    const Scene scene = add_scene(c.graph(), "arcade", pack_scene(make_arcade(kArcadeSeed)));
    const TriangleMesh mesh = c.graph().add(passes::Triangles{.scene = scene, .mesh = {}}).mesh;
    auto tracer = arcade_view<passes::TraceWhitted>(c, scene);
    tracer.bounces = 1;
    const passes::MakeRayLight lights[] = {
        {.position = {0, 2.5f, 4}},
        {.kind = passes::LightKind::spot, .position = {1, 3, 8}, .direction = {0, -1, -1}},
        {.kind = passes::LightKind::rectangle, .position = {0, 3, 0}, .size = {1, 2}}};
    for (const passes::MakeRayLight& light : lights)
        tracer.lights.push_back(c.graph().add(light).light);
    const auto trace = [&](TracedBy by, std::string_view name) {
        tracer.bvh = hierarchy(c.graph(), by, scene, mesh);
        return c.graph().add(tracer, name).color;
    };
    c.output("picture", trace(TracedBy::lbvh, "trace"));
    c.output("another", trace(TracedBy::heap, "another"));
    c.time_only("trace/");
    c.set_cost(cost_of(tracer, c.graph()));
    c.check([apart = apart_on(c.caps())](CaseResults& results) {
        return same_pictures(results.read_image("picture"), results.read_image("another"), apart);
    });
}

/// All stone half there: shadow rays walk through layers.
void trace_see_through(CaseBuilder& c) {
    SceneData data = make_arcade(kArcadeSeed);
    data.materials.front().alpha_mode = AlphaMode::blend;
    data.materials.front().base_color.a = 0.5f;
    const Scene scene = add_scene(c.graph(), "arcade", pack_scene(std::move(data)));
    const TriangleMesh mesh = c.graph().add(passes::Triangles{.scene = scene, .mesh = {}}).mesh;
    auto tracer = arcade_view<passes::TraceWhitted>(c, scene);
    const auto trace = [&](TracedBy by, std::string_view name) {
        tracer.bvh = hierarchy(c.graph(), by, scene, mesh);
        return c.graph().add(tracer, name).color;
    };
    c.output("picture", trace(TracedBy::lbvh, "trace"));
    c.output("another", trace(TracedBy::heap, "another"));
    c.time_only("trace/");
    c.set_cost(cost_of(tracer, c.graph()));
    c.check([apart = apart_on(c.caps())](CaseResults& results) {
        return same_pictures(results.read_image("picture"), results.read_image("another"), apart);
    });
}

/// Strips of a floor that the camera of the arcade looks along, each with a texture of its own.
SceneData many_textures(std::uint32_t count) {
    constexpr std::uint32_t kTexels = 64;
    const SceneData plane = make_plane({0.25f, 30.0f});
    std::vector<ScenePart> parts;
    for (std::uint32_t i = 0; i < count; ++i) {
        SceneData strip = plane;
        HostImage image = make_image(Format::rgba8_srgb, {kTexels, kTexels, 1});
        for (std::uint32_t t = 0; t < kTexels * kTexels; ++t)
            for (std::uint32_t c = 0; c < 4; ++c)
                image.texels[4 * t + c] =
                    static_cast<std::byte>(c == 3 ? 255u : (t * (i + 3) * (c + 1)) >> 4u & 0xffu);
        strip.images.push_back(std::move(image));
        SceneTexture texture{.image = 0, .sampler = {}, .srgb = true};
        texture.sampler.address_u = texture.sampler.address_v = AddressMode::repeat;
        strip.textures.push_back(texture);
        strip.materials.front().roughness = 0.3f;
        strip.materials.front().base_color_texture = {.matrix = {1, 0, 0, 120}, .texture = 0};
        const float x = 0.25f * (static_cast<float>(i) - 0.5f * static_cast<float>(count));
        parts.push_back({.scene = std::make_shared<const SceneData>(std::move(strip)),
                         .placement = glm::translate(glm::mat4(1.0f), {x, 0.02f, 0.0f})});
    }
    auto merged = merge_scenes(parts);
    return merged ? std::move(*merged) : SceneData{};
}

/// A hundred textures: as many passes as the device needs, and a material at a time.
void trace_textures(CaseBuilder& c) {
    const Scene scene = add_scene(c.graph(), "strips", pack_scene(many_textures(100)));
    const TriangleMesh mesh = c.graph().add(passes::Triangles{.scene = scene, .mesh = {}}).mesh;
    auto tracer = arcade_view<passes::TraceWhitted>(c, scene);
    tracer.bounces = 1;
    tracer.bvh = hierarchy(c.graph(), TracedBy::lbvh, scene, mesh);
    c.output("picture", c.graph().add(tracer, "trace").color);
    c.time_only("trace/");
    c.set_cost(cost_of(tracer, c.graph()));
    tracer.materials = passes::MaterialPasses::each;
    c.output("another", c.graph().add(tracer, "another").color);
    c.check([apart = apart_on(c.caps())](CaseResults& results) {
        return same_pictures(results.read_image("picture"), results.read_image("another"), apart);
    });
}

} // namespace

void add_raytrace_tracers_cases(CaseList& cases) {
    // On a software device most of a case's time goes into hierarchies of 260,000 triangles.
    for (const TracedBy builder :
         {TracedBy::lbvh, TracedBy::heap, TracedBy::quality, TracedBy::sah}) {
        const auto add = [&](std::string_view pass, void (*build)(CaseBuilder&, TracedBy)) {
            cases.add({.pass = std::string(pass),
                       .name = fmt::format("arcade by {}",
                                           kTracedByNames[static_cast<std::size_t>(builder)]),
                       .build = [=](CaseBuilder& c) { build(c, builder); },
                       .least = std::uint64_t{1} << 10,
                       .most = std::uint64_t{1} << 23,
                       .most_on_software = std::uint64_t{1} << 14});
        };
        add(passes::TraceWhitted::kName, trace_arcade<passes::TraceWhitted>);
        add(passes::PathTrace::kName, trace_arcade<passes::PathTrace>);
    }
    cases.add({.pass = std::string(passes::TraceWhitted::kName),
               .name = "arcade of stone that is seen through by LBVH",
               .build = trace_see_through,
               .least = std::uint64_t{1} << 10,
               .most = std::uint64_t{1} << 23,
               .most_on_software = std::uint64_t{1} << 13});
    cases.add({.pass = std::string(passes::TraceWhitted::kName),
               .name = "a hundred textures by LBVH",
               .build = trace_textures,
               .least = std::uint64_t{1} << 10,
               .most = std::uint64_t{1} << 23,
               .most_on_software = std::uint64_t{1} << 13});
    cases.add({.pass = std::string(passes::TraceWhitted::kName),
               .name = "arcade in three lights by LBVH",
               .build = trace_lights,
               .least = std::uint64_t{1} << 10,
               .most = std::uint64_t{1} << 23,
               .most_on_software = std::uint64_t{1} << 13});
}

} // namespace tuff::bench
