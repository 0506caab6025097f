#include <tuff/access.hpp>

#include <array>
#include <utility>

namespace tuff {
namespace {

using namespace memory;

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

constexpr StageMask kDepthStages = stage::kEarlyDepth | stage::kLateDepth;

// In the order of the enumerators.
constexpr std::array kFacts = {
    AccessFacts{Access::uniform_read, "reads as uniforms", true, false, stage::kNone, kUniformRead,
                Layout::undefined, usage::kUniform},
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
    AccessFacts{Access::depth_read, "tests depth against", true, false, kDepthStages, kDepthRead,
                Layout::depth_read_only, usage::kDepthAttachment},
    AccessFacts{Access::resolve_write, "resolves into", false, true, stage::kColorOutput,
                kColorWrite, Layout::color_attachment, usage::kColorAttachment},
    AccessFacts{Access::index_read, "reads indices from", true, false, stage::kIndexInput,
                kIndexRead, Layout::undefined, usage::kIndex},
    AccessFacts{Access::indirect_read, "reads arguments from", true, false, stage::kDrawIndirect,
                kIndirectRead, Layout::undefined, usage::kIndirect},
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
    AccessFacts{Access::host_read, "is read by the host from", true, false, stage::kHost, kHostRead,
                Layout::general, 0},
    AccessFacts{Access::present, "presents", true, false, stage::kNone, kNone, Layout::present, 0},
};

const AccessFacts& facts(Access access) {
    return kFacts[static_cast<std::size_t>(access)];
}

consteval bool in_order() {
    for (std::size_t i = 0; i < kFacts.size(); ++i)
        if (static_cast<std::size_t>(kFacts[i].access) != i) return false;
    return kFacts.size() == static_cast<std::size_t>(Access::present) + 1;
}
static_assert(in_order());

} // namespace

bool reads(Access access) {
    return facts(access).reads;
}
bool writes(Access access) {
    return facts(access).writes;
}
bool suits_images(Access access) {
    return facts(access).layout != Layout::undefined;
}
bool suits_buffers(Access access) {
    switch (facts(access).layout) {
    case Layout::undefined: return true;
    case Layout::general: return true;
    case Layout::transfer_source: return access == Access::copy_read;
    case Layout::transfer_destination:
        return access == Access::copy_write || access == Access::clear_write;
    default: return false;
    }
}
UsageMask usage_of(Access access) {
    return facts(access).usage;
}
std::string_view name_of(Access access) {
    return facts(access).name;
}

Scope scope_of(Access access, StageMask shader_stages, bool is_image) {
    const AccessFacts& f = facts(access);
    StageMask stages = f.stages == stage::kNone ? shader_stages : f.stages;
    // Vulkan long left open whether filling a buffer is a clear or a copy, and validation layers
    // of that time say copy.
    if (access == Access::clear_write && !is_image) stages |= stage::kCopy;
    return {stages, f.memory, is_image ? f.layout : Layout::undefined};
}

std::string_view name_of(Layout layout) {
    switch (layout) {
    case Layout::undefined: return "undefined";
    case Layout::general: return "general";
    case Layout::color_attachment: return "color_attachment";
    case Layout::depth_attachment: return "depth_attachment";
    case Layout::depth_read_only: return "depth_read_only";
    case Layout::shader_read_only: return "shader_read_only";
    case Layout::transfer_source: return "transfer_source";
    case Layout::transfer_destination: return "transfer_destination";
    case Layout::present: return "present";
    }
    std::unreachable();
}

} // namespace tuff
