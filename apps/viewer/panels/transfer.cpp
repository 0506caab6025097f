// The editor of a transfer function: left button adds and drags points, right button removes one.

#include "model/transfer.hpp"

#include "panels/panels.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

namespace tuff::viewer {
namespace {

constexpr float kHeight = 150.0f;
constexpr float kReach = 8.0f; ///< pixels from a point that count as on it

/// Where values and opacities lie on the screen.
struct Field {
    ImVec2 from, size;
    double low = 0.0, high = 1.0;

    ImVec2 place(const TransferPoint& point) const {
        const double x = (point.value - low) / (high - low);
        return {from.x + static_cast<float>(std::clamp(x, 0.0, 1.0)) * size.x,
                from.y + static_cast<float>(1.0 - height_of(point.opacity)) * size.y};
    }
    double value(float x) const {
        const double share = std::clamp((x - from.x) / size.x, 0.0f, 1.0f);
        return low + share * (high - low);
    }
    double opacity(float y) const {
        return opacity_of(1.0 - static_cast<double>((y - from.y) / size.y));
    }
};

/// As displays show linear colours.
ImU32 shown_color(const std::array<double, 3>& color, float alpha) {
    const auto encoded = [](double v) {
        return static_cast<float>(std::pow(std::clamp(v, 0.0, 1.0), 1.0 / 2.2));
    };
    return ImGui::ColorConvertFloat4ToU32(
        {encoded(color[0]), encoded(color[1]), encoded(color[2]), alpha});
}

void draw_bars(const Field& field, const VolumeHistogram& histogram) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const std::uint32_t most = *std::ranges::max_element(histogram.counts);
    const double range = static_cast<double>(histogram.high) - static_cast<double>(histogram.low);
    for (std::size_t i = 0; most > 0 && i < histogram.counts.size(); ++i) {
        const double share = std::log1p(histogram.counts[i]) / std::log1p(most);
        const auto edge = [&](std::size_t bin) {
            const double value =
                static_cast<double>(histogram.low) + static_cast<double>(bin) / 256.0 * range;
            return field.place({.value = value}).x;
        };
        const float top = field.from.y + field.size.y * static_cast<float>(1.0 - share);
        list.AddRectFilled({edge(i), top}, {edge(i + 1), field.from.y + field.size.y},
                           IM_COL32(90, 95, 105, 255));
    }
}

void draw_curve(const Field& field, const Transfer& transfer, std::size_t chosen) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    // Below the curve its colours.
    for (float x = 0.0f; x < field.size.x; x += 2.0f) {
        const TransferPoint point = transfer.at(field.value(field.from.x + x));
        const float top = field.place(point).y;
        list.AddRectFilled({field.from.x + x, top},
                           {field.from.x + x + 2.0f, field.from.y + field.size.y},
                           shown_color(point.color, 0.55f));
    }
    // Opacities are drawn on a scale of their own, on which straight lines bend.
    ImVec2 before{};
    for (float x = 0.0f; x <= field.size.x; x += 2.0f) {
        const ImVec2 at(field.from.x + x,
                        field.place(transfer.at(field.value(field.from.x + x))).y);
        if (x > 0.0f) list.AddLine(before, at, IM_COL32(235, 235, 235, 255), 1.5f);
        before = at;
    }
    for (std::size_t i = 0; i < transfer.points().size(); ++i) {
        const ImVec2 at = field.place(transfer.points()[i]);
        list.AddCircleFilled(at, 5.0f, shown_color(transfer.points()[i].color, 1.0f));
        list.AddCircle(at, 5.5f,
                       i == chosen ? IM_COL32(255, 217, 128, 255) : IM_COL32(255, 255, 255, 255), 0,
                       i == chosen ? 2.5f : 1.0f);
    }
}

std::optional<std::size_t> point_under(const Field& field, const Transfer& transfer, ImVec2 mouse) {
    std::optional<std::size_t> nearest;
    float least = kReach * kReach;
    for (std::size_t i = 0; i < transfer.points().size(); ++i) {
        const ImVec2 at = field.place(transfer.points()[i]);
        const float squared =
            (at.x - mouse.x) * (at.x - mouse.x) + (at.y - mouse.y) * (at.y - mouse.y);
        if (squared > least) continue;
        least = squared;
        nearest = i;
    }
    return nearest;
}

/// The mouse over the field; true where the transfer function has changed.
bool handle_points(InterfaceState& state, const Field& field, Transfer& transfer) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const bool hovered = ImGui::IsItemHovered();
    if (hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Right)) {
        const auto under = point_under(field, transfer, mouse);
        if (!under || transfer.points().size() == 1) return false;
        transfer.remove(*under);
        state.transfer_point = std::min(state.transfer_point, transfer.points().size() - 1);
        return true;
    }
    bool changed = false;
    if (hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
        auto under = point_under(field, transfer, mouse);
        if (!under) {
            under = transfer.add(field.value(mouse.x), field.opacity(mouse.y));
            changed = under.has_value();
        }
        if (under) {
            state.transfer_point = *under;
            state.drags_point = true;
        }
    }
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) state.drags_point = false;
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    if (state.drags_point && ImGui::IsItemActive() && (moved.x != 0.0f || moved.y != 0.0f)) {
        transfer.move(state.transfer_point, field.value(mouse.x), field.opacity(mouse.y));
        changed = true;
    }
    return changed;
}

bool choose_preset(InterfaceState& state, const Field& field, Transfer& transfer) {
    bool changed = false;
    for (const std::string_view name : kPresets) {
        if (name != kPresets.front()) ImGui::SameLine();
        if (ImGui::Button(std::string(name).c_str())) {
            transfer = preset(name, field.low, field.high);
            state.transfer_point = 0;
            changed = true;
        }
        state.widgets.note(fmt::format("preset {}", name));
    }
    return changed;
}

/// The chosen point in numbers.
bool edit_point(InterfaceState& state, const Field& field, Transfer& transfer) {
    const std::size_t chosen = state.transfer_point;
    const TransferPoint point = transfer.points()[chosen];
    std::array<float, 3> color{};
    std::ranges::transform(point.color, color.begin(),
                           [](double v) { return static_cast<float>(v); });
    bool changed = false;
    constexpr ImGuiColorEditFlags kFlags = ImGuiColorEditFlags_Float | ImGuiColorEditFlags_HDR;
    if (ImGui::ColorEdit3("color", color.data(), kFlags)) {
        transfer.set_color(chosen, {static_cast<double>(color[0]), static_cast<double>(color[1]),
                                    static_cast<double>(color[2])});
        changed = true;
    }
    state.widgets.note("point color");
    auto value = static_cast<float>(point.value);
    auto opacity = static_cast<float>(point.opacity);
    const auto speed = static_cast<float>((field.high - field.low) / 500.0);
    if (ImGui::DragFloat("value", &value, speed, 0.0f, 0.0f, "%.5g") |
        ImGui::SliderFloat("opacity", &opacity, 0.0f, 1.0f, "%.4f",
                           ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_Logarithmic)) {
        transfer.move(chosen, static_cast<double>(value), static_cast<double>(opacity));
        changed = true;
    }
    return changed;
}

/// The range of the volume, and of points beyond it.
Field field_of(const Transfer& transfer, const VolumeHistogram* histogram) {
    Field field{.from = ImGui::GetCursorScreenPos(),
                .size = {std::max(ImGui::GetContentRegionAvail().x, 40.0f), kHeight},
                .low = transfer.points().front().value,
                .high = transfer.points().back().value};
    if (histogram && histogram->low < histogram->high) {
        field.low = std::min(field.low, static_cast<double>(histogram->low));
        field.high = std::max(field.high, static_cast<double>(histogram->high));
    }
    if (!(field.low < field.high)) field.high = field.low + 1.0;
    return field;
}

} // namespace

void draw_transfer(InterfaceState& state, const Control& control,
                   const VolumeHistogram* histogram) {
    const ParameterValue now = current_value(control, state.request.edits);
    const auto* list = std::get_if<std::vector<double>>(&now);
    auto transfer = list ? Transfer::of(*list) : std::nullopt;
    if (!transfer) {
        ImGui::TextDisabled("the transfer function is none that can be drawn");
        return;
    }
    state.transfer_point = std::min(state.transfer_point, transfer->points().size() - 1);
    Field field = field_of(*transfer, histogram);
    bool changed = choose_preset(state, field, *transfer);
    field.from = ImGui::GetCursorScreenPos();
    ImGui::InvisibleButton("transfer", field.size,
                           ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
    state.widgets.note("transfer");
    changed |= handle_points(state, field, *transfer);
    ImGui::GetWindowDrawList()->AddRectFilled(
        field.from, {field.from.x + field.size.x, field.from.y + field.size.y},
        IM_COL32(24, 26, 30, 255));
    if (histogram) draw_bars(field, *histogram);
    draw_curve(field, *transfer, state.transfer_point);
    if (ImGui::IsItemHovered())
        ImGui::SetTooltip("%s", fmt::format("value {:.5g}, opacity {:.4f}\nleft: add or drag a "
                                            "point, right: remove it",
                                            field.value(ImGui::GetIO().MousePos.x),
                                            field.opacity(ImGui::GetIO().MousePos.y))
                                    .c_str());
    changed |= edit_point(state, field, *transfer);
    if (!changed) return;
    state.request.edits[control.key] = json_text(transfer->list());
    state.edited();
}

} // namespace tuff::viewer
