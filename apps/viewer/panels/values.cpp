// How values are spread, and the table of a buffer.

#include "core/text_table.hpp"
#include "model/plot_axis.hpp"
#include "panels/panels.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

namespace tuff::viewer {
namespace {

constexpr std::array<ImU32, 3> kChannelColors = {
    IM_COL32(255, 70, 70, 120), IM_COL32(70, 220, 90, 120), IM_COL32(80, 120, 255, 140)};
constexpr ImU32 kSingleColor = IM_COL32(210, 210, 215, 220);
constexpr ImU32 kLineColor = IM_COL32(90, 90, 100, 255), kTickColor = IM_COL32(170, 170, 180, 255);

/// Where the bars of a histogram stand.
struct Plot {
    ImVec2 low, high;
    float x(double share) const { return low.x + static_cast<float>(share) * (high.x - low.x); }
    float y(double share) const { return high.y - static_cast<float>(share) * (high.y - low.y); }
};

std::uint64_t highest(const ValueSummary& values) {
    std::uint64_t most = 0;
    for (const ValueSummary::Bins& bins : values.channels)
        most = std::max(most, *std::ranges::max_element(bins));
    return most;
}

void bars(ImDrawList& list, const Plot& plot, const ValueSummary& values, bool logarithmic) {
    const std::uint64_t most = highest(values);
    constexpr double kBins = ValueSummary::kBins;
    for (std::size_t c = 0; c < values.channels.size(); ++c) {
        const ImU32 color = values.channels.size() == 1 ? kSingleColor : kChannelColors[c];
        for (std::size_t i = 0; i < ValueSummary::kBins; ++i) {
            const double height = bar_height(values.channels[c][i], most, logarithmic);
            if (height <= 0.0) continue;
            const auto bin = static_cast<double>(i);
            list.AddRectFilled({plot.x(bin / kBins), std::min(plot.y(height), plot.high.y - 1.0f)},
                               {plot.x((bin + 1.0) / kBins), plot.high.y}, color);
        }
    }
}

void value_axis(ImDrawList& list, const Plot& plot, const ValueSummary& values) {
    constexpr float kTickRoom = 80.0f;
    const auto room =
        static_cast<std::size_t>(std::max((plot.high.x - plot.low.x) / kTickRoom, 1.0f));
    for (const double tick : axis_ticks(values.low, values.high, room)) {
        const float x = plot.x((tick - values.low) / (values.high - values.low));
        list.AddLine({x, plot.high.y}, {x, plot.high.y + 4.0f}, kTickColor);
        const std::string text = fmt::format("{:.4g}", tick);
        const float width = ImGui::CalcTextSize(text.c_str()).x;
        list.AddText(
            {std::clamp(x - width / 2, plot.low.x, std::max(plot.high.x - width, plot.low.x)),
             plot.high.y + 5.0f},
            kTickColor, text.c_str());
    }
    list.AddLine({plot.low.x, plot.high.y}, plot.high, kLineColor);
}

void count_axis(ImDrawList& list, const Plot& plot, std::uint64_t most, bool logarithmic) {
    list.AddLine(plot.low, {plot.low.x, plot.high.y}, kLineColor);
    float last = -1e9f; // of the label above
    for (const std::uint64_t count : count_ticks(most, logarithmic)) {
        const float y = plot.y(bar_height(count, most, logarithmic));
        if (y - last < ImGui::GetTextLineHeight()) continue;
        last = y;
        const std::string text = fmt::format("{}", count);
        const ImVec2 size = ImGui::CalcTextSize(text.c_str());
        list.AddLine({plot.low.x, y}, {plot.high.x, y}, IM_COL32(90, 90, 100, 70));
        list.AddText({plot.low.x - size.x - 6.0f, std::max(y - size.y / 2, plot.low.y - 4.0f)},
                     kTickColor, text.c_str());
    }
}

void histogram(InterfaceState& state, const ValueSummary& values) {
    const ImVec2 from = ImGui::GetCursorScreenPos();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const std::uint64_t most = highest(values);
    const float left = ImGui::CalcTextSize(fmt::format("{}", most).c_str()).x + 10.0f;
    const float below = ImGui::GetTextLineHeight() + 8.0f;
    if (room.x < left + 40.0f || room.y < below + 20.0f) return;
    ImGui::InvisibleButton("histogram", room);
    state.widgets.note("histogram");
    const Plot plot{{from.x + left, from.y + 6.0f},
                    {from.x + room.x - 4.0f, from.y + room.y - below}};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(plot.low, plot.high, IM_COL32(24, 24, 28, 255));
    if (most == 0) return;
    count_axis(list, plot, most, state.settings.logarithmic);
    bars(list, plot, values, state.settings.logarithmic);
    value_axis(list, plot, values);
    if (!ImGui::IsItemHovered()) return;
    const float share = (ImGui::GetIO().MousePos.x - plot.low.x) / (plot.high.x - plot.low.x);
    if (share < 0.0f || share >= 1.0f) return;
    const auto bin = static_cast<std::size_t>(share * ValueSummary::kBins);
    const double step = (values.high - values.low) / ValueSummary::kBins;
    std::string text = fmt::format("{:.5g} to {:.5g}", values.low + step * static_cast<double>(bin),
                                   values.low + step * static_cast<double>(bin + 1));
    constexpr std::array kNames = {"red", "green", "blue"};
    for (std::size_t c = 0; c < values.channels.size(); ++c)
        text +=
            fmt::format("\n{}{}", values.channels.size() > 1 ? fmt::format("{}: ", kNames[c]) : "",
                        values.channels[c][bin]);
    ImGui::SetTooltip("%s", text.c_str());
}

} // namespace

void draw_values(InterfaceState& state) {
    const Shown* shown = state.shown();
    if (!shown) {
        ImGui::TextDisabled("nothing is shown");
        return;
    }
    const ValueSummary& values = state.summary();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(fmt::format("from {:.6g} to {:.6g}   {} finite, {} NaN, {} infinite",
                                       values.low, values.high, values.finite, values.not_numbers,
                                       values.infinite)
                               .c_str());
    ImGui::SameLine();
    ImGui::Checkbox("logarithmic", &state.settings.logarithmic);
    state.widgets.note("logarithmic");
    histogram(state, values);
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
