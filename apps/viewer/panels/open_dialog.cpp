#include "apps/shared/common.hpp"
#include "panels/panels.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cstring>
#include <system_error>
#include <utility>

namespace tuff::viewer {
namespace fs = std::filesystem;
namespace {

void enter(OpenDialog& dialog, const fs::path& folder) {
    std::error_code error;
    const fs::path whole = fs::canonical(folder, error);
    dialog.folder = error ? folder : whole;
    dialog.entries = list_folder(dialog.folder);
}

void put_path(OpenDialog& dialog, const std::string& path) {
    dialog.path = {};
    path.copy(dialog.path.data(), dialog.path.size() - 1);
    dialog.problem.clear();
}

void begin(InterfaceState& state) {
    OpenDialog& dialog = state.open_dialog;
    dialog.requested = false;
    put_path(dialog, {});
    if (dialog.folder.empty()) {
        const fs::path now = state.request.config.parent_path();
        enter(dialog, now.empty() ? fs::path(".") : now);
    } else {
        enter(dialog, dialog.folder); // it may have other files now
    }
    dialog.shipped = cli::shipped_graphs();
    ImGui::OpenPopup("Open");
}

/// Opens what is meant, or says why not.
void try_open(InterfaceState& state, std::string_view text) {
    OpenDialog& dialog = state.open_dialog;
    const fs::path file = meant_file(text, dialog.folder);
    std::error_code error;
    if (fs::is_directory(file, error)) {
        enter(dialog, file);
        put_path(dialog, {});
    } else if (fs::exists(file, error)) {
        state.actions.open = file;
        ImGui::CloseCurrentPopup();
    } else {
        ++dialog.attempts; // to be corrected
        dialog.problem = fmt::format("there is no file and no shipped graph '{}'", text);
    }
}

/// A row of a list: a click chooses it, a double click opens it.
void row(InterfaceState& state, const std::string& label, const std::string& path,
         const std::string& widget) {
    OpenDialog& dialog = state.open_dialog;
    const bool chosen = path == dialog.path.data();
    if (ImGui::Selectable(label.c_str(), chosen,
                          ImGuiSelectableFlags_AllowDoubleClick |
                              ImGuiSelectableFlags_DontClosePopups)) {
        if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
            try_open(state, path);
        else
            put_path(dialog, path);
    }
    state.widgets.note(widget);
    if (ImGui::IsItemHovered() && path != label) ImGui::SetTooltip("%s", path.c_str());
}

void known_files(InterfaceState& state, std::string_view filter) {
    ImGui::TextDisabled("Recent");
    for (const std::string& path : state.settings.recent)
        if (name_matches(path, filter))
            row(state, fs::path(path).filename().string() + "##" + path, path, "recent " + path);
    ImGui::Spacing();
    ImGui::TextDisabled("Graphs that come with Tuff");
    for (const std::string& name : state.open_dialog.shipped)
        if (name_matches(name, filter)) row(state, name, name, "shipped " + name);
}

void browser(InterfaceState& state, std::string_view filter) {
    OpenDialog& dialog = state.open_dialog;
    std::optional<fs::path> entered;
    ImGui::TextDisabled("%s", dialog.folder.string().c_str());
    if (dialog.folder.has_parent_path() &&
        ImGui::Selectable("../", false, ImGuiSelectableFlags_DontClosePopups))
        entered = dialog.folder.parent_path();
    state.widgets.note("folder ..");
    for (const FolderEntry& entry : dialog.entries) {
        if (!name_matches(entry.name, filter)) continue;
        if (!entry.folder) {
            row(state, entry.name, (dialog.folder / entry.name).string(), "file " + entry.name);
            continue;
        }
        if (ImGui::Selectable((entry.name + "/").c_str(), false,
                              ImGuiSelectableFlags_DontClosePopups))
            entered = dialog.folder / entry.name;
        state.widgets.note("folder " + entry.name);
    }
    if (!entered) return;
    enter(dialog, *entered);
    put_path(dialog, {});
}

} // namespace

void draw_open_dialog(InterfaceState& state) {
    OpenDialog& dialog = state.open_dialog;
    if (dialog.requested) begin(state);
    const ImVec2 room = ImGui::GetMainViewport()->Size;
    ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::SetNextWindowSize({std::min(room.x * 0.9f, 820.0f), std::min(room.y * 0.85f, 560.0f)});
    if (!ImGui::BeginPopupModal("Open", nullptr,
                                ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove))
        return;
    // Dear ImGui 1.86 gives the keyboard to no field that had it last: each attempt has a field of its
    // own.
    if (std::exchange(dialog.focused_attempt, dialog.attempts) != dialog.attempts ||
        ImGui::IsWindowAppearing())
        ImGui::SetKeyboardFocusHere();
    ImGui::SetNextItemWidth(-1.0f);
    ImGui::PushID(dialog.attempts);
    const bool entered = ImGui::InputTextWithHint(
        "##path", "a config, model, picture or volume, or the name of a graph", dialog.path.data(),
        dialog.path.size(), ImGuiInputTextFlags_EnterReturnsTrue);
    ImGui::PopID();
    if (ImGui::IsItemEdited()) dialog.problem.clear();
    state.widgets.note("open path");
    // What is being typed narrows the lists down; a whole path does not.
    const std::string_view typed = dialog.path.data();
    const bool is_path = typed.find('/') != std::string_view::npos;
    const bool is_chosen = std::ranges::find(dialog.shipped, typed) != dialog.shipped.end();
    const std::string filter(is_path || is_chosen ? std::string_view() : typed);
    const float below = ImGui::GetFrameHeightWithSpacing() * 2.0f;
    ImGui::BeginChild("known", {ImGui::GetContentRegionAvail().x * 0.4f, -below}, true);
    known_files(state, filter);
    ImGui::EndChild();
    ImGui::SameLine();
    ImGui::BeginChild("browser", {0.0f, -below}, true);
    browser(state, filter);
    ImGui::EndChild();
    if (dialog.problem.empty())
        ImGui::TextDisabled("Dropping a file on the window opens it, too.");
    else
        ImGui::TextColored({1.0f, 0.5f, 0.45f, 1.0f}, "%s", dialog.problem.c_str());
    state.widgets.note("open problem");
    ImGui::BeginDisabled(typed.empty());
    if (ImGui::Button("Open", {90.0f, 0.0f}) || (entered && !typed.empty()))
        try_open(state, std::string(typed));
    state.widgets.note("open chosen");
    ImGui::EndDisabled();
    ImGui::SameLine();
    if (ImGui::Button("Cancel", {90.0f, 0.0f}) ||
        ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape)))
        ImGui::CloseCurrentPopup();
    state.widgets.note("open cancel");
    ImGui::EndPopup();
}

} // namespace tuff::viewer
