#pragma once

#include <tuff/graph_desc.hpp>

namespace tuff::oracle {

/// What the Vulkan specification says of one kind of access.
struct AccessRules {
    StageMask stages;    ///< where it is performed; for shader accesses the stages of the use
    MemoryMask memory;   ///< reads and writes of memory
    bool needs_contents; ///< takes what is there
    bool changes;        ///< leaves something else
    bool replaces_all;   ///< and nothing of what was there
    UsageMask usage;     ///< that the resource must have been created with
};
AccessRules rules_of(const AccessDesc& access, bool is_image);
/// The same for what the host does with an output.
AccessRules rules_of(Access access, StageMask shader_stages, bool is_image);

/// The image layouts in which `access` may find an image of this format.
bool allows_layout(Access access, Layout layout, Format format);

} // namespace tuff::oracle
