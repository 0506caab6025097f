#pragma once

#include <tuff/graph.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

/// Bytes of buffers that ranks send to each other, as host nodes.
namespace tuff::passes {

/// A run of bytes to or from a rank.
struct RankBytes {
    std::uint32_t rank = 0;
    std::uint64_t offset = 0; ///< in the buffer
    std::uint64_t size = 0;
    friend bool operator==(const RankBytes&, const RankBytes&) = default;
};

/// What a rank sends and receives in one step. No message is to itself.
struct Messages {
    std::vector<RankBytes> sends;    ///< of the buffer that is sent
    std::vector<RankBytes> receives; ///< of the buffer that is filled
    friend bool operator==(const Messages&, const Messages&) = default;
};

/// Adds a host node that sends parts of `sent` and fills `received`, either of which may be
/// unconnected. All ranks add it, those without messages too: so all of them have the same host
/// nodes. Returns the filled buffer.
Buffer exchange_messages(Graph& graph, std::string_view name, Messages messages, Buffer sent,
                         Buffer received);

} // namespace tuff::passes
