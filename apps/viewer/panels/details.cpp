#include "core/text_table.hpp"
#include "panels/panels.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <numeric>

namespace tuff::viewer {
namespace {

/// `count`: told beside the name, unless there is nothing to tell.
void tab(InterfaceState& state, const char* name, void (*draw)(InterfaceState&),
         std::size_t count = 0) {
    const std::string title = count ? fmt::format("{} ({})", name, count) : name;
    const bool open = ImGui::BeginTabItem(fmt::format("{}###tab {}", title, name).c_str());
    state.widgets.note(fmt::format("tab {}", name));
    if (!open) return;
    state.tab = name;
    ImGui::BeginChild(name);
    draw(state);
    ImGui::EndChild();
    ImGui::EndTabItem();
}

} // namespace

void draw_details(InterfaceState& state) {
    if (!state.report || !ImGui::BeginTabBar("details")) return;
    tab(state, "Passes", draw_pass_times);
    tab(state, "Graph", draw_graph);
    tab(state, "Memory", draw_memory);
    tab(state, "Values", draw_values);
    tab(state, "Problems", draw_problems,
        state.report->problems.size() + state.report->warnings.size());
    ImGui::EndTabBar();
}

void draw_pass_times(InterfaceState& state) {
    const auto& timings = state.report->timings;
    if (!timings || timings->nodes.empty() || !state.report->structure) {
        ImGui::TextDisabled("no times yet");
        return;
    }
    const Plan& plan = *state.report->structure->plan;
    ImGui::Text("%.3f ms on %s, %zu nodes", timings->milliseconds,
                state.report->device.name.c_str(), timings->nodes.size());
    std::vector<std::size_t> order(timings->nodes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater{},
                             [&](std::size_t i) { return timings->nodes[i].milliseconds; });
    constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchProp;
    if (!ImGui::BeginTable("times", 3, kFlags)) return;
    ImGui::TableSetupColumn("node", ImGuiTableColumnFlags_WidthStretch, 0.45f);
    ImGui::TableSetupColumn("ms", ImGuiTableColumnFlags_WidthFixed, 80.0f);
    ImGui::TableSetupColumn("share", ImGuiTableColumnFlags_WidthStretch, 0.55f);
    for (const std::size_t i : order) {
        const NodeTiming& node = timings->nodes[i];
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        const std::string label = fmt::format("{}##{}", node.name, i);
        if (ImGui::Selectable(label.c_str(), false, ImGuiSelectableFlags_SpanAllColumns) &&
            i < plan.order.size())
            for (const View& view : state.report->structure->views)
                if (view.writer == node.name) {
                    state.look_at(view.key);
                    break;
                }
        ImGui::TableNextColumn();
        ImGui::Text("%9.3f", node.milliseconds);
        ImGui::TableNextColumn();
        const double share =
            timings->milliseconds > 0.0 ? node.milliseconds / timings->milliseconds : 0.0;
        ImGui::ProgressBar(static_cast<float>(share), {-1.0f, ImGui::GetTextLineHeight()},
                           fmt::format("{:.1f} %", share * 100.0).c_str());
    }
    ImGui::EndTable();
}

void draw_problems(InterfaceState& state) {
    const auto show = [](const Diagnostics& problems, ImVec4 color) {
        for (const Diagnostic& problem : problems) {
            ImGui::PushStyleColor(ImGuiCol_Text, color);
            ImGui::TextWrapped("%s: %s", problem.code.c_str(), problem.message.c_str());
            ImGui::PopStyleColor();
            if (problem.where.known())
                ImGui::TextDisabled("%s:%d:%d", problem.where.file.c_str(), problem.where.line,
                                    problem.where.column);
            if (!problem.where.line_text.empty())
                ImGui::TextUnformatted(problem.where.line_text.c_str());
            if (!problem.hint.empty()) ImGui::TextWrapped("hint: %s", problem.hint.c_str());
        }
    };
    show(state.report->problems, {1.0f, 0.5f, 0.45f, 1.0f});
    show(state.report->warnings, {1.0f, 0.85f, 0.5f, 1.0f});
    if (state.report->problems.empty() && state.report->warnings.empty())
        ImGui::TextDisabled("none");
}

void draw_values(InterfaceState& state) {
    const Shown* shown = state.shown();
    if (!shown) {
        ImGui::TextDisabled("nothing is shown");
        return;
    }
    const ValueSummary& values = state.summary();
    ImGui::TextUnformatted(fmt::format("from {:.6g} to {:.6g}   {} finite, {} NaN, {} infinite",
                                       values.low, values.high, values.finite, values.not_numbers,
                                       values.infinite)
                               .c_str());
    ImGui::PlotHistogram("##histogram", values.bins.data(), static_cast<int>(values.bins.size()), 0,
                         nullptr, 0.0f, FLT_MAX, ImGui::GetContentRegionAvail());
    state.widgets.note("histogram");
}

void draw_buffer(InterfaceState& state) {
    const Shown& shown = *state.shown();
    int elements = static_cast<int>(state.elements);
    ImGui::SetNextItemWidth(120.0f);
    if (ImGui::Combo("as", &elements, kElementNames.data(), kElementNames.size()))
        state.elements = static_cast<Elements>(elements);
    state.widgets.note("elements");
    const std::size_t size = element_bytes(state.elements);
    const std::size_t count = shown.bytes.size() / size;
    const std::uint32_t stride = shown.view.buffer().stride;
    const std::size_t columns =
        stride >= size && stride / size <= 16 ? std::max<std::size_t>(stride / size, 1) : 8;
    ImGui::SameLine();
    ImGui::Text("%zu elements, %s", count, human_bytes(shown.bytes.size()).c_str());
    constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY |
                                       ImGuiTableFlags_ScrollX | ImGuiTableFlags_BordersInnerV |
                                       ImGuiTableFlags_SizingFixedFit;
    if (!ImGui::BeginTable("bytes", static_cast<int>(columns) + 1, kFlags)) return;
    ImGuiListClipper clipper;
    const std::size_t rows = (count + columns - 1) / columns;
    clipper.Begin(static_cast<int>(std::min<std::size_t>(rows, 10'000'000)));
    while (clipper.Step())
        for (int r = clipper.DisplayStart; r < clipper.DisplayEnd; ++r) {
            const std::size_t first = static_cast<std::size_t>(r) * columns;
            ImGui::TableNextRow();
            ImGui::TableNextColumn();
            ImGui::TextDisabled("%zu", first);
            for (std::size_t i = first; i < std::min(first + columns, count); ++i) {
                ImGui::TableNextColumn();
                ImGui::TextUnformatted(element_text(shown.bytes, state.elements, i).c_str());
            }
        }
    ImGui::EndTable();
}

} // namespace tuff::viewer
