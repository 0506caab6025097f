#pragma once

#include <cstdint>
#include <vector>

/// Places boxes in columns and leads wires between them, without boxes, or boxes and wires, on top
/// of each other: the layered method of Sugiyama, Tagawa and Toda (1981), columns being given.
namespace tuff {

struct LayoutBox {
    std::uint32_t column = 0;
    double width = 0;
    double height = 0;
};

struct LayoutEnd {
    std::uint32_t box = 0;
    double y = 0; ///< of the port, from the top of the box
};

/// From the right side of one box to the left sides of others, all in later columns.
struct LayoutWire {
    LayoutEnd from;
    std::vector<LayoutEnd> to;
};

struct LayoutPoint {
    double x = 0, y = 0;
};

/// Where a wire crosses a column on its way: a horizontal line at `y` from `left` to `right`.
struct LayoutLane {
    double left = 0, right = 0, y = 0;
};

struct LayeredLayout {
    struct Column {
        double left = 0, right = 0;
    };
    double width = 0, height = 0;
    std::vector<Column> columns;
    std::vector<LayoutPoint> boxes;             ///< their top left corners
    std::vector<std::vector<LayoutLane>> lanes; ///< per wire, one for each column between its ends
};

/// Wires that would cross more than `kLongestRoutedWire` columns get no lanes: the caller draws
/// them behind the boxes. It bounds the work on graphs of thousands of levels.
inline constexpr std::uint32_t kLongestRoutedWire = 64;

/// Lays out in O(sweeps * items * log(items)), where each lane is an item.
/// Precondition: every wire goes to later columns.
LayeredLayout lay_out(const std::vector<LayoutBox>& boxes, const std::vector<LayoutWire>& wires);

} // namespace tuff
