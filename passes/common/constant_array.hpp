#pragma once

#include <tuff/graph.hpp>

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tuff::passes {

/// A constant buffer of these elements.
template <typename T>
Buffer constant_array(Graph& graph, std::string_view name, const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    auto bytes = std::make_shared<std::vector<std::byte>>(values.size() * sizeof(T));
    std::memcpy(bytes->data(), values.data(), bytes->size());
    const BufferDesc desc{.size = bytes->size(), .stride = sizeof(T)};
    return graph.constant_buffer(name, desc, std::move(bytes));
}

} // namespace tuff::passes
