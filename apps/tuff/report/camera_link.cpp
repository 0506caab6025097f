#include "apps/tuff/report/camera_link.hpp"

#include <algorithm>
#include <ranges>

namespace tuff::cli {
namespace {

bool is_camera_parameter(const ParameterInfo& parameter) {
    return parameter.name.starts_with("camera.");
}

bool same_parameter(const ParameterInfo& a, const ParameterInfo& b) {
    return a.name == b.name && a.doc == b.doc && a.kind == b.kind && a.choices == b.choices &&
           a.default_value == b.default_value && a.low == b.low && a.high == b.high &&
           a.unit == b.unit && a.structural == b.structural;
}

bool has_shared_camera(const PassDescriptor& pass, const PassRegistry& registry) {
    if (pass.name == kCameraPass || std::ranges::none_of(pass.parameters, is_camera_parameter))
        return false;
    const PassDescriptor* documented = registry.find(kCameraPass);
    return documented &&
           std::ranges::equal(pass.parameters | std::views::filter(is_camera_parameter),
                              documented->parameters | std::views::filter(is_camera_parameter),
                              same_parameter);
}

} // namespace

ListedParameters listed_parameters(const PassDescriptor& pass, const PassRegistry& registry) {
    ListedParameters listed{pass.parameters, has_shared_camera(pass, registry)};
    if (listed.camera) std::erase_if(listed.own, is_camera_parameter);
    return listed;
}

} // namespace tuff::cli
