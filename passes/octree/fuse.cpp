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
    info.summary("Fuses the points of a depth camera into an octree that persists between "
                 "executions")
        .details(
            "Points find their leaves by the hash of Morton keys. All missing nodes are made "
            "at once: each takes a block for its eight children from the free list or the "
            "pool's end, and the next kernel links them. A hit adds \"hit\" to the occupancy, "
            "which starts at 127 and ends at 255. The color is a mean in which old colors are "
            "weighted by the occupancy. Inner nodes have the means of their children.\n\n"
            "With \"carve\", rays from the camera to its points subtract \"miss\" from all "
            "nodes without children on their way, down to 0. Nodes with a point of the same "
            "frame are left alone. Blocks whose leaves have all dropped to \"free_below\" go "
            "to the free list. Points with alpha 0 and points beyond \"max_range\" hit "
            "nothing.\n\n"
            "Results do not depend on the order of points, but the positions of nodes in the "
            "pool do. If the pool is full, a node stays without children, and a warning counts "
            "lost leaves (octree/no-room). Over the frames of a run the pool grows and keeps "
            "its nodes.\n\n"
            "The tree persists from one execution to the next. If \"before\" is connected, "
            "that tree is updated in place instead, so several point clouds can go into one "
            "tree.\n\n"
            "Errors: octree/bad-points, octree/too-large.")
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
    info.input("points", &FuseOctree::points, "points in world space").elements<OctreePoint>();
    info.optional_input("count", &FuseOctree::count,
                        "the first word is the number of points; without it, all points of the "
                        "buffer count")
        .elements<std::uint32_t>();
    info.optional_input("pose", &FuseOctree::pose,
                        "camera to world, four columns; the last one is the eye; without it "
                        "\"eye\" is used")
        .elements<glm::vec4>();
    info.optional_input("before", &FuseOctree::before,
                        "a tree of the same execution, to be updated; it defines the shape");
    info.group("tree", &FuseOctree::tree);
    info.parameter("counting", &FuseOctree::counting,
                   "\"points\": every point and every ray counts; \"frames\": a voxel is hit "
                   "or missed at most once in an update")
        .structural();
    info.parameter(
            "blend", &FuseOctree::blend,
            "\"fine\": 18 bits a channel, the first color unchanged, and means weighted by "
            "occupancy; \"printed\": 8 bits, truncated, starting from black, and plain means")
        .structural();
    info.parameter("growth", &FuseOctree::growth,
                   "how missing nodes are made: \"at_once\", or \"levels\" with one kernel a "
                   "level as in the book; the tree is the same")
        .structural();
    info.parameter("hit", &FuseOctree::hit, "added to the occupancy by a hit").range(1, 255);
    info.parameter("miss", &FuseOctree::miss, "subtracted from the occupancy by a miss")
        .range(1, 255);
    info.parameter("carve", &FuseOctree::carve,
                   "rays to the points mark what they cross as "
                   "free")
        .structural();
    info.parameter("carve_levels", &FuseOctree::carve_levels,
                   "levels above the leaves at which rays step from node to node; each makes "
                   "rays half as long")
        .range(0, 4)
        .structural();
    info.parameter("eye", &FuseOctree::eye, "position of the camera").unit("world units");
    info.parameter("max_range", &FuseOctree::max_range,
                   "distance from the camera beyond which points do not hit; rays end there; "
                   "0: no limit")
        .range(0.0, 1e9)
        .unit("world units");
    info.parameter("prune", &FuseOctree::prune, "frees blocks that are empty");
    info.parameter("free_below", &FuseOctree::free_below,
                   "leaves up to this occupancy are empty; 127: also unknown leaves")
        .range(0, 127);
    info.parameter("reset", &FuseOctree::reset, "starts with an empty tree");
    info.output("octree", &FuseOctree::octree, "the tree after the update");
    info.output("status", &FuseOctree::status, "counts of the update").elements<OctreeStatus>();
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
