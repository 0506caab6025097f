#include "gpu/memory/constants.hpp"

#include "gpu/execute/plan_enums.hpp"
#include "gpu/memory/resource_info.hpp"
#include "gpu/memory/uploader.hpp"
#include "graph/compile/ranges.hpp"

#include <fmt/format.h>

namespace tuff {
namespace {

std::uint64_t wanted_bytes(const ResourceDesc& resource) {
    return resource.is_image() ? packed_bytes(resource.image()) : resource.buffer().size;
}

Result<void> check_contents(const ConstantRequest& request) {
    const std::uint64_t wanted = wanted_bytes(*request.resource);
    const std::uint64_t given = request.resource->contents ? request.resource->contents->size() : 0;
    if (wanted == given) return {};
    return fail("gpu/constant-size", fmt::format("constant \"{}\" takes {} bytes but {} were given",
                                                 request.name, wanted, given));
}

Result<ConstantObject> create_object(const DeviceImpl& device, const ConstantRequest& request) {
    ConstantObject object;
    const ResourceDesc& resource = *request.resource;
    const UsageMask usage = request.usage | usage::kTransferDestination;
    if (resource.is_image()) {
        auto image = create_image(device, resource.image(), usage, request.name, request.shared_by);
        if (!image) return propagate(std::move(image));
        object.image = std::move(*image);
    } else {
        auto buffer =
            create_buffer(device, resource.buffer(), usage, request.name, request.shared_by);
        if (!buffer) return propagate(std::move(buffer));
        object.buffer = std::move(*buffer);
    }
    return object;
}

VkImageLayout final_layout(Layout layout) {
    // A constant that no live node reads as an image has no layout of its own.
    return layout == Layout::undefined ? VK_IMAGE_LAYOUT_GENERAL : to_vk(layout);
}

Result<void> upload(const DeviceImpl& device, std::span<const ConstantRequest> requests,
                    std::span<const ConstantObject> objects) {
    std::uint64_t total = 0;
    for (const ConstantRequest& request : requests)
        total += request.resource->contents->size();
    auto uploader = Uploader::create(device, total);
    if (!uploader) return propagate(std::move(uploader));
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const ResourceDesc& resource = *requests[i].resource;
        auto ok = resource.is_image()
                      ? uploader->image(objects[i].image.get(), resource.image(),
                                        *resource.contents, final_layout(requests[i].layout))
                      : uploader->buffer(objects[i].buffer.get(), *resource.contents);
        if (!ok) return ok;
    }
    return uploader->finish();
}

} // namespace

std::shared_ptr<const ConstantObject> ConstantCache::find(const ConstantRequest& request) const {
    for (const Entry& entry : entries_) {
        if (entry.contents.lock() != request.resource->contents) continue;
        const bool usable = (entry.usage & request.usage) == request.usage &&
                            (entry.shared_by & request.shared_by) == request.shared_by;
        if (usable && entry.layout == request.layout && entry.desc == request.resource->desc)
            return entry.object;
    }
    return nullptr;
}

void ConstantCache::purge() {
    std::erase_if(entries_, [](const Entry& entry) { return entry.contents.expired(); });
}

std::uint64_t ConstantCache::uploads() const {
    const std::lock_guard lock(mutex_);
    return uploads_;
}

Result<std::vector<std::shared_ptr<const ConstantObject>>>
ConstantCache::get(const DeviceImpl& device, std::span<const ConstantRequest> requests) {
    const std::lock_guard lock(mutex_);
    purge();
    std::vector<std::shared_ptr<const ConstantObject>> result(requests.size());
    std::vector<ConstantRequest> missing;
    std::vector<std::size_t> places;
    std::vector<ConstantObject> objects;
    std::vector<Unplaced> unplaced;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        if (auto ok = check_contents(requests[i]); !ok) return propagate(std::move(ok));
        if ((result[i] = find(requests[i]))) continue;
        auto object = create_object(device, requests[i]);
        if (!object) return propagate(std::move(object));
        unplaced.push_back({object->image.get(), object->buffer.get()});
        objects.push_back(std::move(*object));
        missing.push_back(requests[i]);
        places.push_back(i);
    }
    if (missing.empty()) return result;

    auto placements = place_together(device, unplaced);
    if (!placements) return propagate(std::move(placements));
    for (std::size_t i = 0; i < objects.size(); ++i)
        objects[i].placement = std::move((*placements)[i]);
    if (auto ok = upload(device, missing, objects); !ok) return propagate(std::move(ok));
    for (std::size_t i = 0; i < objects.size(); ++i) {
        const auto object = std::make_shared<const ConstantObject>(std::move(objects[i]));
        entries_.push_back({missing[i].resource->contents, missing[i].resource->desc,
                            missing[i].usage, missing[i].layout, missing[i].shared_by, object});
        result[places[i]] = object;
    }
    uploads_ += missing.size();
    return result;
}

} // namespace tuff
