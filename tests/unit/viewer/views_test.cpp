// What of a graph can be looked at, and that a graph which keeps it compiles.

#include "model/views.hpp"
#include "passes/registry.hpp"

#include <tuff/config.hpp>
#include <tuff/graph.hpp>
#include <tuff/plan.hpp>
#include <tuff/shader_library.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tuff::viewer {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::SizeIs;

std::vector<std::string> names_of(const std::vector<View>& views) {
    std::vector<std::string> names;
    for (const View& view : views)
        names.push_back(view.key.resource + " " + std::to_string(view.key.version));
    return names;
}

/// clear -> a 1 -> clear -> a 2; b 1 is a copy of a 1.
GraphDesc overwritten() {
    Graph graph;
    const ImageDesc desc{.format = Format::rgba8_unorm, .extent = {8, 8}};
    const Image first = graph.clear(graph.image("a", desc), std::array<float, 4>{1.0f}, "first");
    graph.output("copied", graph.copy(first, graph.image("b", desc), "copy"));
    graph.output("last", graph.clear(first, std::array<float, 4>{0.5f}, "second"));
    return std::move(graph).finish();
}

TEST(Views, are_the_outputs_and_then_all_that_has_contents) {
    EXPECT_THAT(names_of(list_views(overwritten())), ElementsAre("b 1", "a 2", "a 1"));
}

TEST(Views, leave_out_what_has_several_samples) {
    Graph graph;
    (void)graph.clear(graph.image("a", {.extent = {8, 8}, .samples = 4}), std::array<float, 4>{});
    EXPECT_THAT(list_views(std::move(graph).finish()), SizeIs(0));
}

TEST(Views, that_are_outputs_leave_the_graph_as_it_is) {
    GraphDesc graph = overwritten();
    const auto kept = keep_view(graph, {"b", 1});
    ASSERT_TRUE(kept);
    EXPECT_EQ(kept->output, "copied");
    EXPECT_TRUE(same_structure(graph, overwritten()));
}

TEST(Views, that_are_overwritten_are_kept_by_a_copy) {
    GraphDesc graph = overwritten();
    const auto kept = keep_view(graph, {"a", 1});
    ASSERT_TRUE(kept);
    EXPECT_THAT(kept->view.writer, "first");
    const auto plan = compile(graph, DeviceCaps{});
    ASSERT_TRUE(plan) << to_string(plan.error());
    EXPECT_EQ(plan->statistics.nodes, 4u);
    // The copy comes before the node that overwrites.
    std::vector<std::string> order;
    for (const NodeId node : plan->order)
        order.emplace_back(plan->graph.name_of(node));
    const auto place = [&](std::string_view name) { return std::ranges::find(order, name); };
    EXPECT_LT(place("viewer.copy"), place("second"));
}

TEST(Views, without_a_name_are_the_first_output) {
    GraphDesc graph = overwritten();
    const auto kept = keep_view(graph, {});
    ASSERT_TRUE(kept);
    EXPECT_EQ(kept->output, "copied");
}

TEST(Views, that_are_gone_are_not_kept) {
    GraphDesc graph = overwritten();
    EXPECT_FALSE(keep_view(graph, {"a", 7}));
    EXPECT_FALSE(keep_view(graph, {"nothing", 1}));
    EXPECT_TRUE(same_structure(graph, overwritten()));
}

/// Loops, histories, constants, bundles, mip chains.
constexpr const char* kViewsConfig = R"({
  "tuff": 1, "size": [64, 36],
  "assets": {"grain": {"generate": "noise", "size": [64, 36]}},
  "history": {"before": {"from": "mixed.result", "format": "rgba16_sfloat", "size": [64, 36]}},
  "nodes": {
    "soft": {"pass": "image/gaussian", "in": {"source": "grain"}},
    "small": {"pass": "image/resize", "in": {"source": "soft.result"}, "params": {"width": 16}},
    "large": {"pass": "image/resize", "in": {"source": "small.result"}, "params": {"width": 64, "height": 36}},
    "mixed": {"pass": "image/blend", "in": {"base": "before", "layer": "large.result"}, "params": {"weight": 0.5}},
    "display": {"pass": "image/tonemap", "in": {"source": "mixed.result"}}
  },
  "outputs": {"picture": "display.result"}
})";

TEST(Views, of_a_config_can_all_be_shown) {
    const PassRegistry registry = passes::make_registry();
    const auto config = Config::parse(kViewsConfig, "views.json", registry);
    ASSERT_TRUE(config) << to_string(config.error());
    const ShaderLibrary shaders = passes::make_shaders();
    AssetCache assets;
    const auto built = config->build(shaders, assets);
    ASSERT_TRUE(built) << to_string(built.error());
    const std::vector<View> views = list_views(built->graph);
    EXPECT_GT(views.size(), 6u);
    EXPECT_THAT(views, Contains(Field(&View::lifetime, Lifetime::constant)));
    EXPECT_THAT(views, Contains(Field(&View::lifetime, Lifetime::history)));
    for (const View& view : views) {
        GraphDesc graph = built->graph;
        const auto kept = keep_view(graph, view.key);
        ASSERT_TRUE(kept) << view.key.resource;
        const auto plan = compile(graph, DeviceCaps{});
        ASSERT_TRUE(plan) << view.key.resource << "\n" << to_string(plan.error());
        EXPECT_THAT(plan->graph.outputs, SizeIs(view.outputs.empty() ? 2 : 1));
    }
}

TEST(Views, tell_their_shape) {
    View view{.desc = ImageDesc{.format = Format::rgba16_sfloat, .extent = {64, 32, 1}, .mips = 3}};
    EXPECT_EQ(shape_text(view), "rgba16_sfloat 64 x 32, 3 mips");
    view.desc =
        ImageDesc{.format = Format::r32_sfloat, .extent = {8, 8, 4}, .shape = ImageShape::d3};
    EXPECT_EQ(shape_text(view), "r32_sfloat 8 x 8 x 4");
    view.desc = BufferDesc{.size = 2048};
    EXPECT_EQ(shape_text(view), "2.00 KiB");
    view.elements = BufferElements::of<std::uint32_t>();
    EXPECT_EQ(shape_text(view), "2.00 KiB of u32");
}

} // namespace
} // namespace tuff::viewer
