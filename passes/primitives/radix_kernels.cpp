#include "passes/primitives/radix_kernels.hpp"

#include "passes/common/div_round_up.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string_view>

namespace tuff::passes {
namespace {

// As in shaders/primitives/radix_*.comp and shaders/primitives/radix_tile.glsl.
constexpr std::uint32_t kMaskLanes = 32; // of a row where the subgroup's size is not known

constexpr std::uint32_t kScratchWords = 4096; // of 256 invocations
constexpr std::uint32_t kFewChunks = 256;     // that one invocation a digit sums up
// Enough to keep a large GPU busy, and that the last to end are no long wait; and cores of a
// processor.
constexpr std::uint32_t kChunks = 4096;
constexpr std::uint32_t kChunksOfSoftware = 16;
// More elements of an invocation are fewer tiles to look back at; that many still leave registers,
// and in two turns shared memory, for three groups on a multiprocessor of NVIDIA's.
constexpr std::uint32_t kManyItems = 24;
constexpr std::uint32_t kTurns = 2;
constexpr std::uint32_t kManyFrom = 1u << 22;    // elements that keep a large GPU busy all the same
constexpr std::uint32_t kHistogramGroups = 1024; // enough to keep a large GPU busy
constexpr std::uint32_t kHistogramTile = 8 * kGroup;

struct Digit {
    std::uint32_t pass = 0;
    std::uint32_t shift = 0;
    std::uint32_t mask = 0;
};

Digit digit_of(const RadixJob& job, const RadixShape& shape, std::uint32_t pass) {
    const std::uint32_t shift = job.first_bit + pass * shape.digit_bits;
    const std::uint32_t bits = std::min(shape.digit_bits, job.end_bit - shift);
    return {.pass = pass, .shift = shift, .mask = (1u << bits) - 1};
}

ShaderVariant of_keys(const RadixJob& job) {
    return {{"KEY_WORDS", key_words(job.type)}};
}
ShaderVariant of_keys_and_values(const RadixJob& job) {
    return {{"KEY_WORDS", key_words(job.type)}, {"VALUE_WORDS", job.value_words}};
}

/// What all kernels share that look at digits of the elements.
ComputeNodeBuilder radix_node(Graph& graph, std::string_view name, const ShaderVariant& variant,
                              const RadixJob& job, const RadixShape& shape) {
    ComputeNodeBuilder node =
        graph.compute(fmt::format("primitives/radix_{}", name), variant, name);
    node.specialize("digit_bits", shape.digit_bits);
    specialize(node, job.type, job.order);
    bind_length(node, job.length);
    return node;
}

void set_digit(ComputeNodeBuilder& node, const Digit& digit) {
    node.set("pass", digit.pass);
    node.set("shift", digit.shift);
    node.set("mask", digit.mask);
}

/// Binds what primitives/radix_tile.glsl declares, and returns where the elements go.
SortArrays bind_tile(Graph& graph, ComputeNodeBuilder& node, const RadixJob& job,
                     const RadixShape& shape, const Digit& digit, const SortArrays& from) {
    node.specialize("kItems", shape.items);
    node.specialize("subgroup_lanes", shape.lanes);
    node.specialize("turns", shape.turns);
    node.specialize("scratch_words", shape.scratch_words());
    set_digit(node, digit);
    node.read("keys", from.keys);
    SortArrays to;
    to.keys = node.write("sorted_keys", records(graph, "keys", key_words(job.type), job.length));
    if (job.value_words == 0) return to;
    const bool by_index = job.index_values && digit.pass == 0;
    node.read_optional("values", by_index ? Buffer{} : from.values);
    to.values = node.write("sorted_values", records(graph, "values", job.value_words, job.length));
    return to;
}

/// The first execution of each kernel of a sort finds these words zero.
Buffer zeros(Graph& graph, std::string_view name, std::uint64_t words) {
    return graph.fill(array(graph, name, words), 0, fmt::format("clear_{}", name));
}

std::uint64_t tiles_of(const RadixJob& job, const RadixShape& shape) {
    return (std::uint64_t{job.length.most} + shape.tile() - 1) / shape.tile();
}

} // namespace

std::uint32_t RadixShape::tile() const {
    return kGroup * items;
}
std::uint32_t RadixShape::bins() const {
    return 1u << digit_bits;
}
std::uint32_t RadixShape::scratch_words() const {
    const std::uint32_t rows = kGroup / (lanes != 0 ? lanes : kMaskLanes);
    const std::uint32_t cells = rows * bins() * (lanes != 0 ? 1 : 2); // with masks
    return std::max(cells, tile() / turns);
}
std::uint32_t RadixShape::passes(const RadixJob& job) const {
    return div_round_up(job.end_bit - job.first_bit, digit_bits);
}

RadixShape counted_shape(const DeviceCaps& target, const RadixJob& job) {
    const RadixShape ranked = onesweep_shape(target, job);
    return ranked.lanes >= kMaskLanes ? ranked : RadixShape{};
}

SortArrays sort_counted(Graph& graph, const RadixJob& job, const SortArrays& arrays) {
    const RadixShape shape = counted_shape(graph.target(), job);
    const std::uint64_t most = graph.target().forward_progress ? kChunks : kChunksOfSoftware;
    const auto chunks =
        static_cast<std::uint32_t>(std::clamp<std::uint64_t>(tiles_of(job, shape), 1, most));
    const std::uint32_t passes = shape.passes(job);
    return graph.repeat("digit", passes, arrays, [&](SortArrays from, std::uint32_t i) {
        const Digit digit = digit_of(job, shape, i);
        ComputeNodeBuilder count = radix_node(graph, "count", of_keys(job), job, shape);
        count.specialize("kItems", shape.items);
        set_digit(count, digit);
        count.set("chunks", chunks);
        count.read("keys", from.keys);
        Buffer offsets =
            count.write("offsets", array(graph, "offsets", std::uint64_t{shape.bins()} * chunks));
        count.dispatch(chunks);

        ComputeNodeBuilder spine = graph.compute("primitives/radix_spine", "spine");
        spine.specialize("digit_bits", shape.digit_bits);
        spine.set("chunks", chunks);
        offsets = spine.write("offsets", offsets);
        const Buffer totals = spine.write("totals", array(graph, "totals", shape.bins()));
        const bool few = chunks <= kFewChunks;
        spine.specialize("few_chunks", few ? 1u : 0u);
        spine.dispatch(few ? 1 : shape.bins());

        ComputeNodeBuilder scatter =
            radix_node(graph, "scatter", of_keys_and_values(job), job, shape);
        scatter.read("offsets", offsets);
        scatter.read("totals", totals);
        scatter.set("chunks", chunks);
        const SortArrays to = bind_tile(graph, scatter, job, shape, digit, from);
        scatter.dispatch(chunks);
        return to;
    });
}

RadixShape onesweep_shape(const DeviceCaps& target, const RadixJob& job) {
    constexpr std::uint32_t kMaxLanes = 64; // that a ballot of two words tells of
    RadixShape shape;
    const bool one_size = target.min_subgroup_size == target.max_subgroup_size;
    if (!one_size || target.subgroup_size > kMaxLanes || target.subgroup_size < 4) return shape;
    shape.lanes = target.subgroup_size;
    const std::uint32_t words = kScratchWords / (kGroup / shape.lanes);
    shape.digit_bits = std::min(8u, static_cast<std::uint32_t>(std::bit_width(words)) - 1);
    shape.turns = kTurns;
    if (shape.lanes >= kMaskLanes && job.length.most >= kManyFrom) shape.items = kManyItems;
    return shape;
}

SortArrays sort_onesweep(Graph& graph, const RadixJob& job, const SortArrays& arrays,
                         std::uint32_t spin_limit) {
    const RadixShape shape = onesweep_shape(graph.target(), job);
    const Groups groups = groups_for(graph, job.length, shape.tile());
    const std::uint64_t tiles = std::max<std::uint64_t>(tiles_of(job, shape), 1);
    const std::uint32_t passes = shape.passes(job);

    ComputeNodeBuilder histogram =
        radix_node(graph, "histogram", of_keys(job), job, {.digit_bits = shape.digit_bits});
    histogram.specialize("first_bit", job.first_bit);
    histogram.specialize("end_bit", job.end_bit);
    histogram.read("keys", arrays.keys);
    Buffer starts =
        histogram.write("starts", zeros(graph, "starts", std::uint64_t{passes} * shape.bins()));
    const std::uint32_t rounds = div_round_up(job.length.most, kHistogramTile);
    histogram.dispatch(std::clamp(rounds, 1u, kHistogramGroups));

    ComputeNodeBuilder sum = graph.compute("primitives/radix_starts", "starts");
    sum.specialize("digit_bits", shape.digit_bits);
    starts = sum.write("starts", starts);
    sum.dispatch(passes);

    Buffer tickets = zeros(graph, "tickets", passes);
    Buffer status = zeros(graph, "status", tiles * shape.bins());
    Buffer next_status = array(graph, "next_status", tiles * shape.bins());
    return graph.repeat("digit", passes, arrays, [&](SortArrays from, std::uint32_t i) {
        ComputeNodeBuilder sweep =
            radix_node(graph, "onesweep", of_keys_and_values(job), job, shape);
        sweep.specialize("spin_limit", spin_limit);
        sweep.specialize("loads", graph.target().forward_progress ? 1u : 0u);
        sweep.read("starts", starts);
        tickets = sweep.write("tickets", tickets);
        const Buffer used = sweep.write("status", status);
        status = sweep.write("next_status", next_status); // cleared
        next_status = used;
        const SortArrays to = bind_tile(graph, sweep, job, shape, digit_of(job, shape, i), from);
        groups.dispatch(sweep);
        return to;
    });
}

} // namespace tuff::passes
