#pragma once

#include "mpi/calls.hpp"
#include "mpi/presence.hpp"

#include <tuff/communicator.hpp>

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace tuff::mpi {

/// Ranks of MPI. All calls of MPI are made under one mutex and none of them waits, so that MPI
/// needs to serve one thread at a time only, and a rank that is lost holds nobody up.
class MpiCommunicator final : public Communicator {
  public:
    static Result<std::unique_ptr<MpiCommunicator>> join(const CommunicatorOptions& options);
    ~MpiCommunicator() override;

    std::int32_t rank() const override { return rank_; }
    std::int32_t size() const override { return static_cast<std::int32_t>(hosts_.size()); }
    std::int32_t local_rank() const override { return local_rank_; }
    std::int32_t local_size() const override { return local_size_; }
    const std::string& host(std::int32_t rank) const override {
        return hosts_.at(static_cast<std::size_t>(rank));
    }
    const std::string& library() const override { return library_; }
    bool lost(std::int32_t rank) const override { return presence_->lost(rank); }

    Result<void> send(std::int32_t to, MessageTag tag, std::span<const std::byte> bytes) override;
    Result<PendingMessage> start_send(std::int32_t to, MessageTag tag,
                                      std::span<const std::byte> bytes) override;
    Result<std::optional<Envelope>> probe(std::int32_t from, MessageTag tag) override;
    Result<std::optional<Message>> take(std::int32_t from, MessageTag tag) override;
    Result<Message> receive(std::int32_t from, MessageTag tag) override;
    Result<PendingMessage> start_receive(std::int32_t from, MessageTag tag,
                                         std::span<std::byte> bytes) override;
    Result<void> barrier() override;
    Result<void> broadcast(std::vector<std::byte>& bytes, std::int32_t root) override;
    Result<void> all_reduce(std::span<double> numbers, Reduction reduction) override;
    Result<void> all_reduce(std::span<std::int64_t> numbers, Reduction reduction) override;
    Result<std::vector<std::vector<std::byte>>> gather(std::span<const std::byte> bytes,
                                                       std::int32_t root) override;
    [[noreturn]] void abort(int exit_code) override;

    /// Under the mutex: whether a request is done. `expected` bytes, of what is received.
    Result<bool> test(MPI_Request& request, std::optional<std::uint64_t> expected);
    /// The same and waits, until the rank is lost; `kAnyRank`: any rank.
    Result<void> wait(MPI_Request& request, std::optional<std::uint64_t> expected,
                      std::int32_t peer);
    /// Lets go of a request that nobody asks about any more.
    void forget(MPI_Request& request, bool receives, std::int32_t peer);

  private:
    /// Bytes that are being sent, or belong to a collective call that failed.
    struct Kept {
        std::shared_ptr<const void> bytes;
        MPI_Request request;
    };

    MpiCommunicator() = default;
    Result<void> set_up(const CommunicatorOptions& options);
    Result<void> find_hosts();
    Result<void> still_there(std::int32_t peer) const;
    /// Whether this host has fewer processors than its ranks keep busy: each computes and sends.
    bool share_processors() const;
    Result<void> check_peer(std::int32_t peer, MessageTag tag) const;
    template <typename Number>
    Result<void> reduce(std::span<Number> numbers, Reduction reduction, MPI_Datatype type);
    /// Begins a collective call and waits. `bytes` are what it works on.
    Result<void> collective(const char* name, const std::shared_ptr<void>& bytes,
                            const std::function<int(MPI_Request*)>& begin);
    void sweep_kept();

    std::mutex calls_;
    MPI_Comm user_ = MPI_COMM_NULL;
    MPI_Comm living_ = MPI_COMM_NULL;
    std::int32_t rank_ = 0;
    std::int32_t local_rank_ = 0;
    std::int32_t local_size_ = 1;
    std::vector<std::string> hosts_;
    std::string library_;
    std::chrono::milliseconds timeout_{};
    std::list<Kept> kept_;
    std::unique_ptr<Presence> presence_;
};

} // namespace tuff::mpi
