#include "passes/filter/kernel_network.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace tuff::passes {
namespace {

FilterSize network_place(std::uint64_t index, const FilterSize& size) {
    FilterSize place{};
    for (std::size_t axis = 0; axis < 4; ++axis) {
        place[axis] = static_cast<std::uint32_t>(index % size[axis]);
        index /= size[axis];
    }
    return place;
}

std::uint64_t network_index(const FilterSize& place, const FilterSize& size) {
    std::uint64_t index = 0;
    for (std::size_t axis = 4; axis-- > 0;)
        index = index * size[axis] + place[axis];
    return index;
}

/// Adds the convolution of a kernel with an edge's to `sum`. All have their middles in the middle.
void add_convolved(NetworkKernel& sum, const NetworkKernel& kernel, const NetworkEdge& edge) {
    for (std::uint64_t i = 0; i < kernel.weights.size(); ++i)
        for (std::uint64_t j = 0; j < edge.weights.size(); ++j) {
            FilterSize at = network_place(i, kernel.size);
            const FilterSize tap = network_place(j, edge.size);
            for (std::size_t a = 0; a < 4; ++a)
                at[a] += sum.size[a] / 2 - kernel.size[a] / 2 + tap[a] * edge.spread[a] -
                         edge.size[a] / 2 * edge.spread[a];
            sum.weights[network_index(at, sum.size)] += kernel.weights[i] * edge.weights[j];
        }
}

NetworkEdge along(std::size_t axis, std::uint32_t from, std::uint32_t to,
                  std::vector<double> weights) {
    NetworkEdge edge{.from = from, .to = to};
    edge.size[axis] = static_cast<std::uint32_t>(weights.size());
    edge.weights = std::move(weights);
    return edge;
}

} // namespace

std::uint32_t network_results(const KernelNetwork& network) {
    std::uint32_t most = 0;
    for (const NetworkEdge& edge : network.edges)
        most = std::max(most, edge.to);
    return most;
}

std::vector<FilterSize> network_reaches(const KernelNetwork& network) {
    std::vector<FilterSize> reaches(network_results(network) + 1);
    // What an edge makes is asked for by later edges alone.
    for (auto edge = network.edges.rbegin(); edge != network.edges.rend(); ++edge)
        for (std::size_t a = 0; a < 4; ++a)
            reaches[edge->from][a] = std::max(
                reaches[edge->from][a], reaches[edge->to][a] + edge->size[a] / 2 * edge->spread[a]);
    return reaches;
}

std::uint64_t network_products(const KernelNetwork& network) {
    std::uint64_t count = 0;
    for (const NetworkEdge& edge : network.edges)
        count += static_cast<std::uint64_t>(
            std::ranges::count_if(edge.weights, [](double w) { return w != 0.0 && w != 1.0; }));
    return count;
}

NetworkKernel network_kernel(const KernelNetwork& network, std::uint32_t output) {
    std::map<std::uint32_t, NetworkKernel> made;
    made[0].weights = {1.0};
    for (const NetworkEdge& edge : network.edges) {
        if (edge.to > output || made.contains(edge.to)) continue;
        NetworkKernel& sum = made[edge.to];
        const auto is_part = [&](const NetworkEdge& other) { return other.to == edge.to; };
        for (const NetworkEdge& part : network.edges) {
            if (!is_part(part)) continue;
            for (std::size_t a = 0; a < 4; ++a)
                sum.size[a] = std::max(sum.size[a], made[part.from].size[a] +
                                                        part.size[a] / 2 * part.spread[a] * 2);
        }
        sum.weights.assign(filter_count(sum.size), 0.0);
        for (const NetworkEdge& part : network.edges)
            if (is_part(part)) add_convolved(sum, made[part.from], part);
    }
    return made[output];
}

std::optional<KernelNetwork> binomial_network(const FilterSize& size,
                                              const FilterSize& derivative) {
    KernelNetwork network;
    std::uint32_t last = 0;
    const auto add = [&](std::size_t axis, std::vector<double> weights) {
        network.edges.push_back(along(axis, last, last + 1, std::move(weights)));
        ++last;
    };
    for (std::size_t axis = 0; axis < 4; ++axis) {
        std::uint32_t steps = size[axis] / 2;
        const std::uint32_t differences = derivative[axis] / 2 + derivative[axis] % 2;
        if (differences > steps) return {};
        steps -= differences;
        if (derivative[axis] % 2 == 1) add(axis, {0.5, 0.0, -0.5});
        for (std::uint32_t i = 0; i < derivative[axis] / 2; ++i)
            add(axis, {1.0, -2.0, 1.0});
        for (std::uint32_t i = 0; i < steps; ++i)
            add(axis, {0.25, 0.5, 0.25});
    }
    if (last == 0) add(0, {1.0});
    network.outputs = {last};
    return network;
}

namespace {

using Row = std::vector<double>;

double inner(const Row& a, const Row& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += a[i] * b[i];
    return sum;
}

void rotate(Row& a, Row& b, double cosine, double sine) {
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double was = a[i];
        a[i] = cosine * was - sine * b[i];
        b[i] = sine * was + cosine * b[i];
    }
}

/// A sum of products of a column and a row, by falling size of rows; columns are unit vectors.
struct Products {
    std::vector<Row> columns;
    std::vector<Row> rows;
};

/// One-sided Jacobi rotations: rows become orthogonal to each other.
Products singular_products(std::vector<Row> rows) {
    const std::size_t count = rows.size();
    std::vector<Row> columns(count, Row(count, 0.0));
    for (std::size_t i = 0; i < count; ++i)
        columns[i][i] = 1.0;
    constexpr int kSweeps = 40;
    bool rotated = true;
    for (int sweep = 0; sweep < kSweeps && rotated; ++sweep) {
        rotated = false;
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t j = i + 1; j < count; ++j) {
                const double ii = inner(rows[i], rows[i]);
                const double jj = inner(rows[j], rows[j]);
                const double ij = inner(rows[i], rows[j]);
                if (std::abs(ij) <= 1e-15 * std::sqrt(ii * jj)) continue;
                rotated = true;
                const double zeta = (jj - ii) / (2.0 * ij);
                const double tangent =
                    std::copysign(1.0, zeta) / (std::abs(zeta) + std::sqrt(1.0 + zeta * zeta));
                const double cosine = 1.0 / std::sqrt(1.0 + tangent * tangent);
                rotate(rows[i], rows[j], cosine, cosine * tangent);
                rotate(columns[i], columns[j], cosine, cosine * tangent);
            }
    }
    std::vector<std::size_t> order(count);
    for (std::size_t i = 0; i < count; ++i)
        order[i] = i;
    std::ranges::stable_sort(order, std::greater{},
                             [&](std::size_t i) { return inner(rows[i], rows[i]); });
    Products products;
    for (const std::size_t i : order) {
        products.columns.push_back(columns[i]);
        products.rows.push_back(rows[i]);
    }
    return products;
}

/// Makes the tree of a kernel.
class ProductTree {
  public:
    ProductTree(const FilterSize& size, double squared_error) : size_(size) {
        for (std::size_t axis = 0; axis < 4; ++axis)
            if (size[axis] > 1) axes_.push_back(axis);
        if (axes_.empty()) axes_.push_back(0);
        // Each axis but the last leaves terms out.
        squared_error_ =
            squared_error / std::max<double>(1.0, static_cast<double>(axes_.size()) - 1.0);
    }

    KernelNetwork network(const Row& weights) {
        add(0, weights, 0, squared_error_);
        const std::uint32_t output = last_ + 1;
        for (NetworkEdge& edge : network_.edges)
            if (edge.to == kOutput) edge.to = output;
        std::ranges::stable_sort(network_.edges, {}, &NetworkEdge::to);
        network_.outputs = {output};
        return std::move(network_);
    }

  private:
    static constexpr std::uint32_t kOutput = ~0u;

    /// The kernel `weights` over the axes from `level` on, applied to result `from`.
    void add(std::size_t level, const Row& weights, std::uint32_t from, double squared_error) {
        if (level + 1 == axes_.size()) {
            network_.edges.push_back(along(axes_[level], from, kOutput, weights));
            return;
        }
        const std::size_t extent = size_[axes_[level]];
        std::vector<Row> rows(extent, Row(weights.size() / extent));
        for (std::size_t i = 0; i < weights.size(); ++i)
            rows[i % extent][i / extent] = weights[i];
        const Products products = singular_products(std::move(rows));
        double left_out = 0.0;
        std::size_t terms = extent;
        for (; terms > 1; --terms) {
            left_out += inner(products.rows[terms - 1], products.rows[terms - 1]);
            if (left_out > squared_error) break;
        }
        for (std::size_t i = 0; i < terms; ++i) {
            const std::uint32_t to = ++last_;
            network_.edges.push_back(along(axes_[level], from, to, products.columns[i]));
            // Columns are orthogonal, so errors of the terms add up as squares.
            add(level + 1, products.rows[i], to, squared_error / static_cast<double>(terms));
        }
    }

    FilterSize size_;
    std::vector<std::size_t> axes_;
    double squared_error_ = 0.0;
    std::uint32_t last_ = 0;
    KernelNetwork network_;
};

} // namespace

KernelNetwork product_network(std::span<const float> weights, const FilterSize& size,
                              double tolerance) {
    const Row row(weights.begin(), weights.end());
    return ProductTree(size, tolerance * tolerance * inner(row, row)).network(row);
}

} // namespace tuff::passes
