// Transient memory over the course of an execution.

#include "core/text_table.hpp"
#include "panels/panels.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

namespace tuff::viewer {
namespace {

/// Neighbours in hue lie far apart.
ImU32 color_of(ResourceId resource, bool bright) {
    const float hue = static_cast<float>(resource.index) * 0.618034f;
    float r = 0.0f, g = 0.0f, b = 0.0f;
    ImGui::ColorConvertHSVtoRGB(hue - static_cast<float>(static_cast<int>(hue)), 0.45f,
                                bright ? 0.95f : 0.62f, r, g, b);
    return ImGui::ColorConvertFloat4ToU32({r, g, b, 1.0f});
}

void totals(const InterfaceState& state) {
    const PlanStatistics& plan = state.report->structure->plan->statistics;
    const ExecutorMemory& memory = state.report->memory;
    ImGui::TextUnformatted(
        fmt::format("transient {} (without aliasing {}, alive at once {})   constants {}   "
                    "history {}   host {}",
                    human_bytes(plan.transient_bytes), human_bytes(plan.naive_bytes),
                    human_bytes(plan.peak_bytes), human_bytes(memory.constant),
                    human_bytes(memory.history), human_bytes(memory.host))
            .c_str());
}

void draw_box(InterfaceState& state, const MemoryBox& box, ImVec2 low, ImVec2 high) {
    const Plan& plan = *state.report->structure->plan;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const std::string name(plan.graph.name_of(box.resource));
    const bool hovered = ImGui::IsMouseHoveringRect(low, high) && ImGui::IsWindowHovered();
    list.AddRectFilled(low, high, color_of(box.resource, hovered));
    list.AddRect(low, high, IM_COL32(20, 20, 20, 255));
    if (high.y - low.y > ImGui::GetTextLineHeight() && high.x - low.x > 40.0f) {
        list.PushClipRect(low, high, true);
        list.AddText({low.x + 4.0f, low.y + 1.0f}, IM_COL32(15, 15, 15, 255), name.c_str());
        list.PopClipRect();
    }
    if (!hovered) return;
    ImGui::SetTooltip("%s\n%s, levels %u to %u\nshares its bytes with %u other%s", name.c_str(),
                      human_bytes(box.bytes).c_str(), box.first_level, box.last_level,
                      box.neighbours, box.neighbours == 1 ? "" : "s");
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left))
        for (const View& view : state.report->structure->views)
            if (view.key.resource == name) state.look_at(view.key);
}

} // namespace

void draw_memory(InterfaceState& state) {
    if (!state.report->structure) {
        ImGui::TextDisabled("no graph yet");
        return;
    }
    totals(state);
    if (state.mapped != state.report->structure) {
        state.mapped = state.report->structure;
        state.memory_map = memory_map_of(*state.mapped->plan);
    }
    const MemoryMap& map = state.memory_map;
    const ImVec2 from = ImGui::GetCursorScreenPos();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    if (map.bytes == 0 || map.levels == 0 || room.x < 16.0f || room.y < 16.0f) {
        ImGui::TextDisabled("the graph has no transient memory");
        return;
    }
    ImGui::GetWindowDrawList()->AddRectFilled(from, {from.x + room.x, from.y + room.y},
                                              IM_COL32(25, 25, 30, 255));
    const auto x = [&](std::uint32_t level) {
        return from.x + room.x * static_cast<float>(level) / static_cast<float>(map.levels);
    };
    const auto y = [&](std::uint64_t byte) {
        return from.y + room.y * static_cast<float>(static_cast<double>(byte) /
                                                    static_cast<double>(map.bytes));
    };
    for (const MemoryBox& box : map.boxes)
        draw_box(state, box, {x(box.first_level), y(box.first_byte)},
                 {x(box.last_level + 1), y(box.first_byte + box.bytes)});
}

} // namespace tuff::viewer
