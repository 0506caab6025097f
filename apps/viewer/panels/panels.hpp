#pragma once

#include "panels/state.hpp"

/// The panels of the viewer. Each draws itself into the current window of Dear ImGui.
namespace tuff::viewer {

void draw_menu(InterfaceState& state);
/// Outputs and intermediates, and how the chosen one is shown.
void draw_views(InterfaceState& state);
/// The picture, or the table of a buffer; problems are told in place.
void draw_picture(InterfaceState& state);
/// Sliders for every parameter.
void draw_parameters(InterfaceState& state);
/// Transport, rates, the value under the cursor.
void draw_status(InterfaceState& state);
/// Tabs: passes, graph, memory, values, problems.
void draw_details(InterfaceState& state);

void draw_pass_times(InterfaceState& state);
void draw_graph(InterfaceState& state);
void draw_memory(InterfaceState& state);
void draw_values(InterfaceState& state);
void draw_buffer(InterfaceState& state);
void draw_problems(InterfaceState& state);

/// Everything, over the whole of the window.
void draw_interface(InterfaceState& state);

} // namespace tuff::viewer
