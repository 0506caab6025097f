#include "gpu/memory/readback.hpp"

#include "gpu/device/vulkan_enums.hpp"
#include "gpu/execute/plan_enums.hpp"
#include "gpu/memory/resource_info.hpp"

#include <fmt/format.h>

#include <cstring>

namespace tuff {
namespace {

OutputPlace place_of(ExecutorImpl& executor, const OutputDesc& output) {
    const GraphDesc& graph = executor.plan->graph;
    const ResourceId id = graph.versions[output.version.index].resource;
    // Outputs are of one execution, and so they lie where they lie whatever the phase.
    const BoundResources bound = executor.bound(executor.last_slot());
    return {.resource = &graph.resources[id.index],
            .handle = bound.at(id, 0),
            .last = executor.plan->boundaries[id.index].last};
}

/// Stages that the host's reads wait for, in the one-off command buffer.
constexpr Dependency kToHost{VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                             VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT};

void record_image_copy(const DeviceImpl& device, VkCommandBuffer commands, const OutputPlace& found,
                       std::uint32_t mip, std::uint32_t layer, VkBuffer destination) {
    const ImageDesc& desc = found.resource->image();
    const VkImage image = found.handle.image;
    const VkImageSubresourceRange range{aspects(desc.format), mip, 1, layer, 1};
    constexpr VkImageLayout kSource = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    const VkImageLayout left_in = to_vk(found.last.layout);
    if (left_in != kSource)
        record_layout_change(device, commands, image, range, left_in, kSource,
                             {VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_MEMORY_WRITE_BIT,
                              VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT});
    VkBufferImageCopy region{};
    region.imageSubresource = {range.aspectMask, mip, layer, 1};
    if (range.aspectMask & VK_IMAGE_ASPECT_DEPTH_BIT)
        region.imageSubresource.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
    region.imageExtent = to_vk(mip_extent(desc.extent, mip));
    device.vk.vkCmdCopyImageToBuffer(commands, image, kSource, destination, 1, &region);
    if (left_in != kSource)
        record_layout_change(device, commands, image, range, kSource, left_in,
                             {VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT,
                              VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                              VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT});
    record_memory_barrier(device, commands, kToHost);
}

/// The format whose texels a copy of the depth aspect consists of.
Format copied_format(Format format) {
    return format == Format::d32_sfloat_s8_uint ? Format::d32_sfloat : format;
}

/// The bytes of each, in one submission.
Result<std::vector<std::vector<std::byte>>> read_buffers(ExecutorImpl& executor,
                                                         std::span<const OutputPlace> found) {
    std::size_t bytes = 0;
    for (const OutputPlace& f : found)
        bytes += f.resource->buffer().size;
    if (auto ok = executor.wait_for(executor.submitted); !ok) return propagate(std::move(ok));
    const ScopedSpan reading(executor.options.timeline,
                             executor.span(HostWork::readback, executor.submitted));
    auto host = create_host_buffer(*executor.device, bytes, VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                                   HostUse::read);
    if (!host) return propagate(std::move(host));
    auto ok = executor.one_off->run([&](VkCommandBuffer commands) {
        const DeviceImpl& device = *executor.device;
        VkDeviceSize at = 0;
        for (const OutputPlace& f : found) {
            const VkBufferCopy region{0, at, f.resource->buffer().size};
            device.vk.vkCmdCopyBuffer(commands, f.handle.buffer, host->buffer.get(), 1, &region);
            at += region.size;
        }
        record_memory_barrier(device, commands, kToHost);
    });
    if (!ok) return propagate(std::move(ok));
    std::vector<std::vector<std::byte>> read;
    std::size_t at = 0;
    for (const OutputPlace& f : found) {
        const auto first = host->bytes.begin() + static_cast<std::ptrdiff_t>(at);
        at += f.resource->buffer().size;
        read.emplace_back(first, host->bytes.begin() + static_cast<std::ptrdiff_t>(at));
    }
    return read;
}

} // namespace

Result<OutputPlace> output_place(ExecutorImpl& executor, std::string_view name) {
    const GraphDesc& graph = executor.plan->graph;
    std::vector<std::string> names;
    for (const OutputDesc& candidate : graph.outputs) {
        if (candidate.reader) continue;
        if (graph.name(candidate.name) == name) return place_of(executor, candidate);
        names.emplace_back(graph.name(candidate.name));
    }
    const std::string_view nearest = nearest_name(name, names);
    return fail("gpu/unknown-output", fmt::format("the graph has no output \"{}\"", name),
                nearest.empty() ? "" : fmt::format("did you mean \"{}\"?", nearest));
}

Result<OutputPlace> output_contents(ExecutorImpl& executor, std::string_view name) {
    auto place = output_place(executor, name);
    if (place && executor.rotation == 0)
        return fail("gpu/not-executed",
                    fmt::format("output \"{}\" has no contents before an execution", name));
    return place;
}

std::unexpected<Diagnostics> wrong_output_kind(std::string_view name, std::string_view why) {
    return fail("gpu/output-kind", fmt::format("output \"{}\" {}", name, why));
}

Result<HostImage> read_image(ExecutorImpl& executor, std::string_view name, std::uint32_t mip,
                             std::uint32_t layer) {
    auto found = output_contents(executor, name);
    if (!found) return propagate(std::move(found));
    if (!found->resource->is_image()) return wrong_output_kind(name, "is a buffer, not an image");
    const ImageDesc& desc = found->resource->image();
    if (desc.samples != 1) return wrong_output_kind(name, "is multisampled; resolve it first");
    if (mip >= desc.mips || layer >= desc.layers)
        return wrong_output_kind(name, fmt::format("has no mip {} of layer {}", mip, layer));
    if (desc.format == Format::d24_unorm_s8_uint)
        return wrong_output_kind(name, "has a format that the host cannot read");
    HostImage image = make_image(copied_format(desc.format), mip_extent(desc.extent, mip));

    if (auto ok = executor.wait_for(executor.submitted); !ok) return propagate(std::move(ok));
    const ScopedSpan reading(executor.options.timeline,
                             executor.span(HostWork::readback, executor.submitted));
    auto buffer = create_host_buffer(*executor.device, image.texels.size(),
                                     VK_BUFFER_USAGE_TRANSFER_DST_BIT, HostUse::read);
    if (!buffer) return propagate(std::move(buffer));
    auto ok = executor.one_off->run([&](VkCommandBuffer commands) {
        record_image_copy(*executor.device, commands, *found, mip, layer, buffer->buffer.get());
    });
    if (!ok) return propagate(std::move(ok));
    std::memcpy(image.texels.data(), buffer->bytes.data(), image.texels.size());
    return image;
}

Result<std::vector<std::byte>> read_buffer(ExecutorImpl& executor, std::string_view name) {
    auto found = output_contents(executor, name);
    if (!found) return propagate(std::move(found));
    if (found->resource->is_image()) return wrong_output_kind(name, "is an image, not a buffer");
    auto read = read_buffers(executor, std::span(&*found, 1));
    if (!read) return propagate(std::move(read));
    return std::move(read->front());
}

Result<Diagnostics> read_warnings(ExecutorImpl& executor) {
    const GraphDesc& graph = executor.plan->graph;
    std::vector<const OutputDesc*> statuses;
    std::vector<OutputPlace> found;
    for (const OutputDesc& output : graph.outputs) {
        if (!output.reader) continue;
        statuses.push_back(&output);
        found.push_back(place_of(executor, output));
    }
    if (statuses.empty()) return Diagnostics{};
    if (executor.rotation == 0)
        return fail("gpu/not-executed", "passes report nothing before the first execution");
    auto read = read_buffers(executor, found);
    if (!read) return propagate(std::move(read));
    Diagnostics all;
    for (std::size_t i = 0; i < statuses.size(); ++i) {
        std::vector<std::uint32_t> words((*read)[i].size() / sizeof(std::uint32_t));
        std::memcpy(words.data(), (*read)[i].data(), words.size() * sizeof(std::uint32_t));
        for (Diagnostic& warning : statuses[i]->reader(words)) {
            if (!statuses[i]->reader.names_place())
                warning.message =
                    fmt::format("{}: {}", graph.name(statuses[i]->name), warning.message);
            all.push_back(std::move(warning));
        }
    }
    return all;
}

} // namespace tuff
