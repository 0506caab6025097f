#pragma once

#include "passes/octree/fuse.hpp"

#include <glm/vec3.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace tuff::testing_gpu {

/// A node by its key: a 1, then three bits a level.
using HostKey = std::uint64_t;

struct HostNode {
    bool has_children = false;
    bool was_hit = false;
    std::uint32_t value = passes::OctreeStatus{}.root; ///< RGBA8
    friend bool operator==(const HostNode&, const HostNode&) = default;
};

/// Nodes below the root.
using HostNodes = std::map<HostKey, HostNode>;

/// The key of a point by halving boxes as printed, in double precision; none outside the root.
std::optional<HostKey> key_by_halves(const passes::OctreeShape& shape, glm::vec3 point);
/// The box of a node: its least corner, and its edge.
struct HostBox {
    glm::dvec3 low{0.0};
    double edge = 0.0;
};
HostBox box_of(const passes::OctreeShape& shape, HostKey key);
std::uint32_t level_of(HostKey key);

/// An octree on the host: a map of nodes, updated one after the other.
class OctreeReference {
  public:
    explicit OctreeReference(const passes::FuseOctree& pass) : pass_(pass) {}

    void update(std::span<const passes::OctreePoint> points) { update(points, {}); }
    /// `misses`: by node, how many rays went through it.
    void update(std::span<const passes::OctreePoint> points,
                const std::map<HostKey, std::uint32_t>& misses);

    const HostNodes& nodes() const { return nodes_; }
    std::uint32_t root() const { return root_; }
    std::uint32_t leaves() const { return leaves_; }   ///< of the last update
    std::uint32_t outside() const { return outside_; } ///< points of the last update

  private:
    struct Sum {
        std::array<std::uint64_t, 3> color{};
        std::uint64_t count = 0;
    };
    void grow(HostKey leaf);
    void hit(HostKey leaf, const Sum& sum);
    /// The value of the node; frees its children where that is due.
    std::uint32_t mean_of_children(HostKey key);

    passes::FuseOctree pass_;
    HostNodes nodes_;
    std::map<HostKey, std::array<double, 3>> colors_; ///< of leaves, not rounded to 8 bits
    std::uint32_t root_ = 127u << 24;
    std::uint32_t leaves_ = 0;
    std::uint32_t outside_ = 0;
};

/// What a tree on the device consists of, and whether it is sound: see `read_tree`.
struct DeviceTree {
    HostNodes nodes;
    std::vector<std::string> faults;
};

/// Walks from the root. Faults: a block with two parents or outside the pool, a parent that is not
/// that of the block, a block both in the tree and in the free list or in neither.
DeviceTree read_tree(const passes::OctreeShape& shape, const passes::OctreeStatus& status,
                     std::span<const std::uint32_t> nodes, std::span<const std::uint32_t> blocks,
                     std::span<const std::uint32_t> free);

} // namespace tuff::testing_gpu
