#include "passes/volume/sampled_volume.hpp"

#include <fmt/format.h>
#include <glm/vec4.hpp>

#include <algorithm>
#include <cmath>
#include <span>

namespace tuff::passes {
namespace {

bool is_of_integers(Format format) {
    const NumericKind kind = info(format).kind;
    return kind == NumericKind::uint || kind == NumericKind::sint;
}

/// The reach of so many weights about the middle one.
std::optional<std::uint32_t> reach_of(std::size_t weights) {
    for (std::uint32_t reach = 0; reach <= 3; ++reach) {
        const std::size_t side = 2 * std::size_t{reach} + 1;
        if (weights == side * side * side) return reach;
    }
    return std::nullopt;
}

bool can_be_sampled(Graph& graph, const ImageDesc& desc, const SamplingParameters& parameters) {
    const FormatInfo& format = info(desc.format);
    if (desc.shape != ImageShape::d3 || format.depth) {
        graph.error(
            "volume/not-a-volume",
            fmt::format("input \"source\" is not a volume but a picture of format {}", format.name),
            "connect a three-dimensional image, such as an asset {\"volume\": \"file\"}");
        return false;
    }
    if (parameters.number != VolumeNumber::length &&
        static_cast<std::uint32_t>(parameters.number) >= format.channels) {
        graph.error(
            "volume/no-such-number",
            fmt::format("parameter \"number\" asks for channel {}, but the format is {}",
                        static_cast<int>(parameters.number), format.name),
            fmt::format("choose one of the {} channel(s), from \"red\" on", format.channels));
        return false;
    }
    if (parameters.weights.empty() || reach_of(parameters.weights.size())) return true;
    graph.error("volume/bad-weights",
                fmt::format("parameter \"weights\" has {} numbers", parameters.weights.size()),
                "give 1, 27, 125 or 343: of a cube of 1, 3, 5 or 7 texels a side");
    return false;
}

Image as_floats(Graph& graph, Image source) {
    const ImageDesc desc = graph.desc(source); // a copy: the graph grows below
    const FormatInfo& format = info(desc.format);
    ComputeNodeBuilder node =
        graph.compute("volume/integers_to_floats", {{"SIGNED", format.kind == NumericKind::sint}});
    node.read("source", source);
    const Image floats = node.write(
        "result", graph.image("floats", {.format = format.channels == 1 ? Format::r32_sfloat
                                                                        : Format::rgba32_sfloat,
                                         .extent = desc.extent,
                                         .shape = ImageShape::d3}));
    node.dispatch_over(desc.extent);
    return floats;
}

Buffer weights_of(Graph& graph, const std::vector<float>& weights) {
    ComputeNodeBuilder node = graph.compute("volume/filter_weights", "weights");
    std::vector<glm::vec4> fours((weights.size() + 3) / 4, glm::vec4(0.0f));
    for (std::size_t i = 0; i < weights.size(); ++i)
        fours[i / 4][static_cast<int>(i % 4)] = weights[i];
    node.set("count", static_cast<std::uint32_t>(weights.size()));
    node.set("values", std::span<const glm::vec4>(fours));
    const Buffer result =
        node.write("weights", graph.buffer("weights", {.size = 4 * weights.size(), .stride = 4}));
    node.dispatch_over({static_cast<std::uint32_t>(weights.size()), 1, 1});
    return result;
}

/// The numbers that are looked at, filtered: a volume of one channel.
SampledVolume filtered(Graph& graph, SampledVolume volume) {
    SampledVolume texels = volume;
    texels.filter = VolumeFilter::nearest;
    ComputeNodeBuilder node = graph.compute("volume/filter_volume", "filtered");
    bind_volume(node, texels);
    const Extent extent{volume.dims.x, volume.dims.y, volume.dims.z};
    volume.source = node.write("result", graph.image("filtered", {.format = Format::r32_sfloat,
                                                                  .extent = extent,
                                                                  .shape = ImageShape::d3}));
    node.dispatch_over(extent);
    volume.weights = {};
    volume.reach = 0;
    volume.number = 0;
    volume.channels = 1;
    return volume;
}

} // namespace

float SampledVolume::finest() const {
    return std::min({spacing.x, spacing.y, spacing.z});
}

float SampledVolume::longest() const {
    const glm::vec3 all = edges();
    return std::max({all.x, all.y, all.z});
}

std::optional<SampledVolume> sampled_volume(Graph& graph, Image source,
                                            const SamplingParameters& parameters) {
    const ImageDesc desc = graph.desc(source); // a copy: the graph grows below
    if (!can_be_sampled(graph, desc, parameters)) return std::nullopt;
    SampledVolume volume{.source = is_of_integers(desc.format) ? as_floats(graph, source) : source,
                         .weights = {},
                         .dims = {desc.extent.width, desc.extent.height, desc.extent.depth},
                         .spacing = parameters.spacing,
                         .number = static_cast<std::uint32_t>(parameters.number),
                         .channels = info(desc.format).channels,
                         .reach = 0,
                         .filter = parameters.filter};
    // A sampler filters channels, not the lengths of vectors.
    if (parameters.number == VolumeNumber::length && volume.filter == VolumeFilter::device)
        volume.filter = VolumeFilter::linear;
    if (parameters.weights.empty()) return volume;
    volume.weights = weights_of(graph, parameters.weights);
    volume.reach = *reach_of(parameters.weights.size());
    return parameters.filtering == VolumeFiltering::live ? volume : filtered(graph, volume);
}

namespace {

void bind_source(ComputeNodeBuilder& node, const SampledVolume& volume, Sampler sampler) {
    node.specialize("kNumber", volume.number);
    node.specialize("kChannels", volume.channels);
    node.read("source", ImageView(volume.source).mip(0), sampler);
    node.set("dims", glm::ivec3(volume.dims));
}

} // namespace

void bind_texels(ComputeNodeBuilder& node, const SampledVolume& volume) {
    bind_source(node, volume, Sampler::nearest());
}

void bind_volume(ComputeNodeBuilder& node, const SampledVolume& volume) {
    const bool samples = volume.filter == VolumeFilter::device;
    node.specialize("kFilter", static_cast<std::uint32_t>(volume.filter));
    node.specialize("kReach", volume.reach);
    node.read_optional("weights", volume.weights);
    bind_source(node, volume, samples ? Sampler{} : Sampler::nearest());
}

double volume_bytes(const Graph& graph, Image source) {
    if (!source) return 0.0;
    const ImageDesc desc = graph.desc(source);
    return static_cast<double>(desc.extent.width) * desc.extent.height * desc.extent.depth *
           info(desc.format).texel_bytes;
}

bool is_window(Graph& graph, float low, float high) {
    if (low < high) return true;
    graph.error("volume/empty-window",
                fmt::format("\"low\" is {} and \"high\" is {}: the range is empty", low, high),
                "set \"high\" greater than \"low\"");
    return false;
}

} // namespace tuff::passes
