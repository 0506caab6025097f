#pragma once

#include <tuff/graph.hpp>

#include <cstdint>
#include <cstring>
#include <functional>

/// What executable_graph.cpp knows of resources, and what its host nodes do.
namespace tuff::testing_gpu {

/// Which parts of a resource hold something, as bits: layers of mips, or eighths of a buffer.
using Parts = std::uint32_t;
constexpr std::uint32_t kEighths = 8;

struct Resource {
    bool image = true;
    bool writable = true;
    bool history = false; ///< its newest copy
    ImageDesc image_desc;
    BufferDesc buffer_desc;
    VersionId version; ///< the newest
    VersionId before;  ///< the one before it; none: only one so far
    Parts defined = 0;
    Parts defined_before = 0;
    /// The newest version gathers atomics, nobody has read it yet, and they start from `before`.
    bool gathering = false;

    Parts all() const {
        const std::uint32_t count = image ? image_desc.mips * image_desc.layers : kEighths;
        return (Parts{1} << count) - 1;
    }
};

/// One layer of one mip, or some eighths of a buffer.
struct Part {
    std::uint32_t resource = 0;
    std::uint32_t mip = 0;
    std::uint32_t layer = 0;
    std::uint32_t first = 0;
    std::uint32_t count = kEighths;
    Parts parts = 0;
};

/// Hashes words of what a host node reads into all that it writes.
inline std::function<Result<void>(const HostBuffers&)> hash_words(std::uint32_t salt) {
    return [salt](const HostBuffers& buffers) -> Result<void> {
        const std::span<const std::byte> source = buffers.read[0];
        const std::span<std::byte> target = buffers.written[0];
        for (std::size_t at = 0; at < target.size(); at += 4) {
            std::uint32_t word = 0;
            std::memcpy(&word, source.data() + at % source.size(), 4);
            word = (word ^ (word >> 15) ^ salt) * 0x2c1b3c6du;
            std::memcpy(target.data() + at, &word, 4);
        }
        return {};
    };
}

} // namespace tuff::testing_gpu
