#include "tests/oracle/access_table.hpp"

#include "tests/oracle/scopes.hpp"

#include <utility>

namespace tuff::oracle {

AccessRules rules_of(Access access, StageMask shader_stages, bool is_image) {
    using namespace memory;
    constexpr StageMask kTests = stage::kEarlyDepth | stage::kLateDepth;
    const StageMask shader = shader_stages;
    switch (access) {
    case Access::uniform_read: return {shader, kUniformRead, true, false, false, usage::kUniform};
    case Access::storage_read: return {shader, kStorageRead, true, false, false, usage::kStorage};
    case Access::storage_write: return {shader, kStorageWrite, false, true, false, usage::kStorage};
    case Access::storage_read_write:
    case Access::accumulate:
        return {shader, kStorageRead | kStorageWrite, true, true, false, usage::kStorage};
    case Access::sampled: return {shader, kSampledRead, true, false, false, usage::kSampled};
    // Blending reads, whatever the load operation.
    case Access::color_write:
        return {stage::kColorOutput,    kColorRead | kColorWrite, false, true, true,
                usage::kColorAttachment};
    case Access::color_read_write:
        return {stage::kColorOutput,    kColorRead | kColorWrite, true, true, false,
                usage::kColorAttachment};
    // Loads and tests happen in either stage, stores in the late one.
    case Access::depth_write:
        return {kTests, kDepthRead | kDepthWrite, false, true, true, usage::kDepthAttachment};
    case Access::depth_read_write:
        return {kTests, kDepthRead | kDepthWrite, true, true, false, usage::kDepthAttachment};
    case Access::depth_read:
        return {kTests, kDepthRead, true, false, false, usage::kDepthAttachment};
    // At the end of rendering, resolves count as colour output, of depth too.
    case Access::resolve_write:
        return {stage::kColorOutput, kColorWrite, false, true, true, usage::kColorAttachment};
    case Access::index_read:
        return {stage::kIndexInput, kIndexRead, true, false, false, usage::kIndex};
    case Access::indirect_read:
        return {stage::kDrawIndirect, kIndirectRead, true, false, false, usage::kIndirect};
    case Access::copy_read:
        return {stage::kCopy, kTransferRead, true, false, false, usage::kTransferSource};
    case Access::copy_write:
        return {stage::kCopy, kTransferWrite, false, true, false, usage::kTransferDestination};
    case Access::blit_read:
        return {stage::kBlit, kTransferRead, true, false, false, usage::kTransferSource};
    case Access::blit_write:
        return {stage::kBlit, kTransferWrite, false, true, false, usage::kTransferDestination};
    case Access::clear_write:
        return {is_image ? stage::kClear : stage::kClear | stage::kCopy,
                kTransferWrite,
                false,
                true,
                true,
                usage::kTransferDestination};
    // Builds read their input as shaders do, but in a stage of their own, where structures and
    // scratch memory are read and written, too.
    case Access::acceleration_input:
        return {stage::kAccelerationBuild, kShaderRead, true, false, false,
                usage::kAccelerationInput};
    case Access::acceleration_read:
        return {stage::kAccelerationBuild, kAccelerationRead, true, false, false,
                usage::kAcceleration};
    case Access::acceleration_write:
        return {
            stage::kAccelerationBuild, kAccelerationRead | kAccelerationWrite, false, true, true,
            usage::kAcceleration};
    case Access::acceleration_scratch:
        return {stage::kAccelerationBuild,
                kAccelerationRead | kAccelerationWrite,
                false,
                true,
                true,
                usage::kStorage | usage::kDeviceAddress};
    case Access::acceleration_trace:
        return {shader, kAccelerationRead, true, false, false, usage::kAcceleration};
    case Access::ray_count_read:
        return {stage::kDrawIndirect,
                kIndirectRead,
                true,
                false,
                false,
                usage::kIndirect | usage::kDeviceAddress};
    case Access::host_read: return {stage::kHost, kHostRead, true, false, false, 0};
    case Access::host_node_read: return {stage::kHost, kHostRead, true, false, false, usage::kHost};
    // A host node may leave some of the bytes as they are.
    case Access::host_node_write:
        return {stage::kHost, kHostWrite, false, true, false, usage::kHost};
    // The presentation engine waits for a semaphore, which covers everything.
    case Access::present: return {stage::kNone, kNone, true, false, false, 0};
    }
    std::unreachable();
}

AccessRules rules_of(const AccessDesc& access, bool is_image) {
    return rules_of(access.access, access.shader_stages, is_image);
}

bool allows_layout(Access access, Layout layout, Format format) {
    if (access == Access::present) return layout == Layout::present;
    if (layout == Layout::general) return true;
    switch (access) {
    case Access::sampled:
        return layout == Layout::shader_read_only ||
               (layout == Layout::depth_read_only && info(format).depth);
    case Access::color_write:
    case Access::color_read_write:
    case Access::resolve_write: return layout == Layout::color_attachment;
    case Access::depth_write:
    case Access::depth_read_write: return layout == Layout::depth_attachment;
    case Access::depth_read:
        return layout == Layout::depth_read_only || layout == Layout::depth_attachment;
    case Access::copy_read:
    case Access::blit_read: return layout == Layout::transfer_source;
    case Access::copy_write:
    case Access::blit_write:
    case Access::clear_write: return layout == Layout::transfer_destination;
    default: return false; // storage and the host: general alone
    }
}

} // namespace tuff::oracle
