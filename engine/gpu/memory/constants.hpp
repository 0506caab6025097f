#pragma once

#include "gpu/device/queue_sharing.hpp"
#include "gpu/memory/memory.hpp"

#include <tuff/graph_desc.hpp>

#include <mutex>
#include <string_view>
#include <vector>

namespace tuff {

/// A constant resource on the device; one of `image` and `buffer` is set.
struct ConstantObject {
    Placement placement; ///< declared first: the memory goes after the object in it
    OwnedImage image;
    OwnedBuffer buffer;
};

struct ConstantRequest {
    std::string_view name;
    const ResourceDesc* resource = nullptr;
    UsageMask usage = 0;
    Layout layout = Layout::undefined; ///< in which images are left
    QueueMask shared_by = 0;
};

/// The constant resources of a device's executors. An object stays as long as someone holds the
/// host bytes it was made from, so that a graph compiled again uploads nothing again.
class ConstantCache {
  public:
    /// One object per request, uploaded and visible to all later commands of the queue.
    /// Errors: `gpu/constant-size`, `gpu/unsupported-format`, `gpu/out-of-memory`.
    Result<std::vector<std::shared_ptr<const ConstantObject>>>
    get(const DeviceImpl& device, std::span<const ConstantRequest> requests);

    /// Uploads so far, for tests and statistics.
    std::uint64_t uploads() const;

  private:
    using Contents = std::vector<std::byte>;
    struct Entry {
        std::weak_ptr<const Contents> contents;
        std::variant<ImageDesc, BufferDesc> desc;
        UsageMask usage = 0;
        Layout layout = Layout::undefined;
        QueueMask shared_by = 0;
        std::shared_ptr<const ConstantObject> object;
    };
    std::shared_ptr<const ConstantObject> find(const ConstantRequest& request) const;
    /// Forgets objects whose host bytes are gone.
    void purge();

    mutable std::mutex mutex_;
    std::vector<Entry> entries_;
    std::uint64_t uploads_ = 0;
};

} // namespace tuff
