#include "passes/sparse/evict.hpp"

#include "passes/primitives/elements.hpp"

namespace tuff::passes {
namespace {

/// Of shaders/sparse/evict.glsl.
struct EvictSearch {
    std::uint32_t cut[2]{};
    std::uint32_t digits[2]{};
    std::uint32_t needed = 0;
    std::uint32_t unused = 0;
    std::uint32_t bins[256]{};
};
constexpr std::uint32_t kDigits = 8;

void bind_weights(KernelNode& node, const SparseShape& shape, Buffer map, Buffer weights) {
    set_shape(node, shape);
    node.read("brick_map", map);
    node.read("claim_weights", weights);
}

} // namespace

Buffer eviction_cut(Graph& graph, const SparseClaims& claims) {
    ComputeNodeBuilder begin = graph.compute("sparse/evict_begin");
    begin.set("capacity", claims.shape.capacity);
    begin.read("claim_list", claims.list);
    Buffer search = graph.buffer("evict", {.size = sizeof(EvictSearch), .stride = 4});
    search = begin.write("search", graph.fill(search, 0, "no_cut"));
    const Buffer groups = begin.write("groups", array(graph, "evict_groups", 3));
    begin.dispatch(1);
    for (std::uint32_t digit = kDigits; digit-- > 0;) {
        ComputeNodeBuilder count = graph.compute("sparse/evict_count");
        bind_weights(count, claims.shape, claims.map, claims.weights);
        count.specialize("kDigit", digit);
        count.read("claim_list", claims.list);
        search = count.write("search", search);
        count.dispatch_indirect(groups);
        ComputeNodeBuilder pick = graph.compute("sparse/evict_pick");
        pick.specialize("kDigit", digit);
        search = pick.write("search", search);
        pick.dispatch(1);
    }
    return search;
}

BufferDesc weights_desc(const SparseShape& shape) {
    return {.size = 4 * std::uint64_t{shape.room()}, .stride = 4};
}

void keep_weights(Graph& graph, const SparseBricks& bricks, Buffer claimed, Buffer weights) {
    ComputeNodeBuilder node = graph.compute("sparse/keep_weights");
    bind_weights(node, bricks.shape, bricks.map, claimed);
    node.read("brick_list", bricks.list);
    (void)node.write("kept", weights);
    node.dispatch_each(bricks.shape.capacity);
}

} // namespace tuff::passes
