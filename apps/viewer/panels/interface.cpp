// How the panels share the window.

#include "model/panel_layout.hpp"
#include "model/volume_page.hpp"
#include "panels/panels.hpp"

#include <imgui.h>

namespace tuff::viewer {
namespace {

constexpr ImGuiWindowFlags kFixed =
    ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
    ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoSavedSettings;

/// The part of the window below the menu.
struct WorkArea {
    ImVec2 from, size;
    float status = 0.0f; ///< height of the line at the bottom
};

void panel(const char* title, const WorkArea& area, const PanelRect& rect, ImGuiWindowFlags flags,
           InterfaceState& state, void (*draw)(InterfaceState&)) {
    if (rect.width <= 0.0f || rect.height <= 0.0f) return;
    ImGui::SetNextWindowPos({area.from.x + rect.x, area.from.y + rect.y});
    ImGui::SetNextWindowSize({rect.width, rect.height});
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

/// The strip between two panels. True while it is dragged.
bool edge(InterfaceState& state, const WorkArea& area, const PanelRect& rect, const char* name) {
    if (rect.width <= 0.0f || rect.height <= 0.0f) return false;
    ImGui::SetNextWindowPos({area.from.x + rect.x, area.from.y + rect.y});
    ImGui::SetNextWindowSize({rect.width, rect.height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.0f, 0.0f});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1.0f, 1.0f});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0f);
    bool drags = false;
    if (ImGui::Begin(name, nullptr,
                     kFixed | ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoScrollbar)) {
        ImGui::InvisibleButton(name, {rect.width, rect.height});
        state.widgets.note(name);
        drags = ImGui::IsItemActive();
        if (drags || ImGui::IsItemHovered()) {
            ImGui::SetMouseCursor(rect.width > rect.height ? ImGuiMouseCursor_ResizeNS
                                                           : ImGuiMouseCursor_ResizeEW);
            const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
            ImGui::GetWindowDrawList()->AddRectFilled(
                low, high,
                ImGui::GetColorU32(drags ? ImGuiCol_SeparatorActive : ImGuiCol_SeparatorHovered));
        }
    }
    ImGui::End();
    ImGui::PopStyleVar(3);
    return drags;
}

void edges(InterfaceState& state, const WorkArea& area, const PanelLayout& layout) {
    PanelSizes& sizes = state.settings.panels;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const float x = mouse.x - area.from.x, y = mouse.y - area.from.y;
    if (edge(state, area, layout.views_edge, "edge views"))
        sizes = with_views_edge(sizes, x, area.size.x);
    if (edge(state, area, layout.parameters_edge, "edge parameters"))
        sizes = with_parameters_edge(sizes, x, area.size.x);
    if (edge(state, area, layout.details_edge, "edge details"))
        sizes = with_details_edge(sizes, y, area.size.y, area.status);
}

} // namespace

void draw_interface(InterfaceState& state) {
    draw_menu(state);
    const ImGuiViewport* view = ImGui::GetMainViewport();
    const ImGuiStyle& style = ImGui::GetStyle();
    const bool has_time_line = shows_time_line(state);
    const float status = ImGui::GetFrameHeight() + 2.0f * style.WindowPadding.y +
                         (has_time_line ? ImGui::GetFrameHeightWithSpacing() : 0.0f);
    const WorkArea area{view->WorkPos, view->WorkSize, status};
    const PanelLayout layout =
        panel_layout(area.size.x, area.size.y, status, state.settings.panels, state.picture_alone);
    panel("Views", area, layout.views, 0, state, draw_views);
    panel("Picture", area, layout.picture,
          ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoScrollbar |
              ImGuiWindowFlags_NoScrollWithMouse,
          state, draw_picture);
    panel("Details", area, layout.details, ImGuiWindowFlags_NoTitleBar, state, draw_details);
    panel("Parameters", area, layout.parameters, 0, state, draw_side);
    panel("Status", area, layout.status, ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoScrollbar,
          state, draw_status);
    if (!state.picture_alone) edges(state, area, layout);
    draw_open_dialog(state);
    draw_keys(state);
}

} // namespace tuff::viewer
