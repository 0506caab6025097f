#include "passes/subdivision/levels.hpp"

#include "passes/primitives/scan.hpp"

#include <algorithm>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kStatusWordCount = sizeof(SubdivisionStatus) / kWordBytes;
constexpr std::uint32_t kStepWords = 4;
constexpr std::uint32_t kDrawArguments = 5;

Buffer quads(Graph& graph, std::string_view name, std::uint64_t count) {
    return graph.buffer(name, {.size = 16 * std::max<std::uint64_t>(count, 1), .stride = 16});
}

/// The records of a level.
struct Records {
    Buffer heads;
    Buffer links;
    Buffer points;
    Buffer count;
    std::uint32_t room = 0;
};

/// What is scanned to find places in the next stream.
struct Counted {
    Buffer marks;
    Scan split;   ///< records that are split
    Scan owned;   ///< vertices that records make
    Scan emitted; ///< triangles
};

class Levels {
  public:
    Levels(Graph& graph, Subdivide& pass, const LevelView& view, float limit, std::uint32_t room)
        : graph_(graph), pass_(pass), topology_(*pass.cage.topology), view_(view), limit_(limit),
          room_(room) {
        const std::uint32_t cage = topology_.triangle_count;
        // A vertex more on an edge makes a triangle more at least.
        vertex_room_ = topology_.vertex_count + room - std::min(room, cage);
        // From the first level on one corner may have any number of neighbours.
        ring_slots_ = std::max(topology_.max_valence, 6u) + 3;
    }

    void run() {
        begin();
        for (std::uint32_t level = 0; level < pass_.levels; ++level) {
            graph_.push_scope("level" + std::to_string(level));
            split(level);
            graph_.pop_scope();
        }
        advance_last();
        emit(nullptr);
        finish();
    }

  private:
    std::uint32_t room_of(std::uint32_t level) const {
        const std::uint64_t all = std::uint64_t{topology_.triangle_count} << (2 * level);
        return static_cast<std::uint32_t>(
            std::clamp<std::uint64_t>(std::min<std::uint64_t>(all, room_), 1, room_));
    }

    void begin() {
        const std::uint32_t cage = topology_.triangle_count;
        records_ = {
            .heads = pass_.cage.heads, .links = pass_.cage.links, .room = std::max(cage, 1u)};
        Buffer born;
        {
            ComputeNodeBuilder node = graph_.compute("subdivision/begin");
            node.set("triangle_count", cage);
            node.set("vertex_count", topology_.vertex_count);
            node.set("triangle_room", room_);
            node.match<SubdivisionStatus>("subdivision_status");
            status_ = node.write("subdivision_status", array(graph_, "status", kStatusWordCount));
            step_ = node.write("step_of_level", array(graph_, "step", kStepWords));
            records_.count = node.write("record_count", array(graph_, "record_count", 1));
            born = node.write("born_count", array(graph_, "born", 1));
            node.dispatch(1);
        }
        {
            ComputeNodeBuilder node = graph_.compute("subdivision/gather");
            node.read("positions", pass_.cage.positions);
            node.read("corners", pass_.cage.heads);
            node.read("rings", pass_.cage.rings);
            node.read("sharpness", pass_.cage.sharpness);
            node.set("triangle_count", cage);
            node.set("ring_slots", topology_.ring_slots);
            const std::uint64_t points = std::uint64_t{topology_.ring_slots + 3} * cage;
            records_.points = node.write("gathered", quads(graph_, "points", points));
            node.dispatch_each(static_cast<std::uint32_t>(points));
        }
        positions_ =
            graph_.fill(array(graph_, "positions", 3 * std::uint64_t{std::max(vertex_room_, 1u)}),
                        0, "positions");
        normals_ = graph_.fill(quads(graph_, "normals", vertex_room_), 0, "normals");
        indices_ = array(graph_, "indices", 3 * std::uint64_t{room_});
        corner_normals_ = graph_.fill(array(graph_, "corner_normals", 9 * std::uint64_t{room_}), 0,
                                      "corner_normals");
        tags_ = graph_.buffer("tags", {.size = 8 * std::uint64_t{room_}, .stride = 8});
        const std::uint64_t marked = is_balanced() ? std::max(vertex_room_, 1u) : 1;
        wanted_ = graph_.fill(array(graph_, "wanted", marked), 0, "nothing_wanted");
        coarsest_ = graph_.fill(array(graph_, "coarsest", marked), ~0u, "none_coarser");
        place(pass_.cage.sources, born, topology_.vertex_count);
    }

    bool is_balanced() const { return pass_.join == LevelJoin::balanced; }

    void read_records(ComputeNodeBuilder& node) {
        node.read("heads", records_.heads);
        node.read("points", records_.points);
        node.set("room", records_.room);
    }

    Length length() const { return {.most = records_.room, .count = records_.count}; }

    /// Vertices that were made go to the limit surface. `sources` are corners of `records_`.
    void place(Buffer sources, Buffer born, std::uint32_t most) {
        ComputeNodeBuilder node = graph_.compute("subdivision/limits");
        read_records(node);
        node.read("sources", sources);
        node.read("born_count", born);
        node.read("step_of_level", step_);
        node.set("most", most);
        node.set("vertex_room", vertex_room_);
        positions_ = node.write("positions", positions_);
        normals_ = node.write("normals", normals_);
        dispatch_each(graph_, node, {.most = most, .count = born});
    }

    Buffer judge(std::uint32_t level) {
        const bool forced = level < pass_.least_level;
        ComputeNodeBuilder node = graph_.compute("subdivision/judge");
        const SplitCriterion criterion = forced ? SplitCriterion::depth : pass_.criterion;
        node.specialize("criterion", static_cast<std::uint32_t>(criterion));
        node.specialize("looks_ahead", is_balanced() ? 1u : 0u);
        read_records(node);
        node.read("record_count", records_.count);
        node.read("positions", positions_);
        node.read("normals", normals_);
        node.set("eye", view_.eye);
        node.set("pixels_of_unit", view_.pixels_of_unit);
        node.set("limit", limit_);
        node.set("perspective", view_.perspective ? 1u : 0u);
        node.set("level", level);
        wanted_ = node.write("wanted", wanted_);
        const Buffer verdicts = node.write("verdicts", array(graph_, "verdicts", records_.room));
        dispatch_each(graph_, node, length());
        return verdicts;
    }

    /// Who is split so that levels around a corner differ by one at most.
    Buffer balanced(Buffer wishes, std::uint32_t level) {
        ComputeNodeBuilder node = graph_.compute("subdivision/balance");
        node.read("record_count", records_.count);
        node.read("heads", records_.heads);
        node.read("wishes", wishes);
        node.read("wanted", wanted_);
        node.read("coarsest", coarsest_);
        node.set("room", records_.room);
        node.set("level", level);
        const Buffer verdicts = node.write("verdicts", array(graph_, "verdicts", records_.room));
        dispatch_each(graph_, node, length());
        return verdicts;
    }

    Scan scanned(Buffer source, std::string_view name) {
        return graph_.add(Scan{.source = source,
                               .count = records_.count,
                               .length = records_.room,
                               .method = pass_.method},
                          name);
    }

    Counted count(Buffer verdicts) {
        ComputeNodeBuilder node = graph_.compute("subdivision/tally");
        node.specialize("only_slivers", pass_.join == LevelJoin::slivers ? 1u : 0u);
        node.read("record_count", records_.count);
        node.read("links", records_.links);
        node.read("verdicts", verdicts);
        node.set("room", records_.room);
        Counted counted;
        counted.marks = node.write("marks", array(graph_, "marks", records_.room));
        const Buffer owned = node.write("owned", array(graph_, "owned", records_.room));
        const Buffer emitted = node.write("emitted", array(graph_, "emitted", records_.room));
        dispatch_each(graph_, node, length());
        counted.split = scanned(verdicts, "split");
        counted.owned = scanned(owned, "owned");
        counted.emitted = scanned(emitted, "emitted");
        return counted;
    }

    void split(std::uint32_t level) {
        verdicts_ = judge(level);
        if (is_balanced()) verdicts_ = balanced(verdicts_, level);
        const Counted counted = count(verdicts_);
        const std::uint32_t next_room = room_of(level + 1);
        Records next{.room = next_room};
        Buffer born;
        {
            ComputeNodeBuilder node = graph_.compute("subdivision/advance", {{"LAST", 0}});
            node.read("record_count", records_.count);
            node.read("split_total", counted.split.total);
            node.read("owned_total", counted.owned.total);
            node.read("emitted_total", counted.emitted.total);
            node.set("level", level);
            node.set("next_room", next_room);
            next.count = node.write("next_count", array(graph_, "record_count", 1));
            born = node.write("born_count", array(graph_, "born", 1));
            status_ = node.write("subdivision_status", status_);
            step_ = node.write("step_of_level", array(graph_, "step", kStepWords));
            node.dispatch(1);
        }
        const std::uint32_t most_born =
            static_cast<std::uint32_t>(std::min<std::uint64_t>(3ull * records_.room, vertex_room_));
        Buffer sources;
        {
            ComputeNodeBuilder node = graph_.compute("subdivision/split");
            read_records(node);
            read_middles(node, counted);
            node.read("step_of_level", step_);
            node.read("verdicts", verdicts_);
            node.read("split_before", counted.split.result);
            node.set("next_room", next_room);
            next.heads = node.write("next_heads", quads(graph_, "heads", next_room));
            next.links = node.write("next_links", quads(graph_, "links", next_room));
            next.points = node.write(
                "next_points", quads(graph_, "points", std::uint64_t{ring_slots_ + 3} * next_room));
            sources = node.write("sources", array(graph_, "sources", most_born));
            dispatch_each(graph_, node, length());
        }
        const Records before = records_;
        records_ = next;
        place(sources, born, most_born);
        records_ = before;
        level_ = level;
        emit(&counted);
        records_ = next;
        level_ = level + 1;
    }

    void read_middles(ComputeNodeBuilder& node, const Counted& counted) {
        node.read("links", records_.links);
        node.read("marks", counted.marks);
        node.read("owned_before", counted.owned.result);
    }

    void advance_last() {
        ComputeNodeBuilder node = graph_.compute("subdivision/advance", {{"LAST", 1}});
        node.read("record_count", records_.count);
        status_ = node.write("subdivision_status", status_);
        step_ = node.write("step_of_level", array(graph_, "step", kStepWords));
        node.dispatch(1);
    }

    /// Without counts: all records stay.
    void emit(const Counted* counted) {
        ComputeNodeBuilder node =
            graph_.compute("subdivision/emit", {{"LAST", counted == nullptr ? 1 : 0}});
        read_records(node);
        node.read("links", records_.links);
        node.read("step_of_level", step_);
        node.read("normals", normals_);
        if (counted != nullptr) {
            node.read("marks", counted->marks);
            node.read("owned_before", counted->owned.result);
            node.read("verdicts", verdicts_);
            node.read("emitted_before", counted->emitted.result);
            node.specialize("marks_corners", is_balanced() ? 1u : 0u);
            coarsest_ = node.write("coarsest", coarsest_);
        }
        node.set("triangle_room", room_);
        node.set("level", level_);
        indices_ = node.write("indices", indices_);
        corner_normals_ = node.write("corner_normals", corner_normals_);
        tags_ = node.write("tags", tags_);
        dispatch_each(graph_, node, length());
    }

    void finish() {
        ComputeNodeBuilder node = graph_.compute("subdivision/finish");
        node.read("subdivision_status", status_);
        node.set("triangle_room", room_);
        pass_.mesh.indices = node.write("indices", indices_);
        pass_.tags = node.write("tags", tags_);
        pass_.draw = node.write("arguments", array(graph_, "arguments", kDrawArguments));
        node.dispatch_each(room_);
        pass_.mesh.positions = positions_;
        pass_.mesh.vertex_count = std::max(vertex_room_, 1u);
        pass_.mesh.triangle_count = room_;
        pass_.normals = normals_;
        pass_.corner_normals = corner_normals_;
        pass_.status = status_;
        graph_.status<SubdivisionStatus>(status_);
    }

    Graph& graph_;
    Subdivide& pass_;
    const CageTopology& topology_;
    LevelView view_;
    float limit_;
    std::uint32_t room_;
    std::uint32_t vertex_room_ = 0;
    std::uint32_t ring_slots_ = 0; ///< of levels behind the cage's
    std::uint32_t level_ = 0;
    Records records_;
    Buffer verdicts_;
    Buffer wanted_;   ///< of vertices, if levels are balanced
    Buffer coarsest_; ///< the same
    Buffer status_;
    Buffer step_;
    Buffer positions_;
    Buffer normals_;
    Buffer indices_;
    Buffer corner_normals_;
    Buffer tags_;
};

} // namespace

void subdivide_levels(Graph& graph, Subdivide& pass, const LevelView& view, float limit,
                      std::uint32_t room) {
    Levels(graph, pass, view, limit, room).run();
}

} // namespace tuff::passes
