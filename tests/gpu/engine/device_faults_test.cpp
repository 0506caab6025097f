// Devices that cannot be opened, because a call on the way runs out of memory or finds the device
// lost.

#include "gpu/device/device_impl.hpp"

#include <tuff/device.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace tuff {
namespace {

using testing::HasSubstr;

VkResult reported = VK_SUCCESS;
PFN_vkGetDeviceProcAddr functions_of_device = nullptr;

template <typename... Arguments>
VKAPI_ATTR VkResult VKAPI_CALL report_fault(Arguments...) {
    return reported;
}

template <typename... Arguments>
auto faulty(VkResult(VKAPI_PTR*)(Arguments...)) {
    return report_fault<Arguments...>;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL without_caches(VkDevice device, const char* name) {
    if (std::strcmp(name, "vkCreatePipelineCache") == 0)
        return reinterpret_cast<PFN_vkVoidFunction>(faulty(PFN_vkCreatePipelineCache{}));
    return functions_of_device(device, name);
}

/// Replaces one of volk's functions for the length of a test.
template <typename Function>
class Replaced {
  public:
    Replaced(Function& function, Function by) : function_(&function), original_(function) {
        function = by;
    }
    ~Replaced() { *function_ = original_; }
    Replaced(const Replaced&) = delete;
    Replaced& operator=(const Replaced&) = delete;

  private:
    Function* function_;
    Function original_;
};

void expect_fault(const char* function, const char* code) {
    const auto device = Device::open({.select = default_device_selection()});
    ASSERT_FALSE(device) << function;
    ASSERT_EQ(device.error().size(), 1u) << to_string(device.error());
    EXPECT_EQ(device.error()[0].code, code);
    EXPECT_THAT(device.error()[0].message, HasSubstr(function));
}

TEST(DeviceFaults, OfEachCallOnTheWayAreReportedAndTheNextDeviceOpens) {
    ASSERT_TRUE(Device::open({.select = default_device_selection()})); // volk knows all functions
    for (const VkResult result :
         {VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_DEVICE_LOST}) {
        reported = result;
        const char* const code =
            result == VK_ERROR_DEVICE_LOST ? "gpu/device-lost" : "gpu/out-of-memory";
        {
            const Replaced create(vkCreateInstance, PFN_vkCreateInstance(faulty(vkCreateInstance)));
            expect_fault("vkCreateInstance", code);
        }
        {
            const Replaced list(vkEnumeratePhysicalDevices,
                                PFN_vkEnumeratePhysicalDevices(faulty(vkEnumeratePhysicalDevices)));
            expect_fault("vkEnumeratePhysicalDevices", code);
            const auto devices = list_devices();
            ASSERT_FALSE(devices);
            EXPECT_EQ(devices.error()[0].code, code);
        }
        {
            const Replaced create(vkCreateDevice, PFN_vkCreateDevice(faulty(vkCreateDevice)));
            expect_fault("vkCreateDevice", code);
        }
        {
            functions_of_device = vkGetDeviceProcAddr;
            const Replaced load(vkGetDeviceProcAddr, without_caches);
            expect_fault("vkCreatePipelineCache", code);
        }
        EXPECT_TRUE(Device::open({.select = default_device_selection()}));
    }
}

} // namespace
} // namespace tuff
