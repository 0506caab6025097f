#include "core/text_table.hpp"
#include "panels/fold_rows.hpp"
#include "panels/panels.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

namespace tuff::viewer {
namespace {

constexpr std::array kChannelNames = {"colour", "red", "green", "blue", "alpha", "luminance"};

bool index_slider(const char* label, std::uint32_t& value, std::uint32_t count) {
    if (count <= 1) return false;
    int number = static_cast<int>(value);
    const bool moved = ImGui::SliderInt(label, &number, 0, static_cast<int>(count) - 1, "%d",
                                        ImGuiSliderFlags_AlwaysClamp);
    if (moved) value = static_cast<std::uint32_t>(number);
    return moved;
}

void choose_part(InterfaceState& state, const Shown& shown) {
    const ImageDesc& image = shown.view.image();
    bool moved = index_slider("mip", state.request.view.mip, image.mips);
    moved |= index_slider(image.shape == ImageShape::cube ? "face" : "layer",
                          state.request.view.layer, image.layers);
    if (moved) state.edited();
    index_slider("slice", state.slice, shown.image.extent.depth);
}

void choose_display(InterfaceState& state) {
    PictureDisplay& display = state.display;
    int channels = static_cast<int>(display.channels);
    if (ImGui::Combo("channels", &channels, kChannelNames.data(), kChannelNames.size()))
        display.channels = static_cast<std::uint32_t>(channels);
    state.widgets.note("channels");
    ImGui::SliderFloat("exposure", &state.exposure, -10.0f, 10.0f, "%.2f stops");
    state.widgets.note("exposure");
    ImGui::DragFloatRange2("range", &display.range[0], &display.range[1], 0.01f, 0.0f, 0.0f, "%.4g",
                           "%.4g");
    if (ImGui::Button("Fit range")) {
        const ValueSummary& values = state.summary();
        display.range = {static_cast<float>(values.low), static_cast<float>(values.high)};
    }
    state.widgets.note("fit range");
    ImGui::SameLine();
    if (ImGui::Button("Reset display")) {
        display = {};
        state.exposure = 0.0f;
        state.place = {};
    }
    if (!(display.range[1] > display.range[0]))
        display.range[1] = std::nextafter(display.range[0], 1e30f) + 1e-6f;
}

bool matches(const View& view, std::string_view filter) {
    const auto has = [&](std::string_view text) { return name_matches(text, filter); };
    return has(view.key.resource) || has(view.writer) || std::ranges::any_of(view.outputs, has);
}

void describe(const View& view) {
    ImGui::BeginTooltip();
    ImGui::TextUnformatted(view.key.resource.c_str());
    ImGui::TextUnformatted(shape_text(view).c_str());
    if (!view.writer.empty()) ImGui::Text("written by %s", view.writer.c_str());
    if (view.writer.empty()) ImGui::TextUnformatted("given to the graph");
    ImGui::EndTooltip();
}

ImVec4 color_of(const View& view) {
    if (!view.outputs.empty()) return {1.0f, 0.85f, 0.5f, 1.0f};
    return view.is_image() ? ImVec4(0.9f, 0.9f, 0.9f, 1.0f) : ImVec4(0.6f, 0.7f, 0.8f, 1.0f);
}

void leaf(InterfaceState& state, const View& view, const FoldRow& row) {
    const Shown* shown = state.shown();
    const std::string label = label_of(view);
    const float room =
        ImGui::GetContentRegionAvail().x - 34.0f - 14.0f * static_cast<float>(row.depth);
    ImGui::PushStyleColor(ImGuiCol_Text, color_of(view));
    if (fold_leaf(row, shown && shown->view.key == view.key, fitted_name(row.label, room)))
        state.look_at(view.key);
    ImGui::PopStyleColor();
    state.widgets.note("view " + label);
    if (ImGui::IsItemHovered()) describe(view);
}

/// A group, with how many things it has, where there is room for that, and what they take at the
/// right edge.
void group(InterfaceState& state, const Structure& structure, const FoldRow& row, float right) {
    std::uint64_t bytes = 0;
    for (const std::size_t i : row.items)
        bytes += bytes_of(structure.views[i]);
    constexpr float kBesideName = 38.0f;
    const auto width = [](const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x; };
    const float room = right - kBesideName - 14.0f * static_cast<float>(row.depth);
    std::string sum = fmt::format("{}  {}", row.items.size(), human_bytes(bytes));
    if (width(row.label) + width(sum) > room) sum = human_bytes(bytes);
    fold_header(state, state.folded.views, row, "views", fitted_name(row.label, room - width(sum)));
    ImGui::SameLine(right - width(sum));
    ImGui::TextDisabled("%s", sum.c_str());
}

void list(InterfaceState& state, const Structure& structure) {
    ImGui::SetNextItemWidth(-1.0f);
    ImGui::InputTextWithHint("##filter", "find by name", state.view_filter.data(),
                             state.view_filter.size());
    state.widgets.note("view filter");
    ImGui::BeginChild("list");
    const std::string_view filter = state.view_filter.data();
    const float right = ImGui::GetContentRegionMax().x - 6.0f;
    if (!filter.empty()) {
        for (std::size_t i = 0; i < structure.views.size(); ++i)
            if (matches(structure.views[i], filter)) {
                const std::string label = label_of(structure.views[i]);
                leaf(state, structure.views[i], {.path = label, .label = label, .items = {i}});
            }
    } else {
        state.fold_lists();
        for (const FoldRow& row : state.folded.view_tree.rows(state.folded.views)) {
            if (row.group)
                group(state, structure, row, right);
            else
                leaf(state, structure.views[row.items.front()], row);
        }
    }
    ImGui::EndChild();
}

} // namespace

void draw_views(InterfaceState& state) {
    if (!state.report || !state.report->structure) {
        ImGui::TextDisabled("no graph yet");
        return;
    }
    if (const Shown* shown = state.shown()) {
        ImGui::TextWrapped("%s", label_of(shown->view).c_str());
        ImGui::TextDisabled("%s", shape_text(shown->view).c_str());
        ImGui::PushItemWidth(-80.0f);
        if (shown->view.is_image()) {
            choose_part(state, *shown);
            choose_display(state);
        }
        ImGui::PopItemWidth();
        if (shown->view.is_image()) draw_compare(state);
        ImGui::Separator();
    }
    list(state, *state.report->structure);
}

} // namespace tuff::viewer
