#include "passes/collision/search.hpp"

#include "passes/primitives/compact.hpp"
#include "passes/primitives/radix_sort.hpp"

#include <glm/mat3x3.hpp>
#include <glm/vec2.hpp>

#include <algorithm>
#include <array>
#include <bit>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kLeastRoom = 1u << 16; // for pairs, if nobody says
constexpr std::uint32_t kCodeBits = 30;        // of bvh/lbvh_build
constexpr std::uint32_t kStatusWords = sizeof(CollisionStatus) / kWordBytes;

/// Its columns are where the axes go.
glm::dmat3 rotation_matrix(const glm::vec4& quaternion) {
    const double x = quaternion.x;
    const double y = quaternion.y;
    const double z = quaternion.z;
    const double w = quaternion.w;
    const double s = 2.0 / (x * x + y * y + z * z + w * w);
    return {{1.0 - s * (y * y + z * z), s * (x * y + z * w), s * (x * z - y * w)},
            {s * (x * y - z * w), 1.0 - s * (x * x + z * z), s * (y * z + x * w)},
            {s * (x * z + y * w), s * (y * z - x * w), 1.0 - s * (x * x + y * y)}};
}

/// From the second mesh's coordinates to the first's.
std::array<glm::vec4, 3> relative_rows(const CollisionPairs& pass) {
    const glm::dmat3 back = glm::transpose(rotation_matrix(pass.rotation_a));
    glm::dmat3 b = rotation_matrix(pass.rotation_b);
    if (pass.mirror_b) b[0] = -b[0];
    const glm::dmat3 rotation = glm::transpose(back * b); // its columns are rows
    const glm::dvec3 apart = back * (glm::dvec3(pass.position_b) - glm::dvec3(pass.position_a));
    return {glm::vec4(glm::dvec4(rotation[0], apart.x)),
            glm::vec4(glm::dvec4(rotation[1], apart.y)),
            glm::vec4(glm::dvec4(rotation[2], apart.z))};
}

std::uint32_t bits_of(std::uint32_t triangles) {
    return static_cast<std::uint32_t>(std::bit_width(std::max(triangles, 1u) - 1));
}

std::uint32_t room_for(const Graph& graph, std::string_view name, std::uint64_t wanted) {
    const std::uint64_t most =
        std::min<std::uint64_t>(kMaxCollisionRoom, graph.target().max_storage_buffer_bytes / 8);
    return static_cast<std::uint32_t>(std::min(graph.pool(name, std::min(wanted, most), 8), most));
}

Buffer pair_array(Graph& graph, std::string_view name, std::uint64_t pairs) {
    return graph.buffer(name, {.size = 8 * std::max<std::uint64_t>(pairs, 1), .stride = 8});
}

/// A search as it is built.
class Search {
  public:
    Search(Graph& graph, const CollisionPairs& pass)
        : graph_(graph), pass_(pass), a_(pass.a), b_(pass.b ? pass.b : pass.a),
          self_(pass.b ? 0u : 1u) {
        const std::uint32_t triangles =
            std::max(a_.bvh.mesh.triangle_count, b_.bvh.mesh.triangle_count);
        const std::uint64_t chosen = std::max<std::uint64_t>(kLeastRoom, 2ull * triangles);
        const auto wanted =
            pass.most_pairs > 0 ? static_cast<std::uint64_t>(pass.most_pairs) : chosen;
        pair_room_ = room_for(graph, "pairs", wanted);
        // Within a mesh every triangle meets the boxes of its neighbours, of which there are about
        // twelve.
        room_ = room_for(graph, "candidates", (self_ ? 8 : 2) * chosen);
        frontier_room_ = room_for(graph, "frontier", 4 * chosen);
    }

    void begin() {
        ComputeNodeBuilder node =
            graph_.compute("collision/begin", {{"PLACED", pass_.placements ? 1 : 0}});
        node.read("status_a", a_.bvh.status);
        node.read("status_b", b_.bvh.status);
        if (pass_.placements) {
            node.read("placements", pass_.placements);
        } else {
            const std::array<glm::vec4, 3> rows = relative_rows(pass_);
            node.set("row_x", rows[0]);
            node.set("row_y", rows[1]);
            node.set("row_z", rows[2]);
        }
        node.set("pair_room", pair_room_);
        node.set("room", room_);
        node.set("frontier_room", frontier_room_);
        frame_ = node.write("frame", graph_.buffer("frame", {.size = 80, .stride = 80}));
        node.match<CollisionStatus>("collision_status");
        status_ = node.write("collision_status", array(graph_, "status", kStatusWords));
        node.dispatch(1);
        count_flat(a_, false);
        if (self_ == 0) count_flat(b_, true);
        candidates_ = pair_array(graph_, "candidates", room_);
    }

    void each() {
        ComputeNodeBuilder node = graph_.compute("collision/seek");
        node.specialize("kSelf", self_);
        node.set("room", room_);
        node.read("status_a", a_.bvh.status);
        node.read("status_b", b_.bvh.status);
        node.read("leaves_a", a_.bvh.leaves);
        node.read("leaves_b", b_.bvh.leaves);
        node.read("nodes_b", b_.bvh.nodes);
        node.read("frame", frame_);
        write_candidates(node);
        node.dispatch_each(std::max(a_.bvh.mesh.triangle_count, 1u));
    }

    /// By levels, as many as both trees can have together; behind the last pairs they have nothing
    /// to do.
    void levels(bool ordered) {
        const Level start = first_items();
        Level level = start;
        graph_.repeat("level", most_levels(), 0, [&](int, std::uint32_t) {
            level = ordered ? filter(level) : append(level);
            return 0;
        });
    }

    /// Candidates whose triangles meet, in order.
    void end(CollisionPairs& result) {
        const std::uint32_t bits_a = bits_of(a_.bvh.mesh.triangle_count);
        const std::uint32_t bits_b = bits_of(b_.bvh.mesh.triangle_count);
        ComputeNodeBuilder node = graph_.compute("collision/triangles");
        node.specialize("kSelf", self_);
        node.set("room", room_);
        node.set("pair_room", pair_room_);
        node.set("bits_b", bits_b);
        node.read("leaves_a", a_.bvh.leaves);
        node.read("leaves_b", b_.bvh.leaves);
        node.read("frame", frame_);
        node.read("candidates", candidates_);
        result.touched_a = node.write("touched_a", untouched("touched_a", a_));
        result.touched_b = node.write("touched_b", untouched("touched_b", b_));
        const Buffer keys = node.write("keys", pair_array(graph_, "keys", pair_room_));
        const Buffer candidate_count = member(&CollisionStatus::candidates, "candidate_count");
        status_ = node.write("collision_status", status_);
        dispatch_each(graph_, node, Length{.most = room_, .count = candidate_count});

        const Buffer found = member(&CollisionStatus::pairs, "found");
        const Buffer sorted =
            graph_
                .add(RadixSort{.keys = keys,
                               .count = found,
                               .type = SortKey::u64,
                               .length = pair_room_,
                               .end_bit = static_cast<int>(std::max(bits_a + bits_b, 1u))},
                     "sort")
                .sorted_keys;
        ComputeNodeBuilder take = graph_.compute("collision/take_keys");
        take.set("pair_room", pair_room_);
        take.set("bits_b", bits_b);
        take.read("collision_status", status_);
        take.read("keys", sorted);
        result.pairs = take.write("pairs", pair_array(graph_, "pairs", pair_room_));
        result.count = take.write("pair_count", array(graph_, "count", 1));
        dispatch_each(graph_, take, Length{.most = pair_room_, .count = found});
        result.status = status_;
        graph_.status<CollisionStatus>(status_);
    }

  private:
    /// A hierarchy is as deep as the bits of its codes and of its triangles' numbers.
    std::uint32_t most_levels() const {
        return 2 * kCodeBits + bits_of(a_.bvh.mesh.triangle_count) +
               bits_of(b_.bvh.mesh.triangle_count) + 1;
    }

    struct Level {
        Buffer items;
        Buffer count;
    };

    void count_flat(const BoxTree& tree, bool second) {
        ComputeNodeBuilder node = graph_.compute("collision/count_flat");
        node.specialize("kSecond", second ? 1u : 0u);
        node.read("bvh_status", tree.bvh.status);
        node.read("leaves", tree.bvh.leaves);
        node.read("frame", frame_);
        status_ = node.write("collision_status", status_);
        node.dispatch_each(std::max(tree.bvh.mesh.triangle_count, 1u));
    }

    void write_candidates(ComputeNodeBuilder& node) {
        status_ = node.write("collision_status", status_);
        candidates_ = node.write("candidates", candidates_);
    }

    void bind_items(ComputeNodeBuilder& node, const Level& level) {
        node.read("items", level.items);
        node.set("frontier_room", frontier_room_);
    }

    void bind_nodes(ComputeNodeBuilder& node) {
        node.read("nodes_a", a_.bvh.nodes);
        node.read("nodes_b", b_.bvh.nodes);
    }

    void bind_boxes(ComputeNodeBuilder& node) {
        node.read("frame", frame_);
        node.read("leaves_a", a_.bvh.leaves);
        node.read("leaves_b", b_.bvh.leaves);
        node.read("boxes_a", a_.boxes);
        node.read("boxes_b", b_.boxes);
    }

    Level first_items() {
        const std::uint32_t most = self_ ? std::max(a_.bvh.mesh.triangle_count, 1u) : 1u;
        ComputeNodeBuilder node = graph_.compute("collision/first_items");
        node.specialize("kSelf", self_);
        node.set("frontier_room", frontier_room_);
        node.read("status_a", a_.bvh.status);
        node.read("status_b", b_.bvh.status);
        node.read("nodes_a", a_.bvh.nodes);
        node.read("frame", frame_);
        status_ = node.write("collision_status", status_);
        const Level level{node.write("items", pair_array(graph_, "items", frontier_room_)),
                          node.write("item_count", array(graph_, "item_count", 1))};
        node.dispatch_each(most);
        return level;
    }

    Level append(const Level& level) {
        ComputeNodeBuilder node = graph_.compute("collision/descend");
        bind_items(node, level);
        bind_nodes(node);
        bind_boxes(node);
        node.read("item_count", level.count);
        node.set("room", room_);
        write_candidates(node);
        const Buffer none = graph_.fill(array(graph_, "next_count", 1), 0, "no_items");
        const Level next{node.write("next_items", pair_array(graph_, "items", frontier_room_)),
                         node.write("next_count", none)};
        dispatch_each(graph_, node, Length{.most = frontier_room_, .count = level.count});

        ComputeNodeBuilder counts = graph_.compute("collision/next_level", {{"ORDERED", 0}});
        counts.set("frontier_room", frontier_room_);
        counts.read("item_count", level.count);
        counts.read("next_count", next.count);
        status_ = counts.write("collision_status", status_);
        counts.dispatch(1);
        return next;
    }

    /// The verdicts' indices for which `predicate` holds, in their order.
    Compact filtered(Buffer verdicts, Buffer count, std::string_view predicate,
                     std::string_view name) {
        return graph_.add(Compact{.source = verdicts,
                                  .count = count,
                                  .predicate = std::string(predicate),
                                  .length = frontier_room_,
                                  .emits = Emits::indices,
                                  .method = pass_.method},
                          name);
    }

    Level filter(const Level& level) {
        const Length length{.most = frontier_room_, .count = level.count};
        ComputeNodeBuilder judge = graph_.compute("collision/judge");
        bind_items(judge, level);
        bind_boxes(judge);
        judge.read("item_count", level.count);
        const Buffer verdicts = judge.write("verdicts", array(graph_, "verdicts", frontier_room_));
        dispatch_each(graph_, judge, length);
        const Compact opened = filtered(verdicts, level.count, "(x & 3u) == 1u", "opened");
        const Compact found = filtered(verdicts, level.count, "(x & 3u) == 2u", "found");

        ComputeNodeBuilder node = graph_.compute("collision/open");
        bind_items(node, level);
        bind_nodes(node);
        node.read("verdicts", verdicts);
        node.read("opened_items", opened.result);
        node.read("opened_count", opened.kept);
        node.read("found", found.result);
        node.read("found_count", found.kept);
        node.read("collision_status", status_);
        node.set("room", room_);
        candidates_ = node.write("candidates", candidates_);
        Level next{node.write("next_items", pair_array(graph_, "items", frontier_room_)), {}};
        dispatch_each(graph_, node, length);

        ComputeNodeBuilder counts = graph_.compute("collision/next_level", {{"ORDERED", 1}});
        counts.set("frontier_room", frontier_room_);
        counts.read("item_count", level.count);
        counts.read("opened_count", opened.kept);
        counts.read("found_count", found.kept);
        next.count = counts.write("next_count", array(graph_, "next_count", 1));
        status_ = counts.write("collision_status", status_);
        counts.dispatch(1);
        return next;
    }

    Buffer untouched(std::string_view name, const BoxTree& tree) {
        return graph_.fill(array(graph_, name, std::max(tree.bvh.mesh.triangle_count, 1u)), 0,
                           name);
    }

    /// A copy of one word of the status, for what counts by the first word.
    Buffer member(std::uint32_t CollisionStatus::*which, std::string_view name) {
        const CollisionStatus example;
        const auto offset =
            static_cast<std::uint64_t>(reinterpret_cast<const char*>(&(example.*which)) -
                                       reinterpret_cast<const char*>(&example));
        return graph_.copy(BufferView(status_, offset, 4), BufferView(array(graph_, name, 1)),
                           name);
    }

    Graph& graph_;
    const CollisionPairs& pass_;
    const BoxTree& a_;
    const BoxTree& b_;
    std::uint32_t self_;
    std::uint32_t pair_room_ = 0;
    std::uint32_t room_ = 0; ///< for candidates
    std::uint32_t frontier_room_ = 0;
    Buffer frame_;
    Buffer status_;
    Buffer candidates_;
};

} // namespace

void search_collisions(Graph& graph, CollisionPairs& pass) {
    Search search(graph, pass);
    search.begin();
    switch (pass.search) {
    case CollisionSearch::levels: search.levels(false); break;
    case CollisionSearch::filtered: search.levels(true); break;
    default: search.each(); break;
    }
    search.end(pass);
}

} // namespace tuff::passes
