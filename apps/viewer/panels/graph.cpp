// The graph: nodes in the columns of their levels, shaded by the time that they take.

#include "graph/explain/drawing.hpp"
#include "panels/panels.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace tuff::viewer {
namespace {

constexpr float kColumn = 190.0f, kRow = 46.0f, kWidth = 160.0f, kHeight = 36.0f;

ImU32 shade(double share) {
    const auto heat = static_cast<float>(std::clamp(std::sqrt(share), 0.0, 1.0));
    return ImGui::ColorConvertFloat4ToU32(
        {0.16f + 0.6f * heat, 0.2f + 0.12f * heat, 0.28f - 0.1f * heat, 1.0f});
}

std::string title_of(const Plan& plan, const DrawnBox& box) {
    switch (box.kind) {
    case BoxKind::pass:
    case BoxKind::once:
    case BoxKind::culled: return std::string(plan.graph.name_of(NodeId{box.index}));
    case BoxKind::source: return std::string(plan.graph.name_of(ResourceId{box.index}));
    case BoxKind::output: return std::string(plan.graph.name(plan.graph.outputs[box.index].name));
    }
    return {};
}

/// The end of a long name says most.
std::string shortened(const std::string& name) {
    constexpr std::size_t kMax = 22;
    return name.size() <= kMax ? name : "..." + name.substr(name.size() - kMax + 3);
}

class GraphPanel {
  public:
    GraphPanel(InterfaceState& state, const Plan& plan)
        : state_(state), drawing_(drawing_of(plan)), plan_(plan) {
        std::map<std::uint32_t, float> used;
        for (const DrawnBox& box : drawing_.boxes) {
            float& row = used[box.column];
            places_.push_back({static_cast<float>(box.column) * kColumn, row * kRow});
            row += 1.0f;
            rows_ = std::max(rows_, row);
        }
        if (const auto& timings = state.report->timings)
            for (std::size_t i = 0; i < timings->nodes.size() && i < plan.order.size(); ++i)
                times_[plan.order[i].index] = timings->nodes[i].milliseconds;
    }

    void draw() {
        const ImVec2 origin = ImGui::GetCursorScreenPos();
        ImDrawList& list = *ImGui::GetWindowDrawList();
        for (const DrawnWire& wire : drawing_.wires)
            for (const DrawnWire::End& end : wire.to)
                draw_wire(list, origin, places_[wire.from.box], places_[end.box]);
        for (std::size_t b = 0; b < drawing_.boxes.size(); ++b)
            draw_box(list, origin, b);
        ImGui::SetCursorScreenPos(origin);
        ImGui::Dummy({static_cast<float>(drawing_.columns + 1) * kColumn, rows_ * kRow});
    }

  private:
    static void draw_wire(ImDrawList& list, ImVec2 origin, ImVec2 from, ImVec2 to) {
        const ImVec2 a(origin.x + from.x + kWidth, origin.y + from.y + kHeight / 2);
        const ImVec2 b(origin.x + to.x, origin.y + to.y + kHeight / 2);
        const float bend = std::max(20.0f, std::abs(b.x - a.x) * 0.4f);
        list.AddBezierCubic(a, {a.x + bend, a.y}, {b.x - bend, b.y}, b,
                            IM_COL32(120, 130, 150, 120), 1.2f);
    }

    void draw_box(ImDrawList& list, ImVec2 origin, std::size_t index) {
        const DrawnBox& box = drawing_.boxes[index];
        const ImVec2 low(origin.x + places_[index].x, origin.y + places_[index].y);
        const ImVec2 high(low.x + kWidth, low.y + kHeight);
        if (!ImGui::IsRectVisible(low, high)) return;
        const std::string title = title_of(plan_, box);
        const auto time = box.kind == BoxKind::pass ? times_.find(box.index) : times_.end();
        const double total = state_.report->timings ? state_.report->timings->milliseconds : 0.0;
        ImU32 color = IM_COL32(40, 60, 50, 255);
        if (box.kind == BoxKind::pass)
            color = shade(time != times_.end() && total > 0.0 ? time->second / total : 0.0);
        if (box.kind == BoxKind::culled) color = IM_COL32(40, 40, 40, 255);
        if (box.kind == BoxKind::once) color = IM_COL32(50, 50, 70, 255);
        list.AddRectFilled(low, high, color, 4.0f);
        list.AddText({low.x + 6.0f, low.y + 3.0f}, IM_COL32(235, 235, 235, 255),
                     shortened(title).c_str());
        if (time != times_.end())
            list.AddText({low.x + 6.0f, low.y + 19.0f}, IM_COL32(190, 190, 190, 255),
                         fmt::format("{:.3f} ms", time->second).c_str());
        else if (box.kind == BoxKind::culled || box.kind == BoxKind::once)
            list.AddText({low.x + 6.0f, low.y + 19.0f}, IM_COL32(150, 150, 150, 255),
                         box.kind == BoxKind::once ? "once" : "culled");
        ImGui::SetCursorScreenPos(low);
        ImGui::PushID(static_cast<int>(index));
        if (ImGui::InvisibleButton("box", {kWidth, kHeight})) choose(box);
        state_.widgets.note("box " + title);
        if (ImGui::IsItemHovered()) {
            list.AddRect(low, high, IM_COL32(255, 217, 128, 255), 4.0f);
            ImGui::SetTooltip("%s", title.c_str());
        }
        ImGui::PopID();
    }

    void choose(const DrawnBox& box) {
        const std::string title = title_of(plan_, box);
        for (const View& view : state_.report->structure->views) {
            const bool meant = box.kind == BoxKind::source ? view.key.resource == title
                               : box.kind == BoxKind::output
                                   ? std::ranges::find(view.outputs, title) != view.outputs.end()
                                   : view.writer == title;
            if (!meant) continue;
            state_.look_at(view.key);
            return;
        }
    }

    InterfaceState& state_;
    Drawing drawing_;
    const Plan& plan_;
    std::vector<ImVec2> places_; ///< per box
    std::map<std::uint32_t, double> times_;
    float rows_ = 1.0f;
};

} // namespace

void draw_graph(InterfaceState& state) {
    if (!state.report->structure) {
        ImGui::TextDisabled("no graph yet");
        return;
    }
    ImGui::BeginChild("canvas", {0.0f, 0.0f}, false, ImGuiWindowFlags_HorizontalScrollbar);
    GraphPanel(state, *state.report->structure->plan).draw();
    ImGui::EndChild();
}

} // namespace tuff::viewer
