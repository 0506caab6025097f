#pragma once

#include <tuff/diagnostic.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// Processes that work together, each a *rank*, as an MPI launcher such as mpirun or srun starts
/// them. Tuff itself needs no MPI: the library that calls it is loaded by `Communicator::join`.
namespace tuff {

/// What messages are told apart by; from 0 to `kMaxTag`.
using MessageTag = std::int32_t;
inline constexpr MessageTag kMaxTag = 32'000; ///< the greatest that every MPI has
inline constexpr std::int32_t kAnyRank = -1;  ///< to `probe`, `take` and `receive`: from whomever
inline constexpr MessageTag kAnyTag = -1;     ///< to them as well: with whatever tag

/// A message that has come.
struct Envelope {
    std::int32_t from = 0;   ///< rank
    MessageTag tag = 0;      ///< as it was sent
    std::uint64_t bytes = 0; ///< of its contents
};

/// A message with what is in it.
struct Message {
    Envelope envelope;            ///< who sent it
    std::vector<std::byte> bytes; ///< as many as the envelope says
};

/// How `Communicator::all_reduce` combines the numbers of all ranks.
enum class Reduction : std::uint8_t { sum, min, max };

/// What a communicator needs to know before it begins.
struct CommunicatorOptions {
    /// A rank that has not been heard of for so long counts as lost. Ranks say that they live by
    /// themselves, also while they compute, from a thread of their own.
    std::chrono::milliseconds timeout{10'000};
    /// Whether ranks of one host copy messages out of each other's memory (`Communicator::lend`).
    bool lend_memory = true;
};

/// A transfer that `start_send` or `start_receive` began. Its bytes are the communicator's until it
/// is done. One that ends before that is waited for, as long as the other rank lives.
class PendingMessage {
  public:
    /// What the communicator knows of it.
    class State {
      public:
        virtual ~State() = default;
        /// As `PendingMessage::done`.
        virtual Result<bool> done() = 0;
        /// As `PendingMessage::wait`.
        virtual Result<void> wait() = 0;
    };

    PendingMessage() = default; ///< done
    /// Takes over one that has begun.
    explicit PendingMessage(std::unique_ptr<State> state) : state_(std::move(state)) {}
    /// Takes over the transfer of another.
    PendingMessage(PendingMessage&&) noexcept = default;
    /// Takes over the transfer of another; its own is waited for as it ends.
    PendingMessage& operator=(PendingMessage&&) noexcept = default;

    /// Whether it is done; does not wait. Errors: as of `wait`.
    Result<bool> done() { return state_ ? state_->done() : Result<bool>(true); }
    /// Waits until it is done. Errors: `mpi/lost-rank`, `mpi/failed`.
    Result<void> wait() { return state_ ? state_->wait() : Result<void>(); }

  private:
    std::unique_ptr<State> state_;
};

/// Memory that other processes of the host can open, so that a message in it is copied from where
/// it lies to where it shall be: by the other GPU, say, without the host. Thread-safe.
class LentMemory {
  public:
    /// That of another process, in this one.
    class Opened {
      public:
        virtual ~Opened() = default;
        /// Copies `into.size()` bytes from `offset` on. Returns when they are there.
        virtual Result<void> copy(std::uint64_t offset, std::span<std::byte> into) = 0;
    };

    virtual ~LentMemory() = default;
    /// Its addresses in this process; see `host_accessible`.
    virtual std::span<std::byte> bytes() const = 0;
    /// Whether the host may touch them. If not, `read` and `write` move bytes.
    virtual bool host_accessible() const { return true; }
    /// Smaller messages are sent through the host; at least `kLeastLent`.
    virtual std::uint64_t least_message() const = 0;
    /// Plain data for `open`, at most 1 KiB.
    virtual std::vector<std::byte> description() const = 0;
    /// A file descriptor for `open`, a new one with each call, which the caller closes; -1 where it
    /// needs none.
    virtual Result<int> descriptor() const = 0;
    /// Opens that of another process, to copy from it into this one. Takes the descriptor over.
    virtual Result<std::unique_ptr<Opened>> open(std::span<const std::byte> description,
                                                 int descriptor) const = 0;
    /// Reads from `offset` on.
    virtual Result<void> read(std::uint64_t offset, std::span<std::byte> into) const;
    /// Writes from `offset` on.
    virtual Result<void> write(std::uint64_t offset, std::span<const std::byte> from) const;
};
inline constexpr std::uint64_t kLeastLent = 64; ///< bytes, see `LentMemory::least_message`

/// The ranks of a job. All calls may come from any thread, several at once; collective ones
/// (`barrier`, `broadcast`, `all_reduce`, `gather`) are made by all ranks in the same order and by
/// one thread of each. Every call that waits fails with `mpi/lost-rank`, which names the rank and
/// its host, once the rank that it waits for is lost; of a collective call that may be any rank.
/// Whatever MPI itself complains of is `mpi/failed`. Messages of two ranks with one tag arrive in
/// the order in which they were sent.
class Communicator {
  public:
    /// Whether a launcher of MPI programs has started this process: mpirun of Open MPI, MPICH or
    /// another one that speaks PMI or PMIx, or srun with several tasks.
    static bool launched();
    /// Joins the ranks that the launcher has started; alone where there is none. Once a process,
    /// and to be ended before the process does. Errors: `mpi/not-built`, where this Tuff has no MPI
    /// library; `mpi/no-library`, where that cannot be loaded; `mpi/apart`, where the launcher has
    /// started several processes and this MPI knows of one; `mpi/failed`.
    static Result<std::unique_ptr<Communicator>> join(const CommunicatorOptions& options = {});

    /// Ends the ranks' work together. Waits for the others, unless one is lost.
    virtual ~Communicator() = default;

    virtual std::int32_t rank() const = 0;       ///< of this process, from 0
    virtual std::int32_t size() const = 0;       ///< ranks, lost ones included
    virtual std::int32_t local_rank() const = 0; ///< among the ranks of this host, from 0
    virtual std::int32_t local_size() const = 0; ///< ranks of this host
    /// Name of the host that a rank runs on.
    virtual const std::string& host(std::int32_t rank) const = 0;
    /// "rank 3 on node7", for messages.
    std::string name(std::int32_t rank) const {
        return "rank " + std::to_string(rank) + " on " + host(rank);
    }
    /// The MPI library, its version included, as it names itself.
    virtual const std::string& library() const = 0;

    /// Whether a rank is known to be lost.
    virtual bool lost(std::int32_t rank) const = 0;

    /// Sends a message; returns when `bytes` may be used again, which need not mean that it has
    /// arrived.
    virtual Result<void> send(std::int32_t to, MessageTag tag,
                              std::span<const std::byte> bytes) = 0;
    /// Begins to send a message, which the other rank takes by `start_receive`. Bytes in memory
    /// that both ranks have lent (`lend`) are copied while that rank waits, for them or others.
    virtual Result<PendingMessage> start_send(std::int32_t to, MessageTag tag,
                                              std::span<const std::byte> bytes) = 0;
    /// The next message of a rank, or of any, with a tag, or any; does not wait. It is not taken.
    virtual Result<std::optional<Envelope>> probe(std::int32_t from, MessageTag tag) = 0;
    /// Takes the next such message where there is one; does not wait.
    virtual Result<std::optional<Message>> take(std::int32_t from, MessageTag tag) = 0;
    /// Waits for the next such message and takes it. From any rank: until all others are lost.
    virtual Result<Message> receive(std::int32_t from, MessageTag tag) = 0;
    /// Begins to receive a message of exactly `bytes.size()` bytes. Error of
    /// `PendingMessage::wait`, where another size comes: `mpi/failed`.
    virtual Result<PendingMessage> start_receive(std::int32_t from, MessageTag tag,
                                                 std::span<std::byte> bytes) = 0;

    /// Lets ranks of this host copy messages out of this memory, and into it out of theirs, until
    /// `take_back`. Does nothing where messages do not go this way.
    virtual void lend(std::shared_ptr<LentMemory> memory) { (void)memory; }
    /// Ends that; no message is in the memory any more.
    virtual void take_back(const LentMemory& memory) { (void)memory; }
    /// Whether all ranks are on this host and may copy so.
    virtual bool lends() const { return false; }

    /// Waits until all ranks have called it.
    virtual Result<void> barrier() = 0;
    /// Gives all ranks the bytes of rank `root`, as many as that has.
    virtual Result<void> broadcast(std::vector<std::byte>& bytes, std::int32_t root) = 0;
    /// Combines the numbers of all ranks, place by place; all get the same bits. Sums are made in
    /// an order that the MPI chooses.
    virtual Result<void> all_reduce(std::span<double> numbers, Reduction reduction) = 0;
    /// The same for integers.
    virtual Result<void> all_reduce(std::span<std::int64_t> numbers, Reduction reduction) = 0;
    /// The bytes of all ranks, by rank, to rank `root`; others get nothing.
    virtual Result<std::vector<std::vector<std::byte>>> gather(std::span<const std::byte> bytes,
                                                               std::int32_t root) = 0;

    /// Ends all ranks at once with this exit code, after what went wrong beyond help.
    [[noreturn]] virtual void abort(int exit_code) = 0;
};

inline Result<void> LentMemory::read(std::uint64_t offset, std::span<std::byte> into) const {
    std::memcpy(into.data(), bytes().subspan(offset).data(), into.size());
    return {};
}
inline Result<void> LentMemory::write(std::uint64_t offset, std::span<const std::byte> from) const {
    std::memcpy(bytes().subspan(offset).data(), from.data(), from.size());
    return {};
}

} // namespace tuff
