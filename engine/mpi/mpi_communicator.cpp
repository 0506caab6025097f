#include "mpi/mpi_communicator.hpp"

#include "mpi/lent_messages.hpp"
#include "mpi/waiting.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <limits>
#include <thread>

namespace tuff::mpi {
namespace {

constexpr std::uint64_t kMaxBytes = std::numeric_limits<int>::max(); ///< MPI counts in int

/// A message that is sent as it is.
class PlainSend final : public PendingMessage::State {
  public:
    PlainSend(MpiCommunicator& communicator, std::int32_t to)
        : communicator_(communicator), to_(to) {}
    ~PlainSend() override {
        if (!wait()) communicator_.cancel(request_);
    }
    MPI_Request& request() { return request_; }

    Result<bool> done() override { return communicator_.is_done(request_); }
    Result<void> wait() override {
        return communicator_.wait_until(to_, [this] { return done(); });
    }

  private:
    MpiCommunicator& communicator_;
    std::int32_t to_;
    MPI_Request request_ = MPI_REQUEST_NULL;
};

/// A message that no rank lends.
class PlainReceive final : public PendingMessage::State {
  public:
    PlainReceive(MpiCommunicator& communicator, std::int32_t from, std::uint64_t expected)
        : communicator_(communicator), from_(from), expected_(expected) {}
    ~PlainReceive() override { communicator_.cancel(request_); }
    MPI_Request& request() { return request_; }

    Result<bool> done() override {
        if (request_ == MPI_REQUEST_NULL) return true;
        auto come = communicator_.test(request_);
        if (!come) return std::unexpected(std::move(come.error()));
        if (!*come) return false;
        const Envelope& envelope = **come;
        if (envelope.bytes != expected_)
            return communicator_.other_size(envelope.from, envelope.bytes, expected_);
        return true;
    }
    Result<void> wait() override {
        return communicator_.wait_until(from_, [this] { return done(); });
    }

  private:
    MpiCommunicator& communicator_;
    std::int32_t from_;
    std::uint64_t expected_;
    MPI_Request request_ = MPI_REQUEST_NULL;
};

std::unexpected<Diagnostics> too_large(std::uint64_t bytes) {
    return fail("mpi/failed", "a message of " + std::to_string(bytes) + " bytes is too large",
                "MPI sends less than 2 GiB at once");
}

Envelope envelope_of(const MPI_Status& status) {
    int count = 0;
    MPI_Get_count(&status, MPI_BYTE, &count);
    return {.from = status.MPI_SOURCE,
            .tag = status.MPI_TAG,
            .bytes = static_cast<std::uint64_t>(std::max(count, 0))};
}

int source_of(std::int32_t from) {
    return from == kAnyRank ? MPI_ANY_SOURCE : from;
}
int tag_of(MessageTag tag) {
    return tag == kAnyTag ? MPI_ANY_TAG : tag;
}

} // namespace

Result<void> MpiCommunicator::check_peer(std::int32_t peer, MessageTag tag) const {
    const bool known = peer == kAnyRank || (peer >= 0 && peer < size());
    if (known && (tag == kAnyTag || (tag >= 0 && tag <= kMaxTag))) return {};
    return fail("mpi/failed",
                "there is no rank " + std::to_string(peer) + " or no tag " + std::to_string(tag),
                "ranks go from 0 to size() - 1, tags from 0 to kMaxTag");
}

/// The lost rank for whose sake `peer` is not waited for: itself, or rank 0, without which nobody
/// hears whether others live.
std::optional<std::int32_t> MpiCommunicator::gone_with(std::int32_t peer) const {
    if (peer == kAnyRank) return presence_->first_lost();
    if (presence_->lost(peer)) return peer;
    if (presence_->lost(0)) return 0;
    return std::nullopt;
}

/// Fails where that rank, or any, is lost, or this one is to the others.
Result<void> MpiCommunicator::still_there(std::int32_t peer) const {
    if (presence_->given_up())
        return fail("mpi/given-up",
                    name(rank_) + " was not heard of for " +
                        std::to_string(std::chrono::duration<double>(timeout_).count()) +
                        " s, and the others go on without it",
                    "give ranks more time by --rank-timeout");
    const auto gone = gone_with(peer);
    if (!gone) return {};
    return fail("mpi/lost-rank", name(*gone) + " does not answer any more",
                "see what the launcher or the host say of its end");
}

Result<std::optional<Envelope>> MpiCommunicator::test(MPI_Request& request) {
    const std::lock_guard lock(calls_);
    int flag = 0;
    MPI_Status status;
    if (auto tested = check("MPI_Test", MPI_Test(&request, &flag, &status)); !tested)
        return propagate(std::move(tested));
    if (!flag) return std::optional<Envelope>();
    return envelope_of(status);
}

Result<bool> MpiCommunicator::is_done(MPI_Request& request) {
    auto tested = test(request);
    if (!tested) return propagate(std::move(tested));
    return tested->has_value();
}

std::unexpected<Diagnostics> MpiCommunicator::other_size(std::int32_t from, std::uint64_t bytes,
                                                         std::uint64_t expected) const {
    return fail("mpi/failed",
                name(from) + " has sent " + std::to_string(bytes) + " bytes, not " +
                    std::to_string(expected),
                "both sides must know the size of a message");
}

Result<void> MpiCommunicator::wait_until(std::int32_t peer,
                                         const std::function<Result<bool>()>& done) {
    for (Backoff backoff(share_processors());; backoff.pause()) {
        auto there = still_there(peer); // before the look: what has come counts
        transfers_.advance();
        auto looked = done();
        if (!looked) return propagate(std::move(looked));
        if (*looked) return {};
        if (!there) return there;
    }
}

bool MpiCommunicator::share_processors() const {
    return 2 * static_cast<std::uint32_t>(local_size_) > std::thread::hardware_concurrency();
}

std::optional<std::uint64_t> MpiCommunicator::cancel(MPI_Request& request) {
    const std::lock_guard lock(calls_);
    if (request == MPI_REQUEST_NULL) return std::nullopt;
    MPI_Cancel(&request);
    int flag = 0;
    int cancelled = 0;
    MPI_Status status;
    if (MPI_Test(&request, &flag, &status) == MPI_SUCCESS && flag) {
        MPI_Test_cancelled(&status, &cancelled);
        if (cancelled) return std::nullopt;
        return envelope_of(status).bytes;
    }
    MPI_Request_free(&request);
    return std::nullopt;
}

bool MpiCommunicator::offer(std::uint32_t memory, std::int32_t to) {
    return lent_.offer(memory, rank_, lenders_.at(static_cast<std::size_t>(to)));
}

void MpiCommunicator::sweep_kept() {
    std::erase_if(kept_, [](Kept& kept) {
        int flag = 0;
        return MPI_Test(&kept.request, &flag, MPI_STATUS_IGNORE) == MPI_SUCCESS && flag;
    });
}

Result<void> MpiCommunicator::begin_send(Lane lane, std::int32_t to, MessageTag tag,
                                         std::span<const std::byte> bytes, MPI_Request& request) {
    const std::lock_guard lock(calls_);
    return check("MPI_Isend", MPI_Isend(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, to,
                                        tag, on(lane), &request));
}

Result<void> MpiCommunicator::begin_receive(Lane lane, std::int32_t from, MessageTag tag,
                                            std::span<std::byte> bytes, MPI_Request& request) {
    const std::lock_guard lock(calls_);
    return check("MPI_Irecv", MPI_Irecv(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE,
                                        source_of(from), tag_of(tag), on(lane), &request));
}

Result<void> MpiCommunicator::post(Lane lane, std::int32_t to, MessageTag tag,
                                   std::span<const std::byte> bytes) {
    auto copy = std::make_shared<std::vector<std::byte>>(bytes.begin(), bytes.end());
    const std::lock_guard lock(calls_);
    sweep_kept();
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = MPI_Isend(copy->data(), static_cast<int>(copy->size()), MPI_BYTE, to, tag,
                               on(lane), &request);
    kept_.push_back({std::move(copy), request});
    return check("MPI_Isend", code);
}

Result<void> MpiCommunicator::send(std::int32_t to, MessageTag tag,
                                   std::span<const std::byte> bytes) {
    if (auto known = check_peer(to, tag); !known) return known;
    if (auto there = still_there(to); !there) return there;
    if (bytes.size() > kMaxBytes) return too_large(bytes.size());
    return post(Lane::messages, to, tag, bytes);
}

Result<PendingMessage> MpiCommunicator::start_send(std::int32_t to, MessageTag tag,
                                                   std::span<const std::byte> bytes) {
    if (auto known = check_peer(to, tag); !known) return propagate(std::move(known));
    if (auto there = still_there(to); !there) return propagate(std::move(there));
    if (bytes.size() > kMaxBytes) return too_large(bytes.size());
    if (auto place = lends_ ? lent_.place_of(bytes) : std::nullopt) {
        if (bytes.size() >= std::max(place->memory->least_message(), kLeastLent)) {
            auto transfer = std::make_unique<LentSend>(*this, to, *place, bytes);
            if (auto begun = transfer->begin(tag); !begun) return propagate(std::move(begun));
            return PendingMessage(std::move(transfer));
        }
        if (!place->memory->host_accessible()) {
            std::vector<std::byte> copy(bytes.size());
            if (auto read = place->memory->read(place->offset, copy); !read)
                return propagate(std::move(read));
            if (auto sent = post(Lane::messages, to, tag, copy); !sent)
                return propagate(std::move(sent));
            return PendingMessage();
        }
    }
    auto transfer = std::make_unique<PlainSend>(*this, to);
    auto begun = begin_send(Lane::messages, to, tag, bytes, transfer->request());
    if (!begun) return propagate(std::move(begun));
    return PendingMessage(std::move(transfer));
}

Result<PendingMessage> MpiCommunicator::start_receive(std::int32_t from, MessageTag tag,
                                                      std::span<std::byte> bytes) {
    if (auto known = check_peer(from, tag); !known) return propagate(std::move(known));
    if (bytes.size() > kMaxBytes) return too_large(bytes.size());
    if (lends_ && from != kAnyRank) {
        auto place = lent_.place_of(bytes);
        const bool may_be_lent = bytes.size() >= kLeastLent;
        if (may_be_lent || (place && !place->memory->host_accessible())) {
            auto transfer = std::make_unique<LentReceive>(*this, from, std::move(place), bytes);
            if (auto begun = transfer->begin(tag); !begun) return propagate(std::move(begun));
            return PendingMessage(std::move(transfer));
        }
    }
    auto transfer = std::make_unique<PlainReceive>(*this, from, bytes.size());
    auto begun = begin_receive(Lane::messages, from, tag, bytes, transfer->request());
    if (!begun) return propagate(std::move(begun));
    return PendingMessage(std::move(transfer));
}

Result<std::optional<Envelope>> MpiCommunicator::probe(std::int32_t from, MessageTag tag) {
    if (auto known = check_peer(from, tag); !known) return propagate(std::move(known));
    if (presence_->given_up()) return propagate(still_there(rank_));
    const std::lock_guard lock(calls_);
    int flag = 0;
    MPI_Status status;
    const int code = MPI_Iprobe(source_of(from), tag_of(tag), on(Lane::messages), &flag, &status);
    if (auto probed = check("MPI_Iprobe", code); !probed) return propagate(std::move(probed));
    if (!flag) return std::optional<Envelope>();
    return envelope_of(status);
}

Result<std::optional<Message>> MpiCommunicator::take(std::int32_t from, MessageTag tag) {
    if (auto known = check_peer(from, tag); !known) return propagate(std::move(known));
    if (presence_->given_up()) return propagate(still_there(rank_));
    Message message;
    MPI_Request request = MPI_REQUEST_NULL;
    {
        const std::lock_guard lock(calls_);
        int flag = 0;
        MPI_Status status;
        MPI_Message matched = MPI_MESSAGE_NULL; // so that no other thread takes it
        int code =
            MPI_Improbe(source_of(from), tag_of(tag), on(Lane::messages), &flag, &matched, &status);
        if (auto probed = check("MPI_Improbe", code); !probed) return propagate(std::move(probed));
        if (!flag) return std::optional<Message>();
        message.envelope = envelope_of(status);
        message.bytes.resize(message.envelope.bytes);
        code = MPI_Imrecv(message.bytes.data(), static_cast<int>(message.bytes.size()), MPI_BYTE,
                          &matched, &request);
        if (auto begun = check("MPI_Imrecv", code); !begun) return propagate(std::move(begun));
    }
    if (auto come = wait_until(message.envelope.from, [&] { return is_done(request); }); !come) {
        cancel(request);
        return propagate(std::move(come));
    }
    return message;
}

Result<Message> MpiCommunicator::receive(std::int32_t from, MessageTag tag) {
    if (auto known = check_peer(from, tag); !known) return propagate(std::move(known));
    for (Backoff backoff(share_processors());; backoff.pause()) {
        transfers_.advance();
        const bool hopeless =
            from == kAnyRank ? presence_->hears_nobody() : gone_with(from).has_value();
        auto taken = take(from, tag);
        if (!taken) return propagate(std::move(taken));
        if (*taken) return std::move(**taken);
        if (hopeless) return propagate(still_there(from));
    }
}

void MpiCommunicator::abort(int exit_code) {
    MPI_Abort(MPI_COMM_WORLD, exit_code);
    std::_Exit(exit_code);
}

} // namespace tuff::mpi
