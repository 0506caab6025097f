#include "passes/filter/network_request.hpp"

#include "passes/filter/array_checks.hpp"
#include "passes/filter/weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tuff::passes {
namespace {

constexpr float kMaxNetworkNumber = 4096.0f; // results, extents, spreads
constexpr std::size_t kMaxNetworkEdges = 4096;

std::nullopt_t refuse_network(Graph& graph, std::string message, std::string_view hint) {
    graph.error("filter/no-network", std::move(message), std::string(hint));
    return std::nullopt;
}

/// A whole number that a list of the user's has, or nothing.
std::optional<std::uint32_t> whole(float number) {
    if (!(number >= 0.0f && number <= kMaxNetworkNumber) || number != std::floor(number)) return {};
    return static_cast<std::uint32_t>(number);
}

/// Four numbers of `list` for edge `index`; ones where the list is empty.
std::optional<FilterSize> four_of(const std::vector<float>& list, std::size_t index) {
    FilterSize size{1, 1, 1, 1};
    if (list.empty()) return size;
    for (std::size_t a = 0; a < 4; ++a) {
        const auto number = whole(list[4 * index + a]);
        if (!number || *number == 0) return {};
        size[a] = *number;
    }
    return size;
}

/// Edges without their weights.
std::optional<KernelNetwork> network_shape(Graph& graph, const FilterNetwork& pass) {
    const std::size_t count = pass.from.size();
    if (count == 0 || count > kMaxNetworkEdges || pass.to.size() != count ||
        pass.sizes.size() != 4 * count ||
        (!pass.spreads.empty() && pass.spreads.size() != 4 * count))
        return refuse_network(
            graph,
            fmt::format("\"from\" has {} numbers, \"to\" {}, \"sizes\" {}, \"spreads\" {}", count,
                        pass.to.size(), pass.sizes.size(), pass.spreads.size()),
            "write one number for each kernel in \"from\" and \"to\", and four in \"sizes\" and, "
            "unless it is empty, in \"spreads\"");
    KernelNetwork network;
    for (std::size_t i = 0; i < count; ++i) {
        const auto from = whole(pass.from[i]);
        const auto to = whole(pass.to[i]);
        if (!from || !to || *from >= *to)
            return refuse_network(graph,
                                  fmt::format("kernel {} leads from result {} to result {}", i,
                                              pass.from[i], pass.to[i]),
                                  "number results from 1; 0 is the source, and kernels must lead "
                                  "to higher numbers");
        const auto size = four_of(pass.sizes, i);
        const auto spread = four_of(pass.spreads, i);
        if (!size || !spread)
            return refuse_network(graph, fmt::format("kernel {} has a size or spread below 1", i),
                                  "write integers from 1 on");
        if (!checked_kernel_size(graph, "sizes", *size)) return {};
        network.edges.push_back({.from = *from, .to = *to, .size = *size, .spread = *spread});
    }
    return network;
}

/// Which results are asked for: as the pass says, or all that no kernel reads.
bool set_outputs(Graph& graph, const FilterNetwork& pass, KernelNetwork& network) {
    const std::uint32_t results = network_results(network);
    std::vector<bool> is_made(results + 1, false);
    std::vector<bool> is_read(results + 1, false);
    is_made[0] = true;
    for (const NetworkEdge& edge : network.edges) {
        is_made[edge.to] = true;
        is_read[edge.from] = true;
    }
    if (const auto none = std::ranges::find(is_made, false); none != is_made.end())
        return refuse_network(graph,
                              fmt::format("no kernel makes result {}", none - is_made.begin()),
                              "number results without gaps"),
               false;
    for (const float number : pass.outputs) {
        const auto output = whole(number);
        if (!output || *output == 0 || *output > results)
            return refuse_network(graph, fmt::format("result {} does not exist", number),
                                  fmt::format("choose results from 1 to {}", results)),
                   false;
        network.outputs.push_back(*output);
    }
    if (!network.outputs.empty()) return true;
    for (std::uint32_t i = 1; i <= results; ++i)
        if (!is_read[i]) network.outputs.push_back(i);
    return true;
}

/// Parameters are; numbers of buffers need not be.
bool are_finite(Graph& graph, std::span<const float> weights) {
    const auto wrong = std::ranges::find_if_not(weights, [](float w) { return std::isfinite(w); });
    if (wrong == weights.end()) return true;
    graph.error("filter/not-finite",
                fmt::format("weight {} is {}", wrong - weights.begin(), *wrong),
                "write finite numbers");
    return false;
}

/// Reports filter/weights.
bool has_weights(Graph& graph, std::size_t count, std::uint64_t needed) {
    if (count == needed) return true;
    graph.error("filter/weights",
                fmt::format("\"weights\" has {} numbers, but {} are needed", count, needed),
                "write all weights of each kernel, x fastest, one kernel after the other");
    return false;
}

std::optional<KernelNetwork> network_of_edges(Graph& graph, const FilterNetwork& pass) {
    auto network = network_shape(graph, pass);
    if (!network || !set_outputs(graph, pass, *network)) return {};
    std::uint64_t count = 0;
    for (const NetworkEdge& edge : network->edges)
        count += filter_count(edge.size);
    if (!has_weights(graph, pass.weights.size(), count)) return {};
    auto next = pass.weights.begin();
    for (NetworkEdge& edge : network->edges) {
        const auto end = next + static_cast<std::ptrdiff_t>(filter_count(edge.size));
        edge.weights.assign(next, end);
        next = end;
    }
    std::ranges::stable_sort(network->edges, {}, &NetworkEdge::to);
    return network;
}

std::optional<KernelNetwork> network_of_products(Graph& graph, const FilterNetwork& pass) {
    const FilterSize size = as_filter_size(pass.kernel_size);
    if (!checked_kernel_size(graph, "kernel_size", size)) return {};
    std::vector<float> weights = pass.weights;
    if (pass.kernel && weights.empty()) {
        if (!holds_numbers(graph, "kernel", pass.kernel, filter_count(size))) return {};
        weights = constant_numbers(graph, pass.kernel, filter_count(size));
        if (weights.empty())
            return refuse_network(
                graph, "\"kernel\" is made on the device",
                "connect a constant buffer, such as that of \"filter/kernel\", or write "
                "\"weights\": products are found when the graph is built");
    }
    if (!has_weights(graph, weights.size(), filter_count(size))) return {};
    if (!are_finite(graph, weights)) return {};
    KernelNetwork network = product_network(weights, size, static_cast<double>(pass.tolerance));
    if (network.edges.size() <= kMaxNetworkEdges) return network;
    return refuse_network(graph,
                          fmt::format("the kernel is a sum of {} products", network.edges.size()),
                          "use \"filter/convolve\", or increase \"tolerance\"");
}

} // namespace

std::optional<KernelNetwork> requested_network(Graph& graph, const FilterNetwork& pass) {
    if (pass.kernel && (pass.kind != NetworkKind::products || !pass.weights.empty()))
        return refuse_network(graph, "\"kernel\" is connected but not used",
                              "disconnect it: only the kind \"products\" takes it, in place of "
                              "\"weights\"");
    switch (pass.kind) {
    case NetworkKind::edges: return network_of_edges(graph, pass);
    case NetworkKind::products: return network_of_products(graph, pass);
    case NetworkKind::binomial: break;
    }
    const FilterSize size = as_filter_size(pass.kernel_size);
    if (!checked_kernel_size(graph, "kernel_size", size)) return {};
    std::uint64_t edges = 0;
    for (const std::uint32_t extent : size)
        edges += extent / 2;
    auto network = edges <= kMaxNetworkEdges
                       ? binomial_network(size, as_filter_size(pass.derivative))
                       : std::nullopt;
    if (!network)
        return refuse_network(graph,
                              "\"kernel_size\" is too small for \"derivative\", or too large",
                              "set 3 weights for the first and second derivative along an axis, 5 "
                              "for the third and fourth, and at most 8192 for all axes together");
    return network;
}

std::uint64_t direct_products(const KernelNetwork& network) {
    std::uint64_t count = 0;
    for (const std::uint32_t output : network.outputs) {
        KernelNetwork one = network;
        one.outputs = {output};
        std::erase_if(one.edges, [&](const NetworkEdge& edge) { return edge.to > output; });
        // Of the results up to this one some may lead elsewhere.
        std::vector<bool> leads(network_results(one) + 1, false);
        leads[output] = true;
        for (auto edge = one.edges.rbegin(); edge != one.edges.rend(); ++edge)
            if (leads[edge->to]) leads[edge->from] = true;
        std::erase_if(one.edges, [&](const NetworkEdge& edge) { return !leads[edge.to]; });
        std::uint64_t taps = 1;
        const FilterSize reaches = network_reaches(one).front();
        for (const std::uint32_t reach : reaches)
            taps *= 2 * std::uint64_t{reach} + 1;
        count += taps;
    }
    return count;
}

} // namespace tuff::passes
