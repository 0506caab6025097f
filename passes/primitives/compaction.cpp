#include "passes/primitives/compaction.hpp"

#include "passes/common/div_round_up.hpp"
#include "passes/primitives/expression.hpp"
#include "passes/primitives/scan.hpp"

namespace tuff::passes {
namespace {

class Compactor {
  public:
    Compactor(Graph& graph, const CompactionRequest& request)
        : graph_(graph), request_(request), source_(request.source), flags_(request.keep.flags) {}

    std::optional<Compacted> run() {
        if (!request_.ordered) return append();
        // What is rejected as well is not written by groups that look back: see
        // shaders/primitives/look_back.glsl.
        const bool looks_back =
            !request_.rejected && choose(request_.method, graph_) == ScanMethod::look_back;
        return looks_back ? look_back() : three_pass();
    }

  private:
    bool has_predicate() const { return !request_.keep.predicate.empty(); }
    std::uint64_t tiles() const { return div_round_up(std::uint64_t{request_.length.most}, kTile); }

    TileShape look_back_shape() const {
        constexpr std::uint32_t kWide = 512;
        constexpr std::uint32_t kLarge = 1u << 22; // wide groups for every multiprocessor
        const bool wide = graph_.target().forward_progress && request_.length.most >= kLarge &&
                          graph_.target().max_group_invocations >= kWide;
        return {.group = wide ? kWide : kGroup};
    }

    /// The kernel's name, with the predicate compiled into it if there is one.
    std::optional<std::string> kernel(std::string_view shader) const {
        if (!has_predicate()) return std::string(shader);
        return kernel_with(
            graph_, shader,
            {.parameter = "predicate", .text = request_.keep.predicate, .x = request_.type});
    }

    ComputeNodeBuilder start(const std::string& shader, std::string_view name) const {
        ComputeNodeBuilder node = graph_.compute(shader, name);
        read_if_used(graph_, node, shader, "source", source_);
        bind_length(node, request_.length);
        if (has_predicate()) {
            node.set("p", request_.keep.p);
        } else {
            node.read_optional("flags", flags_);
        }
        return node;
    }

    Compacted write(ComputeNodeBuilder& node) const {
        node.specialize("emits_indices", request_.indices ? 1u : 0u);
        Compacted result;
        result.kept = node.write("result", array(graph_, "kept", request_.length.most));
        result.kept_count = node.write("kept_count", array(graph_, "kept_count", 1));
        return result;
    }

    void write_rejected(ComputeNodeBuilder& node, Compacted& result) const {
        node.specialize("keeps_rejected", request_.rejected ? 1u : 0u);
        const std::uint32_t most = request_.rejected ? request_.length.most : 1;
        const Buffer rejected = node.write("rejected", array(graph_, "rejected", most));
        const Buffer count = node.write("rejected_count", array(graph_, "rejected_count", 1));
        if (!request_.rejected) return;
        result.rejected = rejected;
        result.rejected_count = count;
    }

    std::optional<Compacted> append() const {
        const auto shader = kernel("primitives/compact_append");
        if (!shader) return {};
        const Groups groups = groups_for(graph_, request_.length, kTile);
        const Buffer none = graph_.fill(array(graph_, "kept_count", 1), 0, "clear_count");
        ComputeNodeBuilder node = start(*shader, "append");
        node.specialize("emits_indices", request_.indices ? 1u : 0u);
        Compacted result;
        result.kept = node.write("result", array(graph_, "kept", request_.length.most));
        result.kept_count = node.write("kept_count", none);
        groups.dispatch(node);
        return result;
    }

    std::optional<Compacted> look_back() const {
        const auto shader = kernel("primitives/compact_look_back");
        if (!shader) return {};
        const TileShape shape = look_back_shape();
        const Groups groups = groups_for(graph_, request_.length, shape.elements());
        const Buffer states = look_back_states(graph_, request_.length, shape);
        ComputeNodeBuilder node = start(*shader, "look_back");
        bind_look_back(node, shape, states);
        const Compacted result = write(node);
        groups.dispatch(node);
        return result;
    }

    std::optional<Compacted> three_pass() const {
        const auto counting = kernel("primitives/compact_totals");
        if (!counting) return {};
        const auto writing = kernel("primitives/compact_tiles");
        if (!writing) return {};
        const Groups groups = groups_for(graph_, request_.length, kTile);
        ComputeNodeBuilder sums = start(*counting, "totals");
        const Buffer totals = sums.write("totals", array(graph_, "totals", tiles()));
        groups.dispatch(sums);

        const TilePrefixes before =
            scan_totals(graph_, totals, request_.length, Element::u32, Combine::sum);
        ComputeNodeBuilder node = start(*writing, "tiles");
        node.read("prefixes", before.prefixes);
        Compacted result = write(node);
        write_rejected(node, result);
        groups.dispatch(node);
        return result;
    }

    Graph& graph_;
    const CompactionRequest& request_;
    Buffer source_;
    Buffer flags_;
};

} // namespace

std::optional<Compacted> compact(Graph& graph, const CompactionRequest& request) {
    return Compactor(graph, request).run();
}

void read_if_used(Graph& graph, ComputeNodeBuilder& node, std::string_view shader,
                  std::string_view binding, Buffer buffer) {
    const ShaderInterface* interface = graph.shaders()->compute(shader);
    if (interface && interface->find_binding(binding)) node.read(binding, buffer);
}

} // namespace tuff::passes
