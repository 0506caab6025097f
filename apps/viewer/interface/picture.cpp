#include "interface/picture.hpp"

#include <tuff/graph.hpp>
#include <tuff/vulkan.hpp>

namespace tuff::viewer {
namespace {

/// Vulkan demands of every device that these can be sampled.
bool sampled_everywhere(Format format) {
    switch (format) {
    case Format::r8_unorm:
    case Format::rgba8_unorm:
    case Format::rgba8_srgb:
    case Format::bgra8_unorm:
    case Format::bgra8_srgb:
    case Format::r16_sfloat:
    case Format::rg16_sfloat:
    case Format::rgba16_sfloat:
    case Format::r32_sfloat:
    case Format::rg32_sfloat:
    case Format::rgba32_sfloat: return true;
    default: return false;
    }
}

ImageDesc desc_for(const HostImage& image) {
    return {.format = sampled_everywhere(image.format) ? image.format : Format::rgba32_sfloat,
            .extent = image.extent};
}

} // namespace

ImportState picture_state() {
    const Scope read{stage::kFragmentShader, memory::kSampledRead, Layout::shader_read_only};
    return {.first = read, .last = read};
}

bool Picture::replaced_by(const HostImage& image) const {
    return !uploader_ || desc_for(image) != desc_;
}

Result<void> Picture::set(const HostImage& image) {
    if (!sampled_everywhere(image.format)) return set(convert(image, Format::rgba32_sfloat));
    if (replaced_by(image))
        if (auto made = make(desc_for(image)); !made) return made;
    *staging_ = image.texels;
    return uploader_->execute();
}

Result<void> Picture::make(const ImageDesc& desc) {
    uploader_.reset(); // waits for the work that uses the image
    if (auto idle = device_->wait_idle(); !idle) return idle;
    const DeviceImpl& device = device_->impl();
    VkImageCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = static_cast<VkFormat>(desc.format);
    info.extent = {desc.extent.width, desc.extent.height, 1};
    info.mipLevels = 1;
    info.arrayLayers = 1;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.tiling = VK_IMAGE_TILING_OPTIMAL;
    info.usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    VkImage handle = VK_NULL_HANDLE;
    if (auto ok =
            check(device.vk.vkCreateImage(device.handle, &info, nullptr, &handle), "vkCreateImage");
        !ok)
        return ok;
    OwnedImage image(device, handle);
    VkMemoryRequirements needs{};
    device.vk.vkGetImageMemoryRequirements(device.handle, handle, &needs);
    const auto type =
        device.find_memory_type(needs.memoryTypeBits, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    VkMemoryAllocateInfo allocate{};
    allocate.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    allocate.allocationSize = needs.size;
    allocate.memoryTypeIndex = type.value_or(0);
    VkDeviceMemory memory = VK_NULL_HANDLE;
    if (auto ok = check(device.vk.vkAllocateMemory(device.handle, &allocate, nullptr, &memory),
                        "vkAllocateMemory");
        !ok)
        return ok;
    OwnedMemory owned(device, memory);
    if (auto ok = check(device.vk.vkBindImageMemory(device.handle, handle, memory, 0),
                        "vkBindImageMemory");
        !ok)
        return ok;

    staging_ = std::make_shared<std::vector<std::byte>>(
        static_cast<std::size_t>(byte_size(desc.format, desc.extent)));
    Graph graph(*shaders_);
    ImportState state = picture_state();
    state.first.layout = Layout::undefined; // all of it is written
    const Image picture = graph.import_image("picture", desc, state);
    const Buffer texels =
        graph.upload(graph.buffer("texels", {.size = staging_->size()}), staging_, "bring");
    (void)graph.copy_to_image(texels, picture, "unpack");
    auto plan = compile(std::move(graph).finish(), device_->caps(),
                        {.memory = memory_model(*device_).get()});
    if (!plan) return propagate(std::move(plan));
    auto executor =
        Executor::create(*device_, *shaders_, std::make_shared<const Plan>(std::move(*plan)),
                         {.timings = Timings::off});
    if (!executor) return propagate(std::move(executor));
    if (auto bound = bind_import(*executor, "picture", handle); !bound) return bound;

    desc_ = desc;
    image_ = std::move(image); // the former image ends before its memory
    memory_ = std::move(owned);
    uploader_.emplace(std::move(*executor));
    return {};
}

} // namespace tuff::viewer
