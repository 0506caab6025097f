#pragma once

#include "gpu/driver_search.hpp"
#include "gpu/vulkan.hpp"

#include <tuff/device.hpp>
#include <tuff/diagnostic.hpp>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace tuff {

/// What the validation layer said. Written by the layer's callback from any thread.
class MessageLog {
  public:
    explicit MessageLog(MessageSink sink) : sink_(std::move(sink)) {}

    void add(std::string text);
    std::vector<std::string> texts() const;

  private:
    mutable std::mutex mutex_;
    MessageSink sink_;
    std::vector<std::string> texts_;
};

struct InstanceOptions {
    DriverSet drivers = DriverSet::all;
    bool validation = false;
    bool debug_utils = false; ///< implied by validation
    std::vector<std::string> extensions;
    MessageSink on_message;
};

/// A VkInstance and its message callback. Volk's instance functions are loaded once it exists.
class Instance {
  public:
    /// Errors: `device/no-loader`, `device/no-driver`, `device/no-validation-layer`,
    /// `device/missing-extension`, `gpu/*`.
    static Result<std::unique_ptr<Instance>> create(InstanceOptions options);

    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;
    ~Instance();

    VkInstance handle() const { return handle_; }
    bool debug_utils() const { return debug_utils_; }
    const MessageLog& messages() const { return *log_; }

    /// Every physical device. Error: `device/no-driver` when there is none.
    Result<std::vector<VkPhysicalDevice>> physical_devices() const;

  private:
    explicit Instance(MessageSink sink);

    VkInstance handle_ = VK_NULL_HANDLE;
    VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
    bool debug_utils_ = false;
    std::unique_ptr<MessageLog> log_; ///< by pointer: the layer keeps its address
};

} // namespace tuff
