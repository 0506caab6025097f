#include "passes/octree/fuse.hpp"

#include "passes/primitives/elements.hpp"

#include <glm/vec4.hpp>

#include <algorithm>
#include <bit>

namespace tuff::passes {
namespace {

constexpr std::uint64_t kGroupsBytes = 16; // of each of two counts of groups

/// Of a table that is at most half full.
std::uint32_t table_slots(std::uint64_t entries) {
    constexpr std::uint64_t kFewest = 64;
    return static_cast<std::uint32_t>(std::max(std::bit_ceil(2 * entries), kFewest));
}

/// An update as it is built.
class OctreeUpdate {
  public:
    OctreeUpdate(Graph& graph, const FuseOctree& pass, const OctreeShape& shape,
                 std::uint32_t points)
        : graph_(graph), pass_(pass), shape_(shape), points_(points), room_(shape_.blocks()),
          new_blocks_(std::min(std::uint64_t{points} * shape_.depth, std::uint64_t{room_})),
          slots_(table_slots(points)), parent_slots_(table_slots(new_blocks_)) {}

    Octree run() {
        begin();
        insert();
        if (at_once())
            link();
        else
            expand();
        if (pass_.carve) carve();
        fill();
        if (pass_.carve) apply_misses();
        mip();
        finish();
        return tree_;
    }

  private:
    bool at_once() const { return pass_.growth == OctreeGrowth::at_once; }
    ComputeNodeBuilder node(std::string_view kernel) {
        ComputeNodeBuilder made = graph_.compute(kernel);
        specialize(made, shape_);
        return made;
    }
    Buffer words(std::string_view name, std::uint64_t count) { return array(graph_, name, count); }

    struct Pools {
        Buffer nodes;
        Buffer blocks;
        Buffer free;
        Buffer fractions;
        Buffer status;
    };

    /// What is written: the tree of `before`, or histories, whose contents so far `old` has.
    void take_pools(Pools& old) {
        if (pass_.before) {
            tree_ = pass_.before;
            old.status = tree_.status;
            return;
        }
        const std::uint64_t nodes = std::uint64_t{kOctreeBlock} * room_;
        const auto history = [&](std::string_view name, std::uint64_t bytes, Buffer& before) {
            const BufferHistory kept =
                graph_.history_buffer(name, {.size = bytes, .stride = kWordBytes});
            before = kept.previous[0];
            return kept.current;
        };
        graph_.push_scope(kOctreePool);
        tree_.nodes = history("nodes", 8 * nodes, old.nodes);
        tree_.blocks = history("blocks", 4ull * room_, old.blocks);
        tree_.free = history("free", 4ull * room_, old.free);
        tree_.fractions = history("fractions", 4 * nodes, old.fractions);
        graph_.pop_scope();
        tree_.kept = history("status", sizeof(OctreeStatus), old.status);
    }

    void begin() {
        Pools old;
        take_pools(old);
        tree_.shape = shape_;
        tree_.occupied_above =
            (!pass_.before || tree_.occupied_above) && pass_.blend == OctreeBlend::fine;
        ComputeNodeBuilder made = node("octree/begin");
        made.specialize("kCarves", std::uint32_t(pass_.carve));
        made.set("center", shape_.center);
        made.set("cells_a_unit", shape_.cells_a_unit());
        made.set("points", points_);
        made.set("slots", slots_);
        made.set("parents", parent_slots_);
        made.set("room", room_);
        made.set("reset", std::uint32_t(pass_.reset));
        made.set("max_range", pass_.max_range);
        made.set("eye", pass_.eye);
        made.read("points", pass_.points);
        made.read_optional("count", pass_.count);
        made.read_optional("pose", pass_.pose);
        made.read_optional("before", old.nodes, "has_before");
        made.read_optional("before_blocks", old.blocks, "has_before");
        made.read_optional("before_free", old.free, "has_before");
        made.read_optional("before_fractions", old.fractions, "has_before");
        made.read("old_status", old.status);
        tree_.nodes = made.write("nodes", tree_.nodes);
        tree_.blocks = made.write("blocks", tree_.blocks);
        tree_.free = made.write("free", tree_.free);
        tree_.fractions = made.write("fractions", tree_.fractions);
        tree_.status = made.write("status", graph_.buffer("now", {.size = sizeof(OctreeStatus),
                                                                  .stride = sizeof(OctreeStatus)}));
        keys_ = made.write("keys", words("keys", std::uint64_t{shape_.key_words()} * points_));
        sums_ = made.write("sums", graph_.buffer("sums", {.size = 16ull * points_, .stride = 16}));
        leaves_ = made.write("leaves", words("leaves", slots_));
        parents_ = made.write("parents", words("parents", parent_slots_));
        pending_ = made.write("pending", words("pending", room_));
        arrived_ = made.write("arrived", words("arrived", room_));
        misses_ = made.write(
            "misses", words("misses", pass_.carve ? std::uint64_t{kOctreeBlock} * room_ : 2));
        groups_ = made.write("groups", graph_.buffer("groups", {.size = 2 * kGroupsBytes}));
        const std::uint64_t pairs = std::uint64_t{4} * room_;
        made.dispatch_each(static_cast<std::uint32_t>(
            std::max<std::uint64_t>({points_, slots_, parent_slots_, pairs})));
    }

    void insert() {
        ComputeNodeBuilder made = node("octree/insert");
        made.specialize("kAtOnce", std::uint32_t(at_once()));
        made.set("points", points_);
        made.set("slots", slots_);
        made.set("parents", parent_slots_);
        made.read("points", pass_.points);
        made.read_optional("count", pass_.count);
        made.read("keys", keys_);
        made.read("free", tree_.free);
        tree_.nodes = made.write("nodes", tree_.nodes);
        tree_.fractions = made.write("fractions", tree_.fractions);
        tree_.blocks = made.write("blocks", tree_.blocks);
        tree_.status = made.write("status", tree_.status);
        leaves_ = made.write("leaves", leaves_);
        sums_ = made.write("sums", sums_);
        parents_ = made.write("parents", parents_);
        groups_ = made.write("groups", groups_);
        leaf_list_ = made.write("leaf_list", words("leaf_list", points_));
        parent_blocks_ = made.write("parent_blocks", words("parent_blocks", parent_slots_));
        made_ = made.write("made", words("made", new_blocks_));
        made.dispatch_each(points_);
    }

    void link() {
        ComputeNodeBuilder made = node("octree/link");
        made.set("parents", parent_slots_);
        made.read("keys", keys_);
        made.read("parents", parents_);
        made.read("parent_blocks", parent_blocks_);
        made.read("made", made_);
        tree_.nodes = made.write("nodes", tree_.nodes);
        tree_.blocks = made.write("blocks", tree_.blocks);
        tree_.free = made.write("free", tree_.free);
        tree_.status = made.write("status", tree_.status);
        made.dispatch_indirect(groups_, kGroupsBytes);
    }

    void expand() {
        for (std::uint32_t level = 1; level < shape_.depth; ++level) {
            ComputeNodeBuilder made = node("octree/expand");
            made.set("level", level);
            made.read("keys", keys_);
            made.read("leaf_list", leaf_list_);
            made.read("free", tree_.free);
            tree_.nodes = made.write("nodes", tree_.nodes);
            tree_.blocks = made.write("blocks", tree_.blocks);
            tree_.fractions = made.write("fractions", tree_.fractions);
            tree_.status = made.write("status", tree_.status);
            made.dispatch_indirect(groups_, 0);
        }
    }

    std::uint32_t miss_level() const {
        return shape_.depth - std::min(pass_.carve_levels, shape_.depth - 1);
    }

    void carve() {
        ComputeNodeBuilder made = node("octree/carve");
        made.specialize("kOnce", std::uint32_t(pass_.counting == OctreeCounting::frames));
        made.set("center", shape_.center);
        made.set("cells_a_unit", shape_.cells_a_unit());
        made.set("eye", pass_.eye);
        made.set("max_range", pass_.max_range);
        made.set("points", points_);
        made.set("miss_level", miss_level());
        made.read("points", pass_.points);
        made.read_optional("count", pass_.count);
        made.read_optional("pose", pass_.pose);
        made.read("tree", tree_.nodes);
        misses_ = made.write("misses", misses_);
        tree_.status = made.write("status", tree_.status);
        made.dispatch_each(points_);
    }

    void fill() {
        ComputeNodeBuilder made = node("octree/fill");
        made.specialize("kKeepsFractions", std::uint32_t(pass_.blend == OctreeBlend::fine));
        made.specialize("kCarves", std::uint32_t(pass_.carve));
        made.specialize("kOnce", std::uint32_t(pass_.counting == OctreeCounting::frames));
        made.set("hit", pass_.hit);
        made.set("miss_level", miss_level());
        made.read("keys", keys_);
        made.read("sums", sums_);
        made.read("leaf_list", leaf_list_);
        made.read("blocks", tree_.blocks);
        tree_.nodes = made.write("nodes", tree_.nodes);
        tree_.fractions = made.write("fractions", tree_.fractions);
        misses_ = made.write("misses", misses_);
        pending_ = made.write("pending", pending_);
        tree_.status = made.write("status", tree_.status);
        made.dispatch_indirect(groups_, 0);
    }

    void apply_misses() {
        ComputeNodeBuilder made = graph_.compute("octree/misses");
        made.specialize("kOnce", std::uint32_t(pass_.counting == OctreeCounting::frames));
        made.set("miss", pass_.miss);
        made.set("below", shape_.depth - miss_level());
        made.set("room", room_);
        made.read("misses", misses_);
        made.read("blocks", tree_.blocks);
        made.read("status", tree_.status);
        tree_.nodes = made.write("nodes", tree_.nodes);
        pending_ = made.write("pending", pending_);
        made.dispatch_each(kOctreeBlock * room_);
    }

    void mip() {
        ComputeNodeBuilder made = graph_.compute("octree/mip");
        made.specialize("kWeighted", std::uint32_t(pass_.blend == OctreeBlend::fine));
        made.specialize("kBarriersInBranches", std::uint32_t(graph_.target().barriers_in_branches));
        made.set("room", room_);
        made.set("prunes", std::uint32_t(pass_.prune));
        made.set("free_below", pass_.free_below);
        made.read("blocks", tree_.blocks);
        made.read("pending", pending_);
        tree_.nodes = made.write("nodes", tree_.nodes);
        static_cast<void>(made.write("arrived", arrived_));
        tree_.free = made.write("free", tree_.free);
        tree_.status = made.write("status", tree_.status);
        made.dispatch_each(room_);
    }

    void finish() {
        ComputeNodeBuilder made = graph_.compute("octree/finish");
        made.specialize("kKeeps", std::uint32_t(bool(tree_.kept)));
        tree_.status = made.write("status", tree_.status);
        // Whoever updates the tree in place brings up to date what lasts of it, too.
        const Buffer kept = made.write(
            "kept", tree_.kept ? tree_.kept : words("not_kept", sizeof(OctreeStatus) / 4));
        if (tree_.kept) tree_.kept = kept;
        made.dispatch(1);
    }

    Graph& graph_;
    const FuseOctree& pass_;
    OctreeShape shape_;
    std::uint32_t points_;
    std::uint32_t room_;         ///< blocks
    std::uint64_t new_blocks_;   ///< at most
    std::uint32_t slots_;        ///< of the table of leaves
    std::uint32_t parent_slots_; ///< of that of nodes that get children
    Octree tree_;
    Buffer keys_;
    Buffer sums_;
    Buffer leaves_;
    Buffer leaf_list_;
    Buffer parents_;
    Buffer parent_blocks_;
    Buffer made_;
    Buffer pending_;
    Buffer arrived_;
    Buffer misses_;
    Buffer groups_;
};

} // namespace

void FuseOctree::describe(PassInfo<FuseOctree>& info) {
    info.summary("Fuses the points of a depth camera's frame into an octree that lasts")
        .details(
            "Leaves that points are in are found by hashing their Morton keys. Missing nodes of "
            "all "
            "levels are made at once: each takes a block for its eight children from the free list "
            "or the pool's end, and the next kernel links them. A hit adds \"hit\" to the "
            "occupancy, from 127 on, up to 255; the colour is a mean that weighs old ones by the "
            "occupancy. Values of the nodes above are means of their children's.\n"
            "With \"carve\" rays from the camera to its points take \"miss\" from all nodes "
            "without "
            "children on their way, down to 0; nodes that a point of this frame is in are left "
            "alone. Blocks whose leaves have all come down to \"free_below\" go to "
            "the free list. Points of alpha 0 and those beyond \"max_range\" hit nothing.\n"
            "Results do not depend on the order of points; where nodes lie in the pool does. Where "
            "the pool has no room a node stays without children, and a warning counts lost "
            "leaves: octree/no-room; over the frames of a run the pool grows, with what it has. "
            "The "
            "tree lasts from one execution to the next unless "
            "\"before\" is connected, which is updated in place; so several clouds go into one "
            "tree. Errors: octree/bad-points, octree/too-large.")
        .source(
            "Kotfis and Cozzi, \"Octree Mapping from a Depth Camera\", GPU Pro 7, 2016; Hornung "
            "et al., \"OctoMap\", Autonomous Robots 34, 2013")
        .complexity("O(points + nodes)")
        .cost([](const FuseOctree& pass, const Graph& graph) {
            if (!pass.octree) return Cost{};
            const double points = static_cast<double>(graph.desc(pass.points).size) / 16.0;
            // Points, keys and sums, twice; the table of leaves.
            return Cost{.bytes = points * (2.0 * (16.0 + 4.0 * pass.tree.key_words() + 16.0) + 8.0),
                        .operations = 300.0 * points};
        });
    info.input("points", &FuseOctree::points, "world space").elements<OctreePoint>();
    info.optional_input("count", &FuseOctree::count,
                        "the first word is the number of points; else the buffer is full of them")
        .elements<std::uint32_t>();
    info.optional_input("pose", &FuseOctree::pose,
                        "camera to world, four columns: the eye is in the last one; else \"eye\"")
        .elements<glm::vec4>();
    info.optional_input("before", &FuseOctree::before,
                        "a tree of this execution, which is updated; it says its own shape");
    info.group("tree", &FuseOctree::tree);
    info.parameter("counting", &FuseOctree::counting,
                   "\"points\": every point and every ray; \"frames\": a voxel is hit or missed at "
                   "most once in an update")
        .structural();
    info.parameter(
            "blend", &FuseOctree::blend,
            "\"fine\": colours of 18 bits a channel, the first one as it is, and means "
            "weighted by occupancy; \"printed\": 8 bits, cut off, from black, and plain means")
        .structural();
    info.parameter("growth", &FuseOctree::growth,
                   "how missing nodes are made: \"at_once\", or \"levels\", a kernel a level as "
                   "printed; the tree is the same")
        .structural();
    info.parameter("hit", &FuseOctree::hit, "of the occupancy, for a hit").range(1, 255);
    info.parameter("miss", &FuseOctree::miss, "of the occupancy, for a miss").range(1, 255);
    info.parameter("carve", &FuseOctree::carve, "rays to the points make free what they go through")
        .structural();
    info.parameter("carve_levels", &FuseOctree::carve_levels,
                   "above the leaves that rays go from node to node; each makes them half as long")
        .range(0, 4)
        .structural();
    info.parameter("eye", &FuseOctree::eye, "where the camera is").unit("world units");
    info.parameter("max_range", &FuseOctree::max_range,
                   "points farther from the camera hit nothing, and rays end there; 0: none is")
        .range(0.0, 1e9)
        .unit("world units");
    info.parameter("prune", &FuseOctree::prune, "frees blocks that nothing is in any more");
    info.parameter("free_below", &FuseOctree::free_below,
                   "the greatest occupancy of leaves that are given up; 127: also unknown ones")
        .range(0, 127);
    info.parameter("reset", &FuseOctree::reset, "begins with an empty tree");
    info.output("octree", &FuseOctree::octree, "the tree after the update");
    info.output("status", &FuseOctree::status, "what the update did").elements<OctreeStatus>();
}

void FuseOctree::build(Graph& graph) {
    const std::uint32_t most = checked_points(graph, points);
    if (most == 0 || (!before && !is_valid(graph, tree))) return;
    OctreeShape shape = before ? before.shape : tree;
    if (!before) {
        const std::uint64_t fits = graph.target().max_storage_buffer_bytes / 8;
        shape.nodes = static_cast<std::uint32_t>(std::min(
            {graph.pool(kOctreePool, tree.nodes, 8), fits, std::uint64_t{kMaxOctreeNodes}}));
    }
    octree = OctreeUpdate(graph, *this, shape, most).run();
    status = octree.status;
    graph.status<OctreeStatus>(status);
}

TUFF_PASS(FuseOctree)

} // namespace tuff::passes
