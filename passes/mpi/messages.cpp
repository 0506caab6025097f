#include "passes/mpi/messages.hpp"

#include <tuff/communicator.hpp>

#include <memory>
#include <utility>

namespace tuff::passes {
namespace {

class MessageTask final : public HostTask {
  public:
    /// `ranks` is null in graphs that are explained and never run.
    MessageTask(Communicator* ranks, Messages messages)
        : ranks_(ranks), messages_(std::move(messages)) {}
    void set_tag(MessageTag tag) { tag_ = tag; }

    Result<void> run(const HostBuffers& buffers) override {
        if (!ranks_)
            return fail("mpi/failed", "the graph is for several ranks, and there are no others",
                        "give Graph::set_ranks their Communicator");
        std::vector<PendingMessage> pending;
        pending.reserve(messages_.sends.size() + messages_.receives.size());
        for (const RankBytes& part : messages_.receives) {
            auto started =
                ranks_->start_receive(static_cast<std::int32_t>(part.rank), tag_,
                                      buffers.written[0].subspan(part.offset, part.size));
            if (!started) return propagate(std::move(started));
            pending.push_back(std::move(*started));
        }
        for (const RankBytes& part : messages_.sends) {
            auto started = ranks_->start_send(static_cast<std::int32_t>(part.rank), tag_,
                                              buffers.read[0].subspan(part.offset, part.size));
            if (!started) return propagate(std::move(started));
            pending.push_back(std::move(*started));
        }
        for (PendingMessage& message : pending)
            if (auto done = message.wait(); !done) return done;
        return {};
    }

    bool equals(const HostTask& other) const override {
        const auto* const task = dynamic_cast<const MessageTask*>(&other);
        return task && ranks_ == task->ranks_ && tag_ == task->tag_ && messages_ == task->messages_;
    }

  private:
    Communicator* ranks_;
    Messages messages_;
    MessageTag tag_ = 0;
};

} // namespace

Buffer exchange_messages(Graph& graph, std::string_view name, Messages messages, Buffer sent,
                         Buffer received) {
    const auto task =
        std::make_shared<MessageTask>(graph.ranks().communicator, std::move(messages));
    HostNodeBuilder node = graph.host(name, task);
    if (sent) node.read(sent);
    if (received) received = node.write(received);
    // Messages of one tag arrive in order, so that tags may come again.
    task->set_tag(graph.order_messages(node) % (kMaxTag + 1));
    return received;
}

} // namespace tuff::passes
