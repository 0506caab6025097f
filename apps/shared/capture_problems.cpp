#include "apps/shared/frame_capture.hpp"

#include <algorithm>

namespace tuff::cli {

Diagnostics explain_capture(Diagnostics problems) {
    const auto lacks = [](const Diagnostic& d) { return d.code == "device/missing-feature"; };
    if (std::ranges::none_of(problems, lacks)) return problems;
    problems.insert(
        problems.begin(),
        {.code = "cli/cannot-capture",
         .message = "RenderDoc does not capture this device with all that Tuff needs",
         .hint = "devices without bufferDeviceAddressCaptureReplay, most software devices among "
                 "them, have Vulkan 1.2 under RenderDoc: capture on a GPU"});
    return problems;
}

} // namespace tuff::cli
