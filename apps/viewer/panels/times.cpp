// How long the nodes take, folded by the nodes of the config.

#include "panels/fold_rows.hpp"
#include "panels/panels.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <numeric>

namespace tuff::viewer {
namespace {

constexpr float kPlotHeight = 56.0f;
constexpr float kHeadroom = 1.5f; ///< above the longest time is what is plotted
constexpr ImU32 kPlotColor = IM_COL32(24, 24, 28, 255), kAxisColor = IM_COL32(90, 90, 100, 255),
                kAxisTextColor = IM_COL32(170, 170, 180, 255),
                kMeanColor = IM_COL32(255, 217, 128, 160),
                kTimeColor = IM_COL32(120, 170, 240, 255);

/// The items of the row whose times are plotted; all where it is gone.
std::vector<std::size_t> plotted_items(const InterfaceState& state) {
    const std::string& path = state.folded.plotted;
    const std::vector<std::string>& names = state.times.names();
    std::vector<std::size_t> items;
    for (std::size_t i = 0; i < names.size(); ++i)
        if (!path.empty() && (names[i] == path || name_inside(names[i], path) != names[i]))
            items.push_back(i);
    return items;
}

/// Milliseconds over the last executions, the oldest on the left; the mean as a line.
void curve(const std::vector<float>& series, double mean, ImVec2 low, ImVec2 high) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float most = *std::ranges::max_element(series) * kHeadroom + 1e-6f;
    const auto y = [&](double value) {
        return high.y - static_cast<float>(value) / most * (high.y - low.y);
    };
    const float step = (high.x - low.x) / static_cast<float>(TimeLog::kMax - 1);
    const float first = high.x - step * static_cast<float>(series.size() - 1);
    list.AddRectFilled(low, high, kPlotColor);
    list.AddLine({low.x, y(mean)}, {high.x, y(mean)}, kMeanColor);
    std::vector<ImVec2> points;
    for (std::size_t i = 0; i < series.size(); ++i)
        points.emplace_back(first + step * static_cast<float>(i), y(double{series[i]}));
    list.AddPolyline(points.data(), static_cast<int>(points.size()), kTimeColor, 0, 1.5f);
    list.AddLine({low.x, high.y}, high, kAxisColor);
    list.AddLine(low, {low.x, high.y}, kAxisColor);
}

void axis_text(ImVec2 right, const std::string& text) {
    const ImVec2 size = ImGui::CalcTextSize(text.c_str());
    ImGui::GetWindowDrawList()->AddText({right.x - size.x - 5.0f, right.y}, kAxisTextColor,
                                        text.c_str());
}

/// Times of all nodes, or of the row that was chosen, over the last executions.
void plot(InterfaceState& state) {
    const TimeLog& log = state.times;
    const std::vector<std::size_t> items = plotted_items(state);
    const std::vector<float> series = items.empty() ? log.series() : log.series(items);
    const double mean = items.empty() ? log.mean() : log.mean(items);
    const float most = *std::ranges::max_element(series);
    const float least = *std::ranges::min_element(series);
    const ImVec2 from = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const float left = ImGui::CalcTextSize("00000.0 ms").x;
    if (width < left * 2.0f) return;
    ImGui::InvisibleButton("time plot", {width, kPlotHeight});
    state.widgets.note("time plot");
    if (ImGui::IsItemClicked()) state.folded.plotted.clear();
    const std::string name = items.empty() ? "all nodes" : state.folded.plotted;
    if (ImGui::IsItemHovered())
        ImGui::SetTooltip("%s: mean %.3f ms, from %.3f to %.3f, over the last %zu executions%s",
                          name.c_str(), mean, static_cast<double>(least), static_cast<double>(most),
                          series.size(), items.empty() ? "" : "\na click plots all nodes");
    const ImVec2 low(from.x + left, from.y + 2.0f);
    const ImVec2 high(from.x + width - 4.0f, from.y + kPlotHeight - 4.0f);
    curve(series, mean, low, high);
    axis_text(low, fmt::format("{:.3g} ms", most * kHeadroom));
    axis_text({low.x, high.y - ImGui::GetTextLineHeight()}, "0");
    ImGui::GetWindowDrawList()->AddText({low.x + 6.0f, low.y + 1.0f}, kAxisTextColor,
                                        fitted_name(name, high.x - low.x - 12.0f).c_str());
}

void time_row(InterfaceState& state, const FoldRow& row) {
    const TimeLog& log = state.times;
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    const float room =
        ImGui::GetContentRegionAvail().x - 30.0f - 14.0f * static_cast<float>(row.depth);
    const bool chosen = state.folded.plotted == row.path;
    bool clicked = false;
    if (row.group) {
        const std::string label = fmt::format("{}  ({})", row.label, row.items.size());
        fold_header(state, state.folded.times, row, "times", fitted_name(label, room));
        clicked = ImGui::IsItemClicked();
    } else {
        clicked = fold_leaf(row, chosen, fitted_name(row.label, room));
        state.widgets.note("time " + row.path);
    }
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", row.path.c_str());
    if (clicked) {
        state.folded.plotted = row.path;
        if (!row.group) state.look_at_result_of(row.path);
    }
    ImGui::TableNextColumn();
    const double time = log.mean(row.items);
    ImGui::Text("%9.3f", time);
    ImGui::TableNextColumn();
    const double share = log.mean() > 0.0 ? time / log.mean() : 0.0;
    ImGui::ProgressBar(static_cast<float>(share), {-1.0f, ImGui::GetTextLineHeight()},
                       fmt::format("{:.1f} %", share * 100.0).c_str());
}

/// Milliseconds by node where the longest is to come first; else nothing.
std::vector<double> sort_weights(const InterfaceState& state) {
    std::vector<double> weights;
    if (!state.folded.longest_first) return weights;
    for (std::size_t i = 0; i < state.times.names().size(); ++i)
        weights.push_back(state.times.mean(std::span(&i, 1)));
    return weights;
}

} // namespace

void draw_pass_times(InterfaceState& state) {
    const TimeLog& log = state.times;
    if (log.count() == 0) {
        ImGui::TextDisabled("no times yet");
        return;
    }
    state.fold_lists();
    const std::string over = log.first_only()   ? "first execution, shader compilation included"
                             : log.count() == 1 ? "one execution"
                                                : fmt::format("mean of {} executions", log.count());
    ImGui::Checkbox("longest first", &state.folded.longest_first);
    state.widgets.note("longest first");
    ImGui::SameLine();
    const std::string text =
        fmt::format("  {:.3f} ms, {} kernels, {}", log.mean(), log.names().size(), over);
    ImGui::TextUnformatted(fitted_name(text, ImGui::GetContentRegionAvail().x).c_str());
    if (ImGui::IsItemHovered())
        ImGui::SetTooltip("%s\non %s", text.c_str() + 2, state.report->device.name.c_str());
    if (log.count() > 1) plot(state);
    constexpr ImGuiTableFlags kFlags =
        ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_ScrollY;
    if (!ImGui::BeginTable("times", 3, kFlags)) return;
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("node", ImGuiTableColumnFlags_WidthStretch, 0.45f);
    ImGui::TableSetupColumn("ms", ImGuiTableColumnFlags_WidthFixed, 80.0f);
    ImGui::TableSetupColumn("share", ImGuiTableColumnFlags_WidthStretch, 0.55f);
    ImGui::TableHeadersRow();
    const std::vector<double> weights = sort_weights(state);
    for (const FoldRow& row : state.folded.time_tree.rows(state.folded.times, weights))
        time_row(state, row);
    ImGui::EndTable();
}

} // namespace tuff::viewer
