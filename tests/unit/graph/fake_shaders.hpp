#pragma once

#include <tuff/shader_interface.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tuff::test {

/// Kernels that exist as interfaces only.
class FakeShaders final : public ShaderInterfaces {
  public:
    explicit FakeShaders(std::vector<ShaderInterface> kernels) : kernels_(std::move(kernels)) {}

    const ShaderInterface* compute(std::string_view name) const override {
        return find(name, ShaderStage::compute);
    }
    const ShaderInterface* raster(std::string_view name) const override {
        return find(name, ShaderStage::vertex);
    }
    const ShaderInterface* rays(std::string_view name) const override {
        return find(name, ShaderStage::ray_generation);
    }
    std::vector<std::string> names() const override {
        std::vector<std::string> all;
        for (const ShaderInterface& kernel : kernels_)
            all.push_back(kernel.name);
        return all;
    }

  private:
    const ShaderInterface* find(std::string_view name, ShaderStage stage) const {
        for (const ShaderInterface& kernel : kernels_)
            if (kernel.name == name && (kernel.stages & static_cast<std::uint32_t>(stage)) != 0)
                return &kernel;
        return nullptr;
    }
    std::vector<ShaderInterface> kernels_;
};

inline constexpr auto kComputeBit = static_cast<std::uint32_t>(ShaderStage::compute);
inline constexpr auto kVertexBit = static_cast<std::uint32_t>(ShaderStage::vertex);
inline constexpr auto kFragmentBit = static_cast<std::uint32_t>(ShaderStage::fragment);

inline ShaderBinding sampled(std::string name, std::uint32_t stages = kComputeBit) {
    return {.name = std::move(name),
            .kind = BindingKind::combined_image_sampler,
            .stages = stages,
            .reads = true,
            .writes = false};
}

inline ShaderBinding written_image(std::string name) {
    return {.name = std::move(name),
            .kind = BindingKind::storage_image,
            .stages = kComputeBit,
            .reads = false,
            .writes = true};
}

inline ShaderBinding read_buffer(std::string name) {
    return {.name = std::move(name),
            .kind = BindingKind::storage_buffer,
            .stages = kComputeBit,
            .reads = true,
            .writes = false};
}

inline ShaderBinding updated_buffer(std::string name) {
    return {.name = std::move(name),
            .kind = BindingKind::storage_buffer,
            .stages = kComputeBit,
            .reads = true,
            .writes = true};
}

} // namespace tuff::test
