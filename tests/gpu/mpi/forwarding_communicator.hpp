#pragma once

#include <tuff/communicator.hpp>

#include <utility>

namespace tuff::testing_gpu {

/// Has another one do everything. Tests override what they look at.
class ForwardingCommunicator : public Communicator {
  public:
    explicit ForwardingCommunicator(Communicator& other) : other_(other) {}

    Result<PendingMessage> start_send(std::int32_t to, MessageTag tag,
                                      std::span<const std::byte> bytes) override {
        return other_.start_send(to, tag, bytes);
    }
    void lend(std::shared_ptr<LentMemory> memory) override { other_.lend(std::move(memory)); }
    void take_back(const LentMemory& memory) override { other_.take_back(memory); }
    bool lends() const override { return other_.lends(); }
    std::int32_t rank() const override { return other_.rank(); }
    std::int32_t size() const override { return other_.size(); }
    std::int32_t local_rank() const override { return other_.local_rank(); }
    std::int32_t local_size() const override { return other_.local_size(); }
    const std::string& host(std::int32_t rank) const override { return other_.host(rank); }
    const std::string& library() const override { return other_.library(); }
    bool lost(std::int32_t rank) const override { return other_.lost(rank); }
    Result<void> send(std::int32_t to, MessageTag tag, std::span<const std::byte> bytes) override {
        return other_.send(to, tag, bytes);
    }
    Result<std::optional<Envelope>> probe(std::int32_t from, MessageTag tag) override {
        return other_.probe(from, tag);
    }
    Result<std::optional<Message>> take(std::int32_t from, MessageTag tag) override {
        return other_.take(from, tag);
    }
    Result<Message> receive(std::int32_t from, MessageTag tag) override {
        return other_.receive(from, tag);
    }
    Result<PendingMessage> start_receive(std::int32_t from, MessageTag tag,
                                         std::span<std::byte> bytes) override {
        return other_.start_receive(from, tag, bytes);
    }
    Result<void> barrier() override { return other_.barrier(); }
    Result<void> broadcast(std::vector<std::byte>& bytes, std::int32_t root) override {
        return other_.broadcast(bytes, root);
    }
    Result<void> all_reduce(std::span<double> numbers, Reduction reduction) override {
        return other_.all_reduce(numbers, reduction);
    }
    Result<void> all_reduce(std::span<std::int64_t> numbers, Reduction reduction) override {
        return other_.all_reduce(numbers, reduction);
    }
    Result<std::vector<std::vector<std::byte>>> gather(std::span<const std::byte> bytes,
                                                       std::int32_t root) override {
        return other_.gather(bytes, root);
    }
    [[noreturn]] void abort(int exit_code) override {
        other_.abort(exit_code);
        std::unreachable();
    }

  private:
    Communicator& other_;
};

} // namespace tuff::testing_gpu
