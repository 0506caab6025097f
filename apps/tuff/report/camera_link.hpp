#pragma once

#include <tuff/pass.hpp>

#include <string_view>
#include <vector>

namespace tuff::cli {

/// The pass whose page lists the parameters "camera.*". Pages of other passes refer to it.
inline constexpr std::string_view kCameraPass = "scene/mesh_raster";

/// The parameters that the page of a pass lists.
struct ListedParameters {
    std::vector<ParameterInfo> own;
    bool camera = false; ///< "camera.*" are the same as those of kCameraPass and are not in `own`
};

/// Leaves out the parameters "camera.*" of `pass` if kCameraPass, another pass, has the same ones.
ListedParameters listed_parameters(const PassDescriptor& pass, const PassRegistry& registry);

} // namespace tuff::cli
