#include "model/camera_control.hpp"
#include "panels/panels.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
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

/// One to four numbers in a row; true where one has changed.
bool edit_numbers(const ParameterInfo& info, const char* label, double* values, int count) {
    constexpr float kMax = std::numeric_limits<float>::max();
    float least = std::isfinite(info.low) ? static_cast<float>(info.low) : -kMax;
    float most = std::isfinite(info.high) ? static_cast<float>(info.high) : kMax;
    if (info.excludes_low) least = std::nextafter(least, kMax);
    if (info.excludes_high) most = std::nextafter(most, -kMax);
    const double low = static_cast<double>(least);
    const double high = static_cast<double>(most);
    const std::string format = format_of(info);
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

std::optional<ParameterValue> edit_vector(const Control& control, const char* label,
                                          const ParameterValue& value) {
    const auto* list = std::get_if<std::vector<double>>(&value);
    if (!list || list->empty() || list->size() > 4) {
        ImGui::TextDisabled("%zu numbers", list ? list->size() : 0);
        return std::nullopt;
    }
    std::vector<double> numbers = *list;
    const bool color = control.info.name.find("color") != std::string::npos && numbers.size() >= 3;
    if (!color) {
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

std::optional<ParameterValue> edit(const Control& control, const ParameterValue& value) {
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

void describe(const Control& control, const Edits& edits) {
    const ParameterInfo& info = control.info;
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(420.0f);
    if (!info.doc.empty()) ImGui::TextUnformatted(info.doc.c_str());
    if (!info.unit.empty()) ImGui::Text("unit: %s", info.unit.c_str());
    if (std::isfinite(info.low) || std::isfinite(info.high))
        ImGui::TextUnformatted(fmt::format("from {} to {}", info.low, info.high).c_str());
    if (!control.follows.empty())
        ImGui::Text("the config says %s; a change replaces it", control.follows.c_str());
    if (info.structural) ImGui::TextUnformatted("a change compiles the graph anew");
    ImGui::TextDisabled(
        "%s", set_options({{control.key, json_text(current_value(control, edits))}}).c_str());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

} // namespace

void draw_parameter(InterfaceState& state, const Control& control) {
    Edits& edits = state.request.edits;
    const bool edited = edits.contains(control.key);
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::AlignTextToFramePadding();
    const ImVec4 color = edited                    ? ImVec4(1.0f, 0.85f, 0.5f, 1.0f)
                         : control.follows.empty() ? ImVec4(0.9f, 0.9f, 0.9f, 1.0f)
                                                   : ImVec4(0.6f, 0.7f, 0.8f, 1.0f);
    ImGui::TextColored(color, "%s", control.info.name.c_str());
    if (ImGui::IsItemHovered()) describe(control, edits);
    ImGui::TableNextColumn();
    ImGui::SetNextItemWidth(edited ? -30.0f : -1.0f);
    const std::string name = full_name(control.key);
    ImGui::PushID(name.c_str());
    const auto changed = edit(control, current_value(control, edits));
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
    return filter.empty() || control.info.name.find(filter) != std::string::npos ||
           control.key.node.find(filter) != std::string::npos;
}

void passes(InterfaceState& state, const Panel& panel, std::string_view filter) {
    for (auto first = panel.controls.begin(); first != panel.controls.end();) {
        const auto last = std::find_if(first, panel.controls.end(), [&](const Control& c) {
            return c.key.node != first->key.node;
        });
        const bool any =
            std::any_of(first, last, [&](const Control& c) { return matches(c, filter); });
        const std::string heading =
            fmt::format("{}  ({})###{}", first->key.node, first->pass, first->key.node);
        if (!first->key.node.empty() && any) {
            if (!filter.empty()) ImGui::SetNextItemOpen(true);
            const bool open = ImGui::CollapsingHeader(heading.c_str());
            state.widgets.note("node " + first->key.node);
            if (open && begin_table(first->key.node.c_str())) {
                for (auto c = first; c != last; ++c)
                    if (matches(*c, filter)) draw_parameter(state, *c);
                ImGui::EndTable();
            }
        }
        first = last;
    }
}

void buttons(InterfaceState& state, const Panel& panel) {
    Edits& edits = state.request.edits;
    ImGui::BeginDisabled(edits.empty());
    if (ImGui::Button("Reset all")) {
        edits.clear();
        state.edited();
    }
    state.widgets.note("reset all");
    ImGui::SameLine();
    if (ImGui::Button("Copy as --set")) {
        ImGui::SetClipboardText(set_options(edits).c_str());
        state.message = "copied: " + set_options(edits);
    }
    state.widgets.note("copy as set");
    ImGui::EndDisabled();
    if (const auto rig = CameraRig::find(panel.controls, edits)) {
        ImGui::SameLine();
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
