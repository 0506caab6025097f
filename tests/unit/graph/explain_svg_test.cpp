#include "graph/explain/layered_layout.hpp"
#include "graph/explain/svg_text.hpp"
#include "hand_built_plan.hpp"
#include "core/xml_text.hpp"

#include <tuff/explain.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace tuff {
namespace {

using test::HandBuiltPlan;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(LayeredLayout, no_box_lies_on_another_and_no_lane_crosses_a_box) {
    std::mt19937 random(7);
    std::vector<LayoutBox> boxes;
    for (std::uint32_t i = 0; i < 200; ++i)
        boxes.push_back({i / 8, 60 + static_cast<double>(random() % 100),
                         30 + static_cast<double>(random() % 90)});
    std::vector<LayoutWire> wires;
    for (std::uint32_t i = 0; i < 300; ++i) {
        const auto from = static_cast<std::uint32_t>(random() % 150);
        const auto to = static_cast<std::uint32_t>(from + 8 + random() % 42);
        wires.push_back({{from, 10}, {{to, 20}}});
    }
    const LayeredLayout layout = lay_out(boxes, wires);
    for (std::size_t a = 0; a < boxes.size(); ++a) {
        const double top = layout.boxes[a].y, bottom = top + boxes[a].height;
        EXPECT_GE(top, 0);
        EXPECT_LE(bottom, layout.height + 1);
        for (std::size_t b = 0; b < a; ++b)
            EXPECT_TRUE(boxes[a].column != boxes[b].column || layout.boxes[b].y >= bottom ||
                        layout.boxes[b].y + boxes[b].height <= top)
                << a << " and " << b;
        for (const auto& lanes : layout.lanes)
            for (const LayoutLane& lane : lanes)
                EXPECT_FALSE(lane.left == layout.boxes[a].x && lane.y > top && lane.y < bottom);
    }
}

TEST(LayeredLayout, wires_between_neighbours_of_equal_size_are_straight) {
    const LayeredLayout layout = lay_out({{0, 50, 40}, {1, 50, 40}, {2, 50, 40}},
                                         {{{0, 10}, {{1, 10}}}, {{1, 10}, {{2, 10}}}});
    EXPECT_EQ(layout.boxes[0].y, layout.boxes[1].y);
    EXPECT_EQ(layout.boxes[1].y, layout.boxes[2].y);
}

TEST(LayeredLayout, very_long_wires_get_no_lanes) {
    const LayeredLayout layout = lay_out({{0, 50, 40}, {9'000, 50, 40}}, {{{0, 10}, {{1, 10}}}});
    EXPECT_TRUE(layout.lanes[0].empty());
}

TEST(SvgText, escapes_what_xml_reserves_and_replaces_what_it_forbids) {
    EXPECT_EQ(xml_text("<a & \"b\">"), "&lt;a &amp; &quot;b&quot;&gt;");
    EXPECT_EQ(xml_text("\x01 \xff \xc3\xa9"), "\xef\xbf\xbd \xef\xbf\xbd \xc3\xa9");
}

TEST(SvgText, long_names_keep_both_ends_and_wide_letters_count_twice) {
    const SvgLabel cut = svg_label("a/very/long/path/of/a/composite/pass/blur_x", " v1");
    EXPECT_THAT(cut.text,
                AllOf(HasSubstr("a/very"), HasSubstr("\xe2\x80\xa6"), HasSubstr("blur_x v1")));
    EXPECT_EQ(svg_label("\xe6\xbc\xa2").width, svg_label("ab").width);
}

TEST(ExplainSvg, draws_passes_with_kind_versions_and_wires) {
    HandBuiltPlan p;
    const ResourceId hdr = p.image("hdr");
    const NodeId draw = p.node("draw", RasterNode{});
    const VersionId drawn = p.writes(hdr, Access::color_write);
    const NodeId tone = p.node("tone <&>", ComputeNode{});
    p.reads(drawn, Access::sampled);
    p.level({draw});
    p.level({tone});
    const std::string svg = explain_svg(p.plan, {.title = "x"});
    EXPECT_THAT(svg, AllOf(HasSubstr("class=\"box pass raster\" data-node=\"0\""),
                           HasSubstr("hdr v1"), HasSubstr("tone &lt;&amp;&gt;"),
                           HasSubstr("class=\"wire\" data-resource=\"0\""), HasSubstr("level 1"),
                           HasSubstr("xmlns=")));
    EXPECT_THAT(explain_svg(p.plan, {.svg = SvgPlace::page}), Not(HasSubstr("http")));
}

TEST(ExplainSvg, draws_a_plan_of_nothing) {
    EXPECT_THAT(explain_svg(Plan{}), HasSubstr("</svg>"));
}

} // namespace
} // namespace tuff
