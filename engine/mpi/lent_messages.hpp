#pragma once

#include "mpi/mpi_communicator.hpp"

namespace tuff::mpi {

/// What is sent in place of bytes that are lent.
struct LentNotice {
    std::uint32_t memory = 0; ///< number of the sender's
    std::uint32_t serial = 0; ///< tag of the answers
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
};
static_assert(sizeof(LentNotice) < kLeastLent);

/// What the receiver answers.
enum class LentAnswer : std::uint8_t {
    copied,  ///< the bytes may be used again
    unknown, ///< it has not opened that memory; a word says whether a descriptor has been sent
    send,    ///< it cannot open it: the bytes go as a message
};

/// A message whose bytes may be lent, for which the ranks say several things to each other.
class LentTransfer : public PendingMessage::State {
  public:
    Result<bool> done() override { return communicator_.transfers().state_of(*this); }
    Result<void> wait() override {
        return communicator_.wait_until(peer_, [this] { return done(); });
    }

  protected:
    LentTransfer(MpiCommunicator& communicator, std::int32_t peer)
        : communicator_(communicator), peer_(peer) {}
    ~LentTransfer() override { leave(); }

    /// From now on `step` may be called.
    void enter() { communicator_.transfers().add(*this); }
    void leave() { communicator_.transfers().remove(*this); }
    /// Does what there is to do. Whether all is done.
    virtual Result<bool> step() = 0;

    MpiCommunicator& communicator_;
    std::int32_t peer_;

  private:
    friend class LentTransfers;
    void advance() {
        if (state_ && !*state_) state_ = step();
    }
    Result<bool> state_ = false;
};

/// One whose bytes the other rank copies.
class LentSend final : public LentTransfer {
  public:
    LentSend(MpiCommunicator& communicator, std::int32_t to, const LentMemories::Place& place,
             std::span<const std::byte> bytes);
    ~LentSend() override;
    Result<void> begin(MessageTag tag);

  private:
    Result<bool> step() override;
    Result<void> take_answer();

    LentMemories::Place place_;
    std::span<const std::byte> bytes_;
    std::vector<std::byte> copy_; ///< of bytes that the host cannot touch, if they are sent
    LentNotice notice_;
    LentAnswer answer_ = LentAnswer::copied;
    std::uint8_t offered_ = 0;
    bool is_last_ = false; ///< no answer comes after what is under way
    MPI_Request sent_ = MPI_REQUEST_NULL;
    MPI_Request answered_ = MPI_REQUEST_NULL;
};

/// One that this rank copies, or takes as it was sent.
class LentReceive final : public LentTransfer {
  public:
    /// `place`: of `bytes`, if this rank lends them.
    LentReceive(MpiCommunicator& communicator, std::int32_t from,
                std::optional<LentMemories::Place> place, std::span<std::byte> bytes);
    ~LentReceive() override;
    Result<void> begin(MessageTag tag);

  private:
    enum class Step : std::uint8_t {
        message, ///< the message or a notice is awaited
        offer,   ///< the word that a descriptor has been sent
        bytes,   ///< the bytes after all
        done
    };
    Result<bool> step() override;
    Result<void> take(std::uint64_t come);
    Result<void> take_message(std::uint64_t come);
    Result<void> finish();
    Result<void> copy(bool may_ask);
    Result<void> ask_for_bytes();
    Result<void> answer(LentAnswer answer);

    std::optional<LentMemories::Place> place_;
    std::span<std::byte> bytes_;
    std::unique_ptr<std::byte[]> room_; ///< for bytes that the host cannot touch
    std::span<std::byte> received_;     ///< what MPI fills
    LentNotice notice_;
    std::uint8_t offered_ = 0;
    Step step_ = Step::message;
    MPI_Request request_ = MPI_REQUEST_NULL;
};

} // namespace tuff::mpi
