#pragma once

#include "gpu/device/one_off.hpp"
#include "gpu/memory/memory.hpp"

#include <tuff/graph_desc.hpp>

#include <optional>

namespace tuff {

/// Brings bytes of any amount to the device through one staging buffer of bounded size.
class Uploader {
  public:
    /// `total` is a hint: small uploads get a small staging buffer.
    static Result<Uploader> create(const DeviceImpl& device, std::uint64_t total);

    /// Fills a new image, packed as for ResourceDesc::contents, and leaves it in `layout`, visible
    /// to every later command of the queue.
    Result<void> image(VkImage image, const ImageDesc& desc, std::span<const std::byte> texels,
                       VkImageLayout layout);
    /// Fills a new buffer from its start.
    Result<void> buffer(VkBuffer buffer, std::span<const std::byte> bytes);
    /// Waits until everything has arrived. Without it the last chunk may never be sent.
    Result<void> finish();

  private:
    /// Bytes copied into the staging buffer, at `offset`.
    struct Staged {
        std::uint64_t offset = 0;
        std::uint64_t bytes = 0;
    };
    /// Stages a prefix of `bytes`, whole `unit`s of them, sending what is staged before if there is
    /// no room.
    Result<Staged> stage(std::span<const std::byte> bytes, std::uint64_t unit);
    Result<void> open();
    Result<void> send();

    HostBuffer staging_;
    std::optional<OneOff> one_off_;
    std::uint64_t used_ = 0;
    bool open_ = false;
};

} // namespace tuff
