#pragma once

#include "gpu/device/vulkan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

namespace tuff::testing_gpu {

/// Host memory that is counted.
class CountedMemory {
  public:
    VkAllocationCallbacks callbacks{.pUserData = this,
                                    .pfnAllocation = allocate,
                                    .pfnReallocation = reallocate,
                                    .pfnFree = release};
    std::size_t calls = 0;
    std::size_t live() const {
        const std::lock_guard lock(mutex_);
        return blocks_.size();
    }

  private:
    static void* VKAPI_PTR allocate(void* self, std::size_t size, std::size_t alignment,
                                    VkSystemAllocationScope) {
        auto& memory = *static_cast<CountedMemory*>(self);
        const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
        void* const block = std::aligned_alloc(std::max(alignment, sizeof(void*)),
                                               std::max(rounded, sizeof(void*)));
        const std::lock_guard lock(memory.mutex_);
        ++memory.calls;
        memory.blocks_[block] = size;
        return block;
    }
    static void* VKAPI_PTR reallocate(void* self, void* old, std::size_t size,
                                      std::size_t alignment, VkSystemAllocationScope scope) {
        if (size == 0) {
            release(self, old);
            return nullptr;
        }
        void* const block = allocate(self, size, alignment, scope);
        if (!old) return block;
        auto& memory = *static_cast<CountedMemory*>(self);
        std::memcpy(block, old, std::min(size, memory.blocks_[old]));
        release(self, old);
        return block;
    }
    static void VKAPI_PTR release(void* self, void* block) {
        if (!block) return;
        auto& memory = *static_cast<CountedMemory*>(self);
        {
            const std::lock_guard lock(memory.mutex_);
            EXPECT_EQ(memory.blocks_.erase(block), 1u) << "freed, but not allocated here";
        }
        std::free(block);
    }

    mutable std::mutex mutex_;
    std::map<void*, std::size_t> blocks_;
};

} // namespace tuff::testing_gpu
