// Transient memory over the course of an execution.

#include "core/text_table.hpp"
#include "panels/fold_rows.hpp"
#include "panels/panels.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

namespace tuff::viewer {
namespace {

/// Those of one node of the config have one colour; the colours of neighbours lie far apart.
ImU32 color_of(const Structure& structure, std::string_view resource, bool bright) {
    const std::string_view node = resource.substr(0, resource.find('/'));
    const auto place = std::ranges::find(structure.nodes, node) - structure.nodes.begin();
    const float hue = static_cast<float>(place) * 0.618034f;
    float r = 0.0f, g = 0.0f, b = 0.0f;
    ImGui::ColorConvertHSVtoRGB(hue - static_cast<float>(static_cast<int>(hue)), 0.45f,
                                bright ? 0.95f : 0.62f, r, g, b);
    return ImGui::ColorConvertFloat4ToU32({r, g, b, 1.0f});
}

void totals(const InterfaceState& state) {
    const PlanStatistics& plan = state.report->structure->plan->statistics;
    const ExecutorMemory& memory = state.report->memory;
    const std::string text =
        fmt::format("transient {} (without aliasing {}, alive at once {})   constants {}   "
                    "history {}   host {}",
                    human_bytes(plan.transient_bytes), human_bytes(plan.naive_bytes),
                    human_bytes(plan.peak_bytes), human_bytes(memory.constant),
                    human_bytes(memory.history), human_bytes(memory.host));
    ImGui::PushTextWrapPos();
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopTextWrapPos();
}

void draw_box(InterfaceState& state, const MemoryBox& box, ImVec2 low, ImVec2 high, bool marked) {
    const Plan& plan = *state.report->structure->plan;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const std::string name(plan.graph.name_of(box.resource));
    const bool hovered = ImGui::IsMouseHoveringRect(low, high) && ImGui::IsWindowHovered();
    const Structure& structure = *state.report->structure;
    list.AddRectFilled(low, high, color_of(structure, name, hovered || marked));
    list.AddRect(low, high, IM_COL32(20, 20, 20, 255));
    if (high.y - low.y > ImGui::GetTextLineHeight() && high.x - low.x > 40.0f) {
        list.PushClipRect(low, high, true);
        list.AddText({low.x + 4.0f, low.y + 1.0f}, IM_COL32(15, 15, 15, 255),
                     fitted_name(name, high.x - low.x - 8.0f).c_str());
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

/// The resources by the nodes of the config, with the bytes of each. Which boxes the row under the
/// pointer stands for.
std::vector<std::size_t> resources(InterfaceState& state) {
    std::vector<std::size_t> marked;
    const Structure& structure = *state.report->structure;
    const float right = ImGui::GetContentRegionMax().x - 6.0f;
    for (const FoldRow& row : state.folded.memory_tree.rows(state.folded.memory)) {
        std::uint64_t bytes = 0;
        for (const std::size_t i : row.items)
            bytes += state.memory_map.boxes[i].bytes;
        const std::string sum = human_bytes(bytes);
        constexpr float kBesideName = 50.0f; // the arrow, the color
        const std::string label =
            fitted_name(row.label, right - kBesideName - ImGui::CalcTextSize(sum.c_str()).x -
                                       14.0f * static_cast<float>(row.depth));
        const ResourceId first = state.memory_map.boxes[row.items.front()].resource;
        const std::string name(structure.plan->graph.name_of(first));
        if (row.group) {
            fold_header(state, state.folded.memory, row, "memory", label);
        } else if (fold_leaf(row, false, label)) {
            for (const View& view : structure.views)
                if (view.key.resource == name) state.look_at(view.key);
        }
        if (ImGui::IsItemHovered()) marked = row.items;
        ImGui::SameLine(right - ImGui::CalcTextSize(sum.c_str()).x - 16.0f);
        ImGui::TextDisabled("%s", sum.c_str());
        const ImVec2 at = ImGui::GetItemRectMax();
        ImGui::GetWindowDrawList()->AddRectFilled({at.x + 6.0f, at.y - 12.0f},
                                                  {at.x + 14.0f, at.y - 4.0f},
                                                  color_of(structure, name, true));
    }
    return marked;
}

} // namespace

void draw_memory(InterfaceState& state) {
    if (!state.report->structure) {
        ImGui::TextDisabled("no graph yet");
        return;
    }
    totals(state);
    state.fold_lists();
    const MemoryMap& map = state.memory_map;
    if (map.bytes == 0 || map.levels == 0) {
        ImGui::TextDisabled("the graph has no transient memory");
        return;
    }
    ImGui::BeginChild("resources",
                      {std::min(300.0f, ImGui::GetContentRegionAvail().x * 0.5f), 0.0f});
    const std::vector<std::size_t> marked = resources(state);
    ImGui::EndChild();
    ImGui::SameLine();
    ImGui::BeginChild("map", {0.0f, 0.0f}, false, ImGuiWindowFlags_NoScrollbar);
    const ImVec2 from = ImGui::GetCursorScreenPos();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    ImGui::GetWindowDrawList()->AddRectFilled(from, {from.x + room.x, from.y + room.y},
                                              IM_COL32(25, 25, 30, 255));
    const auto x = [&](std::uint32_t level) {
        return from.x + room.x * static_cast<float>(level) / static_cast<float>(map.levels);
    };
    const auto y = [&](std::uint64_t byte) {
        return from.y + room.y * static_cast<float>(static_cast<double>(byte) /
                                                    static_cast<double>(map.bytes));
    };
    for (std::size_t i = 0; i < map.boxes.size(); ++i) {
        const MemoryBox& box = map.boxes[i];
        draw_box(state, box, {x(box.first_level), y(box.first_byte)},
                 {x(box.last_level + 1), y(box.first_byte + box.bytes)},
                 std::ranges::find(marked, i) != marked.end());
    }
    ImGui::EndChild();
}

} // namespace tuff::viewer
