// Lists and graphs that fold by the nodes of the config, and times as means.

#include "model/fold_tree.hpp"
#include "model/graph_map.hpp"
#include "model/time_log.hpp"
#include "model/views.hpp"
#include "passes/registry.hpp"
#include "tests/unit/pass_shaders.hpp"

#include <tuff/config.hpp>
#include <tuff/graph.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace tuff::viewer {
namespace {

using testing::ElementsAre;

const std::vector<std::string> kNames = {
    "grain", "clone/fill", "clone/smooth/row", "clone/smooth/column", "show/only/one", "last"};

std::string text_of(const std::vector<FoldRow>& rows) {
    std::string text;
    for (const FoldRow& row : rows) {
        text += std::string(row.depth * 2, ' ') + (row.group ? "+" : "") + row.label;
        if (row.group) text += " " + std::to_string(row.items.size());
        text += '\n';
    }
    return text;
}

TEST(FoldTree, shows_the_nodes_of_the_config_in_their_order) {
    EXPECT_EQ(text_of(FoldTree(kNames).rows({})), "grain\n+clone 3\nshow/only/one\nlast\n");
}

TEST(FoldTree, opens_group_by_group) {
    const FoldTree tree(kNames);
    EXPECT_EQ(text_of(tree.rows({"clone"})),
              "grain\n+clone 3\n  fill\n  +smooth 2\nshow/only/one\nlast\n");
    EXPECT_EQ(text_of(tree.rows({"clone", "clone/smooth"})),
              "grain\n+clone 3\n  fill\n  +smooth 2\n    row\n    column\nshow/only/one\nlast\n");
    EXPECT_EQ(text_of(tree.rows({"clone/smooth"})), text_of(tree.rows({})))
        << "it lies in one that is closed";
}

TEST(FoldTree, joins_groups_that_hold_one_group) {
    const std::vector<std::string> names = {"a/b/c", "a/b/d"};
    EXPECT_EQ(text_of(FoldTree(names).rows({"a/b"})), "+a/b 2\n  c\n  d\n");
}

TEST(FoldTree, has_the_heaviest_first_within_each_group) {
    const std::vector<double> weights = {1.0, 2.0, 3.0, 4.0, 20.0, 5.0};
    EXPECT_EQ(text_of(FoldTree(kNames).rows({"clone", "clone/smooth"}, weights)),
              "show/only/one\n+clone 3\n  +smooth 2\n    column\n    row\n  fill\nlast\ngrain\n");
}

TEST(FoldTree, gathers_what_stands_apart) {
    const std::vector<std::string> names = {"a/x", "b", "a/y"};
    const auto rows = FoldTree(names).rows({});
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_THAT(rows[0].items, ElementsAre(0u, 2u));
    EXPECT_TRUE(FoldTree(std::vector<std::string>{}).rows({}).empty());
}

TEST(FoldTree, tells_a_node_and_a_group_of_one_name_apart) {
    const std::vector<std::string> names = {"a", "a/x", "a/y"};
    EXPECT_EQ(text_of(FoldTree(names).rows({"a"})), "a\n+a 2\n  x\n  y\n");
}

TEST(Names, are_cut_in_the_middle) {
    EXPECT_EQ(cut_in_the_middle("short", 5), "short");
    EXPECT_EQ(cut_in_the_middle("clone/level_3/smooth", 11), "clon...ooth");
    EXPECT_EQ(cut_in_the_middle("abcdef", 3), "...");
    EXPECT_EQ(cut_in_the_middle("abcdef", 4), "a...");
    EXPECT_EQ(cut_in_the_middle("\xC3\xA4\xC3\xB6\xC3\xBC\xC3\x9F\xC3\xA4\xC3\xB6", 5),
              "\xC3\xA4...\xC3\xB6");
    EXPECT_EQ(name_inside("clone/row", "clone"), "row");
    EXPECT_EQ(name_inside("clones/row", "clone"), "clones/row");
}

ExecutionTimings timings(std::uint64_t execution, double a, double b) {
    return {.execution = execution,
            .milliseconds = a + b,
            .nodes = {{.name = "n/a", .milliseconds = a}, {.name = "n/b", .milliseconds = b}},
            .setup = {}};
}

TEST(TimeLog, leaves_the_first_execution_out_once_there_are_others) {
    TimeLog log;
    log.add(timings(1, 100.0, 100.0), 1);
    EXPECT_TRUE(log.first_only());
    EXPECT_DOUBLE_EQ(log.mean(), 200.0);
    log.add(timings(1, 100.0, 100.0), 1); // told twice
    EXPECT_TRUE(log.first_only());
    log.add(timings(2, 1.0, 2.0), 1);
    log.add(timings(3, 3.0, 4.0), 1);
    EXPECT_FALSE(log.first_only());
    EXPECT_EQ(log.count(), 2u);
    EXPECT_DOUBLE_EQ(log.mean(), 5.0);
    const std::vector<std::size_t> b = {1}, both = {0, 1};
    EXPECT_DOUBLE_EQ(log.mean(b), 3.0);
    EXPECT_DOUBLE_EQ(log.mean(both), 5.0);
    EXPECT_THAT(log.series(), ElementsAre(3.0f, 7.0f));
    EXPECT_THAT(log.series(b), ElementsAre(2.0f, 4.0f));
}

TEST(TimeLog, begins_again_with_another_graph) {
    TimeLog log;
    for (std::uint64_t i = 1; i < 4; ++i)
        log.add(timings(i, 1.0, 1.0), 1);
    log.add(timings(4, 9.0, 9.0), 2);
    EXPECT_EQ(log.count(), 1u);
    EXPECT_DOUBLE_EQ(log.mean(), 18.0);
    ExecutionTimings none;
    log.add(none, 3);
    EXPECT_EQ(log.count(), 1u) << "nothing has run";
}

TEST(TimeLog, forgets_what_is_old) {
    TimeLog log;
    for (std::uint64_t i = 1; i <= 1000; ++i)
        log.add(timings(i, i > 700 ? 1.0 : 50.0, 0.0), 1);
    EXPECT_EQ(log.count(), TimeLog::kMax);
    EXPECT_DOUBLE_EQ(log.mean(), 1.0);
}

/// A graph of a config with nodes of many kernels.
class GraphMaps : public testing::Test {
  protected:
    GraphMaps() {
        auto config = Config::parse(R"({
          "tuff": 1, "size": [64, 36],
          "assets": {"grain": {"generate": "noise", "size": [64, 36]}},
          "nodes": {
            "soft": {"pass": "image/gaussian", "in": {"source": "grain"}, "params": {"sigma": 2}},
            "glow": {"pass": "image/gaussian", "in": {"source": "soft.result"}, "params": {"sigma": 3}},
            "display": {"pass": "image/tonemap", "in": {"source": "glow.result"}}
          },
          "outputs": {"picture": "display.result"}
        })",
                                    "map.json", registry);
        EXPECT_TRUE(config) << (config ? "" : to_string(config.error()));
        if (!config) return;
        AssetCache assets;
        auto built = config->build(test::pass_shaders(), assets);
        EXPECT_TRUE(built) << (built ? "" : to_string(built.error()));
        if (!built) return;
        auto compiled = compile(std::move(built->graph), {});
        EXPECT_TRUE(compiled);
        if (compiled) plan = std::move(*compiled);
    }
    const MapBox* find(const GraphMap& map, const std::string& title, MapBox::Kind kind) const {
        for (const MapBox& box : map.boxes)
            if (box.title == title && box.kind == kind) return &box;
        return nullptr;
    }
    const PassRegistry registry = passes::make_registry();
    Plan plan;
};

TEST_F(GraphMaps, have_a_box_for_each_node_of_the_config) {
    const GraphMap map = graph_map_of(plan, {});
    const MapBox* soft = find(map, "soft", MapBox::Kind::group);
    ASSERT_TRUE(soft);
    EXPECT_EQ(soft->steps.size(), 2u) << "two directions";
    EXPECT_TRUE(find(map, "picture", MapBox::Kind::output));
    std::size_t steps = 0;
    for (const MapBox& box : map.boxes)
        steps += box.steps.size();
    EXPECT_EQ(steps, plan.order.size()) << "no time is lost, and none counts twice";
    // One wire between two boxes however many kernels exchange something.
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (const MapWire& wire : map.wires) {
        EXPECT_TRUE(pairs.emplace(wire.from, wire.to).second);
        EXPECT_LT(map.boxes[wire.from].x, map.boxes[wire.to].x);
        EXPECT_GE(wire.points.size(), 2u);
    }
}

TEST_F(GraphMaps, show_the_kernels_of_open_nodes) {
    const GraphMap closed = graph_map_of(plan, {}), open = graph_map_of(plan, {"soft"});
    EXPECT_FALSE(find(open, "soft", MapBox::Kind::group));
    EXPECT_TRUE(find(open, "glow", MapBox::Kind::group));
    EXPECT_TRUE(find(open, "soft/convolve", MapBox::Kind::group)) << "one step down";
    EXPECT_EQ(open.boxes.size(), closed.boxes.size());
}

TEST_F(GraphMaps, leave_out_what_the_viewer_has_added) {
    const GraphMap map = graph_map_of(plan, {});
    // The grain is a constant, so that it is shown by a copy; results of nodes are not copied.
    std::size_t added = 0;
    for (const View& view : list_views(plan.graph)) {
        if (!view.outputs.empty()) continue;
        ++added;
        GraphDesc graph = plan.graph;
        ASSERT_TRUE(keep_view(graph, view.key));
        ASSERT_GT(graph.outputs.size(), plan.graph.outputs.size());
        const auto shown = compile(std::move(graph), {});
        ASSERT_TRUE(shown) << to_string(shown.error());
        const GraphMap other = graph_map_of(*shown, {});
        ASSERT_EQ(other.boxes.size(), map.boxes.size());
        EXPECT_EQ(other.wires.size(), map.wires.size());
        for (const MapBox& box : map.boxes) {
            const MapBox* same = find(other, box.title, box.kind);
            ASSERT_TRUE(same) << box.title;
            EXPECT_EQ(std::pair(same->x, same->y), std::pair(box.x, box.y)) << box.title;
        }
    }
    EXPECT_GE(added, 3u) << "the grain, and two results of each blur";
}

TEST_F(GraphMaps, have_no_box_on_another) {
    const GraphMap map = graph_map_of(plan, {"soft", "glow"});
    for (std::size_t a = 0; a < map.boxes.size(); ++a) {
        EXPECT_GE(map.boxes[a].x, 0.0f);
        EXPECT_LE(map.boxes[a].x + map.boxes[a].width, map.width);
        EXPECT_LE(map.boxes[a].y + map.boxes[a].height, map.height);
        for (std::size_t b = a + 1; b < map.boxes.size(); ++b) {
            const MapBox &p = map.boxes[a], &q = map.boxes[b];
            EXPECT_TRUE(p.x + p.width <= q.x || q.x + q.width <= p.x || p.y + p.height <= q.y ||
                        q.y + q.height <= p.y)
                << p.title << " on " << q.title;
        }
    }
}

TEST(MapView, fits_and_zooms_about_the_pointer) {
    const GraphMap map{.boxes = {}, .wires = {}, .width = 1000.0f, .height = 200.0f};
    MapView view = MapView::fitted(map, 500.0f, 500.0f);
    EXPECT_FLOAT_EQ(view.scale, 0.5f);
    EXPECT_FLOAT_EQ(view.x, 0.0f);
    EXPECT_FLOAT_EQ(view.y, -400.0f) << "in the middle";
    EXPECT_FLOAT_EQ(MapView::fitted(map, 5000.0f, 5000.0f).scale, 1.0f);
    const float x = view.x + 120.0f / view.scale;
    view.zoom(3.0f, 120.0f, 80.0f);
    EXPECT_FLOAT_EQ(view.x + 120.0f / view.scale, x);
    const float before = view.x;
    view.shift(15.0f, 0.0f);
    EXPECT_FLOAT_EQ(view.x, before - 15.0f / view.scale);
}

} // namespace
} // namespace tuff::viewer
