#include "passes/occlusion/opacity.hpp"

#include "passes/volume/transfer.hpp"

namespace tuff::passes {
namespace {

constexpr std::uint32_t kTexelsAlongZ = 16; // of a group of shaders/occlusion/opacity.comp

Image under_transfer(Graph& graph, const SampledVolume& volume, const TransferFunction& points,
                     float unit, OcclusionPrecision precision, bool colors) {
    ComputeNodeBuilder node = graph.compute("occlusion/opacity");
    set_kept(node, precision);
    node.specialize("kColors", std::uint32_t{colors});
    bind_texels(node, volume);
    points.set(node);
    node.set("lengths", 1.0f / unit);
    const Format format = colors ? Format::rgba16_sfloat : format_of(precision);
    const Image result = node.write("result", volume_like(graph, colors ? "colors" : "opacity",
                                                          glm::ivec3(volume.dims), format));
    const auto groups = [](std::uint32_t texels, std::uint32_t of_group) {
        return (texels + of_group - 1) / of_group;
    };
    node.dispatch(groups(volume.dims.x, 8), groups(volume.dims.y, 8),
                  groups(volume.dims.z, kTexelsAlongZ));
    return result;
}

} // namespace

void OcclusionOpacity::describe(PassInfo<OcclusionOpacity>& info) {
    info.summary("Computes a volume of opacities with a transfer function, for ambient "
                 "occlusion")
        .details("The opacity of a texel is that of the transfer function at its number, "
                 "interpolated linearly between points, clamped to 0 to 1 and rounded to "
                 "\"precision\". NaN is transparent. The transfer function may change from "
                 "frame to frame. It is that of volume/cast, and \"unit\" has the same meaning.")
        .source("Kroes, Schut and Eisemann, \"Smooth Probabilistic Ambient Occlusion for Volume "
                "Rendering\", GPU Pro 6, 2015")
        .complexity("O(texels * points)")
        .cost([](const OcclusionOpacity& pass, const Graph& graph) {
            if (!pass.result) return Cost{};
            return Cost{.bytes =
                            volume_bytes(graph, pass.source) + volume_bytes(graph, pass.result),
                        .operations = 8.0 * volume_texels(graph, pass.result)};
        });
    info.input("source", &OcclusionOpacity::source,
               "a volume: a three-dimensional image of one to four numbers");
    info.parameter("number", &OcclusionOpacity::number,
                   "number of a texel to use: a channel, or the length of the vector")
        .structural();
    info.parameter(
        "transfer", &OcclusionOpacity::transfer,
        "1 to 64 points of five numbers: value, red, green, blue, opacity; linear in between; "
        "values ascend, and two equal values make a step");
    info.parameter("unit", &OcclusionOpacity::unit, "the length that opacities refer to")
        .range(1e-6, 1e6)
        .unit("texels");
    info.parameter("precision", &OcclusionOpacity::precision, "precision of the result")
        .structural();
    info.output("result", &OcclusionOpacity::result,
                "volume of the source's size, 0 (transparent) to 1");
}

void OcclusionOpacity::build(Graph& graph) {
    const auto volume =
        sampled_volume(graph, source, {.number = number, .filter = VolumeFilter::nearest});
    const auto points = transfer_function(graph, transfer);
    if (!volume || !points) return;
    result = under_transfer(graph, *volume, *points, unit, precision, false);
}

void OcclusionColors::describe(PassInfo<OcclusionColors>& info) {
    info.summary("Computes a volume of colors with a transfer function, for light that a "
                 "volume scatters into its cavities")
        .details("Colors are linear and premultiplied by the opacity, which is stored with "
                 "them, so means over cells are weighted by it. NaN is transparent.")
        .source("Ropinski et al., \"Interactive Volume Rendering with Dynamic Ambient Occlusion "
                "and Color Bleeding\", Computer Graphics Forum 27(2), 2008")
        .complexity("O(texels * points)")
        .cost([](const OcclusionColors& pass, const Graph& graph) {
            if (!pass.result) return Cost{};
            return Cost{.bytes =
                            volume_bytes(graph, pass.source) + volume_bytes(graph, pass.result),
                        .operations = 8.0 * volume_texels(graph, pass.result)};
        });
    info.input("source", &OcclusionColors::source,
               "a volume: a three-dimensional image of one to four numbers");
    info.parameter("number", &OcclusionColors::number,
                   "number of a texel to use: a channel, or the length of the vector")
        .structural();
    info.parameter("transfer", &OcclusionColors::transfer,
                   "1 to 64 points of five numbers: value, red, green, blue, opacity, as in "
                   "occlusion/opacity");
    info.parameter("unit", &OcclusionColors::unit, "the length that opacities refer to")
        .range(1e-6, 1e6)
        .unit("texels");
    info.output("result", &OcclusionColors::result,
                "volume of the source's size, rgba16_sfloat: color times opacity, opacity");
}

void OcclusionColors::build(Graph& graph) {
    const auto volume =
        sampled_volume(graph, source, {.number = number, .filter = VolumeFilter::nearest});
    const auto points = transfer_function(graph, transfer);
    if (!volume || !points) return;
    result = under_transfer(graph, *volume, *points, unit, OcclusionPrecision::float16, true);
}

TUFF_PASS(OcclusionOpacity)
TUFF_PASS(OcclusionColors)

} // namespace tuff::passes
