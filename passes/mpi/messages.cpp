#include "passes/mpi/messages.hpp"

#include <tuff/communicator.hpp>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

namespace tuff::passes {
namespace {

std::uint32_t word_at(std::span<const std::byte> bytes, std::uint64_t offset) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes.data() + offset, sizeof(word));
    return word;
}

/// Bytes of a message; read number `counts` has how many elements travel.
std::uint64_t message_bytes(const RankBytes& part, const HostBuffers& buffers, std::size_t counts) {
    if (part.element == 0) return part.size;
    const std::uint64_t count = word_at(buffers.read[counts], part.count_at);
    return std::min(part.size, count * part.element);
}

class MessageTask final : public HostTask {
  public:
    /// `ranks` is null in graphs that are explained and never run.
    MessageTask(Communicator* ranks, Messages messages)
        : ranks_(ranks), messages_(std::move(messages)) {}
    /// So many reads, the first ones, are of bytes to send.
    void set_sends(std::size_t count) { sent_ = count; }
    void set_tag(MessageTag tag) { tag_ = tag; }
    /// The numbers of the reads that have the counts.
    void set_counts(std::size_t sends, std::size_t receives) {
        send_counts_ = sends;
        receive_counts_ = receives;
    }
    /// The number of the read that says whether anything travels.
    void set_over(std::size_t over) { over_ = over; }

    Result<void> run(const HostBuffers& buffers) override {
        if (!ranks_)
            return fail("mpi/failed", "the graph is for several ranks, and there are no others",
                        "give Graph::set_ranks their Communicator");
        if (over_ && word_at(buffers.read[*over_], 0) != 0) return {};
        std::vector<PendingMessage> pending;
        pending.reserve(messages_.sends.size() + messages_.receives.size());
        for (const RankBytes& part : messages_.receives) {
            const std::uint64_t size = message_bytes(part, buffers, receive_counts_);
            if (size == 0) continue;
            auto started = ranks_->start_receive(static_cast<std::int32_t>(part.rank), tag_,
                                                 buffers.written[0].subspan(part.offset, size));
            if (!started) return propagate(std::move(started));
            pending.push_back(std::move(*started));
        }
        for (const RankBytes& part : messages_.sends) {
            const std::uint64_t size = message_bytes(part, buffers, send_counts_);
            if (size == 0) continue;
            auto started = ranks_->start_send(static_cast<std::int32_t>(part.rank), tag_,
                                              buffers.read[part.view].subspan(part.offset, size));
            if (!started) return propagate(std::move(started));
            pending.push_back(std::move(*started));
        }
        for (PendingMessage& message : pending)
            if (auto done = message.wait(); !done) return done;
        return {};
    }

    Communicator* sends(std::size_t read) const override { return read < sent_ ? ranks_ : nullptr; }
    Communicator* receives(std::size_t write) const override {
        return write == 0 ? ranks_ : nullptr;
    }

    bool equals(const HostTask& other) const override {
        const auto* const task = dynamic_cast<const MessageTask*>(&other);
        return task && ranks_ == task->ranks_ && tag_ == task->tag_ &&
               messages_ == task->messages_ && send_counts_ == task->send_counts_ &&
               receive_counts_ == task->receive_counts_ && over_ == task->over_;
    }

  private:
    Communicator* ranks_;
    Messages messages_;
    MessageTag tag_ = 0;
    std::size_t sent_ = 0;
    std::size_t send_counts_ = 0;
    std::size_t receive_counts_ = 0;
    std::optional<std::size_t> over_;
};

} // namespace

Buffer exchange_messages(Graph& graph, std::string_view name, Messages messages,
                         std::span<const BufferView> sent, BufferView received,
                         const MessageCounts& counts) {
    const auto task =
        std::make_shared<MessageTask>(graph.ranks().communicator, std::move(messages));
    HostNodeBuilder node = graph.host(name, task);
    std::size_t reads = 0;
    const auto read = [&](BufferView view) {
        if (!view.buffer) return std::size_t{0};
        node.read(view);
        return reads++;
    };
    task->set_sends(sent.size());
    for (const BufferView& view : sent)
        read(view);
    const std::size_t send_counts = read(counts.sends);
    task->set_counts(send_counts, read(counts.receives));
    if (counts.over) task->set_over(read(counts.over));
    Buffer result;
    if (received.buffer) result = node.write(received);
    // Messages of one tag arrive in order, so that tags may come again.
    task->set_tag(graph.order_messages(node) % (kMaxTag + 1));
    return result;
}

Buffer exchange_messages(Graph& graph, std::string_view name, Messages messages, BufferView sent,
                         BufferView received, const MessageCounts& counts) {
    return exchange_messages(graph, name, std::move(messages),
                             std::span(&sent, sent.buffer ? 1 : 0), received, counts);
}

} // namespace tuff::passes
