#include "panels/camera_input.hpp"

#include "model/camera_control.hpp"

#include <imgui.h>

namespace tuff::viewer {
namespace {

constexpr double kFlightSpeed = 0.8; ///< distances to the target, a second

glm::dvec3 flight(double seconds) {
    const auto down = [](char key) { return ImGui::IsKeyDown(key) ? 1.0 : 0.0; };
    const glm::dvec3 way(down('D') - down('A'), down('E') - down('Q'), down('W') - down('S'));
    return way * kFlightSpeed * seconds;
}

} // namespace

bool handle_camera(InterfaceState& state) {
    if (!state.report || !state.report->panel) return false;
    const auto rig = CameraRig::find(state.report->panel->controls, state.request.edits);
    if (!rig) return false;
    const ImGuiIO& io = ImGui::GetIO();
    const double height = std::max(1.0f, ImGui::GetItemRectSize().y);
    const glm::dvec2 drag(io.MouseDelta.x / height, io.MouseDelta.y / height);
    const bool moved = drag.x != 0.0 || drag.y != 0.0;
    CameraPose pose = rig->pose();
    bool changed = false;
    if (ImGui::IsItemActive() && moved) {
        if (ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
            pose = io.KeyShift ? pan(pose, drag) : orbit(pose, drag);
            changed = true;
        } else if (ImGui::IsMouseDown(ImGuiMouseButton_Right)) {
            pose = look(pose, drag);
            changed = true;
        }
    }
    if (ImGui::IsItemHovered() && io.MouseWheel != 0.0f && !io.KeyCtrl) {
        pose = dolly(pose, io.MouseWheel);
        changed = true;
    }
    if (ImGui::IsItemHovered() && !io.WantTextInput && !io.KeyCtrl) {
        const glm::dvec3 way = flight(io.DeltaTime);
        if (way != glm::dvec3(0.0)) {
            pose = fly(pose, way);
            changed = true;
        }
    }
    if (changed) {
        rig->apply(pose, state.request.edits);
        state.edited();
    }
    return true;
}

} // namespace tuff::viewer
