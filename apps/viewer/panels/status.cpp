#include "panels/panels.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

namespace tuff::viewer {
namespace {

void transport(InterfaceState& state) {
    const bool paused = state.report && state.report->paused;
    if (ImGui::Button(paused ? "Play" : "Pause"))
        state.actions.transport.push_back(paused ? Transport::play : Transport::pause);
    state.widgets.note("pause");
    ImGui::SameLine();
    if (ImGui::Button("Step")) state.actions.transport.push_back(Transport::step);
    state.widgets.note("step");
    ImGui::SameLine();
    if (ImGui::Button("Restart")) state.actions.transport.push_back(Transport::restart);
    state.widgets.note("restart");
    ImGui::SameLine();
    if (ImGui::Button("Save")) state.actions.save_picture = true;
    state.widgets.note("save");
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("writes what is shown to a PNG or EXR file");
    ImGui::SameLine();
    if (ImGui::Button(state.recording ? "Stop" : "Record")) state.actions.toggle_recording = true;
    state.widgets.note("record");
}

std::string cursor_text(InterfaceState& state) {
    const Shown* shown = state.shown();
    if (!state.cursor || !shown || shown->image.empty()) return {};
    const auto [x, y] = *state.cursor;
    const std::uint32_t z = std::min(state.slice, shown->image.extent.depth - 1);
    return fmt::format("({}, {})  {}", x, y, texel_text(shown->image, x, y, z));
}

} // namespace

void draw_status(InterfaceState& state) {
    transport(state);
    ImGui::SameLine();
    if (!state.report) return;
    const SceneReport& report = *state.report;
    const double milliseconds = report.timings ? report.timings->milliseconds : 0.0;
    std::string text = fmt::format("frame {}   {:.2f} ms", report.frame, milliseconds);
    if (report.still)
        text += "   still";
    else if (!report.paused)
        text += fmt::format("   {:.1f} a second", report.frames_per_second);
    if (report.state == SceneState::building) text += "   building...";
    text += fmt::format("   interface {:.0f} Hz", state.interface_rate);
    if (state.recording) text += fmt::format("   recording, {} frames", state.recorded);
    ImGui::TextUnformatted(text.c_str());
    if (const std::string cursor = cursor_text(state); !cursor.empty()) {
        ImGui::SameLine();
        ImGui::TextColored({0.6f, 0.9f, 0.7f, 1.0f}, "  %s", cursor.c_str());
    }
    if (!state.message.empty()) {
        ImGui::SameLine();
        ImGui::TextDisabled("  %s", state.message.c_str());
    }
    if (!report.problems.empty()) {
        ImGui::SameLine();
        ImGui::TextColored({1.0f, 0.5f, 0.45f, 1.0f}, "  %s", report.problems[0].code.c_str());
    }
}

} // namespace tuff::viewer
