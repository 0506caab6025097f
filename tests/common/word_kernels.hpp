#pragma once

#include <tuff/graph.hpp>

#include <cstdint>
#include <string_view>

/// Nodes of the test kernels that work on buffers of 32-bit words.
namespace tuff::test {

inline std::uint32_t words_of(const Graph& graph, Buffer buffer) {
    return static_cast<std::uint32_t>(graph.desc(buffer).size / 4);
}

/// A new buffer of `base`, `base` + 1, ...
inline Buffer iota(Graph& graph, std::string_view name, const BufferDesc& desc,
                   std::uint32_t base) {
    auto node = graph.compute("test/iota", name);
    const Buffer result = node.write("target", graph.buffer(name, desc));
    const std::uint32_t count = words_of(graph, result);
    node.set("base", base);
    node.set("count", count);
    node.dispatch_over({count});
    return result;
}

/// `a` + `b`, word by word, in `target`.
inline Buffer sum(Graph& graph, Buffer a, Buffer b, Buffer target) {
    auto node = graph.compute("test/add");
    node.read("a", a);
    node.read("b", b);
    const Buffer result = node.write("target", target);
    node.dispatch_over({words_of(graph, target)});
    return result;
}

/// Every word times two, in place.
inline Buffer doubled(Graph& graph, Buffer buffer) {
    auto node = graph.compute("test/double");
    const Buffer result = node.write("target", buffer);
    node.dispatch_over({words_of(graph, buffer)});
    return result;
}

} // namespace tuff::test
