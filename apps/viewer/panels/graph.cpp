// The graph: the nodes of the config from left to right, shaded by the time that they take.

#include "panels/fold_rows.hpp"
#include "panels/panels.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

namespace tuff::viewer {
namespace {

/// Smaller letters cannot be read: names get no smaller, and times are left out.
constexpr float kLeastLetters = 9.5f;

ImU32 shade(double share) {
    const auto heat = static_cast<float>(std::clamp(std::sqrt(share), 0.0, 1.0));
    return ImGui::ColorConvertFloat4ToU32(
        {0.16f + 0.6f * heat, 0.2f + 0.12f * heat, 0.28f - 0.1f * heat, 1.0f});
}

ImU32 color_of(MapBox::Kind kind, double share) {
    switch (kind) {
    case MapBox::Kind::group:
    case MapBox::Kind::pass: return shade(share);
    case MapBox::Kind::once: return IM_COL32(50, 50, 70, 255);
    case MapBox::Kind::culled: return IM_COL32(40, 40, 40, 255);
    case MapBox::Kind::source: return IM_COL32(40, 62, 52, 255);
    case MapBox::Kind::output: return IM_COL32(84, 70, 34, 255);
    }
    return 0;
}

/// The map on the screen.
class Canvas {
  public:
    Canvas(InterfaceState& state, ImVec2 from, ImVec2 room)
        : state_(state), from_(from), room_(room), view_(state.graph.view),
          letters_(ImGui::GetFontSize() * view_.scale) {}

    /// Marks a box and its wires; null: none.
    void mark(const MapBox* box) { marked_ = box; }

    void draw() {
        ImDrawList& list = *ImGui::GetWindowDrawList();
        list.PushClipRect(from_, {from_.x + room_.x, from_.y + room_.y}, true);
        for (const MapWire& wire : state_.graph.map.wires)
            draw_wire(list, wire);
        for (const MapBox& box : state_.graph.map.boxes)
            draw_box(list, box);
        list.PopClipRect();
    }

    /// The box under the pointer, or null.
    const MapBox* under(ImVec2 mouse) const {
        for (const MapBox& box : state_.graph.map.boxes) {
            const ImVec2 low = at(box.x, box.y), high = at(box.x + box.width, box.y + box.height);
            if (mouse.x >= low.x && mouse.x < high.x && mouse.y >= low.y && mouse.y < high.y)
                return &box;
        }
        return nullptr;
    }

  private:
    ImVec2 at(float x, float y) const {
        return {from_.x + (x - view_.x) * view_.scale, from_.y + (y - view_.y) * view_.scale};
    }

    bool is_marked(const MapBox& box) const { return marked_ == &box; }

    void draw_wire(ImDrawList& list, const MapWire& wire) const {
        const auto& boxes = state_.graph.map.boxes;
        const bool marked = is_marked(boxes[wire.from]) || is_marked(boxes[wire.to]);
        const ImU32 color = marked ? IM_COL32(255, 217, 128, 230) : IM_COL32(120, 130, 150, 130);
        const float thick = marked ? 2.0f : 1.3f;
        // Curves between columns, straight lines along lanes.
        for (std::size_t i = 0; i + 1 < wire.points.size(); ++i) {
            const ImVec2 a = at(wire.points[i].x, wire.points[i].y);
            const ImVec2 b = at(wire.points[i + 1].x, wire.points[i + 1].y);
            if (i % 2 == 1) {
                list.AddLine(a, b, color, thick);
                continue;
            }
            const float bend = std::abs(b.x - a.x) * 0.5f;
            list.AddBezierCubic(a, {a.x + bend, a.y}, {b.x - bend, b.y}, b, color, thick);
        }
    }

    double time_of(const MapBox& box) const { return state_.times.mean(box.steps); }

    std::string second_line(const MapBox& box) const {
        const bool timed = !box.steps.empty() && state_.times.count() > 0;
        std::string text = timed ? fmt::format("{:.3f} ms", time_of(box)) : "";
        if (box.kind == MapBox::Kind::group)
            text += fmt::format("{}{} kernels", text.empty() ? "" : ", ", box.nodes);
        if (box.kind == MapBox::Kind::once) text = "once";
        if (box.kind == MapBox::Kind::culled) text = "culled";
        if (box.kind == MapBox::Kind::source)
            text = box.given > 1 ? fmt::format("{} given", box.given) : "given";
        if (box.kind == MapBox::Kind::output) text = "output";
        return text;
    }

    void draw_text(ImDrawList& list, const MapBox& box, ImVec2 low, ImVec2 high) const {
        constexpr float kBeside = 12.0f;
        ImFont* font = ImGui::GetFont();
        if (letters_ >= kLeastLetters) {
            // Names are fitted in the size in which they are measured.
            list.AddText(font, letters_, at(box.x + kBeside / 2, box.y + 3.0f),
                         IM_COL32(235, 235, 235, 255),
                         fitted_name(box.title, box.width - kBeside).c_str());
            list.AddText(font, letters_, at(box.x + kBeside / 2, box.y + 20.0f),
                         IM_COL32(185, 185, 190, 255), second_line(box).c_str());
            return;
        }
        if (high.y - low.y < kLeastLetters) return;
        const float room = (high.x - low.x - 4.0f) * ImGui::GetFontSize() / kLeastLetters;
        list.AddText(font, kLeastLetters,
                     {low.x + 2.0f, (low.y + high.y - kLeastLetters) / 2 - 1.0f},
                     IM_COL32(235, 235, 235, 255), fitted_name(box.title, room).c_str());
    }

    void draw_box(ImDrawList& list, const MapBox& box) {
        const ImVec2 low = at(box.x, box.y), high = at(box.x + box.width, box.y + box.height);
        const ImVec2 end(from_.x + room_.x, from_.y + room_.y);
        if (high.x < from_.x || high.y < from_.y || low.x > end.x || low.y > end.y) return;
        const bool timed = !box.steps.empty() && state_.times.count() > 0;
        const double share =
            timed && state_.times.mean() > 0.0 ? time_of(box) / state_.times.mean() : 0.0;
        const float round = 4.0f * view_.scale;
        list.AddRectFilled(low, high, color_of(box.kind, share), round);
        const Shown* shown = state_.shown();
        const bool chosen =
            shown && (shown->view.writer == box.title ||
                      name_inside(shown->view.writer, box.title) != shown->view.writer);
        if (box.kind == MapBox::Kind::group)
            list.AddRect({low.x - 2.0f, low.y - 2.0f}, {high.x + 2.0f, high.y + 2.0f},
                         IM_COL32(120, 130, 150, 150), round);
        if (is_marked(box) || chosen)
            list.AddRect(low, high, IM_COL32(255, 217, 128, is_marked(box) ? 255 : 150), round, 0,
                         2.0f);
        draw_text(list, box, low, high);
        state_.widgets.note_rect("box " + box.title, static_cast<int>(low.x),
                                 static_cast<int>(low.y), static_cast<int>(high.x),
                                 static_cast<int>(high.y));
    }

    InterfaceState& state_;
    ImVec2 from_, room_;
    const MapView& view_;
    float letters_; ///< pixels
    const MapBox* marked_ = nullptr;
};

void choose(InterfaceState& state, const MapBox& box) {
    if (box.kind != MapBox::Kind::source && box.kind != MapBox::Kind::output)
        return state.look_at_result_of(box.title);
    for (const View& view : state.report->structure->views) {
        const bool meant = box.kind == MapBox::Kind::source
                               ? view.key.resource == box.title ||
                                     name_inside(view.key.resource, box.title) != view.key.resource
                               : std::ranges::find(view.outputs, box.title) != view.outputs.end();
        if (meant) return state.look_at(view.key);
    }
}

/// Opens the node of the config, or closes the one that the box lies in.
void open_or_close(InterfaceState& state, const MapBox& box) {
    if (box.kind == MapBox::Kind::group || box.given > 1) {
        state.folded.graph.insert(box.title);
        return;
    }
    std::string path = box.title;
    for (std::size_t slash = path.rfind('/'); slash != std::string::npos; slash = path.rfind('/')) {
        path.resize(slash);
        if (state.folded.graph.erase(path) > 0) return;
    }
}

void make_map(InterfaceState& state, ImVec2 room) {
    GraphPicture& graph = state.graph;
    const bool other = graph.of != state.report->structure;
    if (!other && graph.open == state.folded.graph) return;
    const bool fits = graph.view.scale <= 0.0f;
    graph.of = state.report->structure;
    graph.open = state.folded.graph;
    graph.map = graph_map_of(*graph.of->plan, graph.open);
    if (fits) graph.view = MapView::fitted(graph.map, room.x, room.y);
}

void tools(InterfaceState& state, ImVec2 room) {
    GraphPicture& graph = state.graph;
    if (ImGui::Button("Fit")) graph.view = MapView::fitted(graph.map, room.x, room.y);
    state.widgets.note("graph fit");
    ImGui::SameLine();
    if (ImGui::Button("-")) graph.view.zoom(0.8f, room.x / 2, room.y / 2);
    state.widgets.note("graph smaller");
    ImGui::SameLine();
    if (ImGui::Button("+")) graph.view.zoom(1.25f, room.x / 2, room.y / 2);
    state.widgets.note("graph larger");
    ImGui::SameLine();
    ImGui::BeginDisabled(state.folded.graph.empty());
    if (ImGui::Button("Close all")) state.folded.graph.clear();
    state.widgets.note("graph close all");
    ImGui::EndDisabled();
    ImGui::SameLine();
    ImGui::TextDisabled("%.0f %%   double click opens a node and closes it",
                        static_cast<double>(graph.view.scale) * 100.0);
}

} // namespace

void draw_graph(InterfaceState& state) {
    if (!state.report->structure) {
        ImGui::TextDisabled("no graph yet");
        return;
    }
    ImVec2 room = ImGui::GetContentRegionAvail();
    room.y -= ImGui::GetFrameHeightWithSpacing();
    if (room.x < 16.0f || room.y < 16.0f) return;
    make_map(state, room);
    tools(state, room);
    const ImVec2 from = ImGui::GetCursorScreenPos();
    ImGui::InvisibleButton("graph", room,
                           ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle);
    // Nothing is chosen where a drag ends, nor behind a node that was opened.
    const bool clicked = ImGui::IsItemDeactivated() &&
                         ImGui::GetIO().MouseClickedLastCount[ImGuiMouseButton_Left] == 1 &&
                         ImGui::GetMouseDragDelta(ImGuiMouseButton_Left, 3.0f).x == 0.0f &&
                         ImGui::GetMouseDragDelta(ImGuiMouseButton_Left, 3.0f).y == 0.0f;
    state.widgets.note("graph");
    const ImGuiIO& io = ImGui::GetIO();
    GraphPicture& graph = state.graph;
    const bool hovered = ImGui::IsItemHovered();
    if (hovered && io.MouseWheel != 0.0f)
        graph.view.zoom(std::pow(1.2f, io.MouseWheel), io.MousePos.x - from.x,
                        io.MousePos.y - from.y);
    const bool drags =
        ImGui::IsItemActive() && (ImGui::IsMouseDragging(ImGuiMouseButton_Left, 3.0f) ||
                                  ImGui::IsMouseDragging(ImGuiMouseButton_Middle, 0.0f));
    if (drags) graph.view.shift(io.MouseDelta.x, io.MouseDelta.y);
    Canvas canvas(state, from, room);
    const MapBox* pointed = hovered ? canvas.under(io.MousePos) : nullptr;
    canvas.mark(pointed);
    canvas.draw();
    if (!pointed) return;
    if (!drags)
        ImGui::SetTooltip("%s%s", pointed->title.c_str(),
                          pointed->kind == MapBox::Kind::group ? "\ndouble click shows its kernels"
                                                               : "");
    if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
        open_or_close(state, *pointed);
    else if (clicked)
        choose(state, *pointed);
}

} // namespace tuff::viewer
