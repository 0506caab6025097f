#pragma once

#include "mpi/calls.hpp"
#include "mpi/lent_memories.hpp"
#include "mpi/presence.hpp"

#include <tuff/communicator.hpp>

#include <array>
#include <atomic>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace tuff::mpi {

class LentTransfer;

/// Transfers of bytes that may be lent, as long as they are under way. Whoever waits for anything
/// helps all of them on: the other rank may need something of one while this rank waits for
/// another.
class LentTransfers {
  public:
    void add(LentTransfer& transfer);
    void remove(const LentTransfer& transfer);
    void advance();
    /// Whether one of them is done, once it has been helped on.
    Result<bool> state_of(LentTransfer& transfer);

  private:
    std::mutex mutex_;
    std::vector<LentTransfer*> transfers_;
};

/// What goes through MPI apart from each other.
enum class Lane : std::uint8_t {
    messages,
    answers, ///< to notices of lent bytes
    bytes,   ///< that could not be lent
};

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
    void lend(std::shared_ptr<LentMemory> memory) override { lent_.add(std::move(memory)); }
    void take_back(const LentMemory& memory) override { lent_.remove(memory); }
    bool lends() const override { return lends_; }
    Result<void> barrier() override;
    Result<void> broadcast(std::vector<std::byte>& bytes, std::int32_t root) override;
    Result<void> all_reduce(std::span<double> numbers, Reduction reduction) override;
    Result<void> all_reduce(std::span<std::int64_t> numbers, Reduction reduction) override;
    Result<std::vector<std::vector<std::byte>>> gather(std::span<const std::byte> bytes,
                                                       std::int32_t root) override;
    [[noreturn]] void abort(int exit_code) override;

    // For transfers. Each call takes the mutex.

    Result<void> begin_send(Lane lane, std::int32_t to, MessageTag tag,
                            std::span<const std::byte> bytes, MPI_Request& request);
    Result<void> begin_receive(Lane lane, std::int32_t from, MessageTag tag,
                               std::span<std::byte> bytes, MPI_Request& request);
    /// Sends a copy.
    Result<void> post(Lane lane, std::int32_t to, MessageTag tag, std::span<const std::byte> bytes);
    /// Once a request is done, what has come; null requests are.
    Result<std::optional<Envelope>> test(MPI_Request& request);
    Result<bool> is_done(MPI_Request& request);
    /// Lets go of a receive that nobody asks about any more. The bytes of what has come all the
    /// same.
    std::optional<std::uint64_t> cancel(MPI_Request& request);
    /// Waits until `done`, or the rank is lost; `kAnyRank`: any rank.
    Result<void> wait_until(std::int32_t peer, const std::function<Result<bool>()>& done);
    /// The error of a message of another size than it should have.
    std::unexpected<Diagnostics> other_size(std::int32_t from, std::uint64_t bytes,
                                            std::uint64_t expected) const;
    /// Sends a rank what it needs to open a memory; false where that is not possible.
    bool offer(std::uint32_t memory, std::int32_t to);
    LentMemories& lent() { return lent_; }
    std::uint32_t next_serial() { return notices_++; }
    LentTransfers& transfers() { return transfers_; }

  private:
    /// Bytes that are being sent, or belong to a collective call that failed.
    struct Kept {
        std::shared_ptr<const void> bytes;
        MPI_Request request;
    };

    MpiCommunicator() = default;
    Result<void> set_up(const CommunicatorOptions& options);
    Result<void> find_hosts();
    Result<void> find_lenders(bool lend);
    MPI_Comm on(Lane lane) const { return lanes_[static_cast<std::size_t>(lane)]; }
    std::optional<std::int32_t> gone_with(std::int32_t peer) const;
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
    std::array<MPI_Comm, 3> lanes_ = {MPI_COMM_NULL, MPI_COMM_NULL, MPI_COMM_NULL};
    MPI_Comm living_ = MPI_COMM_NULL;
    std::int32_t rank_ = 0;
    std::int32_t local_rank_ = 0;
    std::int32_t local_size_ = 1;
    std::vector<std::string> hosts_;
    std::string library_;
    std::chrono::milliseconds timeout_{};
    std::list<Kept> kept_;
    LentMemories lent_;
    LentTransfers transfers_;
    std::vector<std::string> lenders_; ///< names of the ranks' sockets
    bool lends_ = false;
    std::atomic<std::uint32_t> notices_ = 0; ///< sent so far
    std::unique_ptr<Presence> presence_;
};

} // namespace tuff::mpi
