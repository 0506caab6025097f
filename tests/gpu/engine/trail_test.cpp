// Marks that nodes leave, and what the error of a lost device says by them.

#include "gpu/execute/trail.hpp"
#include "host_fixture.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace tuff::testing_gpu {
namespace {

using testing::HasSubstr;
using testing::Not;

class TrailTest : public HostTest {
  protected:
    /// Three fills, one after the other, of which none is left out.
    Graph fills() {
        Graph graph;
        for (const char* name : {"first", "second", "third"})
            graph.output(name, graph.fill(graph.buffer("words", kWords), 7, name));
        return graph;
    }
    std::shared_ptr<const Plan> plan() {
        auto compiled = compile(fills().finish(), device().caps(), {});
        EXPECT_TRUE(compiled);
        return std::make_shared<const Plan>(std::move(*compiled));
    }
};

std::array<std::byte, Trail::kBytes> marks(std::uint32_t begun, std::uint32_t ended) {
    const std::array<std::uint32_t, 2> words{begun, ended};
    std::array<std::byte, Trail::kBytes> bytes{};
    std::memcpy(bytes.data(), words.data(), sizeof(words));
    return bytes;
}

TEST_F(TrailTest, NamesTheNodesThatBeganAndEndedLast) {
    const std::shared_ptr<const Plan> three = plan();
    EXPECT_THAT(Trail::text(*three, marks(0, 0)), HasSubstr("no node had begun"));
    EXPECT_THAT(Trail::text(*three, marks(1, 0)), HasSubstr("'first' had begun and none ended"));
    EXPECT_THAT(Trail::text(*three, marks(3, 2)),
                HasSubstr("'third' had begun, and 'second' ended before it"));
    EXPECT_THAT(Trail::text(*three, marks(3, 3)),
                HasSubstr("'third' had ended and none begun after it"));
    EXPECT_EQ(Trail::text(*three, marks(4, 9)), "") << "memory that holds no marks";
    EXPECT_THAT(Trail::text(*three, marks(1, 0)), Not(HasSubstr("compute")));
}

TEST_F(TrailTest, ALostDeviceSaysHowFarItGot) {
    Device lost = adopted(description());
    Executor executor = executor_on(lost, fills(), {}, {.trail = true});
    ASSERT_TRUE(executor.execute());
    ASSERT_TRUE(executor.wait());
    ASSERT_TRUE(executor.execute());
    ASSERT_EQ(device().impl().vk.vkDeviceWaitIdle(device().impl().handle), VK_SUCCESS);
    lost.impl().vk.vkWaitSemaphores = [](VkDevice, const VkSemaphoreWaitInfo*, std::uint64_t) {
        return VK_ERROR_DEVICE_LOST;
    };
    const auto failed = executor.wait();
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error()[0].code, "gpu/device-lost");
    EXPECT_THAT(failed.error()[0].message,
                HasSubstr("execution 2: on the queue \"graphics\" node 'third' had ended"));
}

// What stands in for a driver with VK_NV_device_diagnostic_checkpoints and VK_EXT_device_fault, or
// with VK_AMD_buffer_marker.
struct FakeDriver {
    std::vector<const void*> checkpoints;                                   ///< that were recorded
    std::vector<VkCheckpointDataNV> passed;                                 ///< that a queue tells
    std::vector<std::pair<VkPipelineStageFlagBits, std::uint32_t>> markers; ///< that were recorded
};
FakeDriver* driver = nullptr;

VKAPI_ATTR void VKAPI_CALL set_checkpoint(VkCommandBuffer, const void* mark) {
    driver->checkpoints.push_back(mark);
}
VKAPI_ATTR void VKAPI_CALL get_checkpoints(VkQueue, std::uint32_t* count,
                                           VkCheckpointDataNV* data) {
    *count = static_cast<std::uint32_t>(driver->passed.size());
    if (data) std::ranges::copy(driver->passed, data);
}
VKAPI_ATTR void VKAPI_CALL write_marker(VkCommandBuffer, VkPipelineStageFlagBits stage, VkBuffer,
                                        VkDeviceSize, std::uint32_t mark) {
    driver->markers.emplace_back(stage, mark);
}
VKAPI_ATTR VkResult VKAPI_CALL tell_fault(VkDevice, VkDeviceFaultCountsEXT* counts,
                                          VkDeviceFaultInfoEXT* info) {
    counts->addressInfoCount = counts->vendorInfoCount = 1;
    if (!info) return VK_SUCCESS;
    std::strcpy(info->description, "page fault");
    info->pAddressInfos[0] = {VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_EXT, 0x12345678, 0x1000};
    std::strcpy(info->pVendorInfos[0].description, "MMU");
    info->pVendorInfos[0].vendorFaultCode = 0x1f;
    info->pVendorInfos[0].vendorFaultData = 2;
    return VK_SUCCESS;
}
VKAPI_ATTR VkResult VKAPI_CALL lose_device(VkDevice, const VkSemaphoreWaitInfo*, std::uint64_t) {
    return VK_ERROR_DEVICE_LOST;
}

class VendorMarks : public TrailTest {
  protected:
    VendorMarks() { driver = &fake_; }
    ~VendorMarks() override { driver = nullptr; }

    Device with_checkpoints() {
        Device lost = adopted(description());
        lost.impl().has_checkpoints = true;
        lost.impl().has_buffer_markers = false;
        lost.impl().vk.vkCmdSetCheckpointNV = set_checkpoint;
        lost.impl().vk.vkGetQueueCheckpointDataNV = get_checkpoints;
        return lost;
    }
    /// The marks before and after a node, by its place among those of the last execution.
    const void* mark(std::size_t node, bool after) const {
        return fake_.checkpoints[fake_.checkpoints.size() - 6 + 2 * node + (after ? 1 : 0)];
    }
    static VkCheckpointDataNV passed(const void* mark, VkPipelineStageFlagBits stage) {
        VkCheckpointDataNV data{};
        data.sType = VK_STRUCTURE_TYPE_CHECKPOINT_DATA_NV;
        data.stage = stage;
        data.pCheckpointMarker = const_cast<void*>(mark);
        return data;
    }
    /// What is said of an execution on a device that has passed `begun` at the top of its pipeline
    /// and `ended` at the bottom.
    std::string said(Executor& executor, Device& lost, const void* begun, const void* ended) {
        fake_.passed.clear();
        if (begun) fake_.passed.push_back(passed(begun, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT));
        if (ended) fake_.passed.push_back(passed(ended, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT));
        const auto wait = std::exchange(lost.impl().vk.vkWaitSemaphores, lose_device);
        const auto failed = executor.wait();
        lost.impl().vk.vkWaitSemaphores = wait;
        return failed ? std::string() : failed.error()[0].message;
    }
    FakeDriver fake_;
};

TEST_F(VendorMarks, CheckpointsNameNodesThatNobodyAskedFor) {
    Device lost = with_checkpoints();
    Executor executor = executor_on(lost, fills());
    ASSERT_TRUE(executor.execute());
    ASSERT_EQ(fake_.checkpoints.size(), 6u) << "two for each node";
    const std::byte other{};
    EXPECT_THAT(said(executor, lost, mark(1, false), mark(0, true)),
                HasSubstr("'second' had begun, and 'first' ended before it"));
    EXPECT_THAT(said(executor, lost, mark(2, false), mark(2, false)),
                HasSubstr("'third' had begun, and 'second' ended before it"));
    EXPECT_THAT(said(executor, lost, mark(0, false), mark(0, false)),
                HasSubstr("'first' had begun and none ended"));
    EXPECT_THAT(said(executor, lost, mark(2, true), mark(2, true)),
                HasSubstr("'third' had ended and none begun after it"));
    EXPECT_THAT(said(executor, lost, nullptr, mark(2, true)),
                HasSubstr("'third' had ended and none begun after it"));
    EXPECT_THAT(said(executor, lost, &other, &other), HasSubstr("no node had begun"))
        << "of another executor";
    ASSERT_TRUE(executor.wait());
}

TEST_F(VendorMarks, OfTwoExecutionsInFlightAreToldApart) {
    Device lost = with_checkpoints();
    Executor executor = executor_on(lost, fills());
    ASSERT_TRUE(executor.execute());
    ASSERT_TRUE(executor.execute());
    ASSERT_EQ(fake_.checkpoints.size(), 12u);
    const std::string text = said(executor, lost, mark(1, false), mark(0, true));
    EXPECT_THAT(text, HasSubstr("execution 1: on the queue \"graphics\" no node had begun"));
    EXPECT_THAT(text, HasSubstr("execution 2: on the queue \"graphics\" node 'second' had begun"));
    ASSERT_TRUE(executor.wait());
}

TEST_F(VendorMarks, TheDriversWordsAreInTheError) {
    Device lost = adopted(description());
    lost.impl().tells_faults = true;
    lost.impl().vk.vkGetDeviceFaultInfoEXT = tell_fault;
    Executor executor = executor_on(lost, fills());
    ASSERT_TRUE(executor.execute());
    EXPECT_THAT(said(executor, lost, nullptr, nullptr),
                HasSubstr("the driver says: page fault, invalid write at 0x12345000 to 0x12345fff, "
                          "MMU (code 0x1f, data 0x2)"));
    ASSERT_TRUE(executor.wait());
}

TEST_F(VendorMarks, BufferMarkersAreWrittenAtBothEndsOfThePipeline) {
    Device marking = adopted(description());
    marking.impl().has_buffer_markers = true;
    marking.impl().vk.vkCmdWriteBufferMarkerAMD = write_marker;
    Executor executor = executor_on(marking, fills());
    ASSERT_TRUE(executor.execute());
    ASSERT_TRUE(executor.wait());
    constexpr auto kTop = VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT;
    constexpr auto kBottom = VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT;
    using Pair = std::pair<VkPipelineStageFlagBits, std::uint32_t>;
    EXPECT_THAT(fake_.markers,
                testing::ElementsAre(Pair(kTop, 1u), Pair(kBottom, 1u), Pair(kTop, 2u),
                                     Pair(kBottom, 2u), Pair(kTop, 3u), Pair(kBottom, 3u)));
}

TEST_F(VendorMarks, NothingIsMarkedWhereTheDriverHasNoMarks) {
    Device plain = adopted(description());
    plain.impl().has_checkpoints = plain.impl().has_buffer_markers = false;
    plain.impl().tells_faults = false;
    plain.impl().vk.vkCmdSetCheckpointNV = set_checkpoint;
    plain.impl().vk.vkCmdWriteBufferMarkerAMD = write_marker;
    Executor executor = executor_on(plain, fills());
    ASSERT_TRUE(executor.execute());
    EXPECT_TRUE(fake_.checkpoints.empty() && fake_.markers.empty());
    EXPECT_EQ(said(executor, plain, nullptr, nullptr),
              "vkWaitSemaphores failed with VK_ERROR_DEVICE_LOST");
    ASSERT_TRUE(executor.wait());
}

TEST_F(TrailTest, LeavesResultsAsTheyAre) {
    for (const bool trail : {false, true}) {
        Executor executor = executor_on(device(), fills(), {}, {.trail = trail});
        for (int i = 0; i < 3; ++i)
            ASSERT_TRUE(executor.execute());
        const auto words = executor.read_buffer("second");
        ASSERT_TRUE(words) << to_string(words.error());
        for (std::size_t i = 0; i < words->size(); ++i)
            EXPECT_EQ((*words)[i], std::byte(i % 4 == 0 ? 7 : 0));
    }
}

} // namespace
} // namespace tuff::testing_gpu
