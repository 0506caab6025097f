#include "panels/panels.hpp"

#include <fmt/format.h>
#include <imgui.h>

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

void draw_problems(InterfaceState& state) {
    const auto show = [](const Diagnostics& problems, ImVec4 color) {
        for (const Diagnostic& problem : problems) {
            ImGui::PushStyleColor(ImGuiCol_Text, color);
            ImGui::TextWrapped("%s: %s", problem.code.c_str(), problem.message.c_str());
            ImGui::PopStyleColor();
            if (problem.where.known() && problem.where.line > 0)
                ImGui::TextDisabled("%s:%d:%d", problem.where.file.c_str(), problem.where.line,
                                    problem.where.column);
            else if (problem.where.known())
                ImGui::TextDisabled("%s", problem.where.file.c_str());
            if (!problem.where.line_text.empty())
                ImGui::TextUnformatted(problem.where.line_text.c_str());
            if (!problem.hint.empty()) ImGui::TextWrapped("hint: %s", problem.hint.c_str());
        }
    };
    show(state.notices, {1.0f, 0.5f, 0.45f, 1.0f});
    show(state.report->problems, {1.0f, 0.5f, 0.45f, 1.0f});
    show(state.report->warnings, {1.0f, 0.85f, 0.5f, 1.0f});
    if (state.notices.empty() && state.report->problems.empty() && state.report->warnings.empty())
        ImGui::TextDisabled("none");
}

} // namespace tuff::viewer
