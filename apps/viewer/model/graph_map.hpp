#pragma once

#include <tuff/plan.hpp>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace tuff::viewer {

/// A box of the graph's picture: a node of the config with all that it runs, one node of the
/// graph, what the graph is given, or an output.
struct MapBox {
    enum class Kind : std::uint8_t { group, pass, once, culled, source, output };
    Kind kind = Kind::pass;
    std::string title; ///< full path
    float x = 0.0f, y = 0.0f, width = 0.0f, height = 0.0f;
    /// Positions in the plan's order of the nodes that it holds, as times are told.
    std::vector<std::size_t> steps;
    std::uint32_t nodes = 0; ///< how many it holds, including nodes that do not run
    std::uint32_t given = 0; ///< how many resources that the graph is given
};

struct MapPoint {
    float x = 0.0f, y = 0.0f;
};

/// From the right side of a box to the left side of another, by way of these points.
struct MapWire {
    std::uint32_t from = 0, to = 0;
    std::vector<MapPoint> points;
};

/// The graph as it is drawn.
struct GraphMap {
    std::vector<MapBox> boxes;
    std::vector<MapWire> wires;
    float width = 0.0f, height = 0.0f;
};

/// Folds the nodes of the graph into those of the config, but for those that are `open`, and lays
/// them out from left to right so that each stands behind what it reads from. What the viewer has
/// added to show something is left out: the map stays as it is when another view is chosen.
GraphMap graph_map_of(const Plan& plan, const std::set<std::string, std::less<>>& open);

/// How a map lies in a panel.
struct MapView {
    float scale = 0.0f;       ///< pixels a unit of the map; 0: all of it is to be seen
    float x = 0.0f, y = 0.0f; ///< point of the map in the panel's upper left corner

    /// All of the map in the middle of a panel of this size, not larger than life.
    static MapView fitted(const GraphMap& map, float width, float height);
    /// Larger or smaller by `factor`; the point under the pointer stays there.
    void zoom(float factor, float pointer_x, float pointer_y);
    /// By so many pixels.
    void shift(float dx, float dy);
};

} // namespace tuff::viewer
