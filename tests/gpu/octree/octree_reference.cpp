#include "tests/gpu/octree/octree_reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace tuff::testing_gpu {
namespace {

constexpr std::uint32_t kNewValue = 127u << 24;

std::uint32_t channel(std::uint32_t value, std::uint32_t i) {
    return value >> 8 * i & 0xffu;
}

} // namespace

std::uint32_t level_of(HostKey key) {
    return static_cast<std::uint32_t>(std::bit_width(key) - 1) / 3;
}

std::optional<HostKey> key_by_halves(const passes::OctreeShape& shape, glm::vec3 point) {
    glm::dvec3 center(shape.center);
    double half = double{shape.half};
    for (int axis = 0; axis < 3; ++axis) {
        const double p = double{point[axis]};
        if (!(p >= center[axis] - half && p < center[axis] + half)) return std::nullopt;
    }
    HostKey key = 1;
    for (std::uint32_t level = 0; level < shape.depth; ++level) {
        half /= 2.0;
        key <<= 3;
        for (int axis = 0; axis < 3; ++axis) {
            const bool upper = double{point[axis]} >= center[axis];
            if (upper) key += 1u << axis;
            center[axis] += upper ? half : -half;
        }
    }
    return key;
}

HostBox box_of(const passes::OctreeShape& shape, HostKey key) {
    HostBox box{glm::dvec3(shape.center) - double{shape.half}, 2.0 * double{shape.half}};
    for (std::uint32_t level = level_of(key); level-- > 0;) {
        box.edge /= 2.0;
        for (int axis = 0; axis < 3; ++axis)
            if ((key >> (3 * level + static_cast<std::uint32_t>(axis)) & 1u) != 0)
                box.low[axis] += box.edge;
    }
    return box;
}

void OctreeReference::grow(HostKey leaf) {
    for (std::uint32_t up = pass_.tree.depth; up-- > 0;) {
        const HostKey child = leaf >> 3 * up;
        if (nodes_.contains(child)) continue;
        const HostKey parent = child >> 3;
        if (parent != 1) nodes_.at(parent).has_children = true;
        for (HostKey i = 0; i < 8; ++i)
            nodes_[parent << 3 | i] = {.value = kNewValue};
    }
}

void OctreeReference::hit(HostKey leaf, const Sum& sum) {
    HostNode& node = nodes_.at(leaf);
    const std::uint32_t alpha = node.value >> 24;
    const bool fine = pass_.blend == passes::OctreeBlend::fine;
    std::array<double, 3>& color = colors_[leaf];
    if (!node.was_hit) color = {};
    std::uint32_t value = 0;
    for (std::uint32_t i = 0; i < 3; ++i) {
        if (fine) {
            const double weight = node.was_hit ? alpha / 256.0 : 0.0;
            const double mean = static_cast<double>(sum.color[i]) / static_cast<double>(sum.count);
            color[i] = mean * (1.0 - weight) + color[i] * weight;
            value |= static_cast<std::uint32_t>(std::lround(color[i])) << 8 * i;
        } else {
            const auto seen = static_cast<std::uint32_t>(sum.color[i] / sum.count);
            const float f2 = static_cast<float>(alpha) / 256.0f;
            value |= static_cast<std::uint32_t>(static_cast<float>(seen) * (1.0f - f2) +
                                                static_cast<float>(channel(node.value, i)) * f2)
                     << 8 * i;
        }
    }
    const std::uint64_t hits = pass_.counting == passes::OctreeCounting::frames ? 1 : sum.count;
    node.value =
        value | static_cast<std::uint32_t>(std::min<std::uint64_t>(alpha + pass_.hit * hits, 255))
                    << 24;
    node.was_hit = true;
}

std::uint32_t OctreeReference::mean_of_children(HostKey key) {
    std::array<std::uint32_t, 8> values{};
    bool leaves = true;
    bool all_free = true;
    for (HostKey i = 0; i < 8; ++i) {
        const HostKey child = key << 3 | i;
        if (nodes_.at(child).has_children) nodes_.at(child).value = mean_of_children(child);
        const HostNode& node = nodes_.at(child);
        values[i] = node.value;
        leaves = leaves && !node.has_children;
        all_free = all_free && node.value >> 24 <= pass_.free_below;
    }
    if (pass_.prune && leaves && all_free && key != 1) {
        nodes_.at(key).has_children = false;
        for (HostKey i = 0; i < 8; ++i) {
            nodes_.erase(key << 3 | i);
            colors_.erase(key << 3 | i);
        }
    }
    const bool weighted = pass_.blend == passes::OctreeBlend::fine;
    std::array<double, 8> weights{};
    weights.fill(1.0);
    double occupied = 0.0;
    double alpha = 0.0;
    for (std::size_t i = 0; i < 8; ++i) {
        occupied += std::max(0.0, (values[i] >> 24) - 127.0);
        alpha += (values[i] >> 24) / 8.0;
    }
    if (weighted)
        for (std::size_t i = 0; i < 8; ++i)
            weights[i] =
                occupied > 0.0 ? std::max(0.0, (values[i] >> 24) - 127.0) : double(values[i] >> 24);
    if (weighted && occupied > 0.0) alpha = 127.0 + std::ceil(occupied / 8.0);
    double total = 0.0;
    for (const double weight : weights)
        total += weight;
    std::uint32_t result = static_cast<std::uint32_t>(std::floor(alpha + 0.5)) << 24;
    for (std::uint32_t c = 0; c < 3 && total > 0.0; ++c) {
        double sum = 0.0;
        for (std::size_t i = 0; i < 8; ++i)
            sum += weights[i] * channel(values[i], c);
        result |= static_cast<std::uint32_t>(std::floor(sum / total + 0.5)) << 8 * c;
    }
    return result;
}

void OctreeReference::update(std::span<const passes::OctreePoint> points,
                             const std::map<HostKey, std::uint32_t>& misses) {
    if (nodes_.empty())
        for (HostKey i = 0; i < 8; ++i)
            nodes_[8 | i] = {.value = kNewValue};
    std::map<HostKey, Sum> hits;
    outside_ = 0;
    for (const passes::OctreePoint& point : points) {
        const auto key = key_by_halves(pass_.tree, point.position);
        if (!key) ++outside_;
        if (!key || point.color >> 24 == 0) continue;
        Sum& sum = hits[*key];
        for (std::uint32_t i = 0; i < 3; ++i)
            sum.color[i] += channel(point.color, i);
        ++sum.count;
    }
    leaves_ = static_cast<std::uint32_t>(hits.size());
    for (const auto& [leaf, sum] : hits) {
        grow(leaf);
        hit(leaf, sum);
    }
    for (const auto& [key, times] : misses) {
        if (hits.contains(key)) continue;
        const std::uint32_t rays =
            pass_.counting == passes::OctreeCounting::frames ? std::min(times, 1u) : times;
        HostNode& node = nodes_.at(key);
        const std::uint32_t alpha = node.value >> 24;
        node.value = (node.value & 0xffffffu) | (alpha - std::min(alpha, rays * pass_.miss)) << 24;
    }
    root_ = mean_of_children(1);
}

DeviceTree read_tree(const passes::OctreeShape& shape, const passes::OctreeStatus& status,
                     std::span<const std::uint32_t> nodes, std::span<const std::uint32_t> blocks,
                     std::span<const std::uint32_t> free) {
    DeviceTree tree;
    std::set<std::uint32_t> met;
    const auto fault = [&](std::string what) { tree.faults.push_back(std::move(what)); };
    struct Block {
        std::uint32_t number;
        HostKey parent;
        std::uint32_t parent_node;
    };
    std::vector<Block> open{{0, 1, ~0u}};
    while (!open.empty()) {
        const Block block = open.back();
        open.pop_back();
        if (block.number >= status.blocks || block.number >= shape.blocks()) {
            fault(fmt::format("block {} of {}", block.number, status.blocks));
            continue;
        }
        if (!met.insert(block.number).second) {
            fault(fmt::format("block {} has two parents", block.number));
            continue;
        }
        if (blocks[block.number] != block.parent_node)
            fault(fmt::format("block {} says its parent is {}, not {}", block.number,
                              blocks[block.number], block.parent_node));
        for (std::uint32_t i = 0; i < 8; ++i) {
            const std::uint32_t node = 8 * block.number + i;
            const std::uint32_t word = nodes[2 * node];
            const HostKey key = block.parent << 3 | i;
            const bool has_children = (word & 0x40000000u) != 0;
            tree.nodes[key] = {has_children, word >> 31 != 0, nodes[2 * node + 1]};
            if (!has_children) continue;
            if ((word & 0x3fffffffu) % 8 != 0) fault(fmt::format("node {} links amiss", node));
            open.push_back({(word & 0x3fffffffu) / 8, key, node});
        }
    }
    for (std::uint32_t i = 0; i < status.free; ++i)
        if (!met.insert(free[i]).second)
            fault(fmt::format("block {} is free twice, or in the tree", free[i]));
    if (met.size() != status.blocks)
        fault(fmt::format("{} blocks are in the tree or free, and {} were taken", met.size(),
                          status.blocks));
    return tree;
}

} // namespace tuff::testing_gpu
