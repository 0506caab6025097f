#include "gpu/shader/kernel_layouts.hpp"

#include "gpu/device/vulkan_enums.hpp"

namespace tuff {
namespace {

using SetBindings = std::vector<std::vector<VkDescriptorSetLayoutBinding>>;

SetBindings bindings_of(const KernelUse& kernel) {
    const ShaderInterface& shader = *kernel.shader;
    SetBindings sets;
    const auto add = [&sets](std::uint32_t set, const VkDescriptorSetLayoutBinding& binding) {
        if (sets.size() <= set) sets.resize(set + 1);
        sets[set].push_back(binding);
    };
    for (const ShaderBinding& binding : shader.bindings)
        add(binding.set, {.binding = binding.binding,
                          .descriptorType = to_vk(binding.kind),
                          .descriptorCount = kernel.count_of(binding),
                          .stageFlags = binding.stages,
                          .pImmutableSamplers = nullptr});
    if (shader.param_bytes != 0)
        add(shader.param_set, {.binding = shader.param_binding,
                               .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                               .descriptorCount = 1,
                               .stageFlags = shader.param_stages,
                               .pImmutableSamplers = nullptr});
    return sets;
}

std::string content_key(const SetBindings& sets, const VkPushConstantRange& push) {
    std::string key;
    const auto append = [&key](std::uint32_t value) {
        key.append(reinterpret_cast<const char*>(&value), sizeof(value));
    };
    for (const auto& bindings : sets) {
        append(static_cast<std::uint32_t>(bindings.size()));
        for (const VkDescriptorSetLayoutBinding& binding : bindings) {
            append(binding.binding);
            append(static_cast<std::uint32_t>(binding.descriptorType));
            append(binding.descriptorCount);
            append(binding.stageFlags);
        }
    }
    append(push.stageFlags);
    append(push.size);
    return key;
}

Result<std::unique_ptr<KernelLayout>> create(const DeviceImpl& device, const SetBindings& sets,
                                             const VkPushConstantRange& push) {
    auto layout = std::make_unique<KernelLayout>();
    std::vector<VkDescriptorSetLayout> handles;
    for (const auto& bindings : sets) {
        VkDescriptorSetLayoutCreateInfo info{};
        info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
        info.bindingCount = static_cast<std::uint32_t>(bindings.size());
        info.pBindings = bindings.data();
        VkDescriptorSetLayout handle = VK_NULL_HANDLE;
        auto ok = check(
            device.vk.vkCreateDescriptorSetLayout(device.handle, &info, device.allocator, &handle),
            "vkCreateDescriptorSetLayout");
        if (!ok) return propagate(std::move(ok));
        layout->sets.emplace_back(device, handle);
        handles.push_back(handle);
    }
    VkPipelineLayoutCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
    info.setLayoutCount = static_cast<std::uint32_t>(handles.size());
    info.pSetLayouts = handles.data();
    info.pushConstantRangeCount = push.size != 0 ? 1 : 0;
    info.pPushConstantRanges = &push;
    VkPipelineLayout handle = VK_NULL_HANDLE;
    auto ok =
        check(device.vk.vkCreatePipelineLayout(device.handle, &info, device.allocator, &handle),
              "vkCreatePipelineLayout");
    if (!ok) return propagate(std::move(ok));
    layout->pipeline = OwnedPipelineLayout(device, handle);
    return layout;
}

} // namespace

Result<const KernelLayout*> KernelLayouts::of(const DeviceImpl& device, const KernelUse& kernel) {
    const SetBindings sets = bindings_of(kernel);
    const VkPushConstantRange push{kernel.shader->push_stages, 0, kernel.shader->push_bytes};
    std::string key = content_key(sets, push);
    const std::lock_guard lock(mutex_);
    if (const auto known = layouts_.find(key); known != layouts_.end()) return known->second.get();
    auto made = create(device, sets, push);
    if (!made) return propagate(std::move(made));
    return layouts_.emplace(std::move(key), std::move(*made)).first->second.get();
}

} // namespace tuff
