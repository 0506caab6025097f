#include "mpi/lent_messages.hpp"

#include <cstring>

namespace tuff::mpi {
namespace {

constexpr std::uint32_t kSerials = 30'000; ///< more than are ever under way between two ranks

MessageTag tag_of(const LentNotice& notice) {
    return static_cast<MessageTag>(notice.serial % kSerials);
}

template <typename Value>
std::span<const std::byte> bytes_of(const Value& value) {
    return std::as_bytes(std::span(&value, 1));
}
template <typename Value>
std::span<std::byte> room_of(Value& value) {
    return std::as_writable_bytes(std::span(&value, 1));
}

} // namespace

void LentTransfers::add(LentTransfer& transfer) {
    const std::lock_guard lock(mutex_);
    transfers_.push_back(&transfer);
}

void LentTransfers::remove(const LentTransfer& transfer) {
    const std::lock_guard lock(mutex_);
    std::erase(transfers_, &transfer);
}

void LentTransfers::advance() {
    const std::lock_guard lock(mutex_);
    for (LentTransfer* const transfer : transfers_)
        transfer->advance();
}

Result<bool> LentTransfers::state_of(LentTransfer& transfer) {
    const std::lock_guard lock(mutex_);
    transfer.advance();
    return transfer.state_;
}

LentSend::LentSend(MpiCommunicator& communicator, std::int32_t to, const LentMemories::Place& place,
                   std::span<const std::byte> bytes)
    : LentTransfer(communicator, to), place_(place),
      bytes_(bytes), notice_{.memory = place.number,
                             .serial = communicator.next_serial(),
                             .offset = place.offset,
                             .bytes = bytes.size()} {}

Result<void> LentSend::begin(MessageTag tag) {
    auto begun = communicator_.begin_send(Lane::messages, peer_, tag, bytes_of(notice_), sent_);
    if (begun)
        begun = communicator_.begin_receive(Lane::answers, peer_, tag_of(notice_), room_of(answer_),
                                            answered_);
    if (begun) enter();
    return begun;
}

LentSend::~LentSend() {
    if (answered_ != MPI_REQUEST_NULL || sent_ != MPI_REQUEST_NULL) (void)wait();
    leave();
    communicator_.cancel(sent_);
    communicator_.cancel(answered_);
}

Result<bool> LentSend::step() {
    for (;;) {
        if (auto sent = communicator_.is_done(sent_); !sent || !*sent) return sent;
        if (is_last_) return true;
        if (auto answered = communicator_.is_done(answered_); !answered || !*answered)
            return answered;
        if (answer_ == LentAnswer::copied) return true;
        if (auto taken = take_answer(); !taken) return propagate(std::move(taken));
    }
}

Result<void> LentSend::take_answer() {
    if (answer_ == LentAnswer::unknown) {
        offered_ = communicator_.offer(notice_.memory, peer_) ? 1 : 0;
        auto told = communicator_.begin_send(Lane::bytes, peer_, tag_of(notice_),
                                             bytes_of(offered_), sent_);
        if (!told) return told;
        return communicator_.begin_receive(Lane::answers, peer_, tag_of(notice_), room_of(answer_),
                                           answered_);
    }
    is_last_ = true;
    std::span<const std::byte> readable = bytes_;
    if (!place_.memory->host_accessible()) {
        copy_.resize(bytes_.size());
        if (auto read = place_.memory->read(place_.offset, copy_); !read) return read;
        readable = copy_;
    }
    return communicator_.begin_send(Lane::bytes, peer_, tag_of(notice_), readable, sent_);
}

LentReceive::LentReceive(MpiCommunicator& communicator, std::int32_t from,
                         std::optional<LentMemories::Place> place, std::span<std::byte> bytes)
    : LentTransfer(communicator, from), place_(std::move(place)), bytes_(bytes), received_(bytes) {
    if (!place_ || place_->memory->host_accessible()) return;
    room_ = std::make_unique_for_overwrite<std::byte[]>(bytes.size());
    received_ = {room_.get(), bytes.size()};
}

Result<void> LentReceive::begin(MessageTag tag) {
    auto begun = communicator_.begin_receive(Lane::messages, peer_, tag, received_, request_);
    if (begun) enter();
    return begun;
}

/// What has not come will not be copied, but the sender has its bytes back.
LentReceive::~LentReceive() {
    leave();
    if (step_ == Step::done) return;
    const auto come = communicator_.cancel(request_);
    if (step_ == Step::message && come && *come == sizeof(notice_))
        std::memcpy(&notice_, received_.data(), sizeof(notice_));
    else if (step_ != Step::offer)
        return;
    (void)answer(LentAnswer::copied);
}

Result<bool> LentReceive::step() {
    while (step_ != Step::done) {
        auto come = communicator_.test(request_);
        if (!come) return std::unexpected(std::move(come.error()));
        if (!*come) return false;
        if (auto taken = take((*come)->bytes); !taken) {
            step_ = Step::done;
            return propagate(std::move(taken));
        }
    }
    return true;
}

Result<void> LentReceive::take(std::uint64_t come) {
    switch (step_) {
    case Step::message: return take_message(come);
    case Step::offer: return offered_ != 0 ? copy(false) : ask_for_bytes();
    case Step::bytes:
    case Step::done: break;
    }
    return finish();
}

/// The bytes have come by MPI.
Result<void> LentReceive::finish() {
    step_ = Step::done;
    return room_ ? place_->memory->write(place_->offset, received_) : Result<void>();
}

Result<void> LentReceive::take_message(std::uint64_t come) {
    if (come == bytes_.size()) return finish();
    const bool is_notice = come == sizeof(notice_) && bytes_.size() >= kLeastLent;
    if (is_notice) std::memcpy(&notice_, received_.data(), sizeof(notice_));
    if (is_notice && notice_.bytes == bytes_.size()) return copy(true);
    if (is_notice) (void)answer(LentAnswer::copied);
    return communicator_.other_size(peer_, is_notice ? notice_.bytes : come, bytes_.size());
}

Result<void> LentReceive::copy(bool may_ask) {
    using Copied = LentMemories::Copied;
    const Copied copied = communicator_.lent().copy(peer_, notice_.memory, notice_.offset, bytes_);
    if (copied == Copied::done) {
        step_ = Step::done;
        return answer(LentAnswer::copied);
    }
    if (copied == Copied::failed || !may_ask) return ask_for_bytes();
    step_ = Step::offer;
    if (auto begun = communicator_.begin_receive(Lane::bytes, peer_, tag_of(notice_),
                                                 room_of(offered_), request_);
        !begun)
        return begun;
    return answer(LentAnswer::unknown);
}

Result<void> LentReceive::ask_for_bytes() {
    step_ = Step::bytes;
    if (auto begun =
            communicator_.begin_receive(Lane::bytes, peer_, tag_of(notice_), bytes_, request_);
        !begun)
        return begun;
    return answer(LentAnswer::send);
}

Result<void> LentReceive::answer(LentAnswer answer) {
    return communicator_.post(Lane::answers, peer_, tag_of(notice_), bytes_of(answer));
}

} // namespace tuff::mpi
