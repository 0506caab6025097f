#pragma once

#include "gpu/device/device_impl.hpp"
#include "tests/common/word_kernels.hpp"
#include "tests/gpu/counted_memory.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <tuff/host.hpp>

#include <optional>
#include <string>
#include <vector>

namespace tuff::testing_gpu {

inline constexpr BufferDesc kWords{.size = 16, .stride = 4};
inline constexpr ImageDesc kPicture{.format = Format::rgba8_unorm, .extent = {4, 2, 1}};

template <typename T>
std::vector<std::string> codes(const Result<T>& result) {
    std::vector<std::string> all;
    if (!result)
        for (const Diagnostic& d : result.error())
            all.push_back(d.code);
    return all;
}

/// A host that has made what the tests' device was made of, so that the validation layer watches.
class HostTest : public GpuTest {
  protected:
    DeviceImpl& host() { return device().impl(); }

    /// What a host would say of the tests' device.
    HostDevice description() {
        if (!needs_) {
            auto needs = DeviceNeeds::of(host().instance->handle(), host().physical);
            EXPECT_TRUE(needs) << to_string(needs.error());
            needs_.emplace(std::move(*needs));
        }
        HostDevice described{
            .instance = host().instance->handle(),
            .physical_device = host().physical,
            .device = host().handle,
            .queue = {.handle = host().graphics->handle, .family = host().graphics->family},
            .features = &needs_->features(),
            .debug_names = true};
        for (const char* name : needs_->extensions())
            described.extensions.emplace_back(name);
        return described;
    }
    Device adopted(const HostDevice& described) {
        auto device = adopt_device(described);
        EXPECT_TRUE(device) << to_string(device.error());
        return std::move(*device);
    }
    Executor executor_on(Device& device, Graph graph, CompileOptions options = {},
                         ExecutorOptions executor_options = {}) {
        const std::unique_ptr<MemoryModel> memory = memory_model(device);
        options.memory = memory.get();
        auto plan = compile(std::move(graph).finish(), device.caps(), options);
        EXPECT_TRUE(plan) << to_string(plan.error());
        auto executor = Executor::create(
            device, shaders(), std::make_shared<const Plan>(std::move(*plan)), executor_options);
        EXPECT_TRUE(executor) << to_string(executor.error());
        return std::move(*executor);
    }
    static std::vector<std::uint32_t> words(Executor& executor, std::string_view output) {
        const auto bytes = executor.read_buffer(output);
        EXPECT_TRUE(bytes) << to_string(bytes.error());
        std::vector<std::uint32_t> values(bytes->size() / 4);
        std::memcpy(values.data(), bytes->data(), bytes->size());
        return values;
    }

  private:
    std::optional<DeviceNeeds> needs_;
};

/// Commands of the host's, submitted and waited for one at a time.
class HostCommands {
  public:
    explicit HostCommands(DeviceImpl& device) : device_(device) {
        VkCommandPoolCreateInfo pool{};
        pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
        pool.queueFamilyIndex = device.graphics->family;
        EXPECT_EQ(device.vk.vkCreateCommandPool(device.handle, &pool, nullptr, &pool_), VK_SUCCESS);
    }
    ~HostCommands() { device_.vk.vkDestroyCommandPool(device_.handle, pool_, nullptr); }
    HostCommands(const HostCommands&) = delete;
    HostCommands& operator=(const HostCommands&) = delete;

    VkCommandBuffer begin() {
        VkCommandBufferAllocateInfo info{};
        info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
        info.commandPool = pool_;
        info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
        info.commandBufferCount = 1;
        VkCommandBuffer commands = VK_NULL_HANDLE;
        EXPECT_EQ(device_.vk.vkAllocateCommandBuffers(device_.handle, &info, &commands),
                  VK_SUCCESS);
        VkCommandBufferBeginInfo begin{};
        begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
        EXPECT_EQ(device_.vk.vkBeginCommandBuffer(commands, &begin), VK_SUCCESS);
        return commands;
    }
    void end_and_submit(VkCommandBuffer commands, std::vector<VkSemaphoreSubmitInfo> wait = {},
                        std::vector<VkSemaphoreSubmitInfo> signal = {}) {
        EXPECT_EQ(device_.vk.vkEndCommandBuffer(commands), VK_SUCCESS);
        VkCommandBufferSubmitInfo one{};
        one.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO;
        one.commandBuffer = commands;
        VkSubmitInfo2 submit{};
        submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2;
        submit.commandBufferInfoCount = 1;
        submit.pCommandBufferInfos = &one;
        submit.waitSemaphoreInfoCount = static_cast<std::uint32_t>(wait.size());
        submit.pWaitSemaphoreInfos = wait.data();
        submit.signalSemaphoreInfoCount = static_cast<std::uint32_t>(signal.size());
        submit.pSignalSemaphoreInfos = signal.data();
        EXPECT_EQ(device_.vk.vkQueueSubmit2(device_.graphics->handle, 1, &submit, VK_NULL_HANDLE),
                  VK_SUCCESS);
    }
    void wait_idle() { device_.vk.vkQueueWaitIdle(device_.graphics->handle); }

  private:
    DeviceImpl& device_;
    VkCommandPool pool_ = VK_NULL_HANDLE;
};

/// A timeline semaphore of the host's.
class Timeline {
  public:
    explicit Timeline(DeviceImpl& device) : device_(device) {
        VkSemaphoreTypeCreateInfo type{};
        type.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO;
        type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
        VkSemaphoreCreateInfo info{};
        info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
        info.pNext = &type;
        EXPECT_EQ(device.vk.vkCreateSemaphore(device.handle, &info, nullptr, &handle), VK_SUCCESS);
    }
    ~Timeline() { device_.vk.vkDestroySemaphore(device_.handle, handle, nullptr); }
    Timeline(const Timeline&) = delete;
    Timeline& operator=(const Timeline&) = delete;

    VkSemaphoreSubmitInfo at(std::uint64_t value) const {
        VkSemaphoreSubmitInfo info{};
        info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO;
        info.semaphore = handle;
        info.value = value;
        info.stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
        return info;
    }

    VkSemaphore handle = VK_NULL_HANDLE;

  private:
    DeviceImpl& device_;
};

/// A binary semaphore of the host's.
class BinarySemaphore {
  public:
    explicit BinarySemaphore(DeviceImpl& device) : device_(device) {
        VkSemaphoreCreateInfo info{};
        info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
        EXPECT_EQ(device.vk.vkCreateSemaphore(device.handle, &info, nullptr, &handle), VK_SUCCESS);
    }
    ~BinarySemaphore() { device_.vk.vkDestroySemaphore(device_.handle, handle, nullptr); }
    BinarySemaphore(const BinarySemaphore&) = delete;
    BinarySemaphore& operator=(const BinarySemaphore&) = delete;

    VkSemaphoreSubmitInfo info() const {
        VkSemaphoreSubmitInfo info{};
        info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO;
        info.semaphore = handle;
        info.stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
        return info;
    }

    VkSemaphore handle = VK_NULL_HANDLE;

  private:
    DeviceImpl& device_;
};

/// A picture of the host's, in memory of its own.
class HostPicture {
  public:
    explicit HostPicture(DeviceImpl& device) : device_(device) {
        info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
        info.imageType = VK_IMAGE_TYPE_2D;
        info.format = VK_FORMAT_R8G8B8A8_UNORM;
        info.extent = {kPicture.extent.width, kPicture.extent.height, 1};
        info.mipLevels = info.arrayLayers = 1;
        info.samples = VK_SAMPLE_COUNT_1_BIT;
        info.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
        const VolkDeviceTable& vk = device.vk;
        EXPECT_EQ(vk.vkCreateImage(device.handle, &info, nullptr, &handle), VK_SUCCESS);
        VkMemoryRequirements needs{};
        vk.vkGetImageMemoryRequirements(device.handle, handle, &needs);
        VkMemoryAllocateInfo allocate{};
        allocate.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
        allocate.allocationSize = needs.size;
        allocate.memoryTypeIndex = *device.find_memory_type(needs.memoryTypeBits, 0);
        EXPECT_EQ(vk.vkAllocateMemory(device.handle, &allocate, nullptr, &memory_), VK_SUCCESS);
        EXPECT_EQ(vk.vkBindImageMemory(device.handle, handle, memory_, 0), VK_SUCCESS);
    }
    ~HostPicture() {
        device_.vk.vkDeviceWaitIdle(device_.handle);
        device_.vk.vkDestroyImage(device_.handle, handle, nullptr);
        device_.vk.vkFreeMemory(device_.handle, memory_, nullptr);
    }
    HostPicture(const HostPicture&) = delete;
    HostPicture& operator=(const HostPicture&) = delete;

    VkImageCreateInfo info{};
    VkImage handle = VK_NULL_HANDLE;

  private:
    DeviceImpl& device_;
    VkDeviceMemory memory_ = VK_NULL_HANDLE;
};

} // namespace tuff::testing_gpu
