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

/// The line between A and B, which can be dragged. True where the mouse is busy with it.
bool handle_line(InterfaceState& state, const Placed& placed) {
    CompareState& compare = state.compare;
    if (!compare.is_on() || compare.how != Comparison::split) return false;
    constexpr float kReach = 6.0f;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const float width = placed.high.x - placed.low.x;
    const float x = placed.low.x + compare.line * width;
    const bool near = ImGui::IsItemHovered() && std::abs(mouse.x - x) <= kReach;
    if (near && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) compare.drags_line = true;
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) compare.drags_line = false;
    if (compare.drags_line && width > 0.0f)
        compare.line = std::clamp((mouse.x - placed.low.x) / width, 0.0f, 1.0f);
    const bool busy = near || compare.drags_line;
    if (busy) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 color = busy ? IM_COL32(255, 217, 128, 255) : IM_COL32(255, 255, 255, 200);
    list.AddLine({x, placed.low.y}, {x, placed.high.y}, IM_COL32(0, 0, 0, 160), 4.0f);
    list.AddLine({x, placed.low.y}, {x, placed.high.y}, color, 1.5f);
    for (const bool right : {false, true}) {
        const char* name = right ? "B" : "A";
        const ImVec2 at(right ? x + 8.0f : x - 20.0f, placed.low.y + 6.0f);
        list.AddRectFilled({at.x - 4.0f, at.y - 2.0f}, {at.x + 15.0f, at.y + 19.0f},
                           IM_COL32(0, 0, 0, 170), 3.0f);
        list.AddText(at, IM_COL32_WHITE, name);
    }
    state.widgets.note_rect("compare line", static_cast<int>(x) - 2, static_cast<int>(placed.low.y),
                            static_cast<int>(x) + 2, static_cast<int>(placed.high.y));
    return busy;
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

void show_problems_in_place(InterfaceState& state, ImVec2 from, ImVec2 room) {
    const SceneReport& report = *state.report;
    const std::string text = to_string(report.problems) + to_string(state.notices);
    if (report.problems.empty() && state.notices.empty()) state.closed_problems.clear();
    if (text == state.closed_problems || (report.problems.empty() && state.notices.empty())) return;
    const ImGuiStyle& style = ImGui::GetStyle();
    const float head = ImGui::GetFrameHeight() + style.ItemSpacing.y + 2.0f * style.WindowPadding.y;
    const float height = std::min(head + state.problem_text_height, 0.6f * room.y);
    ImGui::SetCursorScreenPos({from.x + 12.0f, from.y + 12.0f});
    ImGui::PushStyleColor(ImGuiCol_ChildBg, {0.35f, 0.05f, 0.05f, 0.92f});
    ImGui::BeginChild("problems in place", {room.x - 24.0f, height}, true,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::TextUnformatted(report.problems.empty() ? "Nothing was saved:"
                           : report.shown          ? "What is shown is from before this mistake:"
                                                   : "There is nothing to show:");
    ImGui::SameLine(ImGui::GetContentRegionMax().x - ImGui::GetFrameHeight());
    if (ImGui::SmallButton("x")) {
        state.closed_problems = text;
        state.notices.clear();
    }
    state.widgets.note("close problems");
    if (ImGui::IsItemHovered())
        ImGui::SetTooltip("closes this; the tab Problems keeps it until it is mended");
    // Only the text scrolls: the button is where it was when the banner came.
    ImGui::PushStyleColor(ImGuiCol_ChildBg, {0.0f, 0.0f, 0.0f, 0.0f});
    ImGui::BeginChild("text");
    draw_problems(state);
    state.problem_text_height = ImGui::GetCursorPosY();
    ImGui::EndChild();
    ImGui::PopStyleColor();
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
        if (!handle_line(state, placed)) handle_mouse(state, placed);
        find_cursor(state, placed, shown->image.extent);
    } else if (state.report->problems.empty()) {
        ImGui::TextDisabled(state.report->state == SceneState::building ? "building the graph..."
                                                                        : "nothing is shown yet");
    }
    show_problems_in_place(state, from, room);
}

} // namespace tuff::viewer
