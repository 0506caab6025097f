#include "panels/panels.hpp"

#include <imgui.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace tuff::viewer {
namespace {

void open_dialog(InterfaceState& state) {
    if (state.open_requested) {
        ImGui::OpenPopup("Open a config");
        state.open_requested = false;
    }
    if (!ImGui::BeginPopupModal("Open a config", nullptr, ImGuiWindowFlags_AlwaysAutoResize))
        return;
    if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
    ImGui::TextUnformatted(
        "A config (.json), or a model (.gltf, .glb, .obj). Dropping a file on the "
        "window does the same.");
    ImGui::SetNextItemWidth(560.0f);
    const bool entered = ImGui::InputText("##path", state.open_path.data(), state.open_path.size(),
                                          ImGuiInputTextFlags_EnterReturnsTrue);
    state.widgets.note("open path");
    if (ImGui::Button("Open") || entered) {
        state.actions.open = std::filesystem::path(state.open_path.data());
        ImGui::CloseCurrentPopup();
    }
    ImGui::SameLine();
    if (ImGui::Button("Cancel") || ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape)))
        ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
}

void recent_menu(InterfaceState& state) {
    if (!ImGui::BeginMenu("Open recent", !state.settings.recent.empty())) return;
    for (const std::string& path : state.settings.recent)
        if (ImGui::MenuItem(path.c_str())) state.actions.open = path;
    ImGui::EndMenu();
}

} // namespace

void draw_menu(InterfaceState& state) {
    if (ImGui::BeginMainMenuBar()) {
        if (ImGui::BeginMenu("File")) {
            if (ImGui::MenuItem("Open...", "Ctrl+O")) state.open_requested = true;
            state.widgets.note("menu open");
            recent_menu(state);
            if (ImGui::MenuItem("Save picture", "F11")) state.actions.save_picture = true;
            state.widgets.note("menu save picture");
            if (ImGui::MenuItem("Save as JPEG", "Ctrl+F11")) state.actions.save_jpeg = true;
            state.widgets.note("menu save jpeg");
            if (ImGui::MenuItem("Save window", "F12")) state.actions.save_window = true;
            if (ImGui::MenuItem(state.recording ? "Stop recording" : "Record a film", "F10"))
                state.actions.toggle_recording = true;
            ImGui::Separator();
            if (ImGui::MenuItem("Quit", "Ctrl+Q")) state.actions.quit = true;
            state.widgets.note("menu quit");
            ImGui::EndMenu();
        }
        state.widgets.note("menu file");
        if (ImGui::BeginMenu("Show")) {
            ImGui::MenuItem("Mark NaN and infinity", nullptr, &state.settings.mark_faults);
            ImGui::MenuItem("Parameters of passes", nullptr, &state.settings.show_pass_parameters);
            state.widgets.note("menu pass parameters");
            ImGui::EndMenu();
        }
        state.widgets.note("menu show");
        if (state.report && state.report->panel)
            ImGui::TextDisabled("%s", state.report->panel->description.c_str());
        ImGui::EndMainMenuBar();
    }
    open_dialog(state);
}

} // namespace tuff::viewer
