#include "passes/primitives/histogram.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kCounters = 8192; // as in primitives/histogram.comp
constexpr std::uint32_t kMaxCopies = 32;
/// As many groups as the largest devices run at once: each adds its counts to the result.
constexpr std::uint32_t kMaxHistogramGroups = 512;
constexpr std::uint32_t kByteBins = 256;

/// Counters of a bin that fit shared memory, a power of two; 0 where not even one does.
std::uint32_t copies_for(std::uint32_t bins) {
    return bins > kCounters ? 0 : std::min(std::bit_floor(kCounters / bins), kMaxCopies);
}

bool is_sound(Graph& graph, const Histogram& pass) {
    if (pass.binning == Binning::bytes) return true;
    const bool finite = std::isfinite(pass.low) && std::isfinite(pass.high);
    if (pass.binning == Binning::integers) {
        if (pass.type != Element::f32 && std::abs(pass.low) <= 0x1p24f &&
            pass.low == std::floor(pass.low))
            return true;
        graph.error("primitives/bad-range",
                    fmt::format("\"low\", the first integer with a bin, is {}", pass.low),
                    "\"low\" must be whole and within 2^24 of 0, and \"type\" u32 or i32");
        return false;
    }
    if (finite && pass.low < pass.high) return true;
    graph.error("primitives/bad-range",
                fmt::format("the range from {} to {} is empty", pass.low, pass.high),
                "set \"low\" less than \"high\"");
    return false;
}

} // namespace

void Histogram::describe(PassInfo<Histogram>& info) {
    info.summary("Counts how often values fall into each bin")
        .details("\"range\" has bins of equal width from low to high, high excluded; integers are "
                 "rounded to f32 first. \"integers\" has an exact bin for each integer from low "
                 "on. \"bytes\" takes each byte of the words as an element and has 256 bins; the "
                 "length still counts words. NaN and values out of range are not counted. Up to "
                 "8192 bins are counted in shared memory, with up to 32 counters for each bin; "
                 "more bins are counted directly in the result.")
        .source("Podlozhnyuk, \"Histogram calculation in CUDA\", NVIDIA, 2007")
        .complexity("O(n + bins)")
        .cost([](const Histogram& pass, const Graph& graph) {
            const double n = cost_elements(graph, pass.source, pass.length);
            return Cost{.bytes = 4.0 * n, .operations = n};
        });
    info.input("source", &Histogram::source, "the elements").elements_by("type");
    describe_length(info);
    describe_type(info);
    info.parameter("binning", &Histogram::binning, "how values map to bins; see the description")
        .structural();
    info.parameter("bins", &Histogram::bins, "number of bins (with \"bytes\" always 256)")
        .range(1, kMaxBins)
        .structural();
    info.parameter("low", &Histogram::low, "lower end of the first bin");
    info.parameter("high", &Histogram::high, "upper end of the last bin; \"range\" only");
    info.output("result", &Histogram::result, "a word for each bin").elements<std::uint32_t>();
}

void Histogram::build(Graph& graph) {
    const std::optional<Length> n = length_of(graph, source, length, count);
    if (!n || !is_sound(graph, *this)) return;
    const std::uint32_t all = binning == Binning::bytes ? kByteBins : bins;
    const Buffer quads = pad_to_uvec4(graph, source);
    const Buffer zero = graph.fill(array(graph, "result", all), 0, "clear");
    const std::uint32_t tiles = n->most / kTile + (n->most % kTile != 0 ? 1 : 0);

    ComputeNodeBuilder node = graph.compute("primitives/histogram");
    specialize(node, type);
    node.specialize("binning", static_cast<std::uint32_t>(binning));
    node.specialize("copies", copies_for(all));
    node.read("source", quads);
    bind_length(node, *n);
    node.set("max_groups", kMaxHistogramGroups);
    node.set("bins", all);
    node.set("low", low);
    node.set("high", high);
    result = node.write("counts", zero);
    node.dispatch(std::clamp(tiles, 1u, kMaxHistogramGroups));
}

TUFF_PASS(Histogram)

} // namespace tuff::passes
