#include "graph/explain/layered_layout.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tuff {
namespace {

constexpr double kColumnGap = 56;
constexpr double kBoxGap = 18;
constexpr double kLaneHeight = 10;
constexpr double kLaneGap = 2;
constexpr int kOrderSweeps = 8;
constexpr int kPlaceSweeps = 6;

/// A box, or a wire's lane through a column.
struct Item {
    std::uint32_t column = 0;
    double height = 0;
    double gap = 0; ///< to the item below
    double y = 0;
    double rank = 0; ///< among its column, from 0 to 1
};

struct Link {
    std::uint32_t other = 0; ///< item in the next column over
    double own_y = 0, other_y = 0;
    double weight = 1;
};

/// Least-squares positions for items whose order is fixed and whose distances have a lower bound:
/// isotonic regression by pooling adjacent violators.
std::vector<double> nearest_increasing(const std::vector<double>& wanted,
                                       const std::vector<double>& weights) {
    struct Pool {
        double sum, weight;
        std::size_t count;
        double mean() const { return sum / weight; }
    };
    std::vector<Pool> pools;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        pools.push_back({wanted[i] * weights[i], weights[i], 1});
        while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
            const Pool last = pools.back();
            pools.pop_back();
            pools.back().sum += last.sum;
            pools.back().weight += last.weight;
            pools.back().count += last.count;
        }
    }
    std::vector<double> result;
    for (const Pool& pool : pools)
        result.insert(result.end(), pool.count, pool.mean());
    return result;
}

class Layouter {
  public:
    Layouter(const std::vector<LayoutBox>& boxes, const std::vector<LayoutWire>& wires)
        : boxes_(boxes), wires_(wires), first_lane_(wires.size(), 0), lane_count_(wires.size(), 0) {
        for (const LayoutBox& box : boxes)
            add({.column = box.column, .height = box.height, .gap = kBoxGap});
        for (std::uint32_t w = 0; w < wires.size(); ++w)
            route(w);
    }

    LayeredLayout run() {
        stack();
        for (int i = 0; i < kOrderSweeps; ++i)
            order_sweep(i % 2 == 0);
        stack();
        for (int i = 0; i < kPlaceSweeps; ++i)
            place_sweep(i % 2 == 0);
        return result();
    }

  private:
    std::uint32_t add(const Item& item) {
        if (columns_.size() <= item.column) columns_.resize(item.column + 1);
        items_.push_back(item);
        left_.emplace_back();
        right_.emplace_back();
        columns_[item.column].push_back(static_cast<std::uint32_t>(items_.size() - 1));
        return static_cast<std::uint32_t>(items_.size() - 1);
    }

    void link(std::uint32_t a, double a_y, std::uint32_t b, double b_y, double weight) {
        right_[a].push_back({b, a_y, b_y, weight});
        left_[b].push_back({a, b_y, a_y, weight});
    }

    void route(std::uint32_t w) {
        const LayoutWire& wire = wires_[w];
        const std::uint32_t from = boxes_[wire.from.box].column;
        std::uint32_t last = from;
        for (const LayoutEnd& end : wire.to)
            last = std::max(last, boxes_[end.box].column);
        const bool routed = last - from <= kLongestRoutedWire;
        std::vector<LayoutEnd> at = {wire.from}; // in each column from `from` on
        for (std::uint32_t c = from + 1; routed && c < last; ++c) {
            const std::uint32_t lane = add({.column = c, .height = kLaneHeight, .gap = kLaneGap});
            if (c == from + 1) first_lane_[w] = lane;
            ++lane_count_[w];
            const double weight = c == from + 1 ? 1 : 4; // long stretches are kept straight
            link(at.back().box, at.back().y, lane, kLaneHeight / 2, weight);
            at.push_back({lane, kLaneHeight / 2});
        }
        for (const LayoutEnd& end : wire.to) {
            const std::uint32_t before = boxes_[end.box].column - from - 1;
            if (before < at.size()) link(at[before].box, at[before].y, end.box, end.y, 1);
        }
    }

    void stack() {
        for (const auto& column : columns_) {
            double y = 0;
            for (std::size_t i = 0; i < column.size(); ++i) {
                Item& item = items_[column[i]];
                item.y = y;
                item.rank = static_cast<double>(i) / static_cast<double>(column.size());
                y += item.height + item.gap;
            }
        }
    }

    /// Sorts each column by the mean rank of its neighbours on one side.
    void order_sweep(bool rightwards) {
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            auto& column = columns_[rightwards ? i : columns_.size() - 1 - i];
            for (const std::uint32_t id : column)
                items_[id].rank = neighbour_rank(id, rightwards ? left_[id] : right_[id]);
            std::ranges::stable_sort(column, {},
                                     [this](std::uint32_t id) { return items_[id].rank; });
            for (std::size_t k = 0; k < column.size(); ++k)
                items_[column[k]].rank =
                    (static_cast<double>(k) + 0.5) / static_cast<double>(column.size());
        }
    }

    double neighbour_rank(std::uint32_t id, const std::vector<Link>& links) const {
        if (links.empty()) return items_[id].rank;
        double sum = 0;
        for (const Link& link : links) {
            const Item& other = items_[link.other];
            // Ports of one box count in their order.
            const double within = link.other_y / std::max(other.height, 1.0) - 0.5;
            const auto count = static_cast<double>(columns_[other.column].size());
            sum += other.rank + within / count;
        }
        return sum / static_cast<double>(links.size());
    }

    /// Moves each column's items to the height of their neighbours as far as order allows.
    void place_sweep(bool rightwards) {
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            const auto& column = columns_[rightwards ? i : columns_.size() - 1 - i];
            std::vector<double> wanted, weights;
            double offset = 0;
            for (const std::uint32_t id : column) {
                const auto& links = rightwards ? left_[id] : right_[id];
                double sum = 0, weight = 0;
                for (const Link& link : links) {
                    sum += (items_[link.other].y + link.other_y - link.own_y) * link.weight;
                    weight += link.weight;
                }
                wanted.push_back((weight > 0 ? sum / weight : items_[id].y) - offset);
                weights.push_back(weight > 0 ? weight : 0.1);
                offset += items_[id].height + items_[id].gap;
            }
            const std::vector<double> placed = nearest_increasing(wanted, weights);
            offset = 0;
            for (std::size_t k = 0; k < column.size(); ++k) {
                items_[column[k]].y = placed[k] + offset;
                offset += items_[column[k]].height + items_[column[k]].gap;
            }
        }
    }

    LayeredLayout result() const {
        LayeredLayout layout;
        std::vector<double> widths(columns_.size(), 0);
        for (const LayoutBox& box : boxes_)
            widths[box.column] = std::max(widths[box.column], box.width);
        for (const double width : widths) {
            const double left =
                layout.columns.empty() ? 0 : layout.columns.back().right + kColumnGap;
            layout.columns.push_back({left, left + width});
        }
        double top = 1e30, bottom = -1e30;
        for (const Item& item : items_) {
            top = std::min(top, item.y);
            bottom = std::max(bottom, item.y + item.height);
        }
        for (std::size_t b = 0; b < boxes_.size(); ++b)
            layout.boxes.push_back(
                {layout.columns[boxes_[b].column].left, std::round(items_[b].y - top)});
        for (std::size_t w = 0; w < wires_.size(); ++w)
            layout.lanes.push_back(lanes_of(w, layout, top));
        layout.width = layout.columns.empty() ? 0 : layout.columns.back().right;
        layout.height = items_.empty() ? 0 : bottom - top;
        return layout;
    }

    /// The lanes of a wire are items in a row.
    std::vector<LayoutLane> lanes_of(std::size_t w, const LayeredLayout& layout, double top) const {
        std::vector<LayoutLane> lanes;
        for (std::size_t i = first_lane_[w]; i < first_lane_[w] + lane_count_[w]; ++i) {
            const LayeredLayout::Column& column = layout.columns[items_[i].column];
            lanes.push_back(
                {column.left, column.right, std::round(items_[i].y + kLaneHeight / 2 - top)});
        }
        return lanes;
    }

    const std::vector<LayoutBox>& boxes_;
    const std::vector<LayoutWire>& wires_;
    std::vector<Item> items_; ///< the boxes, then the lanes of each wire
    std::vector<std::vector<Link>> left_, right_;
    std::vector<std::vector<std::uint32_t>> columns_;    ///< items from top to bottom
    std::vector<std::uint32_t> first_lane_, lane_count_; ///< per wire, into `items_`
};

} // namespace

LayeredLayout lay_out(const std::vector<LayoutBox>& boxes, const std::vector<LayoutWire>& wires) {
    return Layouter(boxes, wires).run();
}

} // namespace tuff
