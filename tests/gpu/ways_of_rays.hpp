#pragma once

#include <tuff/device_caps.hpp>

#include <vector>

namespace tuff::testing_gpu {

/// The ways in which a device sends rays through its own hierarchy: what it can do, less the other
/// way. Empty where there is none.
inline std::vector<DeviceCaps> ways_of_rays(const DeviceCaps& caps) {
    std::vector<DeviceCaps> ways;
    for (bool DeviceCaps::*const way :
         {&DeviceCaps::ray_query, &DeviceCaps::ray_tracing_pipelines}) {
        if (!(caps.*way)) continue;
        ways.push_back(caps);
        ways.back().ray_query = ways.back().ray_tracing_pipelines = false;
        ways.back().*way = true;
    }
    return ways;
}

} // namespace tuff::testing_gpu
