#include "model/camera_control.hpp"
#include "panels/fold_rows.hpp"
#include "panels/panels.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace tuff::viewer {
namespace {

const ImVec4 kPlain = {0.9f, 0.9f, 0.9f, 1.0f}, kChanged = {1.0f, 0.85f, 0.5f, 1.0f},
             kComputed = {0.55f, 0.75f, 0.95f, 1.0f};

void describe(const Control& control, const InterfaceState& state) {
    const Edits& edits = state.request.edits;
    const ParameterInfo& info = control.info;
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(420.0f);
    if (!info.doc.empty()) ImGui::TextUnformatted(info.doc.c_str());
    if (!info.unit.empty()) ImGui::Text("unit: %s", info.unit.c_str());
    if (std::isfinite(info.low) || std::isfinite(info.high))
        ImGui::TextUnformatted(fmt::format("from {} to {}", info.low, info.high).c_str());
    if (!control.follows.empty())
        ImGui::TextColored(kComputed,
                           edits.contains(control.key)
                               ? "the config says %s; the change replaces it"
                               : "comes from %s; a change replaces it",
                           control.follows.c_str());
    if (info.structural) ImGui::TextUnformatted("a change compiles the graph again");
    ImGui::TextDisabled(
        "%s", set_options({{control.key,
                            json_text(shown_value(control, edits, state.report->values.get()))}})
                  .c_str());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

/// Quiet text behind the name where there is room for it, else below.
void small(const std::string& text, float room) {
    const float used = ImGui::GetItemRectSize().x;
    const float spacing = ImGui::GetStyle().ItemSpacing.x;
    if (used + spacing + ImGui::CalcTextSize(text.c_str()).x <= room) ImGui::SameLine();
    ImGui::TextDisabled("%s", fitted_name(text, room).c_str());
}

} // namespace

void draw_parameter(InterfaceState& state, const Control& control) {
    Edits& edits = state.request.edits;
    const bool edited = edits.contains(control.key);
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::AlignTextToFramePadding();
    const ParameterValue value = shown_value(control, edits, state.report->values.get());
    const bool computed = !edited && !control.follows.empty();
    ImGui::BeginGroup();
    const float room = ImGui::GetContentRegionAvail().x;
    ImGui::TextColored(edited     ? kChanged
                       : computed ? kComputed
                                  : kPlain,
                       "%s", fitted_name(control.info.name, room).c_str());
    if (has_labels(control, value) && !control.info.unit.empty()) small(control.info.unit, room);
    if (computed) small(control.follows, room);
    ImGui::EndGroup();
    if (ImGui::IsItemHovered()) describe(control, state);
    ImGui::TableNextColumn();
    ImGui::SetNextItemWidth(edited ? -30.0f : -1.0f);
    const std::string name = full_name(control.key);
    ImGui::PushID(name.c_str());
    const auto changed = edit_parameter(control, value);
    state.widgets.note("parameter " + name);
    if (changed) {
        edits[control.key] = json_text(*changed);
        state.edited();
    }
    if (edited) {
        ImGui::SameLine();
        if (ImGui::Button("x", {-1.0f, 0.0f})) {
            edits.erase(control.key);
            state.edited();
        }
        state.widgets.note("reset " + name);
        if (ImGui::IsItemHovered()) ImGui::SetTooltip("as the config has it");
    }
    ImGui::PopID();
}

namespace {

bool begin_table(const char* id) {
    if (!ImGui::BeginTable(id, 2, ImGuiTableFlags_SizingStretchProp)) return false;
    ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch, 0.4f);
    ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch, 0.6f);
    return true;
}

bool matches(const Control& control, std::string_view filter) {
    return name_matches(control.info.name, filter) || name_matches(control.key.node, filter);
}

using Controls = std::span<const Control>;

/// The parameters of each node, in the order in which the nodes run; those that the graph left out
/// come last.
std::vector<Controls> by_node(const InterfaceState& state, const Panel& panel) {
    std::vector<Controls> nodes;
    for (auto first = panel.controls.begin(); first != panel.controls.end();) {
        const auto last = std::find_if(first, panel.controls.end(), [&](const Control& c) {
            return c.key.node != first->key.node;
        });
        if (!first->key.node.empty()) nodes.emplace_back(first, last);
        first = last;
    }
    if (!state.report->structure) return nodes;
    const std::vector<std::string>& order = state.report->structure->nodes;
    std::ranges::stable_sort(nodes, std::less{}, [&](Controls node) {
        return std::ranges::find(order, node.front().key.node) - order.begin();
    });
    return nodes;
}

void passes(InterfaceState& state, const Panel& panel, std::string_view filter) {
    for (const Controls node : by_node(state, panel)) {
        const auto fits = [&](const Control& c) { return matches(c, filter); };
        if (std::ranges::none_of(node, fits)) continue;
        const Control& first = node.front();
        const auto changes = std::ranges::count_if(
            node, [&](const Control& c) { return state.request.edits.contains(c.key); });
        const std::string heading =
            fmt::format("{}  ({}){}###{}", first.key.node, first.pass,
                        changes ? fmt::format("  {} changed", changes) : "", first.key.node);
        if (!filter.empty()) ImGui::SetNextItemOpen(true);
        const bool open = ImGui::CollapsingHeader(heading.c_str());
        state.widgets.note("node " + first.key.node);
        if (!open || !begin_table(first.key.node.c_str())) continue;
        for (const Control& control : node)
            if (fits(control)) draw_parameter(state, control);
        ImGui::EndTable();
    }
}

/// Whether a button of that text fits behind the last one.
void same_line_if_room(const char* text) {
    const ImGuiStyle& style = ImGui::GetStyle();
    const float width =
        ImGui::CalcTextSize(text).x + 2 * style.FramePadding.x + style.ItemSpacing.x;
    const float end = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
    if (ImGui::GetItemRectMax().x + width <= end) ImGui::SameLine();
}

void buttons(InterfaceState& state, const Panel& panel) {
    Edits& edits = state.request.edits;
    ImGui::BeginDisabled(edits.empty());
    if (ImGui::Button("Save")) state.actions.save_config = true;
    state.widgets.note("save config");
    if (ImGui::IsItemHovered())
        ImGui::SetTooltip("writes the changes into the config, %s",
                          panel.config.filename().string().c_str());
    same_line_if_room("Reset all");
    if (ImGui::Button("Reset all")) {
        edits.clear();
        state.edited();
    }
    state.widgets.note("reset all");
    ImGui::EndDisabled();
    same_line_if_room("Undo");
    ImGui::BeginDisabled(!state.history.can_undo());
    if (ImGui::Button("Undo")) state.actions.undo = true;
    state.widgets.note("undo");
    ImGui::EndDisabled();
    same_line_if_room("Redo");
    ImGui::BeginDisabled(!state.history.can_redo());
    if (ImGui::Button("Redo")) state.actions.redo = true;
    state.widgets.note("redo");
    ImGui::EndDisabled();
    same_line_if_room("Copy as --set");
    ImGui::BeginDisabled(edits.empty());
    if (ImGui::Button("Copy as --set")) {
        ImGui::SetClipboardText(set_options(edits).c_str());
        state.say("copied: " + set_options(edits));
    }
    state.widgets.note("copy as set");
    ImGui::EndDisabled();
    if (const auto rig = CameraRig::find(panel.controls, edits)) {
        same_line_if_room("Reset camera");
        if (ImGui::Button("Reset camera")) {
            rig->reset(edits);
            state.edited();
        }
    }
}

} // namespace

void draw_parameters(InterfaceState& state) {
    if (!state.report || !state.report->panel) {
        ImGui::TextDisabled("no config yet");
        return;
    }
    const Panel& panel = *state.report->panel;
    buttons(state, panel);
    ImGui::SetNextItemWidth(-1.0f);
    ImGui::InputTextWithHint("##filter", "find by name", state.parameter_filter.data(),
                             state.parameter_filter.size());
    const std::string_view filter = state.parameter_filter.data();
    if (begin_table("config")) {
        for (const Control& control : panel.controls)
            if (control.key.node.empty() && matches(control, filter))
                draw_parameter(state, control);
        ImGui::EndTable();
    }
    if (!state.settings.show_pass_parameters) return;
    ImGui::Separator();
    passes(state, panel, filter);
}

} // namespace tuff::viewer
