#include "passes/scene/environment.hpp"

#include "passes/scene/scene_draws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMinSize = 16;
constexpr std::uint32_t kMaxSize = 1024;
constexpr std::uint32_t kMinSamples = 16;
constexpr std::uint32_t kMaxFilterSamples = 1024;
constexpr double kMaxRotation = 3600.0; // ten turns either way, for animations
constexpr double kMaxIntensity = 65504.0;

/// The side of the last level. Coarser ones would show their few texels; at roughness 1 the lobe is
/// as wide as three of these.
constexpr std::uint32_t kLastSide = 4;
constexpr std::uint32_t kDfgSide = 64;
constexpr std::uint32_t kMaxIrradianceGroups = 128;
constexpr std::uint64_t kVec4Bytes = 16;

std::uint32_t level_count(std::uint32_t size) {
    return static_cast<std::uint32_t>(std::countr_zero(size) - std::countr_zero(kLastSide)) + 1;
}

/// A level has a quarter of the texels of the one before: it can afford twice the samples, and
/// needs them for its wider lobe.
std::uint32_t sample_count(std::uint32_t samples, std::uint32_t level) {
    return std::min(samples << (level - 1), kMaxFilterSamples);
}

ImageDesc cube_desc(std::uint32_t size, std::uint32_t levels) {
    return {.format = Format::rgba16_sfloat,
            .extent = {size, size, 1},
            .mips = levels,
            .layers = 6,
            .shape = ImageShape::cube};
}

/// One invocation per texel of a cube's level.
void dispatch_over_faces(ComputeNodeBuilder& node, std::uint32_t size, std::uint32_t level) {
    const std::uint32_t side = size >> level;
    node.dispatch_over({side, side, 6});
}

/// The panorama as a cube, with all of its levels down to one texel a face.
struct Projected {
    Image radiance;
    Image specular; ///< with its first level filled
};
Projected add_radiance(Graph& graph, Image panorama, Image specular, std::uint32_t size) {
    const std::uint32_t levels = full_mip_count({size, size, 1});
    Image cube = graph.image("radiance", cube_desc(size, levels));
    ComputeNodeBuilder project = graph.compute("scene/environment_cube", "project");
    project.read("panorama", ImageView(panorama).mip(0), Sampler::nearest());
    cube = project.write("cube", mip(cube, 0));
    specular = project.write("mirror", mip(specular, 0));
    dispatch_over_faces(project, size, 0);
    for (std::uint32_t level = 1; level < levels; ++level) {
        ComputeNodeBuilder halve =
            graph.compute("scene/environment_halve", fmt::format("halve[{}]", level));
        halve.read("finer", mip(cube, level - 1), Sampler::nearest());
        cube = halve.write("coarser", mip(cube, level));
        dispatch_over_faces(halve, size, level);
    }
    return {cube, specular};
}

/// The directions of a level's lobe.
Buffer add_lobe(Graph& graph, std::uint32_t size, std::uint32_t count, float roughness,
                std::uint32_t level) {
    ComputeNodeBuilder node =
        graph.compute("scene/environment_lobe", fmt::format("lobe[{}]", level));
    node.set("alpha", roughness * roughness);
    node.set("side", static_cast<std::int32_t>(size));
    const Buffer lobe = graph.buffer(
        fmt::format("lobe[{}]", level),
        {.size = count * kVec4Bytes, .stride = static_cast<std::uint32_t>(kVec4Bytes)});
    node.dispatch_over({count});
    return node.write("lobe", lobe);
}

/// Fills the levels after the mirror.
Image add_prefiltered(Graph& graph, Image radiance, Image specular, std::uint32_t size,
                      std::uint32_t samples) {
    const std::uint32_t levels = graph.desc(specular).mips;
    for (std::uint32_t level = 1; level < levels; ++level) {
        const float roughness = static_cast<float>(level) / static_cast<float>(levels - 1);
        const Buffer lobe = add_lobe(graph, size, sample_count(samples, level), roughness, level);
        ComputeNodeBuilder node =
            graph.compute("scene/environment_prefilter", fmt::format("prefilter[{}]", level));
        specialize_cube_lookups(graph, node);
        node.read("radiance", radiance);
        node.read("lobe", lobe);
        specular = node.write("prefiltered", mip(specular, level));
        dispatch_over_faces(node, size, level);
    }
    return specular;
}

Buffer add_irradiance(Graph& graph, Image panorama, Buffer irradiance) {
    const std::uint32_t groups = std::min(graph.extent(panorama).height, kMaxIrradianceGroups);
    Buffer partials = graph.buffer("partials", {.size = groups * 9 * kVec4Bytes});
    ComputeNodeBuilder rows = graph.compute("scene/environment_irradiance", "irradiance_rows");
    rows.read("panorama", ImageView(panorama).mip(0), Sampler::nearest());
    partials = rows.write("partials", partials);
    rows.dispatch(groups);
    ComputeNodeBuilder sum = graph.compute("scene/environment_irradiance_sum", "irradiance_sum");
    sum.set("groups", groups);
    sum.read("partials", partials);
    irradiance = sum.write("irradiance", irradiance);
    sum.dispatch(1);
    return irradiance;
}

} // namespace

void Environment::describe(PassInfo<Environment>& info) {
    info.summary("Makes image-based lighting from a panorama")
        .details(
            "The panorama is equirectangular: +y is up, the center looks along -z, and columns go "
            "to the right as seen from inside. It covers the whole sphere whatever its aspect; a "
            "single texel is even light. The result holds a cube prefiltered by GGX lobes for "
            "reflections, nine spherical-harmonic coefficients for diffuse light, and the table of "
            "the split sum; shaders/include/scene/environment.glsl has the lookups.\n\nEach texel "
            "of the cube is the mean of the panorama over the texel's solid angle, so a sun of one "
            "texel loses no light in a small cube. Reflections use filtered importance sampling, "
            "which reads larger areas for less likely directions: suns make no fireflies, but look "
            "slightly too wide at low roughness. A texel of the cube holds at most 65504, which "
            "dims the reflection of a brighter sun; diffuse light is computed from the panorama "
            "itself and keeps all of it. Degree 2 of the harmonics blurs diffuse light by 1 "
            "percent in natural environments, and by more under a single small lamp.\n\nNaN and "
            "negative texels count as 0, infinite texels as 65504, and finite texels are clamped "
            "to 16777216. Rotation and intensity are applied at lookup: changing them repeats no "
            "filtering.")
        .source("Karis, \"Real Shading in Unreal Engine 4\", SIGGRAPH 2013 courses; Krivanek and "
                "Colbert, \"Real-time Shading with Filtered Importance Sampling\", EGSR 2008; "
                "Ramamoorthi and Hanrahan, \"An Efficient Representation for Irradiance "
                "Environment Maps\", SIGGRAPH 2001")
        .complexity("O(texels of the panorama + size^2 * samples)")
        .cost([](const Environment& pass, const Graph& graph) -> Cost {
            if (!pass.panorama || !pass.environment) return {};
            const ImageDesc& source = graph.desc(pass.panorama);
            const double texels = static_cast<double>(source.extent.width) * source.extent.height;
            const double face_texels = 6.0 * pass.size * pass.size;
            // A cube with its levels has 4/3 of its texels, 8 bytes each, and is written twice.
            // Level k holds 4^-k of the texels and takes 2^(k-1) times the samples: half as many
            // lookups as there are texels in the first level, all in all. A lookup of a cube with
            // eight texels blended costs about 60 operations.
            return {.bytes = 2.0 * texels * tuff::info(source.format).texel_bytes +
                             2.0 * 4.0 / 3.0 * face_texels * 8.0,
                    .operations = 200.0 * texels +
                                  0.5 * face_texels * static_cast<double>(pass.samples) * 60.0};
        });
    info.input("panorama", &Environment::panorama,
               "equirectangular picture, scene-linear color, Rec. 709 primaries")
        .picture();
    info.parameter("size", &Environment::size,
                   "side of the faces of the reflection cube, a power of two; levels halve down to "
                   "4")
        .range(kMinSize, kMaxSize)
        .unit("texels")
        .structural();
    info.parameter("samples", &Environment::samples,
                   "sample directions of the lobe for the first level after the mirror; each "
                   "further level takes twice as many, at most 1024")
        .range(kMinSamples, kMaxFilterSamples)
        .structural();
    info.parameter("rotation", &Environment::rotation,
                   "rotates the environment about +y, counter-clockwise as seen from above")
        .range(-kMaxRotation, kMaxRotation)
        .unit("degrees");
    info.parameter("intensity", &Environment::intensity, "multiplies the light")
        .range(0.0, kMaxIntensity);
    info.output("environment", &Environment::environment, "the light, ready for lookups");
}

void Environment::build(Graph& graph) {
    if (!std::has_single_bit(size)) {
        graph.error("pass/not-power-of-two",
                    fmt::format("parameter \"size\" is {}, not a power of two", size),
                    fmt::format("set it to {} or {}", std::bit_floor(size), std::bit_ceil(size)));
        return;
    }
    environment = {
        .panorama = panorama,
        .specular = graph.image("specular", cube_desc(size, level_count(size))),
        .irradiance = graph.buffer("irradiance", {.size = 9 * kVec4Bytes, .stride = kVec4Bytes}),
        .dfg =
            graph.image("dfg", {.format = Format::rg16_sfloat, .extent = {kDfgSide, kDfgSide, 1}}),
        .rotation = rotation,
        .intensity = intensity};

    const Projected projected = add_radiance(graph, panorama, environment.specular, size);
    environment.specular =
        add_prefiltered(graph, projected.radiance, projected.specular, size, samples);
    environment.irradiance = add_irradiance(graph, panorama, environment.irradiance);
    ComputeNodeBuilder table = graph.compute("scene/environment_dfg", "dfg");
    environment.dfg = table.write("dfg", environment.dfg);
    table.dispatch_over({kDfgSide, kDfgSide});
}

EnvironmentMap even_environment(Graph& graph) {
    return graph
        .add(Environment{.panorama = white_texel(graph), .size = 16, .samples = 16},
             "even_environment")
        .environment;
}

TUFF_PASS(Environment)

} // namespace tuff::passes
