#include "passes/volume/transfer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

namespace tuff::passes {
namespace {

constexpr std::size_t kNumbersOfPoint = 5;

void refuse(Graph& graph, std::string message) {
    graph.error("volume/bad-transfer", std::move(message),
                "write value, red, green, blue, opacity for each point: ascending values, colors "
                "not below 0, opacities from 0 to 1");
}

bool is_point(const float* point) {
    const bool finite =
        std::all_of(point, point + kNumbersOfPoint, [](float v) { return std::isfinite(v); });
    const bool color = std::all_of(point + 1, point + 4, [](float v) { return v >= 0.0f; });
    return finite && color && point[4] >= 0.0f && point[4] <= 1.0f;
}

} // namespace

std::optional<TransferFunction> transfer_function(Graph& graph, const std::vector<float>& points) {
    const std::size_t count = points.size() / kNumbersOfPoint;
    if (points.empty() || points.size() % kNumbersOfPoint != 0 || count > kMaxTransferPoints) {
        refuse(graph,
               fmt::format("\"transfer\" has {} numbers, not five for each of 1 to {} points",
                           points.size(), kMaxTransferPoints));
        return std::nullopt;
    }
    TransferFunction transfer;
    for (std::size_t i = 0; i < count; ++i) {
        const float* point = &points[kNumbersOfPoint * i];
        if (!is_point(point) || (i > 0 && point[0] < transfer.numbers.back())) {
            refuse(graph, fmt::format("point {} of \"transfer\" is {}, {}, {}, {}, {}", i, point[0],
                                      point[1], point[2], point[3], point[4]));
            return std::nullopt;
        }
        transfer.numbers.push_back(point[0]);
        transfer.colors.emplace_back(point[1], point[2], point[3], point[4]);
    }
    return transfer;
}

void TransferFunction::set(ComputeNodeBuilder& node) const {
    std::vector<glm::vec4> padded; // arrays of uniform blocks have sixteen bytes an element
    padded.reserve(numbers.size());
    for (const float number : numbers)
        padded.emplace_back(number, 0.0f, 0.0f, 0.0f);
    node.set("points.count", static_cast<std::uint32_t>(numbers.size()));
    node.set("points.color", std::span<const glm::vec4>(colors));
    node.set("points.number", std::span<const glm::vec4>(padded));
}

float TransferFunction::scale(std::uint32_t entries) const {
    constexpr float kJump = 1e30f; // all points have one number
    return range() > 0.0f ? std::min(static_cast<float>(entries - 1) / range(), kJump) : kJump;
}

Buffer transfer_table(Graph& graph, const TransferFunction& transfer, std::uint32_t entries) {
    ComputeNodeBuilder node = graph.compute("volume/transfer_table");
    transfer.set(node);
    node.set("entries", entries);
    const Buffer table = node.write(
        "table", graph.buffer("transfer", {.size = 16 * std::uint64_t{entries}, .stride = 16}));
    node.dispatch_over({entries, 1, 1});
    return table;
}

Buffer transfer_pairs(Graph& graph, const TransferFunction& transfer, float lengths) {
    const Buffer table = transfer_table(graph, transfer, kTransferSide);
    ComputeNodeBuilder node = graph.compute("volume/transfer_pairs");
    node.read("table", table);
    node.set("side", kTransferSide);
    node.set("stride", lengths);
    const std::uint64_t entries = std::uint64_t{kTransferSide} * kTransferSide;
    const Buffer pairs =
        node.write("pairs", graph.buffer("pairs", {.size = 16 * entries, .stride = 16}));
    node.dispatch_over({kTransferSide, kTransferSide, 1});
    return pairs;
}

} // namespace tuff::passes
