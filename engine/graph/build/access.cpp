#include "graph/compile/access_facts.hpp"

#include <utility>

namespace tuff {

bool reads(Access access) {
    return facts_of(access).reads;
}
bool writes(Access access) {
    return facts_of(access).writes;
}
bool suits_images(Access access) {
    return facts_of(access).layout != Layout::undefined;
}
bool suits_buffers(Access access) {
    switch (facts_of(access).layout) {
    case Layout::undefined: return true;
    case Layout::general: return true;
    case Layout::transfer_source: return access == Access::copy_read;
    case Layout::transfer_destination:
        return access == Access::copy_write || access == Access::clear_write;
    default: return false;
    }
}
UsageMask usage_of(Access access) {
    return facts_of(access).usage;
}
std::string_view name_of(Access access) {
    return facts_of(access).name;
}

Scope scope_of(Access access, StageMask shader_stages, bool is_image) {
    const AccessFacts& f = facts_of(access);
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
