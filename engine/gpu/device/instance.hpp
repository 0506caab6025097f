#pragma once

#include "gpu/device/driver_search.hpp"
#include "gpu/device/vulkan.hpp"

#include <tuff/device.hpp>
#include <tuff/diagnostic.hpp>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace tuff {

/// What the validation layer said, and what Tuff has to say where no call can return it. Written
/// from any thread.
class MessageLog {
  public:
    MessageLog(MessageSink sink, MessageSink printed)
        : sink_(std::move(sink)), printed_(std::move(printed)) {}

    void add(std::string text);
    /// What a kernel prints, which is no message of the layer's.
    void print(std::string_view text);
    std::vector<std::string> texts() const;

  private:
    mutable std::mutex mutex_;
    MessageSink sink_;
    MessageSink printed_;
    std::vector<std::string> texts_;
};

struct InstanceOptions {
    DriverSet drivers = DriverSet::all;
    bool validation = false;
    bool debug_utils = false; ///< implied by validation, and by a tool that makes use of them
    std::vector<std::string> extensions;
    MessageSink on_message;
    MessageSink on_print; ///< empty: kernels print nothing
};

/// A VkInstance and its message callback. Volk's instance functions are loaded once it exists.
class Instance {
  public:
    /// The functions of VK_EXT_debug_utils, null where nothing listens to them. Volk has
    /// functions of the first instance of the process, which may lack them.
    struct DebugUtils {
        PFN_vkCreateDebugUtilsMessengerEXT create_messenger = nullptr;
        PFN_vkDestroyDebugUtilsMessengerEXT destroy_messenger = nullptr;
        PFN_vkSetDebugUtilsObjectNameEXT set_object_name = nullptr;
        PFN_vkCmdBeginDebugUtilsLabelEXT begin_label = nullptr;
        PFN_vkCmdEndDebugUtilsLabelEXT end_label = nullptr;
    };

    /// Errors: `device/no-loader`, `device/no-driver`, `device/no-validation-layer`,
    /// `device/missing-extension`, `gpu/*`.
    static Result<std::unique_ptr<Instance>> create(InstanceOptions options);

    /// One that the host has made, and ends. Error: `device/no-loader`.
    static Result<std::unique_ptr<Instance>> adopt(VkInstance handle, bool debug_utils,
                                                   MessageSink on_message);

    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;
    ~Instance();

    VkInstance handle() const { return handle_; }
    const DebugUtils& debug_utils() const { return debug_utils_; }
    /// Tests replace them, as they do those of `DeviceImpl::vk`, to see the calls.
    DebugUtils& debug_utils() { return debug_utils_; }
    MessageLog& messages() const { return *log_; }
    /// Whether a layer, perhaps the host's, checks what is done with a device of Vulkan 1.3.
    bool validates(VkPhysicalDevice device) const;

    /// Every physical device. Error: `device/no-driver` when there is none.
    Result<std::vector<VkPhysicalDevice>> physical_devices() const;

  private:
    Instance(MessageSink on_message, MessageSink on_print);

    VkInstance handle_ = VK_NULL_HANDLE;
    bool owned_ = true;
    VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
    DebugUtils debug_utils_;
    std::unique_ptr<MessageLog> log_; ///< by pointer: the layer keeps its address
};

} // namespace tuff
