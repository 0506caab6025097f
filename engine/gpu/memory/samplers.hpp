#pragma once

#include "gpu/device/owned.hpp"

#include <tuff/graph_desc.hpp>

#include <utility>
#include <vector>

namespace tuff {

/// Samplers by what they do, each made once.
class SamplerCache {
  public:
    Result<VkSampler> get(const DeviceImpl& device, const Sampler& sampler);

  private:
    std::vector<std::pair<Sampler, OwnedSampler>> samplers_;
};

/// `sampler`, with nearest filters where the device cannot filter `format` linearly. Integer texels
/// have no linear filter anywhere, and kernels that fetch single texels do not care.
Sampler usable_sampler(const DeviceImpl& device, Sampler sampler, Format format);

} // namespace tuff
