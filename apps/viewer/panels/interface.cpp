// How the panels share the window.

#include "model/volume_page.hpp"
#include "panels/panels.hpp"

#include <imgui.h>

#include <algorithm>

namespace tuff::viewer {
namespace {

constexpr float kViewsWidth = 300.0f;
constexpr float kParametersWidth = 380.0f;
constexpr float kDetailsShare = 0.3f;
constexpr ImGuiWindowFlags kFixed =
    ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
    ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoSavedSettings;

void panel(const char* title, ImVec2 position, ImVec2 size, ImGuiWindowFlags flags,
           InterfaceState& state, void (*draw)(InterfaceState&)) {
    ImGui::SetNextWindowPos(position);
    ImGui::SetNextWindowSize(size);
    if (ImGui::Begin(title, nullptr, kFixed | flags)) draw(state);
    ImGui::End();
}

/// The parameters, and of graphs that show volumes a page for these.
void draw_side(InterfaceState& state) {
    const bool has_volumes =
        state.report && state.report->panel && !volume_nodes(state.report->panel->controls).empty();
    if (!has_volumes) return draw_parameters(state);
    if (!ImGui::BeginTabBar("side")) return;
    for (const bool volume : {true, false}) {
        const char* name = volume ? "Volume" : "All parameters";
        const bool open = ImGui::BeginTabItem(name);
        state.widgets.note(volume ? "tab Volume" : "tab All parameters");
        if (!open) continue;
        ImGui::BeginChild(name);
        volume ? draw_volume(state) : draw_parameters(state);
        ImGui::EndChild();
        ImGui::EndTabItem();
    }
    ImGui::EndTabBar();
}

} // namespace

void draw_interface(InterfaceState& state) {
    draw_menu(state);
    const ImGuiViewport* view = ImGui::GetMainViewport();
    const ImVec2 from = view->WorkPos;
    const ImVec2 size = view->WorkSize;
    // A small window keeps room for the picture.
    const float left = std::min(kViewsWidth, size.x * 0.25f);
    const float right = std::min(kParametersWidth, size.x * 0.3f);
    const float status = ImGui::GetFrameHeight() + 2.0f * ImGui::GetStyle().WindowPadding.y;
    const float details = std::clamp(size.y * kDetailsShare, 80.0f, 320.0f);
    const float middle = size.x - left - right;
    const float height = size.y - details - status;
    panel("Views", from, {left, size.y - status}, 0, state, draw_views);
    panel("Picture", {from.x + left, from.y}, {middle, height},
          ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoScrollbar |
              ImGuiWindowFlags_NoScrollWithMouse,
          state, draw_picture);
    panel("Details", {from.x + left, from.y + height}, {middle, details},
          ImGuiWindowFlags_NoTitleBar, state, draw_details);
    panel("Parameters", {from.x + left + middle, from.y}, {right, size.y - status}, 0, state,
          draw_side);
    panel("Status", {from.x, from.y + size.y - status}, {size.x, status},
          ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoScrollbar, state, draw_status);
}

} // namespace tuff::viewer
