// The page for volumes: what is shown, where slices lie, the transfer function, the filters of
// slots.

#include "model/volume_page.hpp"
#include "panels/panels.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <set>
#include <string_view>

namespace tuff::viewer {
namespace {

void set(InterfaceState& state, const Control& control, const ParameterValue& value) {
    state.request.edits[control.key] = json_text(value);
    state.edited();
}

/// What the whole picture consists of.
void choose_view(InterfaceState& state, const Control& view) {
    const ParameterValue now = current_value(view, state.request.edits);
    const auto* text = std::get_if<std::string>(&now);
    constexpr std::size_t kInRow = 3;
    for (std::size_t i = 0; i < kVolumeViews.size(); ++i) {
        const char* name = kVolumeViews[i];
        if (i % kInRow != 0) ImGui::SameLine(110.0f * static_cast<float>(i % kInRow));
        if (ImGui::RadioButton(name, text && *text == name)) set(state, view, std::string(name));
        state.widgets.note(fmt::format("volume view {}", name));
    }
    ImGui::Separator();
}

/// Milliseconds of the nodes below a name.
double time_of(const InterfaceState& state, const std::string& node) {
    double sum = 0.0;
    if (!state.report->timings) return sum;
    for (const NodeTiming& timing : state.report->timings->nodes)
        if (timing.name == node || timing.name.starts_with(node + "/")) sum += timing.milliseconds;
    return sum;
}

/// Whether the volume darkens its own cavities.
void choose_occlusion(InterfaceState& state, const Control& occlusion) {
    const ParameterValue now = current_value(occlusion, state.request.edits);
    const auto* on = std::get_if<bool>(&now);
    bool chosen = on && *on;
    if (ImGui::Checkbox("ambient occlusion", &chosen)) set(state, occlusion, chosen);
    state.widgets.note("volume occlusion");
    const double time = time_of(state, "opacity") + time_of(state, "around");
    if (chosen && time > 0.0) {
        ImGui::SameLine();
        ImGui::TextDisabled("%s", fmt::format("{:.3f} ms", time).c_str());
    }
    ImGui::Separator();
}

/// By which weights the volume of a node is filtered, and when.
void choose_filter(InterfaceState& state, const Panel& panel, const std::string& node) {
    const Control* weights = find_control(panel.controls, node, "weights");
    if (!weights) return;
    VolumeFilterChoice& choice = state.volume_filters[node];
    int kind = static_cast<int>(choice.kind);
    bool changed = false;
    ImGui::SetNextItemWidth(110.0f);
    if (ImGui::Combo("filter", &kind, kFilterKinds.data(), kFilterKinds.size())) {
        choice.kind = static_cast<VolumeFilterKind>(kind);
        changed = true;
    }
    state.widgets.note("filter " + node);
    if (choice.kind != VolumeFilterKind::none) {
        int half = static_cast<int>(choice.side) / 2;
        ImGui::SameLine();
        ImGui::SetNextItemWidth(90.0f);
        const std::string sides = fmt::format("{0} x {0} x {0}", choice.side);
        if (ImGui::SliderInt("##side", &half, 1, 3, sides.c_str())) {
            choice.side = static_cast<std::uint32_t>(2 * half + 1);
            changed = true;
        }
        state.widgets.note("filter side " + node);
    }
    if (choice.kind == VolumeFilterKind::gaussian) {
        auto sigma = static_cast<float>(choice.sigma);
        ImGui::SetNextItemWidth(110.0f);
        if (ImGui::SliderFloat("sigma", &sigma, 0.3f, 3.0f, "%.2f texels")) {
            choice.sigma = static_cast<double>(sigma);
            changed = true;
        }
    }
    if (changed) set(state, *weights, filter_weights(choice));
}

/// Rows for what the page shows of a node; what nodes share comes once.
void rows(InterfaceState& state, const Panel& panel, const VolumeNode& node,
          std::set<ParameterKey>& shown) {
    if (!ImGui::BeginTable(node.name.c_str(), 2, ImGuiTableFlags_SizingStretchProp)) return;
    ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch, 0.4f);
    ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch, 0.6f);
    std::vector<std::string_view> names = page_parameters(node.pass);
    if (state.volume_filters[node.name].kind != VolumeFilterKind::none)
        names.push_back("filtering");
    for (const std::string_view name : names)
        if (const Control* control = find_control(panel.controls, node.name, name))
            if (shown.insert(control->key).second) draw_parameter(state, *control);
    ImGui::EndTable();
}

void show_cast(InterfaceState& state, const Panel& panel, const VolumeNode& node,
               std::set<ParameterKey>& shown) {
    const Control* transfer = find_control(panel.controls, node.name, "transfer");
    if (transfer && shown.insert(transfer->key).second) {
        const VolumeHistogram* histogram = nullptr;
        if (state.report->histograms)
            if (const auto found = state.report->histograms->find(node.name);
                found != state.report->histograms->end())
                histogram = &found->second;
        draw_transfer(state, *transfer, histogram);
    }
    choose_filter(state, panel, node.name);
}

} // namespace

void draw_volume(InterfaceState& state) {
    const Panel& panel = *state.report->panel;
    if (const Control* view = find_view_choice(panel.controls)) choose_view(state, *view);
    if (const Control* occlusion = find_occlusion(panel.controls))
        choose_occlusion(state, *occlusion);
    std::set<ParameterKey> shown;
    // Casts first, for the transfer function is what is changed most.
    std::vector<VolumeNode> nodes = volume_nodes(panel.controls);
    std::ranges::stable_partition(
        nodes, [](const VolumeNode& node) { return node.pass == "volume/cast"; });
    for (const VolumeNode& node : nodes) {
        const double time = time_of(state, node.name);
        const std::string heading =
            time > 0.0 ? fmt::format("{}  ({}, {:.3f} ms)###volume {}", node.name, node.pass, time,
                                     node.name)
                       : fmt::format("{}  ({})###volume {}", node.name, node.pass, node.name);
        const bool open = ImGui::CollapsingHeader(heading.c_str(), ImGuiTreeNodeFlags_DefaultOpen);
        state.widgets.note("volume node " + node.name);
        if (!open) continue;
        ImGui::PushID(node.name.c_str());
        if (node.pass == "volume/cast") show_cast(state, panel, node, shown);
        rows(state, panel, node, shown);
        ImGui::PopID();
    }
}

} // namespace tuff::viewer
