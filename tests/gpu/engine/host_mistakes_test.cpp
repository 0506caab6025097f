// What a host gets wrong: each mistake is told by name, and the right call that follows works.

#include "gpu/device/one_off.hpp"
#include "gpu/memory/memory.hpp"
#include "host_fixture.hpp"

#include <tuff/vulkan.hpp>

#include <set>

namespace tuff::testing_gpu {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

/// Expects exactly one diagnostic, of this code, with a hint, that has `word` in it.
template <typename T>
void expect_mistake(const Result<T>& result, std::string_view code, const std::string& word) {
    ASSERT_FALSE(result) << "nothing was found wrong; expected: " << word;
    EXPECT_THAT(codes(result), ElementsAre(code)) << to_string(result.error());
    EXPECT_NE(result.error()[0].hint, "") << to_string(result.error());
    EXPECT_THAT(to_string(result.error()), HasSubstr(word));
}

// --- devices ------------------------------------------------------------------------------------

class HostDeviceMistakes : public HostTest {
  protected:
    /// That a right description is still taken, and the device works.
    void expect_life_goes_on() {
        Device device = adopted(description());
        Graph g = graph();
        g.output("words", test::iota(g, "iota", kWords, 7));
        Executor executor = executor_on(device, std::move(g));
        ASSERT_TRUE(executor.execute());
        EXPECT_THAT(words(executor, "words"), ElementsAre(7, 8, 9, 10));
    }
};

/// The flags of a feature structure, which follow one another after its type and chain.
std::span<VkBool32> flags_of(VkBaseOutStructure& s) {
    const auto all = [&](std::size_t bytes) {
        return std::span(reinterpret_cast<VkBool32*>(&s + 1),
                         (bytes - sizeof(s)) / sizeof(VkBool32));
    };
    switch (s.sType) {
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2:
        return all(sizeof(VkPhysicalDeviceFeatures2));
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES:
        return all(sizeof(VkPhysicalDeviceVulkan11Features));
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES:
        return all(sizeof(VkPhysicalDeviceVulkan12Features));
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES:
        return all(sizeof(VkPhysicalDeviceVulkan13Features));
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT:
        return all(sizeof(VkPhysicalDeviceShaderAtomicFloatFeaturesEXT));
    default: return {};
    }
}

TEST_F(HostDeviceMistakes, EveryNeedThatIsNotTurnedOnIsNamed) {
    const HostDevice described = description();
    auto* const chain = const_cast<VkPhysicalDeviceFeatures2*>(described.features);
    std::set<std::string> refused;
    unsigned taken = 0;
    for (auto* s = reinterpret_cast<VkBaseOutStructure*>(chain); s; s = s->pNext)
        for (VkBool32& flag : flags_of(*s)) {
            if (flag != VK_TRUE) continue;
            flag = VK_FALSE;
            const auto device = adopt_device(described);
            flag = VK_TRUE;
            if (device) {
                ++taken; // an optional one: Tuff does without
                continue;
            }
            expect_mistake(device, "device/missing-feature", "DeviceNeeds");
            const std::string& message = device.error()[0].message;
            const std::size_t name = message.find(" lacks ") + 7;
            refused.insert(message.substr(name, message.find(',', name) - name));
        }
    EXPECT_THAT(refused,
                testing::UnorderedElementsAre(
                    "dynamicRendering", "synchronization2", "maintenance4", "timelineSemaphore",
                    "hostQueryReset", "robustBufferAccess", "independentBlend", "multiDrawIndirect",
                    "drawIndirectFirstInstance", "fragmentStoresAndAtomics", "sampleRateShading",
                    "vertexPipelineStoresAndAtomics", "shaderStorageImageExtendedFormats",
                    "shaderStorageImageWriteWithoutFormat"));
    EXPECT_GT(taken, 0u);
    expect_life_goes_on();
}

TEST_F(HostDeviceMistakes, AFeatureWithoutItsExtensionIsNotUsed) {
    HostDevice described = description();
    VkPhysicalDeviceShaderAtomicFloatFeaturesEXT atomics{};
    atomics.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT;
    atomics.pNext = described.features->pNext;
    atomics.shaderBufferFloat32AtomicAdd = VK_TRUE;
    VkPhysicalDeviceFeatures2 features = *described.features;
    features.pNext = &atomics;
    described.features = &features;
    const std::vector<std::string> all = described.extensions;
    for (const std::string& without : all) {
        std::erase(described.extensions, without);
        adopted(described);
        described.extensions = all;
    }
    described.extensions.clear();
    const Device device = adopted(described);
    EXPECT_FALSE(device.caps().float_atomic_add);
    EXPECT_FALSE(device.caps().conservative_raster);
    EXPECT_FALSE(device.caps().memory_budget);
    EXPECT_FALSE(device.caps().acceleration_structures);
    expect_life_goes_on();
}

TEST_F(HostDeviceMistakes, HandlesThatAreNullAreNamed) {
    expect_mistake(DeviceNeeds::of(VK_NULL_HANDLE, host().physical), "device/host", "instance");
    expect_mistake(DeviceNeeds::of(host().instance->handle(), VK_NULL_HANDLE), "device/host",
                   "physical device");
    const auto refused = [&](const std::string& word, auto change) {
        HostDevice described = description();
        change(described);
        SCOPED_TRACE(word);
        expect_mistake(adopt_device(described), "device/host", word);
    };
    refused("instance", [](HostDevice& host) { host.instance = VK_NULL_HANDLE; });
    refused("physical device", [](HostDevice& host) { host.physical_device = VK_NULL_HANDLE; });
    refused("device", [](HostDevice& host) { host.device = VK_NULL_HANDLE; });
    refused("features", [](HostDevice& host) { host.features = nullptr; });
    refused("\"queue\" has no handle", [](HostDevice& host) { host.queue.handle = nullptr; });
    refused("\"compute\" has no handle", [](HostDevice& host) { host.compute.emplace(); });
    refused("\"transfer\" has no handle", [](HostDevice& host) { host.transfer.emplace(); });
    VkAllocationCallbacks empty{};
    refused("allocator", [&](HostDevice& host) { host.allocator = &empty; });
    expect_life_goes_on();
}

TEST_F(HostDeviceMistakes, QueuesThatCannotBeAreNamed) {
    const auto refused = [&](const std::string& word, auto change) {
        HostDevice described = description();
        change(described);
        SCOPED_TRACE(word);
        expect_mistake(adopt_device(described), "device/host", word);
    };
    refused("there are", [](HostDevice& host) { host.queue.family = 99; });
    refused("\"queue\" and \"compute\"", [](HostDevice& host) { host.compute = host.queue; });
    refused("\"queue\" and \"transfer\"", [](HostDevice& host) { host.transfer = host.queue; });
    // The handles of others do not matter here, as long as they differ from the first.
    const auto other = reinterpret_cast<VkQueue>(std::uintptr_t{64});
    refused("\"compute\" and \"transfer\"", [&](HostDevice& host) {
        host.compute = host.transfer = HostQueue{.handle = other, .family = host.queue.family};
    });
    refused("unlock", [](HostDevice& host) { host.queue.lock = [] {}; });
    std::uint32_t count = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(host().physical, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    vkGetPhysicalDeviceQueueFamilyProperties(host().physical, &count, families.data());
    for (std::uint32_t family = 0; family < count; ++family)
        if ((families[family].queueFlags & VK_QUEUE_GRAPHICS_BIT) == 0)
            refused("does not draw and compute",
                    [&](HostDevice& host) { host.queue.family = family; });
    expect_life_goes_on();
}

TEST_F(HostDeviceMistakes, ExtensionsThatTheDeviceLacksAreNamed) {
    HostDevice described = description();
    described.extensions.emplace_back("VK_XYZ_unheard_of");
    expect_mistake(adopt_device(described), "device/host", "VK_XYZ_unheard_of");
    expect_life_goes_on();
}

// --- imports ------------------------------------------------------------------------------------

class HostImportMistakes : public HostTest {
  protected:
    /// Copies the host's picture, which it leaves as a source of copies.
    Running copying() {
        Graph g = graph();
        const Scope mine{stage::kCopy, memory::kTransferRead, Layout::transfer_source};
        const Image picture = g.import_image("mine", kPicture, {.first = mine, .last = mine});
        g.output("copy", g.copy(picture, g.image("copy", kPicture)));
        return start(std::move(g));
    }
    ImportedImage told(const HostPicture& picture) {
        return {.handle = picture.handle,
                .info = picture.info,
                .layout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                .family = host().graphics->family};
    }
    /// Fills the picture with red and makes it a source of copies.
    void paint(HostPicture& picture) {
        HostCommands commands(host());
        const VkCommandBuffer buffer = commands.begin();
        const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
        record_layout_change(host(), buffer, picture.handle, all, VK_IMAGE_LAYOUT_UNDEFINED,
                             VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                             {VK_PIPELINE_STAGE_2_NONE, VK_ACCESS_2_NONE,
                              VK_PIPELINE_STAGE_2_CLEAR_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT});
        const VkClearColorValue red{{1, 0, 0, 1}};
        host().vk.vkCmdClearColorImage(buffer, picture.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                       &red, 1, &all);
        record_layout_change(host(), buffer, picture.handle, all,
                             VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                             VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                             {VK_PIPELINE_STAGE_2_CLEAR_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                              VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT});
        commands.end_and_submit(buffer);
        commands.wait_idle();
    }
};

TEST_F(HostImportMistakes, ImagesThatAreNotWhatTheGraphDeclaresAreNamed) {
    HostPicture picture(host());
    paint(picture);
    Running running = copying();
    ASSERT_TRUE(running);
    const auto refused = [&](const std::string& word, auto change) {
        ImportedImage image = told(picture);
        change(image);
        SCOPED_TRACE(word);
        expect_mistake(bind_import(*running, "mine", image), "gpu/import-mismatch", word);
    };
    refused("shader_read_only",
            [](ImportedImage& image) { image.layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL; });
    refused("undefined", [](ImportedImage& image) { image.layout = VK_IMAGE_LAYOUT_UNDEFINED; });
    refused("rgba8_unorm",
            [](ImportedImage& image) { image.info.format = VK_FORMAT_B8G8R8A8_UNORM; });
    refused("5x2x1", [](ImportedImage& image) { image.info.extent.width = 5; });
    refused("mip levels", [](ImportedImage& image) { image.info.mipLevels = 2; });
    refused("layers", [](ImportedImage& image) { image.info.arrayLayers = 2; });
    refused("samples", [](ImportedImage& image) { image.info.samples = VK_SAMPLE_COUNT_4_BIT; });
    refused("VkImageType", [](ImportedImage& image) { image.info.imageType = VK_IMAGE_TYPE_3D; });
    refused("transfer source",
            [](ImportedImage& image) { image.info.usage = VK_IMAGE_USAGE_SAMPLED_BIT; });
    refused("queue family", [](ImportedImage& image) { image.family += 1; });
    const std::uint32_t strangers[] = {98, 99};
    refused("families", [&](ImportedImage& image) {
        image.info.sharingMode = VK_SHARING_MODE_CONCURRENT;
        image.info.queueFamilyIndexCount = 2;
        image.info.pQueueFamilyIndices = strangers;
    });
    // Nothing was bound meanwhile; and what is right is taken.
    expect_mistake(running->execute(), "gpu/import-missing", "mine");
    const auto bound = bind_import(*running, "mine", told(picture));
    ASSERT_TRUE(bound) << to_string(bound.error());
    running.execute();
    EXPECT_EQ(running.image("copy").texel(3, 1)[0], 1.0f);
}

TEST_F(HostImportMistakes, SeveralMistakesAreToldTogether) {
    const HostPicture picture(host());
    Running running = copying();
    ASSERT_TRUE(running);
    ImportedImage image = told(picture);
    image.info.extent.height = 9;
    image.info.usage = 0;
    image.layout = VK_IMAGE_LAYOUT_GENERAL;
    EXPECT_THAT(codes(bind_import(*running, "mine", image)),
                ElementsAre("gpu/import-mismatch", "gpu/import-mismatch", "gpu/import-mismatch"));
}

TEST_F(HostImportMistakes, BuffersThatAreNotWhatTheGraphDeclaresAreNamed) {
    const auto buffer =
        create_host_buffer(host(), kWords.size, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, HostUse::write);
    ASSERT_TRUE(buffer);
    const std::uint32_t words[] = {4, 3, 2, 1};
    std::memcpy(buffer->bytes.data(), words, sizeof(words));
    Graph g = graph();
    const Buffer mine = g.import_buffer("mine", kWords, {});
    g.output("copy", g.copy(mine, g.buffer("copy", kWords)));
    Running running = start(std::move(g));
    ASSERT_TRUE(running);
    ImportedBuffer told{.handle = buffer->buffer.get()};
    told.info.size = kWords.size;
    told.info.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
    const auto refused = [&](const std::string& word, auto change) {
        ImportedBuffer wrong = told;
        change(wrong);
        expect_mistake(bind_import(*running, "mine", wrong), "gpu/import-mismatch", word);
    };
    refused("12 bytes", [](ImportedBuffer& wrong) { wrong.info.size = 12; });
    refused("transfer source", [](ImportedBuffer& wrong) { wrong.info.usage = 0; });
    refused("queue family", [&](ImportedBuffer& wrong) { wrong.family = 77; });
    ASSERT_TRUE(bind_import(*running, "mine", told));
    running.execute();
    EXPECT_THAT(running.buffer<std::uint32_t>("copy"), ElementsAre(4, 3, 2, 1));
}

TEST_F(HostImportMistakes, NullAndUnknownImportsAreNamed) {
    HostPicture picture(host());
    paint(picture);
    Running running = copying();
    ASSERT_TRUE(running);
    expect_mistake(bind_import(*running, "mine", VkImage(VK_NULL_HANDLE)), "gpu/import-missing",
                   "null");
    expect_mistake(bind_import(*running, "mien", picture.handle), "gpu/unknown-import", "mine");
    expect_mistake(running->execute(), "gpu/import-missing", "bind_import");
    ASSERT_TRUE(bind_import(*running, "mine", picture.handle));
    EXPECT_FALSE(bind_import(*running, "mine", VkImage(VK_NULL_HANDLE)));
    running.execute(); // with what it had
    EXPECT_EQ(running.image("copy").texel(0, 0)[0], 1.0f);
}

// --- executions ---------------------------------------------------------------------------------

class HostExecutionMistakes : public HostTest {
  protected:
    Graph counting() {
        Graph g = graph();
        const BufferHistory count = g.history_buffer("count", kWords, 1, 1);
        const Buffer next = test::sum(g, count.previous[0], count.previous[0], count.current);
        g.output("words", g.copy(next, g.buffer("copy", kWords)));
        return g;
    }
};

TEST_F(HostExecutionMistakes, SemaphoresThatAreNullAreNamed) {
    Running running = start(counting());
    ASSERT_TRUE(running);
    const HostSemaphore null{};
    expect_mistake(execute(*running, std::span(&null, 1), {}), "gpu/host-handle", "semaphore");
    expect_mistake(execute(*running, {}, std::span(&null, 1)), "gpu/host-handle", "semaphore");
    running.execute();
    EXPECT_THAT(running.buffer<std::uint32_t>("words"), testing::Each(2u)); // one execution
}

TEST_F(HostExecutionMistakes, CommandBuffersThatCannotBeAreNamed) {
    Device device = adopted(description());
    Executor executor = executor_on(device, counting());
    HostCommands commands(host());
    const VkCommandBuffer buffer = commands.begin();
    expect_mistake(record(executor, VK_NULL_HANDLE), "gpu/host-handle", "null");
    expect_mistake(record(executor, buffer, host().graphics->family + 1), "gpu/host-handle",
                   "family");
    ASSERT_TRUE(record(executor, buffer, host().graphics->family));
    commands.end_and_submit(buffer);
    commands.wait_idle();
    EXPECT_THAT(words(executor, "words"), testing::Each(2u));
}

TEST_F(HostExecutionMistakes, AnImportThatIsMissingKeepsARecordingFromBeginning) {
    Device device = adopted(description());
    Graph g = graph();
    const Buffer mine = g.import_buffer("mine", kWords, {});
    g.output("copy", g.copy(mine, g.buffer("copy", kWords)));
    Executor executor = executor_on(device, std::move(g));
    HostCommands commands(host());
    const VkCommandBuffer buffer = commands.begin();
    expect_mistake(record(executor, buffer), "gpu/import-missing", "mine");
    const auto given =
        create_host_buffer(host(), kWords.size, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, HostUse::write);
    ASSERT_TRUE(given);
    std::ranges::fill(given->bytes, std::byte{1});
    ASSERT_TRUE(bind_import(executor, "mine", given->buffer.get()));
    ASSERT_TRUE(record(executor, buffer));
    commands.end_and_submit(buffer);
    commands.wait_idle();
    EXPECT_THAT(words(executor, "copy"), testing::Each(0x01010101u));
}

TEST_F(HostExecutionMistakes, RecordingsThatHaveNotFinishedAreNotTouched) {
    Device device = adopted(description());
    Executor executor = executor_on(device, counting(), {}, {.frames_in_flight = 2});
    HostCommands commands(host());
    std::vector<VkCommandBuffer> buffers;
    for (int i = 0; i < 2; ++i) {
        buffers.push_back(commands.begin());
        ASSERT_TRUE(record(executor, buffers.back()));
    }
    const VkCommandBuffer third = commands.begin();
    expect_mistake(record(executor, third), "gpu/host-in-flight", "recording 1");
    expect_mistake(executor.read_buffer("words"), "gpu/host-in-flight", "wait");
    expect_mistake(executor.wait(), "gpu/host-in-flight", "wait");
    expect_mistake(executor.reset_history(), "gpu/host-in-flight", "wait");
    for (const VkCommandBuffer buffer : buffers)
        commands.end_and_submit(buffer);
    commands.wait_idle();
    EXPECT_THAT(words(executor, "words"), testing::Each(4u));
    ASSERT_TRUE(record(executor, third));
    commands.end_and_submit(third);
    commands.wait_idle();
    EXPECT_THAT(words(executor, "words"), testing::Each(8u));
}

TEST_F(HostExecutionMistakes, AnExecutorThatEndsTooSoonWaitsAndSaysSo) {
    std::vector<std::string> told;
    HostDevice described = description();
    described.on_message = [&](std::string_view message) { told.emplace_back(message); };
    Device device = adopted(described);
    const Timeline timeline(host());
    HostCommands commands(host());
    {
        // Enough work that it is under way for a while.
        Graph g = graph();
        Buffer words = test::iota(g, "iota", {.size = 15 << 20, .stride = 4}, 1);
        for (int i = 0; i < 30; ++i)
            words = test::doubled(g, words);
        g.output("words", words);
        Executor executor = executor_on(device, std::move(g));
        const VkCommandBuffer buffer = commands.begin();
        ASSERT_TRUE(record(executor, buffer));
        commands.end_and_submit(buffer, {}, {timeline.at(1)});
    }
    std::uint64_t passed = 0;
    host().vk.vkGetSemaphoreCounterValue(host().handle, timeline.handle, &passed);
    EXPECT_EQ(passed, 1u); // it has waited
    EXPECT_THAT(told,
                ElementsAre(AllOf(HasSubstr("gpu/host-in-flight"), HasSubstr("recording 1"))));
    EXPECT_EQ(device.validation_messages().size(), 1u);

    // One that ends in time has nothing to say, and one of Tuff's own submissions waits by itself.
    {
        Executor executor = executor_on(device, counting());
        const VkCommandBuffer buffer = commands.begin();
        ASSERT_TRUE(record(executor, buffer));
        commands.end_and_submit(buffer);
        commands.wait_idle();
    }
    {
        Executor executor = executor_on(device, counting());
        ASSERT_TRUE(executor.execute());
    }
    EXPECT_EQ(told.size(), 1u);
}

TEST_F(HostExecutionMistakes, NothingIsPrinted) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    {
        Device device = adopted(description());
        Executor executor = executor_on(device, counting());
        EXPECT_FALSE(record(executor, VK_NULL_HANDLE));
        EXPECT_FALSE(executor.read_buffer("wrods"));
        EXPECT_TRUE(executor.execute());
        EXPECT_FALSE(adopt_device({}));
    }
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

} // namespace
} // namespace tuff::testing_gpu
