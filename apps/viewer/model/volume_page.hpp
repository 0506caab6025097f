#pragma once

#include "model/controls.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What the viewer's page for volumes offers of a config.
namespace tuff::viewer {

/// A node that shows a volume.
struct VolumeNode {
    std::string name;
    std::string pass; ///< "volume/cast"
};

/// Those of the main file, in the order of their names.
std::vector<VolumeNode> volume_nodes(const std::vector<Control>& controls);

/// The parameter `name` of a node, or the one of the config that it follows as it is: what is to be
/// changed. Null where there is none.
const Control* find_control(const std::vector<Control>& controls, std::string_view node,
                            std::string_view name);

/// Parameters that the page shows of a pass: "slice" has its index.
std::vector<std::string_view> page_parameters(std::string_view pass);

/// The parameter of the config that chooses what is shown; null where there is none.
const Control* find_view_choice(const std::vector<Control>& controls);
inline constexpr std::array kVolumeViews = {"overview", "slices", "projection", "cast", "slots"};

/// The parameter of the config that turns on how the volume darkens its cavities; null where there
/// is none.
const Control* find_occlusion(const std::vector<Control>& controls);

} // namespace tuff::viewer
