#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace tuff::passes {

/// So many bytes, each of this value: the contents of constants that stand where a kernel must be
/// given something. Made once, for graphs that are built again must hand over the same bytes to
/// upload nothing again.
template <std::size_t kCount, std::uint8_t kValue>
const std::shared_ptr<const std::vector<std::byte>>& constant_bytes() {
    static const auto kBytes =
        std::make_shared<const std::vector<std::byte>>(kCount, std::byte{kValue});
    return kBytes;
}

} // namespace tuff::passes
