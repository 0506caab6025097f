// How the panels share windows of any size.

#include "model/panel_layout.hpp"

#include <gtest/gtest.h>

#include <array>

namespace tuff::viewer {
namespace {

/// Panels lie side by side, none has a negative size, and none leaves the window.
void expect_sound(const PanelLayout& layout, float width, float height) {
    for (const PanelRect& rect :
         {layout.views, layout.picture, layout.details, layout.parameters, layout.status,
          layout.views_edge, layout.parameters_edge, layout.details_edge}) {
        EXPECT_GE(rect.width, 0.0f);
        EXPECT_GE(rect.height, 0.0f);
        EXPECT_GE(rect.x, 0.0f);
        EXPECT_LE(rect.x + rect.width, width + 0.01f);
        EXPECT_LE(rect.y + rect.height, height + 0.01f);
    }
    EXPECT_FLOAT_EQ(layout.views.width, layout.views_edge.x);
    EXPECT_FLOAT_EQ(layout.views_edge.x + layout.views_edge.width, layout.picture.x);
    EXPECT_NEAR(layout.picture.x + layout.picture.width, layout.parameters_edge.x, 0.01f);
    EXPECT_NEAR(layout.picture.height + layout.details_edge.height, layout.details.y, 0.01f);
}

TEST(PanelLayout, has_room_for_the_picture_in_every_window) {
    for (const float width : {480.0f, 900.0f, 1440.0f, 3840.0f})
        for (const float height : {320.0f, 600.0f, 900.0f, 2160.0f})
            for (const PanelSizes& sizes :
                 {PanelSizes{}, PanelSizes{0.9f, 0.9f, 0.9f}, PanelSizes{0.02f, 0.02f, 0.02f}}) {
                const PanelLayout layout = panel_layout(width, height, 36.0f, sizes, false);
                expect_sound(layout, width, height);
                EXPECT_GE(layout.picture.width, 155.0f) << width;
                EXPECT_GE(layout.picture.height, 100.0f) << height;
            }
}

TEST(PanelLayout, follows_its_edges) {
    const PanelSizes sizes = with_views_edge({}, 400.0f, 1600.0f);
    EXPECT_FLOAT_EQ(panel_layout(1600.0f, 900.0f, 36.0f, sizes, false).views.width, 400.0f);
    const PanelSizes right = with_parameters_edge({}, 1200.0f, 1600.0f);
    EXPECT_FLOAT_EQ(panel_layout(1600.0f, 900.0f, 36.0f, right, false).parameters.width, 400.0f);
    const PanelSizes below = with_details_edge({}, 436.0f, 900.0f, 36.0f);
    EXPECT_NEAR(panel_layout(1600.0f, 900.0f, 36.0f, below, false).details.y, 436.0f, 1.0f);
    // Beyond the window.
    expect_sound(panel_layout(1600.0f, 900.0f, 36.0f, with_views_edge({}, 9000.0f, 1600.0f), false),
                 1600.0f, 900.0f);
    expect_sound(panel_layout(1600.0f, 900.0f, 36.0f, with_views_edge({}, -50.0f, 1600.0f), false),
                 1600.0f, 900.0f);
}

TEST(PanelLayout, gives_the_picture_everything_where_it_is_alone) {
    const PanelLayout layout = panel_layout(1600.0f, 900.0f, 36.0f, {}, true);
    EXPECT_EQ(layout.picture.width, 1600.0f);
    EXPECT_EQ(layout.picture.height, 900.0f);
    EXPECT_EQ(layout.views.width, 0.0f);
    EXPECT_EQ(layout.status.height, 0.0f);
}

} // namespace
} // namespace tuff::viewer
