#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

namespace tuff::passes {

/// A status block of words and floats as its structure; what `words` lack is as it begins.
template <typename Status>
Status status_from(std::span<const std::uint32_t> words) {
    static_assert(std::is_trivially_copyable_v<Status>);
    Status status;
    std::memcpy(static_cast<void*>(&status), words.data(),
                std::min(sizeof(Status), words.size_bytes()));
    return status;
}

} // namespace tuff::passes
