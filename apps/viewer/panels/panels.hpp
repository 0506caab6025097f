#pragma once

#include "panels/state.hpp"

/// The panels of the viewer. Each draws itself into the current window of Dear ImGui.
namespace tuff::viewer {

void draw_menu(InterfaceState& state);
/// Recent files, shipped graphs, and the folders of the disk.
void draw_open_dialog(InterfaceState& state);
/// What the mouse and the keys do.
void draw_keys(InterfaceState& state);
/// Outputs and intermediates, and how the chosen one is shown.
void draw_views(InterfaceState& state);
/// Keeps a picture as A and compares it with what is shown.
void draw_compare(InterfaceState& state);
/// The picture, or the table of a buffer; problems are told in place.
void draw_picture(InterfaceState& state);
/// Sliders for every parameter.
void draw_parameters(InterfaceState& state);
/// A row for a parameter, in a table of two columns: its name, and what changes it.
void draw_parameter(InterfaceState& state, const Control& control);
/// What changes a parameter's value: a slider, a list, fields. The new value, where it was changed.
std::optional<ParameterValue> edit_parameter(const Control& control, const ParameterValue& value);
/// Whether its numbers are labelled x, y, z, so that its unit stands beside the name.
bool has_labels(const Control& control, const ParameterValue& value);
/// Where slices, projections and casts of volumes lie, and what they show.
void draw_volume(InterfaceState& state);
/// The curve of a transfer function above the numbers of the volume, with points to drag.
void draw_transfer(InterfaceState& state, const Control& control, const VolumeHistogram* histogram);
/// The time line, transport, rates, the value under the cursor.
void draw_status(InterfaceState& state);
/// Something changes from frame to frame.
bool shows_time_line(const InterfaceState& state);
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
