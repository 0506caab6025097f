#pragma once

#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

/// What the Vulkan layers of tests share: how a layer finds the next one.
namespace tuff::test {

/// What all handles of a device's have in common: its dispatch table.
template <typename Handle>
void* key_of(Handle handle) {
    return *reinterpret_cast<void**>(handle);
}

/// The structure of the loader's by which layers find the next one.
template <typename Info>
Info* link_of(const void* chain, VkStructureType type) {
    for (auto* s = static_cast<const VkBaseInStructure*>(chain); s; s = s->pNext) {
        auto* const info = reinterpret_cast<Info*>(const_cast<VkBaseInStructure*>(s));
        if (s->sType == type && info->function == VK_LAYER_LINK_INFO) return info;
    }
    return nullptr;
}

} // namespace tuff::test
