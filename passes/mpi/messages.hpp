#pragma once

#include <tuff/graph.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

/// Bytes of buffers that ranks send to each other, as host nodes.
namespace tuff::passes {

/// A run of bytes to or from a rank.
struct RankBytes {
    std::uint32_t rank = 0;
    std::uint64_t offset = 0; ///< in the buffer
    std::uint64_t size = 0;
    std::uint64_t element = 0;  ///< bytes of one; 0: all of `size` travels
    std::uint64_t count_at = 0; ///< of elements that travel: a word at this byte of `MessageCounts`
    std::size_t view = 0;       ///< of the sent views: which one `offset` is in
    friend bool operator==(const RankBytes&, const RankBytes&) = default;
};

/// What a rank sends and receives in one step. No message is to itself.
struct Messages {
    std::vector<RankBytes> sends;    ///< of the buffers that are sent
    std::vector<RankBytes> receives; ///< of the buffer that is filled
    friend bool operator==(const Messages&, const Messages&) = default;
};

/// How many elements travel, where the ranks know it no earlier. Sender and receiver have the same
/// counts; no more than `RankBytes::size` travels.
struct MessageCounts {
    Buffer sends;
    Buffer receives;
    Buffer over; ///< unless its first word is 0, nothing travels; all ranks have the same
};

/// Adds a host node that sends parts of `sent` and fills `received`, either of which may be
/// unconnected, or both bytes of one buffer. All ranks add it, those without messages too: so all
/// of them have the same host nodes. `counts` are for messages of elements. Returns the filled
/// buffer.
Buffer exchange_messages(Graph& graph, std::string_view name, Messages messages,
                         std::span<const BufferView> sent, BufferView received,
                         const MessageCounts& counts = {});
/// The same with one buffer to send, or none.
Buffer exchange_messages(Graph& graph, std::string_view name, Messages messages, BufferView sent,
                         BufferView received, const MessageCounts& counts = {});

} // namespace tuff::passes
