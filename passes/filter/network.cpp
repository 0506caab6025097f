#include "passes/filter/network.hpp"

#include "passes/common/constant_array.hpp"
#include "passes/common/div_round_up.hpp"
#include "passes/filter/array_checks.hpp"
#include "passes/filter/network_request.hpp"

#include <fmt/format.h>

namespace tuff::passes {
namespace {

// As in filter/network_edge.
constexpr std::uint32_t kPart = 4;
constexpr std::uint32_t kApart = 32;

/// Builds the nodes of a network. Results that further kernels read are larger than the outputs,
/// so that all together are the large kernel at the border, too.
class NetworkNodes {
  public:
    NetworkNodes(Graph& graph, const FilterProblem& problem, const KernelNetwork& network)
        : graph_(graph), problem_(problem), network_(network), reaches_(network_reaches(network)),
          made_(reaches_.size()) {
        std::vector<float> weights;
        for (const NetworkEdge& edge : network.edges)
            weights.insert(weights.end(), edge.weights.begin(), edge.weights.end());
        weights_ = constant_array(graph, "weights", weights);
    }

    Buffer build(Buffer source) {
        made_[0] = source;
        std::uint32_t first = 0;
        for (const NetworkEdge& edge : network_.edges) {
            add(edge, first);
            first += static_cast<std::uint32_t>(edge.weights.size());
        }
        return outputs();
    }

    FilterSize window(std::uint32_t result) const {
        FilterSize size = filter_result_size(problem_);
        for (std::size_t a = 0; a < 4; ++a)
            size[a] += 2 * reaches_[result][a];
        return size;
    }

  private:
    void add(const NetworkEdge& edge, std::uint32_t first_weight) {
        const FilterSize size = window(edge.to);
        const std::uint64_t count = filter_count(size) * problem_.batch;
        glm::ivec4 shift{};
        for (int axis = 0; axis < 4; ++axis) {
            const auto a = static_cast<std::size_t>(axis);
            // The source begins at 0, where no border is crossed at its own reach.
            std::uint32_t begins = reaches_[edge.from][a];
            if (edge.from == 0 && problem_.border != FilterBorder::valid) begins = 0;
            shift[axis] = static_cast<int>(begins) - static_cast<int>(reaches_[edge.to][a]) -
                          static_cast<int>(edge.size[a] / 2 * edge.spread[a]);
        }
        const bool adds = bool(made_[edge.to]);
        ComputeNodeBuilder node = graph_.compute("filter/network_edge", {{"ADDS", adds}});
        node.specialize("border", static_cast<std::uint32_t>(problem_.border));
        node.read("source", made_[edge.from]);
        node.read("kernel", weights_);
        node.set("size", as_vector(edge.from == 0 ? problem_.size : window(edge.from)));
        node.set("result_size", as_vector(size));
        node.set("kernel_size", as_vector(edge.size));
        node.set("spread", as_vector(edge.spread));
        node.set("shift", shift);
        node.set("first_weight", first_weight);
        const std::uint32_t row_parts = div_round_up(size[0], kPart * kApart) * kApart;
        const auto parts = static_cast<std::uint32_t>(count / size[0] * row_parts);
        node.set("row_parts", row_parts);
        node.set("count", parts);
        made_[edge.to] =
            node.write("result", adds ? made_[edge.to] : filter_floats(graph_, "result", count));
        node.dispatch_each(parts);
    }

    Buffer outputs() {
        const std::uint32_t only = network_.outputs.front();
        if (network_.outputs.size() == 1 && reaches_[only] == FilterSize{}) return made_[only];
        const FilterSize size = filter_result_size(problem_);
        const std::uint64_t count = filter_count(size) * problem_.batch;
        const auto outputs = static_cast<std::uint32_t>(network_.outputs.size());
        // Each output is copied to its own places; the graph sees whole buffers.
        Buffer result = graph_.fill(filter_floats(graph_, "results", count * outputs), 0, "clear");
        for (std::uint32_t i = 0; i < outputs; ++i) {
            const std::uint32_t output = network_.outputs[i];
            ComputeNodeBuilder node = graph_.compute("filter/network_output");
            node.read("source", made_[output]);
            node.set("size", as_vector(window(output)));
            node.set("result_size", as_vector(size));
            node.set("first", as_vector(reaches_[output]));
            node.set("chosen", i);
            node.set("outputs", outputs);
            node.set("count", static_cast<std::uint32_t>(count));
            result = node.write("result", result);
            node.dispatch_each(static_cast<std::uint32_t>(count));
        }
        return result;
    }

    Graph& graph_;
    const FilterProblem& problem_;
    const KernelNetwork& network_;
    std::vector<FilterSize> reaches_;
    std::vector<Buffer> made_;
    Buffer weights_;
};

/// The large kernel's size, whose reach the border "valid" takes off.
FilterSize whole_kernel_size(const KernelNetwork& network) {
    FilterSize size = network_reaches(network).front();
    for (std::uint32_t& extent : size)
        extent = 2 * extent + 1;
    return size;
}

/// Reports filter/too-large where a result, with what is needed beyond its border, is.
bool network_fits(Graph& graph, const FilterProblem& problem) {
    FilterArrays whole{.size = as_vector(problem.size), .batch = problem.batch, .whole = ~0ull};
    for (int axis = 0; axis < 4; ++axis)
        whole.size[axis] += problem.kernel_size[static_cast<std::size_t>(axis)] - 1;
    return checked_arrays(graph, whole).has_value();
}

} // namespace

void FilterNetwork::describe(PassInfo<FilterNetwork>& info) {
    info.summary("Replaces large kernels by networks of small ones, with fewer multiplications")
        .details(
            "A network consists of results: 0 is the source, and each other result is a sum of "
            "convolutions of earlier results with small kernels. Kernels in sequence are "
            "convolved, kernels that lead to the same result are added, and a result that several "
            "kernels read is computed once. The outputs equal those of the large kernels at each "
            "border, because intermediate results reach as far beyond it as later kernels read.\n\n"
            "Kinds:\n\n- edges: kernel i leads from result from[i] to result to[i]; \"sizes\" has "
            "four numbers for each, \"weights\" all weights. \"spreads\" dilates kernels: a kernel "
            "of 3 with a spread of 2 has zeros between its weights, which cost nothing.\n- "
            "products: finds a network for the kernel \"weights\" (or \"kernel\", a constant "
            "buffer) of \"kernel_size\": a tree of one-dimensional kernels by singular values, "
            "along x, then along y behind each of these, and so on. A separable kernel needs one "
            "along each axis, a Laplacian of a Gaussian two along x.\n- binomial: a cascade of 1 2 "
            "1 along each axis, for a binomial kernel of \"kernel_size\", which is close to a "
            "Gaussian of variance (kernel_size - 1) / 4; \"derivative\" gives its differences: 1 0 "
            "-1 halved, 1 -2 1.\n\nA note reports how many multiplications a number takes, and how "
            "many the large kernels would take. Kernels are flipped, as in \"filter/convolve\".\n\n"
            "Errors: filter/no-network, filter/weights, filter/kernel-size, filter/not-finite, "
            "filter/empty, filter/too-short, filter/too-large, filter/no-result.")
        .source("Andersson, Wiklund and Knutsson, \"Filter networks\", SIP 1999; Svensson, "
                "Andersson and Knutsson, \"Filter networks for efficient estimation of local 3D "
                "structure\", ICIP 2005")
        .complexity("O(results * numbers * weights of the small kernels)")
        .cost([](const FilterNetwork& pass, const Graph& graph) {
            const auto source_bytes = static_cast<double>(graph.desc(pass.source).size);
            const auto result_bytes = static_cast<double>(graph.desc(pass.result).size);
            double weights = static_cast<double>(pass.weights.size());
            const glm::uvec4 k = pass.kernel_size;
            if (pass.kind == NetworkKind::binomial) weights = 1.5 * (k.x + k.y + k.z + k.w - 4.0);
            if (pass.kind == NetworkKind::products) weights = k.x + k.y + k.z + k.w - 3.0;
            return Cost{.bytes = source_bytes + result_bytes,
                        .operations = 2.0 * weights * source_bytes / 4.0};
        });
    info.input("source", &FilterNetwork::source, "f32, x fastest").elements<float>();
    info.optional_input("kernel", &FilterNetwork::kernel,
                        "products: the kernel, f32, x fastest, instead of \"weights\"")
        .elements<float>();
    info.parameter("size", &FilterNetwork::size,
                   "numbers along x, y, z and w; x = 0: all that the source holds")
        .structural();
    info.parameter("batch", &FilterNetwork::batch,
                   "number of consecutive arrays, filtered separately")
        .range(1, 1e9)
        .structural();
    info.parameter(
            "border", &FilterNetwork::border,
            "values beyond the border: zeros, the nearest number, the array mirrored (the last "
            "number repeated) or repeated; \"valid\": only results that read nothing there")
        .structural();
    info.parameter("kind", &FilterNetwork::kind, "kind of network; see the description")
        .structural();
    info.parameter("kernel_size", &FilterNetwork::kernel_size,
                   "products, binomial: weights of the large kernel along x, y, z and w: odd "
                   "numbers")
        .structural();
    info.parameter("weights", &FilterNetwork::weights, "edges and products: the weights, x fastest")
        .structural();
    info.parameter("tolerance", &FilterNetwork::tolerance,
                   "products: relative error of the kernel, in Euclidean norms")
        .range(0.0, 1.0)
        .structural();
    info.parameter("derivative", &FilterNetwork::derivative,
                   "binomial: order of the difference along each axis")
        .structural();
    info.parameter("from", &FilterNetwork::from, "edges: the result that each kernel reads")
        .structural();
    info.parameter("to", &FilterNetwork::to, "edges: the result that each kernel adds to")
        .structural();
    info.parameter("sizes", &FilterNetwork::sizes,
                   "weights of each kernel along x, y, z and w: odd")
        .structural();
    info.parameter("spreads", &FilterNetwork::spreads,
                   "places from weight to weight of each kernel along x, y, z and w; empty: 1")
        .structural();
    info.parameter("outputs", &FilterNetwork::outputs,
                   "the results to output; empty: all that no kernel reads")
        .structural();
    info.output("result", &FilterNetwork::result,
                "f32: for each array all outputs, of the source's size, or with \"valid\" smaller "
                "by what the network reaches")
        .elements<float>();
}

void FilterNetwork::build(Graph& graph) {
    const std::uint64_t held = graph.desc(source).size / sizeof(float);
    const auto array = checked_arrays(graph, {.size = size, .batch = batch, .whole = held});
    if (!array) return;
    const auto network = requested_network(graph, *this);
    if (!network) return;
    const FilterProblem problem{.size = *array,
                                .batch = batch,
                                .kernel_size = whole_kernel_size(*network),
                                .border = border};
    if (!has_results(graph, problem) || !network_fits(graph, problem)) return;
    graph.report({.code = "filter/network-products",
                  .severity = Severity::note,
                  .message = fmt::format("{} kernels with {} multiplications a number, instead of "
                                         "{}",
                                         network->edges.size(), network_products(*network),
                                         direct_products(*network)),
                  .where = {},
                  .hint = {}});
    result = NetworkNodes(graph, problem, *network).build(source);
}

TUFF_PASS(FilterNetwork)

} // namespace tuff::passes
