#pragma once

#include "passes/octree/octree.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

/// Octrees larger than the device's pool: unused subtrees are kept on the host.
namespace tuff::passes {

/// A tree's pool on the host: what `octree/fuse` keeps between executions, its histories "nodes",
/// "blocks", "free", "fractions" and "status". `Executor::read_history` fetches them, newest copy
/// last, and `write_history` restores them.
struct OctreePool {
    OctreeShape shape;
    std::vector<std::uint32_t> nodes;     ///< two words a node
    std::vector<std::uint32_t> blocks;    ///< the node whose children each block has
    std::vector<std::uint32_t> free;      ///< the first `status.free`
    std::vector<std::uint32_t> fractions; ///< one word a node
    OctreeStatus status;

    /// An empty tree.
    explicit OctreePool(const OctreeShape& shape);

    /// Returns the same tree in a pool of `capacity` nodes, if all allocated blocks fit.
    std::optional<OctreePool> resized(std::uint32_t capacity) const;
    /// Takes a block and links it to `node`; returns nothing if the pool is full.
    std::optional<std::uint32_t> take_block(std::uint32_t node);
    /// Frees all blocks below `node`, which ends up without children.
    void give_back_below(std::uint32_t node);
    /// Number of available blocks.
    std::uint32_t room() const { return shape.blocks() - status.blocks + status.free; }
};

/// A box in the world.
struct OctreeBox {
    glm::vec3 low{0.0f};
    glm::vec3 high{0.0f};
};

/// Keeps track of where the subtrees at one level are: in the pool or on the host. Before working
/// on a part of the tree, call `request` with its box; then all of it is in the pool. If space is
/// needed, subtrees outside the union of the last boxes go to the host. Their roots stay with their
/// values, so the means above them and pictures of coarser levels are right. Data that is added to
/// a subtree while it is on the host is lost when the subtree comes back; `lost_leaves` counts it.
class OctreeStore {
  public:
    /// `level`: level of the nodes whose subtrees move as a whole, from 1 to the depth less 1.
    /// `kept_boxes`: how many of the last boxes stay in the pool, at least 1.
    OctreeStore(const OctreeShape& shape, std::uint32_t level, std::size_t kept_boxes);

    /// Brings all stored subtrees that intersect the box into the pool, and tries to free `spare`
    /// blocks for new nodes. Returns whether that succeeded.
    bool request(OctreePool& pool, const OctreeBox& box, std::uint32_t spare);
    /// Moves the subtrees outside the boxes of the last requests to the host. Returns their number.
    std::size_t pull_unused(OctreePool& pool);
    /// Moves all stored subtrees that intersect `box` into the pool. Returns false if one did not
    /// fit and stays on the host.
    bool push(OctreePool& pool, const OctreeBox& box);

    /// Number of subtrees on the host.
    std::size_t stored() const { return stored_.size(); }
    /// Number of blocks that they take in a pool.
    std::uint32_t stored_blocks() const;
    /// Number of leaves with new data that subtrees replaced when they came back. It is 0 if each
    /// part of the tree was requested before points were added there.
    std::uint64_t lost_leaves() const { return lost_leaves_; }

  private:
    /// A node on the host, with its children.
    struct Node {
        std::uint32_t flags = 0;
        std::uint32_t value = 0;
        std::uint32_t fraction = 0;
        std::unique_ptr<std::array<Node, kOctreeBlock>> children;
    };
    struct Subtree {
        OctreeBox box;
        std::uint32_t blocks = 0;
        Node root;
    };
    struct Place {
        std::uint64_t key = 1;
        std::uint32_t node = 0;
        OctreeBox box;
    };

    std::vector<Place> subtree_roots(const OctreePool& pool) const;
    void collect(const OctreePool& pool, std::uint32_t first, std::uint64_t parent,
                 const OctreeBox& box, std::vector<Place>& found) const;
    /// The node with that key; it is made again if it was pruned. Returns nothing if the pool is
    /// full.
    std::optional<std::uint32_t> node_of(OctreePool& pool, std::uint64_t key) const;
    static Node pulled(const OctreePool& pool, std::uint32_t node);
    static std::uint32_t count_blocks(const Node& node);
    /// Number of leaves below `node`, or of itself, that are neither unknown nor have `value`.
    static std::uint64_t count_leaves(const OctreePool& pool, std::uint32_t node,
                                      std::uint32_t value);
    static void pushed(OctreePool& pool, const Node& from, std::uint32_t node);

    OctreeShape shape_;
    std::uint32_t level_;
    std::size_t kept_boxes_;
    std::deque<OctreeBox> boxes_; ///< boxes of the last requests, newest last
    std::uint64_t lost_leaves_ = 0;
    std::map<std::uint64_t, Subtree> stored_; ///< subtrees by key: a 1, then three bits a level
};

} // namespace tuff::passes
