#include "gpu/device/vulkan_result.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tuff {
namespace {

using testing::HasSubstr;

TEST(VulkanResult, TakesSuccessAndPositiveCodesAsNoError) {
    EXPECT_TRUE(check(VK_SUCCESS, "vkQueueSubmit2"));
    EXPECT_TRUE(check(VK_TIMEOUT, "vkWaitSemaphores"));
    EXPECT_TRUE(check(VK_SUBOPTIMAL_KHR, "vkQueuePresentKHR"));
}

TEST(VulkanResult, GivesDeviceLossAndMemoryExhaustionCodesOfTheirOwn) {
    const auto code = [](VkResult result) { return check(result, "vkCall").error()[0].code; };
    EXPECT_EQ(code(VK_ERROR_DEVICE_LOST), "gpu/device-lost");
    EXPECT_EQ(code(VK_ERROR_OUT_OF_HOST_MEMORY), "gpu/out-of-memory");
    EXPECT_EQ(code(VK_ERROR_OUT_OF_DEVICE_MEMORY), "gpu/out-of-memory");
    EXPECT_EQ(code(VK_ERROR_FEATURE_NOT_PRESENT), "gpu/call-failed");
}

TEST(VulkanResult, NamesTheCallAndTheCode) {
    const auto failed = check(VK_ERROR_DEVICE_LOST, "vkQueueSubmit2");
    ASSERT_FALSE(failed);
    EXPECT_THAT(failed.error()[0].message, HasSubstr("vkQueueSubmit2"));
    EXPECT_THAT(failed.error()[0].message, HasSubstr("VK_ERROR_DEVICE_LOST"));
    const auto unknown = check(static_cast<VkResult>(-12345), "vkCall");
    EXPECT_THAT(unknown.error()[0].message, HasSubstr("-12345"));
}

} // namespace
} // namespace tuff
