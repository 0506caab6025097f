#include "passes/octree/octree_store.hpp"

#include <algorithm>
#include <utility>

namespace tuff::passes {
namespace {

// As shaders/octree/pool.glsl.
constexpr std::uint32_t kChildrenBit = 0x40000000u;
constexpr std::uint32_t kHitBit = 0x80000000u;
constexpr std::uint32_t kChildIndex = 0x3fffffffu;
constexpr std::uint32_t kUnknownValue = 127u << 24;
constexpr std::uint32_t kNoParent = ~0u;

bool overlap(const OctreeBox& a, const OctreeBox& b) {
    for (int axis = 0; axis < 3; ++axis)
        if (a.high[axis] < b.low[axis] || b.high[axis] < a.low[axis]) return false;
    return true;
}

bool has_children(const OctreePool& pool, std::uint32_t node) {
    return (pool.nodes[2ull * node] & kChildrenBit) != 0;
}

std::uint32_t first_child(const OctreePool& pool, std::uint32_t node) {
    return pool.nodes[2ull * node] & kChildIndex;
}

void clear_block(OctreePool& pool, std::uint32_t block) {
    for (std::uint32_t i = 0; i < kOctreeBlock; ++i) {
        const std::size_t node = std::size_t{kOctreeBlock} * block + i;
        pool.nodes[2 * node] = 0;
        pool.nodes[2 * node + 1] = kUnknownValue;
        pool.fractions[node] = 0;
    }
}

} // namespace

OctreePool::OctreePool(const OctreeShape& of) : shape(of) {
    const std::size_t count = std::size_t{kOctreeBlock} * shape.blocks();
    nodes.resize(2 * count);
    fractions.resize(count);
    blocks.resize(shape.blocks(), kNoParent);
    free.resize(shape.blocks());
    status.blocks = 1;
    status.root = kUnknownValue;
    status.room = shape.blocks();
    clear_block(*this, 0);
}

std::optional<OctreePool> OctreePool::resized(std::uint32_t capacity) const {
    OctreeShape other = shape;
    other.nodes = capacity;
    if (other.blocks() < status.blocks) return std::nullopt;
    OctreePool result = *this;
    result.shape = other;
    const std::size_t count = std::size_t{kOctreeBlock} * other.blocks();
    result.nodes.resize(2 * count);
    result.fractions.resize(count);
    result.blocks.resize(other.blocks(), kNoParent);
    result.free.resize(other.blocks());
    result.status.room = other.blocks();
    return result;
}

std::optional<std::uint32_t> OctreePool::take_block(std::uint32_t node) {
    if (room() == 0) return std::nullopt;
    const std::uint32_t block = status.free > 0 ? free[--status.free] : status.blocks++;
    clear_block(*this, block);
    blocks[block] = node;
    nodes[2ull * node] = (nodes[2ull * node] & kHitBit) | kChildrenBit | kOctreeBlock * block;
    return block;
}

void OctreePool::give_back_below(std::uint32_t node) {
    if (!has_children(*this, node)) return;
    const std::uint32_t first = first_child(*this, node);
    for (std::uint32_t i = 0; i < kOctreeBlock; ++i)
        give_back_below(first + i);
    free[status.free++] = first / kOctreeBlock;
    nodes[2ull * node] &= kHitBit;
}

OctreeStore::OctreeStore(const OctreeShape& shape, std::uint32_t level, std::size_t kept_boxes)
    : shape_(shape), level_(std::clamp(level, 1u, std::max(shape.depth, 2u) - 1)),
      kept_boxes_(std::max<std::size_t>(kept_boxes, 1)) {}

// The nodes of a block that are at the level, or below: `box` is that of their parent.
void OctreeStore::collect(const OctreePool& pool, std::uint32_t first, std::uint64_t parent,
                          const OctreeBox& box, std::vector<Place>& found) const {
    const glm::vec3 half = 0.5f * (box.high - box.low);
    for (std::uint32_t i = 0; i < kOctreeBlock; ++i) {
        const glm::vec3 low = box.low + half * glm::vec3(i & 1u, i >> 1 & 1u, i >> 2);
        const Place place{parent << 3 | i, first + i, {low, low + half}};
        if (place.key >> 3 * level_ == 1)
            found.push_back(place);
        else if (has_children(pool, place.node))
            collect(pool, first_child(pool, place.node), place.key, place.box, found);
    }
}

std::vector<OctreeStore::Place> OctreeStore::subtree_roots(const OctreePool& pool) const {
    std::vector<Place> found;
    collect(pool, 0, 1, {shape_.center - shape_.half, shape_.center + shape_.half}, found);
    return found;
}

std::optional<std::uint32_t> OctreeStore::node_of(OctreePool& pool, std::uint64_t key) const {
    std::uint32_t first = 0;
    for (std::uint32_t below = level_ - 1;; --below) {
        const std::uint32_t node = first + static_cast<std::uint32_t>(key >> 3 * below & 7u);
        if (below == 0) return node;
        if (!has_children(pool, node) && !pool.take_block(node)) return std::nullopt;
        first = first_child(pool, node);
    }
}

OctreeStore::Node OctreeStore::pulled(const OctreePool& pool, std::uint32_t node) {
    Node result{.flags = pool.nodes[2ull * node] & kHitBit,
                .value = pool.nodes[2ull * node + 1],
                .fraction = pool.fractions[node],
                .children = nullptr};
    if (!has_children(pool, node)) return result;
    result.children = std::make_unique<std::array<Node, kOctreeBlock>>();
    for (std::uint32_t i = 0; i < kOctreeBlock; ++i)
        (*result.children)[i] = pulled(pool, first_child(pool, node) + i);
    return result;
}

std::uint32_t OctreeStore::count_blocks(const Node& node) {
    if (!node.children) return 0;
    std::uint32_t count = 1;
    for (const Node& child : *node.children)
        count += count_blocks(child);
    return count;
}

std::uint64_t OctreeStore::count_leaves(const OctreePool& pool, std::uint32_t node,
                                        std::uint32_t value) {
    if (!has_children(pool, node)) {
        const std::uint32_t own = pool.nodes[2ull * node + 1];
        return own != kUnknownValue && own != value ? 1 : 0;
    }
    std::uint64_t count = 0;
    for (std::uint32_t i = 0; i < kOctreeBlock; ++i)
        count += count_leaves(pool, first_child(pool, node) + i, value);
    return count;
}

void OctreeStore::pushed(OctreePool& pool, const Node& from, std::uint32_t node) {
    pool.nodes[2ull * node] = from.flags;
    pool.nodes[2ull * node + 1] = from.value;
    pool.fractions[node] = from.fraction;
    if (!from.children) return;
    const auto block = pool.take_block(node);
    if (!block) return; // the caller has counted
    for (std::uint32_t i = 0; i < kOctreeBlock; ++i)
        pushed(pool, (*from.children)[i], kOctreeBlock * *block + i);
}

std::uint32_t OctreeStore::stored_blocks() const {
    std::uint32_t count = 0;
    for (const auto& [key, subtree] : stored_)
        count += subtree.blocks;
    return count;
}

std::size_t OctreeStore::pull_unused(OctreePool& pool) {
    std::size_t count = 0;
    for (const Place& place : subtree_roots(pool)) {
        const bool used = std::ranges::any_of(
            boxes_, [&](const OctreeBox& box) { return overlap(box, place.box); });
        if (used || !has_children(pool, place.node) || stored_.contains(place.key)) continue;
        Subtree subtree{.box = place.box, .blocks = 0, .root = pulled(pool, place.node)};
        subtree.blocks = count_blocks(subtree.root);
        stored_.emplace(place.key, std::move(subtree));
        pool.give_back_below(place.node);
        ++count;
    }
    return count;
}

bool OctreeStore::push(OctreePool& pool, const OctreeBox& box) {
    bool all = true;
    for (auto entry = stored_.begin(); entry != stored_.end();) {
        const Subtree& subtree = entry->second;
        if (!overlap(subtree.box, box)) {
            ++entry;
            continue;
        }
        // Also for those above its root, if they were pruned.
        const bool fits = subtree.blocks + level_ <= pool.room();
        const auto node = fits ? node_of(pool, entry->first) : std::nullopt;
        if (!node) {
            all = false;
            ++entry;
            continue;
        }
        // The root's own value is what the subtree left there.
        lost_leaves_ += count_leaves(pool, *node, subtree.root.value);
        pool.give_back_below(*node);
        pushed(pool, subtree.root, *node);
        entry = stored_.erase(entry);
    }
    return all;
}

bool OctreeStore::request(OctreePool& pool, const OctreeBox& box, std::uint32_t spare) {
    boxes_.push_back(box);
    if (boxes_.size() > kept_boxes_) boxes_.pop_front();
    std::uint32_t wanted = spare;
    for (const auto& [key, subtree] : stored_)
        if (overlap(subtree.box, box)) wanted += subtree.blocks + level_;
    if (pool.room() < wanted) pull_unused(pool);
    return push(pool, box) && pool.room() >= spare;
}

} // namespace tuff::passes
