// Resources of the host's own, and nodes that it records itself.

#include "gpu/device/device_impl.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <tuff/vulkan.hpp>

#include <gmock/gmock.h>

namespace tuff::testing_gpu {
namespace {

/// A buffer as a host makes one.
class HostBuffer {
  public:
    HostBuffer(const DeviceImpl& device, std::uint64_t size) : device_(device) {
        VkBufferCreateInfo info{};
        info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
        info.size = size;
        info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                     VK_BUFFER_USAGE_TRANSFER_DST_BIT;
        EXPECT_EQ(device.vk.vkCreateBuffer(device.handle, &info, nullptr, &buffer_), VK_SUCCESS);
        VkMemoryRequirements needs{};
        device.vk.vkGetBufferMemoryRequirements(device.handle, buffer_, &needs);
        VkMemoryAllocateInfo allocate{};
        allocate.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
        allocate.allocationSize = needs.size;
        allocate.memoryTypeIndex = *device.find_memory_type(needs.memoryTypeBits, 0);
        EXPECT_EQ(device.vk.vkAllocateMemory(device.handle, &allocate, nullptr, &memory_),
                  VK_SUCCESS);
        EXPECT_EQ(device.vk.vkBindBufferMemory(device.handle, buffer_, memory_, 0), VK_SUCCESS);
    }
    ~HostBuffer() {
        device_.vk.vkDeviceWaitIdle(device_.handle);
        device_.vk.vkDestroyBuffer(device_.handle, buffer_, nullptr);
        device_.vk.vkFreeMemory(device_.handle, memory_, nullptr);
    }
    HostBuffer(const HostBuffer&) = delete;
    HostBuffer& operator=(const HostBuffer&) = delete;
    VkBuffer handle() const { return buffer_; }

  private:
    const DeviceImpl& device_;
    VkBuffer buffer_ = VK_NULL_HANDLE;
    VkDeviceMemory memory_ = VK_NULL_HANDLE;
};

using ExecutorImportTest = GpuTest;

const ImportState kUnused{.first = {stage::kNone, memory::kNone, Layout::undefined},
                          .last = {stage::kNone, memory::kNone, Layout::undefined}};

TEST_F(ExecutorImportTest, CustomNodesRecordIntoImportsThatLaterExecutionsExchange) {
    constexpr std::uint64_t kBytes = 256;
    const HostBuffer first(device().impl(), kBytes);
    const HostBuffer second(device().impl(), kBytes);
    const VolkDeviceTable& vk = device().impl().vk;

    Graph g = graph();
    const Buffer mine = g.import_buffer("mine", {.size = kBytes}, kUnused);
    auto node = g.custom("fill", [&vk](CommandContext& context) {
        const Range range = context.range(0);
        EXPECT_EQ(context.image(0), VkImage(VK_NULL_HANDLE));
        vk.vkCmdFillBuffer(context.commands(), context.buffer(0), range.offset, range.size, 0x2a);
    });
    const Buffer filled = node.write(mine, Access::clear_write);
    g.output("copy", g.copy(filled, g.buffer("copy", {.size = kBytes})));
    Running running = start(std::move(g));
    ASSERT_TRUE(running);
    for (const HostBuffer* buffer : {&first, &second, &first}) {
        ASSERT_TRUE(bind_import(*running, "mine", buffer->handle()));
        running.execute();
        EXPECT_THAT(running.buffer<std::uint32_t>("copy"), testing::Each(0x2au));
    }
}

TEST_F(ExecutorImportTest, NothingRunsBeforeEveryImportIsBound) {
    Graph g = graph();
    const Buffer mine = g.import_buffer("mine", {.size = 16}, kUnused);
    g.output("copy", g.copy(mine, g.buffer("copy", {.size = 16})));
    Running running = start(std::move(g));
    ASSERT_TRUE(running);
    const auto done = running->execute();
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error()[0].code, "gpu/import-missing");
}

TEST_F(ExecutorImportTest, AnImportThatIsOnlyHandedBackMustBeBoundToo) {
    Graph g = graph();
    const ImportState turned{
        .first = {stage::kCompute, memory::kStorageWrite, Layout::general},
        .last = {stage::kFragmentShader, memory::kSampledRead, Layout::shader_read_only}};
    (void)g.import_image("mine", {.format = Format::rgba8_unorm, .extent = {8, 8}}, turned);
    auto node = g.custom("other");
    node.keep();
    Running running = start(std::move(g));
    ASSERT_TRUE(running);
    const auto done = running->execute();
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error()[0].code, "gpu/import-missing");
}

TEST_F(ExecutorImportTest, AnUnknownImportIsRefused) {
    Graph g = graph();
    g.custom("nothing").keep();
    Running running = start(std::move(g));
    ASSERT_TRUE(running);
    const auto bound = bind_import(*running, "mine", VkBuffer(VK_NULL_HANDLE));
    ASSERT_FALSE(bound);
    EXPECT_EQ(bound.error()[0].code, "gpu/unknown-import");
}

} // namespace
} // namespace tuff::testing_gpu
