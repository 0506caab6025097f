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
    if (const HostImage* both = state.compare.both.get())
        if (x < both->extent.width && y < both->extent.height)
            return fmt::format("({}, {})  {}", x, y, texel_text(*both, x, y, 0));
    const std::uint32_t z = std::min(state.slice, shown->image.extent.depth - 1);
    return fmt::format("({}, {})  {}", x, y, texel_text(shown->image, x, y, z));
}

/// Where the animation stands, to be dragged.
void time_line(InterfaceState& state) {
    const SceneReport& report = *state.report;
    constexpr std::int64_t kFirst = 0, kMaxFrames = 1'000'000;
    // What runs on beyond the end makes the line longer.
    while (report.frame > state.last_frame && state.last_frame < kMaxFrames)
        state.last_frame *= 2;
    std::int64_t frame = report.frame;
    const float end_width = 120.0f;
    ImGui::SetNextItemWidth(-end_width);
    const std::string format =
        fmt::format("frame %lld   {:.2f} s", static_cast<double>(frame) * report.seconds_per_frame);
    if (ImGui::SliderScalar("##time", ImGuiDataType_S64, &frame, &kFirst, &state.last_frame,
                            format.c_str(), ImGuiSliderFlags_AlwaysClamp))
        state.actions.seek = frame;
    state.widgets.note("time line");
    if (ImGui::IsItemHovered() && report.has_history)
        ImGui::SetTooltip("each frame needs the one before it: going back begins again, and the\n"
                          "frames on the way are run");
    ImGui::SameLine();
    ImGui::SetNextItemWidth(-1.0f);
    constexpr std::int64_t kLeastEnd = 1;
    ImGui::DragScalar("##end", ImGuiDataType_S64, &state.last_frame, 1.0f, &kLeastEnd, &kMaxFrames,
                      "to %lld", ImGuiSliderFlags_AlwaysClamp);
    state.widgets.note("time end");
}

constexpr std::chrono::seconds kMessageStays{10};

} // namespace

bool shows_time_line(const InterfaceState& state) {
    return state.report && !state.report->still && state.report->structure;
}

void draw_status(InterfaceState& state) {
    if (shows_time_line(state)) time_line(state);
    transport(state);
    ImGui::SameLine();
    if (!state.report) return;
    const SceneReport& report = *state.report;
    const double milliseconds = report.timings ? report.timings->milliseconds : 0.0;
    if (!report.problems.empty()) {
        ImGui::TextColored({1.0f, 0.5f, 0.45f, 1.0f}, "%s", report.problems[0].code.c_str());
        ImGui::SameLine();
    }
    const bool fresh = std::chrono::steady_clock::now() - state.message_time < kMessageStays;
    if (!state.message.empty() && fresh) {
        ImGui::TextColored({1.0f, 0.85f, 0.5f, 1.0f}, "%s", state.message.c_str());
        ImGui::SameLine();
    }
    std::string text = fmt::format("frame {}   {:.2f} ms", report.frame, milliseconds);
    if (report.still)
        text += "   still";
    else if (!report.paused)
        text += fmt::format("   {:.1f} a second", report.frames_per_second);
    if (report.state == SceneState::building) text += "   building...";
    if (state.recording) text += fmt::format("   recording, {} frames", state.recorded);
    ImGui::TextUnformatted(text.c_str());
    if (const std::string cursor = cursor_text(state); !cursor.empty()) {
        ImGui::SameLine();
        ImGui::TextColored({0.6f, 0.9f, 0.7f, 1.0f}, "  %s", cursor.c_str());
    }
}

} // namespace tuff::viewer
