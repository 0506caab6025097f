// What changes a parameter's value.

#include "panels/panels.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tuff::viewer {
namespace {

/// Wider ranges get a field to drag in: a slider would not be fine enough.
constexpr double kWidestSlider = 1e5;

bool has_slider(const ParameterInfo& info) {
    return std::isfinite(info.low) && std::isfinite(info.high) &&
           info.high - info.low <= kWidestSlider;
}

std::string format_of(const ParameterInfo& info) {
    std::string unit;
    for (const char c : info.unit)
        unit += c == '%' ? std::string("%%") : std::string(1, c);
    return (info.integral ? "%.0f" : "%.4g") + (unit.empty() ? "" : " " + unit);
}

float drag_speed(const ParameterInfo& info, double value) {
    if (info.integral) return 0.2f;
    return static_cast<float>(std::max(std::abs(value), 1.0) * 0.005);
}

/// The values that may be chosen, both ends included.
std::array<double, 2> limits_of(const ParameterInfo& info) {
    constexpr float kMax = std::numeric_limits<float>::max();
    float least = std::isfinite(info.low) ? static_cast<float>(info.low) : -kMax;
    float most = std::isfinite(info.high) ? static_cast<float>(info.high) : kMax;
    if (info.excludes_low) least = std::nextafter(least, kMax);
    if (info.excludes_high) most = std::nextafter(most, -kMax);
    return {static_cast<double>(least), static_cast<double>(most)};
}

constexpr std::array kLabels = {"x", "y", "z", "w"};
/// A field with fewer pixels cuts its numbers off: they stand below each other then.
constexpr float kLeastField = 62.0f;

/// Two to four numbers with their letters, beside or below each other; true where one has changed.
/// The unit stands beside the name of the parameter, where there is room for it.
bool edit_labelled(const ParameterInfo& info, const char* label, std::vector<double>& values) {
    const auto [low, high] = limits_of(info);
    const ImGuiStyle& style = ImGui::GetStyle();
    const float width = ImGui::CalcItemWidth();
    const auto count = static_cast<float>(values.size());
    const float field = (width - style.ItemInnerSpacing.x * (count - 1.0f)) / count;
    const bool in_row = field >= kLeastField;
    bool changed = false;
    ImGui::BeginGroup(); // one item to whoever asks where it lies
    ImGui::PushID(label);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i > 0 && in_row) ImGui::SameLine(0.0f, style.ItemInnerSpacing.x);
        ImGui::SetNextItemWidth(in_row ? field : width);
        ImGui::PushID(static_cast<int>(i));
        const std::string format = fmt::format("{} {}", kLabels[i],
                                               info.integral ? "%.0f"
                                               : in_row      ? "%.3g"
                                                             : "%.4g");
        const bool moved =
            has_slider(info)
                ? ImGui::SliderScalar("##n", ImGuiDataType_Double, &values[i], &low, &high,
                                      format.c_str(), ImGuiSliderFlags_AlwaysClamp)
                : ImGui::DragScalar("##n", ImGuiDataType_Double, &values[i],
                                    drag_speed(info, values[i]), &low, &high, format.c_str(),
                                    ImGuiSliderFlags_AlwaysClamp);
        if (moved && info.integral) values[i] = std::round(values[i]);
        changed |= moved;
        ImGui::PopID();
    }
    ImGui::PopID();
    ImGui::EndGroup();
    return changed;
}

/// One to four numbers in a row; true where one has changed.
bool edit_numbers(const ParameterInfo& info, const char* label, double* values, int count) {
    const auto [low, high] = limits_of(info);
    std::string format = format_of(info);
    // The unit stands in the description as well.
    if (!info.unit.empty() && ImGui::CalcTextSize(format.c_str()).x + ImGui::CalcTextSize("0.0").x >
                                  ImGui::CalcItemWidth() / static_cast<float>(count))
        format.resize(format.find(' '));
    bool changed = has_slider(info)
                       ? ImGui::SliderScalarN(label, ImGuiDataType_Double, values, count, &low,
                                              &high, format.c_str(), ImGuiSliderFlags_AlwaysClamp)
                       : ImGui::DragScalarN(label, ImGuiDataType_Double, values, count,
                                            drag_speed(info, values[0]), &low, &high,
                                            format.c_str(), ImGuiSliderFlags_AlwaysClamp);
    if (info.integral)
        for (int i = 0; i < count; ++i)
            values[i] = std::round(values[i]);
    return changed;
}

std::optional<ParameterValue> edit_number(const Control& control, const char* label,
                                          const ParameterValue& value) {
    const auto* whole = std::get_if<std::int64_t>(&value);
    const auto* real = std::get_if<double>(&value);
    if (!whole && !real) return std::nullopt;
    double number = whole ? static_cast<double>(*whole) : *real;
    if (!edit_numbers(control.info, label, &number, 1)) return std::nullopt;
    if (control.info.integral) return ParameterValue(static_cast<std::int64_t>(number));
    return ParameterValue(number);
}

bool is_color(const Control& control, std::size_t numbers) {
    return control.info.name.find("color") != std::string::npos && numbers >= 3;
}

std::optional<ParameterValue> edit_vector(const Control& control, const char* label,
                                          const ParameterValue& value) {
    const auto* list = std::get_if<std::vector<double>>(&value);
    if (!list || list->empty() || list->size() > 4) {
        ImGui::TextDisabled("%zu numbers", list ? list->size() : 0);
        return std::nullopt;
    }
    std::vector<double> numbers = *list;
    if (has_labels(control, value)) {
        const bool changed = edit_labelled(control.info, label, numbers);
        return changed ? std::optional<ParameterValue>(std::move(numbers)) : std::nullopt;
    }
    if (!is_color(control, numbers.size())) {
        const bool changed =
            edit_numbers(control.info, label, numbers.data(), static_cast<int>(numbers.size()));
        return changed ? std::optional<ParameterValue>(std::move(numbers)) : std::nullopt;
    }
    std::array<float, 4> rgba{0.0f, 0.0f, 0.0f, 1.0f};
    std::ranges::transform(numbers, rgba.begin(), [](double v) { return static_cast<float>(v); });
    constexpr ImGuiColorEditFlags kFlags = ImGuiColorEditFlags_Float | ImGuiColorEditFlags_HDR;
    const bool changed = numbers.size() == 3 ? ImGui::ColorEdit3(label, rgba.data(), kFlags)
                                             : ImGui::ColorEdit4(label, rgba.data(), kFlags);
    if (!changed) return std::nullopt;
    for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = static_cast<double>(rgba[i]);
    return numbers;
}

/// While it is typed a text is rarely a value; it counts once it has been entered.
std::optional<std::string> entered_text(const char* label, const std::string& text) {
    std::array<char, 256> buffer{};
    text.copy(buffer.data(), buffer.size() - 1);
    if (!ImGui::InputText(label, buffer.data(), buffer.size(),
                          ImGuiInputTextFlags_EnterReturnsTrue))
        return std::nullopt;
    return std::string(buffer.data());
}

std::optional<ParameterValue> edit_text(const char* label, const ParameterValue& value) {
    const auto* text = std::get_if<std::string>(&value);
    return text ? entered_text(label, *text) : std::nullopt;
}

std::optional<ParameterValue> edit_texts(const char* label, const ParameterValue& value) {
    const auto* texts = std::get_if<std::vector<std::string>>(&value);
    if (!texts) return std::nullopt;
    std::vector<std::string> now = *texts;
    bool changed = false;
    for (std::size_t i = 0; i < now.size(); ++i) {
        ImGui::PushID(static_cast<int>(i));
        if (auto entered = entered_text(label, now[i])) {
            now[i] = std::move(*entered);
            changed = true;
        }
        ImGui::PopID();
    }
    if (now.empty()) ImGui::TextDisabled("no texts");
    return changed ? std::optional<ParameterValue>(std::move(now)) : std::nullopt;
}

std::optional<ParameterValue> edit_choice(const Control& control, const char* label,
                                          const ParameterValue& value) {
    const auto* text = std::get_if<std::string>(&value);
    std::optional<ParameterValue> chosen;
    if (!text || !ImGui::BeginCombo(label, text->c_str())) return chosen;
    for (const std::string& choice : control.info.choices)
        if (ImGui::Selectable(choice.c_str(), choice == *text)) chosen = choice;
    ImGui::EndCombo();
    return chosen;
}

std::optional<ParameterValue> edit_boolean(const char* label, const ParameterValue& value) {
    const bool* flag = std::get_if<bool>(&value);
    bool now = flag && *flag;
    if (!flag || !ImGui::Checkbox(label, &now)) return std::nullopt;
    return ParameterValue(now);
}

} // namespace

std::optional<ParameterValue> edit_parameter(const Control& control, const ParameterValue& value) {
    const char* label = "##value";
    switch (control.info.kind) {
    case ParameterKind::boolean: return edit_boolean(label, value);
    case ParameterKind::integer:
    case ParameterKind::real: return edit_number(control, label, value);
    case ParameterKind::vector:
    case ParameterKind::list: return edit_vector(control, label, value);
    case ParameterKind::choice: return edit_choice(control, label, value);
    case ParameterKind::text: return edit_text(label, value);
    case ParameterKind::texts: return edit_texts(label, value);
    }
    return std::nullopt;
}

bool has_labels(const Control& control, const ParameterValue& value) {
    const auto* list = std::get_if<std::vector<double>>(&value);
    const bool vector = control.info.kind == ParameterKind::vector;
    return vector && list && list->size() >= 2 && list->size() <= 4 &&
           !is_color(control, list->size());
}

} // namespace tuff::viewer
