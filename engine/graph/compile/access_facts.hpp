#pragma once

#include <tuff/access.hpp>

#include <array>
#include <string_view>

namespace tuff {

/// What there is to know about a kind of access.
struct AccessFacts {
    Access access;
    std::string_view name;
    bool reads;
    bool writes;
    StageMask stages; ///< kNone: the shader stages of the use
    MemoryMask memory;
    Layout layout;
    UsageMask usage;
};

/// In the order of the enumerators.
inline constexpr std::array kAccessFacts = [] {
    using namespace memory;
    constexpr StageMask kDepthStages = stage::kEarlyDepth | stage::kLateDepth;
    return std::array{
        AccessFacts{Access::uniform_read, "reads uniforms from", true, false, stage::kNone,
                    kUniformRead, Layout::undefined, usage::kUniform},
        AccessFacts{Access::storage_read, "reads", true, false, stage::kNone, kStorageRead,
                    Layout::general, usage::kStorage},
        AccessFacts{Access::storage_write, "writes", false, true, stage::kNone, kStorageWrite,
                    Layout::general, usage::kStorage},
        AccessFacts{Access::storage_read_write, "updates in place", true, true, stage::kNone,
                    kStorageRead | kStorageWrite, Layout::general, usage::kStorage},
        AccessFacts{Access::accumulate, "accumulates into", true, true, stage::kNone,
                    kStorageRead | kStorageWrite, Layout::general, usage::kStorage},
        AccessFacts{Access::sampled, "samples", true, false, stage::kNone, kSampledRead,
                    Layout::shader_read_only, usage::kSampled},
        AccessFacts{Access::color_write, "draws into", false, true, stage::kColorOutput,
                    kColorRead | kColorWrite, Layout::color_attachment, usage::kColorAttachment},
        AccessFacts{Access::color_read_write, "draws onto", true, true, stage::kColorOutput,
                    kColorRead | kColorWrite, Layout::color_attachment, usage::kColorAttachment},
        AccessFacts{Access::depth_write, "writes depth to", false, true, kDepthStages,
                    kDepthRead | kDepthWrite, Layout::depth_attachment, usage::kDepthAttachment},
        AccessFacts{Access::depth_read_write, "tests and writes depth in", true, true, kDepthStages,
                    kDepthRead | kDepthWrite, Layout::depth_attachment, usage::kDepthAttachment},
        AccessFacts{Access::depth_read, "tests depth against", true, false, kDepthStages,
                    kDepthRead, Layout::depth_read_only, usage::kDepthAttachment},
        AccessFacts{Access::resolve_write, "resolves into", false, true, stage::kColorOutput,
                    kColorWrite, Layout::color_attachment, usage::kColorAttachment},
        AccessFacts{Access::index_read, "reads indices from", true, false, stage::kIndexInput,
                    kIndexRead, Layout::undefined, usage::kIndex},
        AccessFacts{Access::indirect_read, "reads indirect arguments from", true, false,
                    stage::kDrawIndirect, kIndirectRead, Layout::undefined, usage::kIndirect},
        AccessFacts{Access::copy_read, "copies from", true, false, stage::kCopy, kTransferRead,
                    Layout::transfer_source, usage::kTransferSource},
        AccessFacts{Access::copy_write, "copies into", false, true, stage::kCopy, kTransferWrite,
                    Layout::transfer_destination, usage::kTransferDestination},
        AccessFacts{Access::blit_read, "blits from", true, false, stage::kBlit, kTransferRead,
                    Layout::transfer_source, usage::kTransferSource},
        AccessFacts{Access::blit_write, "blits into", false, true, stage::kBlit, kTransferWrite,
                    Layout::transfer_destination, usage::kTransferDestination},
        AccessFacts{Access::clear_write, "clears", false, true, stage::kClear, kTransferWrite,
                    Layout::transfer_destination, usage::kTransferDestination},
        AccessFacts{Access::acceleration_input, "builds from", true, false,
                    stage::kAccelerationBuild, kShaderRead, Layout::undefined,
                    usage::kAccelerationInput},
        AccessFacts{Access::acceleration_read, "builds on", true, false, stage::kAccelerationBuild,
                    kAccelerationRead, Layout::undefined, usage::kAcceleration},
        AccessFacts{Access::acceleration_write, "builds", false, true, stage::kAccelerationBuild,
                    kAccelerationRead | kAccelerationWrite, Layout::undefined,
                    usage::kAcceleration},
        AccessFacts{Access::acceleration_scratch, "uses as scratch", false, true,
                    stage::kAccelerationBuild, kAccelerationRead | kAccelerationWrite,
                    Layout::undefined, usage::kStorage | usage::kDeviceAddress},
        AccessFacts{Access::acceleration_trace, "traces rays through", true, false, stage::kNone,
                    kAccelerationRead, Layout::undefined, usage::kAcceleration},
        AccessFacts{Access::ray_count_read, "reads ray counts from", true, false,
                    stage::kDrawIndirect, kIndirectRead, Layout::undefined,
                    usage::kIndirect | usage::kDeviceAddress},
        AccessFacts{Access::host_read, "lets the host read", true, false, stage::kHost, kHostRead,
                    Layout::general, 0},
        AccessFacts{Access::host_node_read, "reads on the host", true, false, stage::kHost,
                    kHostRead, Layout::undefined, usage::kHost},
        AccessFacts{Access::host_node_write, "writes on the host", false, true, stage::kHost,
                    kHostWrite, Layout::undefined, usage::kHost},
        AccessFacts{Access::present, "presents", true, false, stage::kNone, kNone, Layout::present,
                    0},
    };
}();

consteval bool access_facts_are_in_order() {
    for (std::size_t i = 0; i < kAccessFacts.size(); ++i)
        if (static_cast<std::size_t>(kAccessFacts[i].access) != i) return false;
    return kAccessFacts.size() == static_cast<std::size_t>(Access::present) + 1;
}
static_assert(access_facts_are_in_order());

inline const AccessFacts& facts_of(Access access) {
    return kAccessFacts[static_cast<std::size_t>(access)];
}

} // namespace tuff
