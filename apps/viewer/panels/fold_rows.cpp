#include "panels/fold_rows.hpp"

#include <fmt/format.h>
#include <imgui.h>

namespace tuff::viewer {
namespace {

constexpr float kDepth = 14.0f; ///< pixels

constexpr ImGuiTreeNodeFlags kRowFlags =
    ImGuiTreeNodeFlags_NoTreePushOnOpen | ImGuiTreeNodeFlags_SpanFullWidth;

} // namespace

bool fold_header(InterfaceState& state, OpenGroups& open, const FoldRow& row, std::string_view list,
                 const std::string& label) {
    const bool is_open = open.contains(row.path);
    const float indent = kDepth * static_cast<float>(row.depth);
    if (indent > 0.0f) ImGui::Indent(indent);
    ImGui::SetNextItemOpen(is_open, ImGuiCond_Always);
    ImGui::TreeNodeEx(fmt::format("{}###{} {}", label, list, row.path).c_str(), kRowFlags);
    const bool toggled = ImGui::IsItemToggledOpen();
    state.widgets.note(fmt::format("fold {} {}", list, row.path));
    if (indent > 0.0f) ImGui::Unindent(indent);
    if (toggled && is_open) open.erase(row.path);
    if (toggled && !is_open) open.insert(row.path);
    return toggled;
}

bool fold_leaf(const FoldRow& row, bool chosen, const std::string& label) {
    const float indent = kDepth * static_cast<float>(row.depth);
    if (indent > 0.0f) ImGui::Indent(indent);
    ImGui::TreeNodeEx(fmt::format("{}###{}", label, row.path).c_str(),
                      kRowFlags | ImGuiTreeNodeFlags_Leaf |
                          (chosen ? ImGuiTreeNodeFlags_Selected : ImGuiTreeNodeFlags_None));
    const bool clicked = ImGui::IsItemClicked();
    if (indent > 0.0f) ImGui::Unindent(indent);
    return clicked;
}

std::string fitted_name(std::string_view name, float width) {
    const auto fits = [&](const std::string& text) {
        return ImGui::CalcTextSize(text.c_str(), text.c_str() + text.size()).x <= width;
    };
    std::string whole(name);
    if (fits(whole)) return whole;
    std::size_t low = 3, high = name.size();
    while (low + 1 < high) {
        const std::size_t middle = (low + high) / 2;
        (fits(cut_in_the_middle(name, middle)) ? low : high) = middle;
    }
    return cut_in_the_middle(name, low);
}

} // namespace tuff::viewer
