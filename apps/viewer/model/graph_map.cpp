#include "model/graph_map.hpp"

#include "model/views.hpp"

#include "graph/explain/drawing.hpp"
#include "graph/explain/layered_layout.hpp"

#include <algorithm>
#include <map>
#include <string_view>

namespace tuff::viewer {
namespace {

constexpr std::uint32_t kHidden = ~0u;
constexpr float kBoxWidth = 168.0f, kBoxHeight = 40.0f, kMargin = 16.0f;

std::string title_of_box(const Plan& plan, const DrawnBox& box) {
    switch (box.kind) {
    case BoxKind::pass:
    case BoxKind::once:
    case BoxKind::culled: return std::string(plan.graph.name_of(NodeId{box.index}));
    case BoxKind::source: return std::string(plan.graph.name_of(ResourceId{box.index}));
    case BoxKind::output: return std::string(plan.graph.name(plan.graph.outputs[box.index].name));
    }
    return {};
}

MapBox::Kind kind_of_box(BoxKind kind) {
    switch (kind) {
    case BoxKind::pass: return MapBox::Kind::pass;
    case BoxKind::once: return MapBox::Kind::once;
    case BoxKind::culled: return MapBox::Kind::culled;
    case BoxKind::source: return MapBox::Kind::source;
    case BoxKind::output: return MapBox::Kind::output;
    }
    return MapBox::Kind::pass;
}

/// Folds, layers and lays out.
class MapMaker {
  public:
    MapMaker(const Plan& plan, const std::set<std::string, std::less<>>& open)
        : plan_(plan), open_(open), drawing_(drawing_of(plan)) {}

    GraphMap make() && {
        count_groups();
        fold();
        connect();
        layer();
        place();
        return std::move(map_);
    }

  private:
    void count_groups() {
        for (const DrawnBox& box : drawing_.boxes) {
            if (box.kind == BoxKind::output) continue;
            const std::string name = title_of_box(plan_, box);
            if (box.kind == BoxKind::source && name.find('/') != std::string::npos)
                ++given_sizes_[name.substr(0, name.find('/'))];
            if (!is_node(box.kind)) continue;
            for (std::size_t slash = name.find('/'); slash != std::string::npos;
                 slash = name.find('/', slash + 1))
                ++group_sizes_[name.substr(0, slash)];
        }
    }

    /// The outermost closed group of several nodes that a name lies in; empty where there is none.
    std::string group_of(const std::string& name) const {
        for (std::size_t slash = name.find('/'); slash != std::string::npos;
             slash = name.find('/', slash + 1)) {
            const std::string path = name.substr(0, slash);
            const auto size = group_sizes_.find(path);
            if (size == group_sizes_.end() || size->second < 2) return {};
            if (!open_.contains(path)) return path;
        }
        return {};
    }

    void fold() {
        std::map<std::uint32_t, std::size_t> step_of;
        for (std::size_t i = 0; i < plan_.order.size(); ++i)
            step_of[plan_.order[i].index] = i;
        std::map<std::string, std::uint32_t> groups;
        for (const DrawnBox& box : drawing_.boxes) {
            const std::string name = title_of_box(plan_, box);
            if (is_viewers_own(name)) {
                folded_.push_back(kHidden);
                continue;
            }
            std::string path = box.kind == BoxKind::output ? std::string() : group_of(name);
            // What an asset consists of: "engine/vertices", "engine/indices".
            const std::string asset = name.substr(0, name.find('/'));
            const bool of_asset = box.kind == BoxKind::source && path.empty() &&
                                  given_sizes_[asset] > 1 && !group_sizes_.contains(asset) &&
                                  !open_.contains(asset);
            if (of_asset) path = asset;
            const auto known = path.empty() ? groups.end() : groups.find(path);
            std::uint32_t at = 0;
            if (known != groups.end()) {
                at = known->second;
            } else {
                at = static_cast<std::uint32_t>(map_.boxes.size());
                map_.boxes.push_back(
                    {.kind = path.empty() || of_asset ? kind_of_box(box.kind) : MapBox::Kind::group,
                     .title = path.empty() ? name : path,
                     .width = kBoxWidth,
                     .height = kBoxHeight,
                     .steps = {}});
                first_column_.push_back(box.column);
                if (!path.empty()) groups.emplace(path, at);
            }
            folded_.push_back(at);
            first_column_[at] = std::min(first_column_[at], box.column);
            map_.boxes[at].given += box.kind == BoxKind::source;
            if (!is_node(box.kind)) continue;
            ++map_.boxes[at].nodes;
            const auto step = step_of.find(box.index);
            if (box.kind == BoxKind::pass && step != step_of.end())
                map_.boxes[at].steps.push_back(step->second);
        }
    }

    void connect() {
        std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
        for (const DrawnWire& wire : drawing_.wires)
            for (const DrawnWire::End& end : wire.to) {
                const std::uint32_t from = folded_[wire.from.box], to = folded_[end.box];
                if (from == kHidden || to == kHidden) continue;
                if (from != to && seen.emplace(from, to).second)
                    map_.wires.push_back({.from = from, .to = to, .points = {}});
            }
    }

    /// Each box in the column behind all that it reads from. Where folding has made a circle, the
    /// box that came first in the unfolded graph goes first.
    void layer() {
        const std::size_t count = map_.boxes.size();
        std::vector<std::uint32_t> waits(count);
        for (const MapWire& wire : map_.wires)
            ++waits[wire.to];
        std::vector<std::vector<std::uint32_t>> next(count);
        for (const MapWire& wire : map_.wires)
            next[wire.from].push_back(wire.to);
        columns_.assign(count, 0);
        std::vector<bool> done(count);
        std::set<std::pair<std::uint32_t, std::uint32_t>> ready, waiting; // first column, box
        for (std::uint32_t b = 0; b < count; ++b)
            (waits[b] == 0 ? ready : waiting).emplace(first_column_[b], b);
        for (std::size_t step = 0; step < count; ++step) {
            auto& from = ready.empty() ? waiting : ready;
            const std::uint32_t box = from.begin()->second;
            from.erase(from.begin());
            done[box] = true;
            for (const std::uint32_t behind : next[box]) {
                if (done[behind]) continue;
                columns_[behind] = std::max(columns_[behind], columns_[box] + 1);
                if (--waits[behind] == 0 && waiting.erase({first_column_[behind], behind}) > 0)
                    ready.emplace(first_column_[behind], behind);
            }
        }
        // What is given stands right before the first that reads it.
        for (std::uint32_t b = 0; b < count; ++b) {
            if (map_.boxes[b].kind != MapBox::Kind::source || next[b].empty()) continue;
            std::uint32_t first = ~0u;
            for (const std::uint32_t behind : next[b])
                first = std::min(first, columns_[behind]);
            columns_[b] = std::max(first, 1u) - 1;
        }
    }

    void place() {
        std::vector<LayoutBox> boxes;
        for (std::size_t b = 0; b < map_.boxes.size(); ++b)
            boxes.push_back(
                {columns_[b], static_cast<double>(kBoxWidth), static_cast<double>(kBoxHeight)});
        std::vector<LayoutWire> wires;
        std::vector<std::size_t> laid; // the map's wire of each
        constexpr double kMiddle = static_cast<double>(kBoxHeight) / 2;
        for (std::size_t w = 0; w < map_.wires.size(); ++w) {
            const MapWire& wire = map_.wires[w];
            if (columns_[wire.to] <= columns_[wire.from]) continue; // drawn behind the boxes
            wires.push_back({.from = {wire.from, kMiddle}, .to = {{wire.to, kMiddle}}});
            laid.push_back(w);
        }
        const LayeredLayout layout = lay_out(boxes, wires);
        map_.width = static_cast<float>(layout.width) + 2 * kMargin;
        map_.height = static_cast<float>(layout.height) + 2 * kMargin;
        for (std::size_t b = 0; b < map_.boxes.size(); ++b) {
            map_.boxes[b].x = static_cast<float>(layout.boxes[b].x) + kMargin;
            map_.boxes[b].y = static_cast<float>(layout.boxes[b].y) + kMargin;
        }
        for (MapWire& wire : map_.wires)
            wire.points.push_back(
                {map_.boxes[wire.from].x + kBoxWidth, map_.boxes[wire.from].y + kBoxHeight / 2});
        for (std::size_t i = 0; i < laid.size(); ++i)
            for (const LayoutLane& lane : layout.lanes[i]) {
                auto& points = map_.wires[laid[i]].points;
                const float y = static_cast<float>(lane.y) + kMargin;
                points.push_back({static_cast<float>(lane.left) + kMargin, y});
                points.push_back({static_cast<float>(lane.right) + kMargin, y});
            }
        for (MapWire& wire : map_.wires)
            wire.points.push_back({map_.boxes[wire.to].x, map_.boxes[wire.to].y + kBoxHeight / 2});
    }

    const Plan& plan_;
    const std::set<std::string, std::less<>>& open_;
    Drawing drawing_;
    GraphMap map_;
    std::map<std::string, std::uint32_t> group_sizes_; ///< nodes by path
    std::map<std::string, std::uint32_t> given_sizes_; ///< sources by the first part of their name
    std::vector<std::uint32_t> folded_;                ///< by drawn box: of the map, or hidden
    std::vector<std::uint32_t> first_column_;          ///< by box of the map: in the unfolded graph
    std::vector<std::uint32_t> columns_;               ///< by box of the map
};

} // namespace

GraphMap graph_map_of(const Plan& plan, const std::set<std::string, std::less<>>& open) {
    return MapMaker(plan, open).make();
}

MapView MapView::fitted(const GraphMap& map, float width, float height) {
    if (map.width <= 0.0f || map.height <= 0.0f) return {.scale = 1.0f};
    const float scale = std::min({width / map.width, height / map.height, 1.0f});
    return {.scale = scale,
            .x = (map.width - width / scale) / 2,
            .y = (map.height - height / scale) / 2};
}

void MapView::zoom(float factor, float pointer_x, float pointer_y) {
    const float before = scale;
    scale = std::clamp(scale * factor, 0.02f, 4.0f);
    x += pointer_x / before - pointer_x / scale;
    y += pointer_y / before - pointer_y / scale;
}

void MapView::shift(float dx, float dy) {
    x -= dx / scale;
    y -= dy / scale;
}

} // namespace tuff::viewer
