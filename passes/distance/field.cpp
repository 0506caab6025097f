#include "passes/distance/field.hpp"

#include "passes/common/status.hpp"
#include "passes/common/warning.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff::passes {

Format field_format(FieldStorage storage) {
    if (storage == FieldStorage::u8) return Format::r8_uint;
    return storage == FieldStorage::u16 ? Format::r16_uint : Format::r32_uint;
}

Format two_channels_of(Format one) {
    return one == Format::r16_uint ? Format::rg16_uint : Format::rg32_uint;
}

std::uint32_t unreached(FieldStorage storage) {
    if (storage == FieldStorage::u8) return kUnreached8;
    return storage == FieldStorage::u16 ? kUnreached16 : kUnreached32;
}

DistanceStatus DistanceStatus::read(std::span<const std::uint32_t> words) {
    return status_from<DistanceStatus>(words);
}

Diagnostics DistanceStatus::warnings() const {
    Diagnostics all;
    if (codes & kEmptySeed)
        all.push_back(warning("distance/empty-seed",
                              "the seed has no objects: every distance is infinite",
                              "lower the threshold, or invert the seed"));
    if (codes & kFullSeed)
        all.push_back(warning("distance/full-seed",
                              "the seed has no background: distances inside are infinite",
                              "raise the threshold, or leave room around the shapes"));
    if (codes & kUnfinished)
        all.push_back(warning("distance/max-passes",
                              fmt::format("the field is not finished after {} passes", passes),
                              "raise \"max_passes\""));
    if (codes & kFlattened)
        all.push_back(warning("distance/flattened",
                              "some distances exceed the range of the field's format",
                              "choose a wider \"storage\""));
    if (not_finite != 0)
        all.push_back(warning("distance/not-finite",
                              fmt::format("{} texels of the picture are infinite or NaN: NaN "
                                          "counts as background",
                                          not_finite),
                              "check the passes that write the picture"));
    return all;
}

bool has_field_size(Graph& graph, Extent extent, std::uint32_t most) {
    if (std::max({extent.width, extent.height, extent.depth}) <= most) return true;
    graph.error("distance/too-large",
                fmt::format("the input has {} x {} x {} texels, more than {} a side", extent.width,
                            extent.height, extent.depth, most),
                "make the picture smaller, or use parts of it");
    return false;
}

bool is_seed(Graph& graph, Image seed, const SeedLimits& limits) {
    const ImageDesc desc = graph.desc(seed);
    if (desc.format != Format::r8_uint && desc.format != Format::r16_uint &&
        desc.format != Format::r32_uint) {
        graph.error("distance/seed-format",
                    fmt::format("input \"seed\" has format {}", info(desc.format).name),
                    "connect a seed of integers: distance/seed makes one from a picture");
        return false;
    }
    const bool volume = desc.shape == ImageShape::d3 && limits.volume_side != 0;
    if ((!volume && desc.shape != ImageShape::d2) || desc.layers != 1 || desc.samples != 1) {
        graph.error("image/not-two-dimensional",
                    "input \"seed\" has depth, layers, faces or samples", "connect a single layer");
        return false;
    }
    return has_field_size(graph, desc.extent, volume ? limits.volume_side : limits.side);
}

Buffer clear_status(Graph& graph) {
    return graph.fill(graph.buffer("status", {.size = sizeof(DistanceStatus)}), 0, "clear");
}

Buffer judged(Graph& graph, Buffer counted) {
    ComputeNodeBuilder node = graph.compute("distance/judge_seed");
    node.match<DistanceStatus>("status");
    const Buffer status = node.write("status", counted);
    node.dispatch(1);
    return status;
}

Buffer count_seed(Graph& graph, Image seed, FieldBorder border) {
    const bool volume = graph.desc(seed).shape == ImageShape::d3;
    ComputeNodeBuilder node =
        graph.compute("distance/count_seed", {{"VOLUME", volume}}, "count_seed");
    node.read("seed", ImageView(seed).mip(0), Sampler::nearest());
    const Buffer counted = node.accumulate("status", clear_status(graph));
    node.dispatch_over(graph.extent(seed));
    return border == FieldBorder::object ? counted : judged(graph, counted);
}

bool holds_clamp(Graph& graph, FieldStorage storage, std::uint32_t clamp) {
    const std::uint32_t holds = unreached(storage) - 1;
    if (std::uint64_t{clamp} * clamp <= holds) return true;
    graph.error(
        "distance/storage",
        fmt::format("a texel of \"storage\" {} holds at most {}, less than the square of the "
                    "clamp, {}",
                    info(field_format(storage)).name, holds, clamp),
        "choose a wider \"storage\", or a smaller \"clamp\"");
    return false;
}

bool has_channels(Graph& graph, FieldStorage storage, FieldChannels channels) {
    if (channels == FieldChannels::one || storage != FieldStorage::u8) return true;
    graph.error("distance/storage", "fields of two channels need 16 or 32 bits for each",
                "set \"storage\" to u16 or u32");
    return false;
}

} // namespace tuff::passes
