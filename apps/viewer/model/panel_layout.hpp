#pragma once

namespace tuff::viewer {

/// How the panels share the window, as parts of it.
struct PanelSizes {
    float views = 0.21f;      ///< of the width, on the left
    float parameters = 0.26f; ///< of the width, on the right
    float details = 0.32f;    ///< of the height, below the picture
    friend bool operator==(const PanelSizes&, const PanelSizes&) = default;
};

struct PanelRect {
    float x = 0.0f, y = 0.0f, width = 0.0f, height = 0.0f;
};

/// Where the panels lie, and the strips between them that move their edges.
struct PanelLayout {
    PanelRect views, picture, details, parameters, status;
    PanelRect views_edge, parameters_edge, details_edge;
};

/// Of a window of that size. The picture keeps room whatever the sizes say. `status`: the height of
/// the line at the bottom. `alone`: nothing but the picture; the rest has no width.
PanelLayout panel_layout(float width, float height, float status, const PanelSizes& sizes,
                         bool alone);

/// The sizes after an edge was moved: to `x`, or of the details to `y`.
PanelSizes with_views_edge(PanelSizes sizes, float x, float width);
PanelSizes with_parameters_edge(PanelSizes sizes, float x, float width);
PanelSizes with_details_edge(PanelSizes sizes, float y, float height, float status);

} // namespace tuff::viewer
