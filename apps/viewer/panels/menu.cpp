#include "panels/fold_rows.hpp"
#include "panels/panels.hpp"

#include <imgui.h>

#include <array>

namespace tuff::viewer {
namespace {

void recent_menu(InterfaceState& state) {
    if (!ImGui::BeginMenu("Open recent", !state.settings.recent.empty())) return;
    for (const std::string& path : state.settings.recent)
        if (ImGui::MenuItem(path.c_str())) state.actions.open = path;
    ImGui::EndMenu();
}

void file_menu(InterfaceState& state) {
    if (ImGui::MenuItem("Open...", "Ctrl+O")) state.open_dialog.requested = true;
    state.widgets.note("menu open");
    recent_menu(state);
    ImGui::Separator();
    if (ImGui::MenuItem("Save config", "Ctrl+S", false, !state.request.edits.empty()))
        state.actions.save_config = true;
    state.widgets.note("menu save config");
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
}

void edit_menu(InterfaceState& state) {
    if (ImGui::MenuItem("Undo", "Ctrl+Z", false, state.history.can_undo()))
        state.actions.undo = true;
    state.widgets.note("menu undo");
    if (ImGui::MenuItem("Redo", "Ctrl+Y", false, state.history.can_redo()))
        state.actions.redo = true;
    state.widgets.note("menu redo");
}

void show_menu(InterfaceState& state) {
    ImGui::MenuItem("Picture only", "F", &state.picture_alone);
    state.widgets.note("menu picture alone");
    ImGui::MenuItem("Mark NaN and infinity", nullptr, &state.settings.mark_faults);
    ImGui::MenuItem("Parameters of passes", nullptr, &state.settings.show_pass_parameters);
    state.widgets.note("menu pass parameters");
    if (ImGui::MenuItem("Reset panel layout")) state.settings.panels = {};
}

struct KeyText {
    const char* keys;
    const char* what; ///< null: `keys` is a heading
};
constexpr std::array kKeyTexts = {
    KeyText{"Picture", nullptr},
    KeyText{"left button", "turn the camera; without one: shift the picture"},
    KeyText{"shift + left, right button", "shift the camera; look around"},
    KeyText{"wheel, ctrl + wheel", "move the camera in and out; zoom the picture"},
    KeyText{"middle button; twice", "shift the picture; fit it again"},
    KeyText{"W A S D, Q E", "fly"},
    KeyText{"F, Escape", "the picture only; the panels again"},
    KeyText{"Time", nullptr},
    KeyText{"space, right arrow, home", "pause or play; one frame; restart"},
    KeyText{"Parameters", nullptr},
    KeyText{"Ctrl+Z, Ctrl+Y", "undo; redo (Ctrl+Shift+Z as well)"},
    KeyText{"Ctrl+S", "write the changes into the config"},
    KeyText{"Ctrl + click on a slider", "type a number"},
    KeyText{"Graph", nullptr},
    KeyText{"wheel, drag, double click", "zoom; shift; open a node or close it"},
    KeyText{"Files", nullptr},
    KeyText{"Ctrl+O, Ctrl+Q", "open; quit"},
    KeyText{"F10, F11, F12", "record a film; save the picture; save the window"},
    KeyText{"Ctrl+F11", "save the picture as JPEG"},
    KeyText{"F1", "this list"},
};

} // namespace

void draw_keys(InterfaceState& state) {
    if (!state.shows_keys) return;
    const ImVec2 middle = ImGui::GetMainViewport()->GetCenter();
    ImGui::SetNextWindowPos(middle, ImGuiCond_Appearing, {0.5f, 0.5f});
    if (ImGui::Begin("Mouse and keys", &state.shows_keys,
                     ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoCollapse |
                         ImGuiWindowFlags_NoSavedSettings)) {
        if (ImGui::BeginTable("keys", 2, ImGuiTableFlags_SizingFixedFit)) {
            for (const KeyText& key : kKeyTexts) {
                ImGui::TableNextRow();
                ImGui::TableNextColumn();
                if (key.what)
                    ImGui::TextUnformatted(key.keys);
                else
                    ImGui::TextColored({1.0f, 0.85f, 0.5f, 1.0f}, "%s", key.keys);
                ImGui::TableNextColumn();
                if (key.what) ImGui::TextDisabled("  %s", key.what);
            }
            ImGui::EndTable();
        }
        if (ImGui::Button("Close")) state.shows_keys = false;
        state.widgets.note("close keys");
    }
    ImGui::End();
}

namespace {

/// What the config is of, as far as there is room.
void description(const std::string& text) {
    ImGui::TextDisabled("%s", fitted_name(text, ImGui::GetContentRegionAvail().x).c_str());
    if (!ImGui::IsItemHovered()) return;
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(ImGui::GetFontSize() * 35.0f);
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

} // namespace

void draw_menu(InterfaceState& state) {
    if (state.picture_alone || !ImGui::BeginMainMenuBar()) return;
    const auto menu = [&](const char* title, const char* name, void (*draw)(InterfaceState&)) {
        if (ImGui::BeginMenu(title)) {
            draw(state);
            ImGui::EndMenu();
        }
        state.widgets.note(name);
    };
    menu("File", "menu file", file_menu);
    menu("Edit", "menu edit", edit_menu);
    menu("View", "menu show", show_menu);
    menu("Help", "menu help", [](InterfaceState& inside) {
        ImGui::MenuItem("Mouse and keys", "F1", &inside.shows_keys);
    });
    if (state.report && state.report->panel) description(state.report->panel->description);
    ImGui::EndMainMenuBar();
}

} // namespace tuff::viewer
