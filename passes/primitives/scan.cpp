#include "passes/primitives/scan.hpp"

#include "passes/common/div_round_up.hpp"

namespace tuff::passes {
namespace {

std::uint64_t tiles_of(const Length& length) {
    return div_round_up(std::uint64_t{length.most}, kTile);
}

/// 12 quads are the most that leave room for three groups of an NVIDIA H200's multiprocessors; it
/// takes 2^25 elements to give them all something to do.
TileShape look_back_shape(const Graph& graph, const Length& length) {
    constexpr std::uint32_t kLarge = 1u << 25;
    return {.quads = graph.target().forward_progress && length.most >= kLarge ? 12u : 4u};
}

/// What the kernels of a scan have in common.
class Scanner {
  public:
    Scanner(Graph& graph, const Scan& pass, const Length& length)
        : graph_(graph), pass_(pass), length_(length), source_(pad_to_uvec4(graph, pass.source)) {}

    void look_back(Buffer& result, Buffer& total) const {
        const TileShape shape = look_back_shape(graph_, length_);
        const Groups groups = groups_for(graph_, length_, shape.elements());
        const Buffer states =
            pass_.cleared ? pass_.cleared : look_back_states(graph_, length_, shape);
        ComputeNodeBuilder node = start("primitives/scan_look_back");
        node.specialize("inclusive", pass_.kind == ScanKind::inclusive ? 1u : 0u);
        bind_look_back(node, shape, states);
        result = node.write("result", array(graph_, "result", length_.most));
        total = node.write("total", array(graph_, "total", 1));
        groups.dispatch(node);
    }

    void three_pass(Buffer& result, Buffer& total) const {
        const Groups groups = groups_for(graph_, length_, kTile);
        ComputeNodeBuilder sums = start("primitives/tile_totals");
        const Buffer totals = sums.write("totals", array(graph_, "totals", tiles_of(length_)));
        groups.dispatch(sums);

        const TilePrefixes tiles =
            scan_totals(graph_, totals, length_, pass_.type, pass_.operation);
        total = tiles.total;

        ComputeNodeBuilder node = start("primitives/scan_tiles");
        node.specialize("inclusive", pass_.kind == ScanKind::inclusive ? 1u : 0u);
        node.read("prefixes", tiles.prefixes);
        result = node.write("result", array(graph_, "result", length_.most));
        groups.dispatch(node);
    }

  private:
    ComputeNodeBuilder start(std::string_view shader) const {
        ComputeNodeBuilder node = graph_.compute(shader);
        specialize(node, pass_.type);
        specialize(node, pass_.operation);
        node.read("source", source_);
        bind_length(node, length_);
        return node;
    }

    Graph& graph_;
    const Scan& pass_;
    Length length_;
    Buffer source_;
};

} // namespace

std::uint64_t words_to_clear(const Graph& graph, std::uint32_t length) {
    if (choose(ScanMethod::automatic, graph) != ScanMethod::look_back) return 0;
    const Length most{.most = length};
    return look_back_words(most, look_back_shape(graph, most));
}

TilePrefixes scan_totals(Graph& graph, Buffer totals, const Length& length, Element type,
                         Combine operation) {
    ComputeNodeBuilder node = graph.compute("primitives/scan_totals");
    specialize(node, type);
    specialize(node, operation);
    bind_length(node, length);
    TilePrefixes tiles;
    tiles.prefixes = node.write("totals", totals);
    tiles.total = node.write("total", array(graph, "total", 1));
    node.dispatch(1);
    return tiles;
}

void Scan::describe(PassInfo<Scan>& info) {
    info.summary("Computes prefix sums, minima or maxima of an array")
        .details(
            "Element i of the result combines the elements before i (exclusive) or up to i "
            "(inclusive). The first element of an exclusive scan is 0, or for minima and maxima "
            "the greatest or least value of the type (infinities for f32). The result beyond the "
            "length is undefined.\n\nSums of integers wrap modulo 2^32. Each sum of f32 is within "
            "100 + n / 4096 roundings of the exact sum of magnitudes. Sums propagate NaN. Minima "
            "and maxima ignore NaN, and -0 is less than +0.\n\n\"look_back\" reads each element "
            "once and waits for earlier groups; \"three_pass\" reads each element twice and waits "
            "for nothing. \"auto\" takes look_back on devices that guarantee forward progress to "
            "started groups, except for sums of f32: three_pass gives the same bits in every run, "
            "while look_back adds in an order that depends on timing. llvmpipe, which ends long "
            "loops, and GPUs without that guarantee always take three_pass.")
        .source("Merrill and Garland, \"Single-pass Parallel Prefix Scan with Decoupled "
                "Look-back\", NVIDIA NVR-2016-002, 2016")
        .complexity("O(n)")
        .cost([](const Scan& pass, const Graph& graph) {
            const double n = cost_elements(graph, pass.source, pass.length);
            return Cost{.bytes = 8.0 * n, .operations = n};
        });
    info.input("source", &Scan::source, "the elements").elements_by("type");
    describe_length(info);
    describe_type(info);
    info.parameter("operation", &Scan::operation, "the operator").structural();
    info.parameter("kind", &Scan::kind, "without (exclusive) or with the element itself")
        .structural();
    info.parameter("method", &Scan::method, "how often memory is read; see the description")
        .structural();
    info.output("result", &Scan::result, "as many elements as the source").elements_by("type");
    info.output("total", &Scan::total, "one element: all combined").elements_by("type");
}

void Scan::build(Graph& graph) {
    const std::optional<Length> n = length_of(graph, source, length, count);
    if (!n) return;
    const bool repeatable = type == Element::f32 && operation == Combine::sum;
    const Scanner scanner(graph, *this, *n);
    if (choose(method, graph, repeatable) == ScanMethod::look_back)
        scanner.look_back(result, total);
    else
        scanner.three_pass(result, total);
}

TUFF_PASS(Scan)

} // namespace tuff::passes
