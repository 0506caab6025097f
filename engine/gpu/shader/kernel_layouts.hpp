#pragma once

#include "gpu/device/owned.hpp"

#include <tuff/node_desc.hpp>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace tuff {

/// The descriptor set layouts and the pipeline layout of a kernel. `sets[i]` is set i; sets that
/// the kernel skips have an empty layout.
struct KernelLayout {
    std::vector<OwnedSetLayout> sets;
    OwnedPipelineLayout pipeline;
};

/// The layouts of a device's kernels: one object for all kernels that bind alike, in whatever
/// executor. They stay until the device closes. That is little memory, and a driver that keeps
/// compiled kernels by layout finds them when a graph is compiled again. For several threads.
class KernelLayouts {
  public:
    /// The layout of `kernel`, which stays where it is. Errors: those of Vulkan's calls.
    Result<const KernelLayout*> of(const DeviceImpl& device, const KernelUse& kernel);

  private:
    std::mutex mutex_;
    std::map<std::string, std::unique_ptr<KernelLayout>> layouts_; ///< by what is bound, as bytes
};

} // namespace tuff
