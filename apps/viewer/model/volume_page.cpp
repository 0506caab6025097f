#include "model/volume_page.hpp"

#include <algorithm>

namespace tuff::viewer {

std::vector<VolumeNode> volume_nodes(const std::vector<Control>& controls) {
    constexpr std::array<std::string_view, 4> kPasses = {"volume/slice", "volume/oblique",
                                                         "volume/projection", "volume/cast"};
    std::vector<VolumeNode> nodes;
    for (const Control& control : controls) {
        if (std::ranges::find(kPasses, control.pass) == kPasses.end()) continue;
        if (nodes.empty() || nodes.back().name != control.key.node)
            nodes.push_back({control.key.node, control.pass});
    }
    return nodes;
}

const Control* find_control(const std::vector<Control>& controls, std::string_view node,
                            std::string_view name) {
    for (const Control& control : controls) {
        if (control.key.node != node || control.key.name != name) continue;
        if (control.follows.size() > 1 && control.follows.front() == '$' && !node.empty())
            if (const Control* source =
                    find_control(controls, "", std::string_view(control.follows).substr(1)))
                return source;
        return &control;
    }
    return nullptr;
}

std::vector<std::string_view> page_parameters(std::string_view pass) {
    if (pass == "volume/slice") return {"index", "thickness", "low", "high"};
    if (pass == "volume/oblique") return {"point", "normal", "thickness", "low", "high"};
    if (pass == "volume/projection") return {"combine", "rays", "low", "high"};
    if (pass == "volume/cast")
        return {"mode",   "surface",  "shaded",    "lookup", "step",
                "opaque", "clip_low", "clip_high", "unit"};
    return {};
}

const Control* find_view_choice(const std::vector<Control>& controls) {
    const Control* view = find_control(controls, "", "view");
    if (!view) return nullptr;
    const auto* text = std::get_if<std::string>(&view->base);
    const bool known = text && std::ranges::find(kVolumeViews, *text) != kVolumeViews.end();
    return known ? view : nullptr;
}

const Control* find_occlusion(const std::vector<Control>& controls) {
    const Control* found = find_control(controls, "", "occlusion");
    return found && std::holds_alternative<bool>(found->base) ? found : nullptr;
}

} // namespace tuff::viewer
