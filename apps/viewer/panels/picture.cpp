#include "panels/camera_input.hpp"
#include "panels/panels.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>

namespace tuff::viewer {
namespace {

/// Where the picture lies on the screen.
struct Placed {
    ImVec2 low, high;
    float scale;
};

Placed place(const InterfaceState& state, Extent extent, ImVec2 from, ImVec2 room) {
    const auto width = static_cast<float>(extent.width);
    const auto height = static_cast<float>(extent.height);
    const float fit = std::min(room.x / width, room.y / height);
    const float scale = state.place.scale > 0.0f ? state.place.scale : fit;
    const ImVec2 middle(from.x + room.x / 2 - state.place.x * scale,
                        from.y + room.y / 2 - state.place.y * scale);
    // Whole pixels, so that texels of one pixel are shown as they are.
    const ImVec2 low(std::floor(middle.x - width * scale / 2),
                     std::floor(middle.y - height * scale / 2));
    return {low, {low.x + width * scale, low.y + height * scale}, scale};
}

/// The mouse over the picture: zoom and shift it, or move the scene's camera.
void handle_mouse(InterfaceState& state, const Placed& placed) {
    const ImGuiIO& io = ImGui::GetIO();
    const bool moves_camera = handle_camera(state);
    if (ImGui::IsItemHovered() && io.MouseWheel != 0.0f && (io.KeyCtrl || !moves_camera)) {
        const float old = placed.scale;
        const float scale = std::clamp(old * std::pow(1.25f, io.MouseWheel), 0.01f, 256.0f);
        // The texel under the cursor stays there.
        const ImVec2 middle((placed.low.x + placed.high.x) / 2, (placed.low.y + placed.high.y) / 2);
        const float x = (io.MousePos.x - middle.x) / old, y = (io.MousePos.y - middle.y) / old;
        state.place.x += x - x * old / scale;
        state.place.y += y - y * old / scale;
        state.place.scale = scale;
    }
    const bool shifts = ImGui::IsMouseDragging(ImGuiMouseButton_Middle, 0.0f) ||
                        (!moves_camera && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 0.0f));
    if (ImGui::IsItemActive() && shifts) {
        if (state.place.scale <= 0.0f) state.place.scale = placed.scale;
        state.place.x -= io.MouseDelta.x / placed.scale;
        state.place.y -= io.MouseDelta.y / placed.scale;
    }
    if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Middle))
        state.place = {};
}

void find_cursor(InterfaceState& state, const Placed& placed, Extent extent) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const float x = std::floor((mouse.x - placed.low.x) / placed.scale);
    const float y = std::floor((mouse.y - placed.low.y) / placed.scale);
    if (!ImGui::IsItemHovered() || x < 0.0f || y < 0.0f || x >= static_cast<float>(extent.width) ||
        y >= static_cast<float>(extent.height))
        return;
    state.cursor = {{static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y)}};
}

void show_problems_in_place(const InterfaceState& state, ImVec2 from, float width) {
    const SceneReport& report = *state.report;
    if (report.problems.empty()) return;
    ImGui::SetCursorScreenPos({from.x + 12.0f, from.y + 12.0f});
    ImGui::PushStyleColor(ImGuiCol_ChildBg, {0.35f, 0.05f, 0.05f, 0.92f});
    const float line = ImGui::GetTextLineHeightWithSpacing();
    const float lines = static_cast<float>(std::min<std::size_t>(report.problems.size(), 4));
    ImGui::BeginChild("problems in place", {width - 24.0f, line * (2.5f + 3.0f * lines)}, true);
    ImGui::TextUnformatted(report.shown ? "What is shown is from before this mistake:"
                                        : "There is nothing to show:");
    draw_problems(const_cast<InterfaceState&>(state));
    ImGui::EndChild();
    ImGui::PopStyleColor();
}

} // namespace

void draw_picture(InterfaceState& state) {
    state.cursor.reset();
    const ImVec2 from = ImGui::GetCursorScreenPos();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    if (room.x < 8.0f || room.y < 8.0f || !state.report) return;
    const Shown* shown = state.shown();
    if (shown && !shown->view.is_image()) {
        draw_buffer(state);
    } else if (shown && !shown->image.empty()) {
        ImGui::InvisibleButton("picture", room,
                               ImGuiButtonFlags_MouseButtonLeft |
                                   ImGuiButtonFlags_MouseButtonRight |
                                   ImGuiButtonFlags_MouseButtonMiddle);
        state.widgets.note("picture");
        const Placed placed = place(state, shown->image.extent, from, room);
        ImGui::GetWindowDrawList()->AddImage(
            reinterpret_cast<ImTextureID>(static_cast<std::uintptr_t>(InterfaceTexture::picture)),
            placed.low, placed.high);
        handle_mouse(state, placed);
        find_cursor(state, placed, shown->image.extent);
    } else if (state.report->problems.empty()) {
        ImGui::TextDisabled(state.report->state == SceneState::building ? "building the graph..."
                                                                        : "nothing is shown yet");
    }
    show_problems_in_place(state, from, room.x);
}

} // namespace tuff::viewer
