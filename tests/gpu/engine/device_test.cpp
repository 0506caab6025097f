#include "gpu/device/device_impl.hpp"
#include "gpu/device/driver_search.hpp"

#include <tuff/device.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string_view>

namespace tuff {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// Sets an environment variable for the length of a test.
class ScopedVariable {
  public:
    ScopedVariable(const char* name, const char* value) : name_(name) {
        if (const char* before = std::getenv(name)) before_ = before;
        setenv(name, value, 1);
    }
    ~ScopedVariable() {
        if (before_)
            setenv(name_, before_->c_str(), 1);
        else
            unsetenv(name_);
    }
    ScopedVariable(const ScopedVariable&) = delete;
    ScopedVariable& operator=(const ScopedVariable&) = delete;

  private:
    const char* name_;
    std::optional<std::string> before_;
};

const DeviceReport* find(const std::vector<DeviceReport>& reports, std::string_view name) {
    for (const DeviceReport& report : reports)
        if (report.caps.name.find(name) != std::string::npos) return &report;
    return nullptr;
}

TEST(DeviceList, ContainsBothSoftwareDevicesAndTheyMeetTheCoreTier) {
    const auto reports = list_devices();
    ASSERT_TRUE(reports) << to_string(reports.error());
    for (const char* name : {"SwiftShader", "llvmpipe"}) {
        const DeviceReport* report = find(*reports, name);
        ASSERT_NE(report, nullptr) << name;
        EXPECT_EQ(report->tier, DeviceTier::core) << name;
        EXPECT_THAT(report->missing, IsEmpty()) << name;
        EXPECT_EQ(report->caps.type, DeviceType::cpu) << name;
        EXPECT_GE(report->caps.max_group_invocations, 256u) << name;
    }
}

TEST(DeviceList, LeavesTheEnvironmentAsItWas) {
    const ScopedVariable add("VK_ADD_DRIVER_FILES", "/nowhere.json");
    ASSERT_TRUE(list_devices());
    EXPECT_STREQ(std::getenv("VK_ADD_DRIVER_FILES"), "/nowhere.json");
    EXPECT_EQ(std::getenv("VK_DRIVER_FILES"), nullptr);
}

class SoftwareDevice : public testing::TestWithParam<const char*> {};

TEST_P(SoftwareDevice, OpensUnderValidationWithoutAMessage) {
    std::vector<std::string> heard;
    std::vector<std::string> collected;
    {
        const auto device = Device::open(
            {.select = GetParam(),
             .validation = true,
             .on_message = [&heard](std::string_view text) { heard.emplace_back(text); }});
        ASSERT_TRUE(device) << to_string(device.error());
        EXPECT_TRUE(device->wait_idle());
        collected = device->validation_messages();
    }
    EXPECT_THAT(collected, IsEmpty());
    EXPECT_THAT(heard, IsEmpty()); // after the device's destruction, so that leaks count
}

TEST_P(SoftwareDevice, ReportsAPlantedMisuseToTheSinkAndToTheCollection) {
    std::vector<std::string> heard;
    const auto device = Device::open(
        {.select = GetParam(), .validation = true, .on_message = [&heard](std::string_view text) {
             heard.emplace_back(text);
         }});
    ASSERT_TRUE(device) << to_string(device.error());
    const DeviceImpl& impl = device->impl();

    VkBufferCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    info.size = 0; // must be greater than 0
    info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    VkBuffer buffer = VK_NULL_HANDLE;
    if (impl.vk.vkCreateBuffer(impl.handle, &info, nullptr, &buffer) == VK_SUCCESS)
        impl.vk.vkDestroyBuffer(impl.handle, buffer, nullptr);

    ASSERT_FALSE(heard.empty());
    EXPECT_THAT(heard.front(), HasSubstr("VUID-VkBufferCreateInfo-size-00912"));
    EXPECT_EQ(device->validation_messages(), heard);
}

TEST_P(SoftwareDevice, FindsHostVisibleMemoryAndNoneOfAnImpossibleKind) {
    const auto device = Device::open({.select = GetParam()});
    ASSERT_TRUE(device) << to_string(device.error());
    const DeviceImpl& impl = device->impl();
    const auto type = impl.find_memory_type(~0u, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                                     VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    ASSERT_TRUE(type);
    EXPECT_LT(*type, impl.memory.memoryTypeCount);
    EXPECT_FALSE(impl.find_memory_type(0, 0));
}

TEST_P(SoftwareDevice, LetsLoopsRunOnUnlessItIsLlvmpipe) {
    const auto device = Device::open({.select = GetParam()});
    ASSERT_TRUE(device) << to_string(device.error());
    EXPECT_EQ(device->caps().unbounded_loops, std::string_view(GetParam()) == "swiftshader");
}

INSTANTIATE_TEST_SUITE_P(All, SoftwareDevice, testing::Values("swiftshader", "lavapipe"),
                         [](const auto& test) { return std::string(test.param); });

TEST(DeviceOpen, LetsTwoDevicesLiveAtOnce) {
    auto first = Device::open({.select = "swiftshader"});
    auto second = Device::open({.select = "lavapipe"});
    ASSERT_TRUE(first && second);
    EXPECT_THAT(first->caps().name, HasSubstr("SwiftShader"));
    EXPECT_THAT(second->caps().name, HasSubstr("llvmpipe"));
    *second = std::move(*first); // destroys the second; the first goes on
    EXPECT_TRUE(second->wait_idle());
}

TEST(DeviceOpen, LetsOneWithoutValidationBeOpenedAfterOneWithIt) {
    std::vector<std::string> messages;
    {
        auto validated = Device::open({.select = "swiftshader", .validation = true});
        ASSERT_TRUE(validated) << to_string(validated.error());
        const auto plain = Device::open({.select = "lavapipe"});
        ASSERT_TRUE(plain) << to_string(plain.error());
        // Needs functions that the newest instance was made without, as does its end.
        validated->impl().set_debug_name(VK_OBJECT_TYPE_DEVICE,
                                         reinterpret_cast<std::uint64_t>(validated->impl().handle),
                                         "the validated device");
        messages = validated->validation_messages();
    }
    EXPECT_THAT(messages, IsEmpty());
}

TEST(DeviceOpen, TakesAnIndexOfTheList) {
    const auto reports = list_devices();
    ASSERT_TRUE(reports);
    for (const DeviceReport& report : *reports) {
        if (report.tier == DeviceTier::none) continue;
        const auto device = Device::open({.select = std::to_string(report.index)});
        ASSERT_TRUE(device) << to_string(device.error());
        EXPECT_EQ(device->caps().name, report.caps.name);
    }
}

TEST(DeviceOpen, TakesAPartOfTheNameInWhateverCase) {
    const auto device = Device::open({.select = "sWiFtShAdEr dev"});
    ASSERT_TRUE(device) << to_string(device.error());
    EXPECT_THAT(device->caps().name, HasSubstr("SwiftShader"));
}

TEST(DeviceOpen, NamesTheKnownDevicesWhenTheSelectionMatchesNone) {
    for (const char* select : {"voodoo", "99", "99999999999999999999999", ""}) {
        const auto device = Device::open({.select = select});
        ASSERT_FALSE(device) << select;
        ASSERT_EQ(device.error().size(), 1u);
        EXPECT_EQ(device.error()[0].code, "device/unknown");
        EXPECT_THAT(device.error()[0].hint, HasSubstr("SwiftShader"));
        EXPECT_THAT(device.error()[0].hint, HasSubstr("llvmpipe"));
    }
}

TEST(DeviceOpen, SaysSoWhenThereIsNoDriver) {
    const ScopedVariable none("VK_DRIVER_FILES", "/nonexistent/driver.json");
    const auto device = Device::open();
    ASSERT_FALSE(device);
    EXPECT_EQ(device.error()[0].code, "device/no-driver");
    const auto reports = list_devices();
    ASSERT_FALSE(reports);
    EXPECT_EQ(reports.error()[0].code, "device/no-driver");
}

TEST(DeviceOpen, NamesEveryMissingExtension) {
    const auto device =
        Device::open({.select = "lavapipe", .device_extensions = {"VK_TUFF_one", "VK_TUFF_two"}});
    ASSERT_FALSE(device);
    ASSERT_EQ(device.error().size(), 2u);
    EXPECT_EQ(device.error()[0].code, "device/missing-extension");
    EXPECT_THAT(device.error()[1].message, HasSubstr("VK_TUFF_two"));
}

TEST(DeviceSelection, AutoTakesTheFasterSoftwareDeviceUnlessItLosesMemory) {
    const auto devices = list_devices();
    ASSERT_TRUE(devices);
    std::string lavapipe;
    for (const DeviceReport& device : *devices) {
        if (device.caps.type != DeviceType::cpu) GTEST_SKIP() << "a GPU comes before both";
        if (device.caps.name.starts_with("llvmpipe")) lavapipe = device.caps.driver;
    }
    if (lavapipe.empty() || devices->size() != 2) GTEST_SKIP() << "both are needed";
    const auto chosen = [](std::uint64_t executions) {
        const auto device = Device::open({.select = "auto", .executions = executions});
        return device ? device->caps().name : "";
    };
    EXPECT_THAT(chosen(1), testing::StartsWith("llvmpipe"));
    EXPECT_THAT(chosen(kFewExecutions), testing::StartsWith("llvmpipe"));
    const std::size_t mesa = lavapipe.find("Mesa ");
    ASSERT_NE(mesa, std::string::npos) << lavapipe;
    const bool keeps_memory = std::stoi(lavapipe.substr(mesa + 5)) < 25;
    const std::string_view many = keeps_memory ? "SwiftShader" : "llvmpipe";
    EXPECT_THAT(chosen(kFewExecutions + 1), testing::StartsWith(std::string(many)));
    EXPECT_THAT(chosen(0), testing::StartsWith(std::string(many)));
}

TEST(DeviceSelection, ComesFromTheEnvironment) {
    const ScopedVariable variable("TUFF_DEVICE", "lavapipe");
    EXPECT_EQ(default_device_selection(), "lavapipe");
    const ScopedVariable empty("TUFF_DEVICE", "");
    EXPECT_EQ(default_device_selection(), "auto");
}

TEST(DriverSearch, IgnoresAManifestThatIsNotThere) {
    const ScopedVariable variable("TUFF_SWIFTSHADER_ICD", "/nonexistent/icd.json");
    EXPECT_EQ(swiftshader_manifest(), "");
}

} // namespace
} // namespace tuff
