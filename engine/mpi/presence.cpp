#include "mpi/presence.hpp"

#include <algorithm>

namespace tuff::mpi {
namespace {

constexpr int kAlive = 1; ///< the tag of all messages

int size_of(MPI_Comm communicator) {
    int size = 1;
    MPI_Comm_size(communicator, &size);
    return size;
}

} // namespace

Presence::Presence(std::mutex& calls, MPI_Comm communicator, Clock::duration timeout)
    : calls_(calls), communicator_(communicator), timeout_(timeout),
      period_(std::clamp<Clock::duration>(timeout / 10, std::chrono::milliseconds(20),
                                          std::chrono::seconds(1))),
      lost_(static_cast<std::size_t>(size_of(communicator))), peers_(lost_.size()),
      last_round_(Clock::now()) {
    MPI_Comm_rank(communicator, &rank_);
    for (Peer& peer : peers_)
        peer.heard = last_round_;
    if (lost_.size() > 1) thread_ = std::thread([this] { live(); });
}

Presence::~Presence() {
    stop();
}

void Presence::stop() {
    stopped_ = true;
    if (thread_.joinable()) thread_.join();
}

std::optional<int> Presence::first_lost() const {
    for (std::size_t rank = 0; rank < lost_.size(); ++rank)
        if (lost_[rank].load()) return static_cast<int>(rank);
    return std::nullopt;
}

bool Presence::hears_nobody() const {
    if (rank_ != 0) return lost(0);
    return std::all_of(lost_.begin() + 1, lost_.end(),
                       [](const auto& gone) { return gone.load(); });
}

void Presence::live() {
    while (!stopped_) {
        {
            const std::lock_guard lock(calls_);
            round();
        }
        // In small steps, so that the end is not waited for.
        const Clock::time_point next = Clock::now() + period_;
        while (!stopped_ && Clock::now() < next)
            std::this_thread::sleep_for(
                std::min<Clock::duration>(period_, std::chrono::milliseconds(20)));
    }
}

void Presence::round() {
    const Clock::time_point now = Clock::now();
    forgive_pause(now);
    hear();
    judge(now);
    if (rank_ != 0) return tell(0);
    for (std::size_t rank = 1; rank < peers_.size(); ++rank)
        tell(static_cast<int>(rank));
}

/// Whoever was stopped himself, by a debugger or for want of a processor, knows nothing of others.
void Presence::forgive_pause(Clock::time_point now) {
    if (now - last_round_ > timeout_ / 2)
        for (Peer& peer : peers_)
            peer.heard = now;
    last_round_ = now;
}

void Presence::hear() {
    while (true) {
        int flag = 0;
        MPI_Status status;
        if (MPI_Iprobe(MPI_ANY_SOURCE, kAlive, communicator_, &flag, &status) != MPI_SUCCESS ||
            !flag)
            return;
        int count = 0;
        MPI_Get_count(&status, MPI_INT32_T, &count);
        std::vector<std::int32_t> gone(static_cast<std::size_t>(std::max(count, 0)));
        if (MPI_Recv(gone.data(), count, MPI_INT32_T, status.MPI_SOURCE, kAlive, communicator_,
                     MPI_STATUS_IGNORE) != MPI_SUCCESS)
            return;
        peers_[static_cast<std::size_t>(status.MPI_SOURCE)].heard = Clock::now();
        if (status.MPI_SOURCE == 0)
            for (const std::int32_t rank : gone)
                lose(rank);
    }
}

void Presence::judge(Clock::time_point now) {
    const auto silent = [&](int rank) {
        return now - peers_[static_cast<std::size_t>(rank)].heard > timeout_;
    };
    if (rank_ != 0) {
        if (silent(0)) lose(0);
        return;
    }
    for (int rank = 1; rank < static_cast<int>(peers_.size()); ++rank)
        if (silent(rank)) lose(rank);
}

void Presence::lose(int rank) {
    if (rank >= 0 && rank < static_cast<int>(lost_.size()))
        lost_[static_cast<std::size_t>(rank)] = true;
}

/// A rank that was given up and lives is told as well. One that takes nothing gets no second
/// message.
void Presence::tell(int rank) {
    Peer& peer = peers_[static_cast<std::size_t>(rank)];
    int flag = 1;
    if (peer.request != MPI_REQUEST_NULL &&
        (MPI_Test(&peer.request, &flag, MPI_STATUS_IGNORE) != MPI_SUCCESS || !flag))
        return;
    peer.sent.clear();
    if (rank_ == 0)
        for (std::size_t gone = 0; gone < lost_.size(); ++gone)
            if (lost_[gone].load()) peer.sent.push_back(static_cast<std::int32_t>(gone));
    MPI_Isend(peer.sent.data(), static_cast<int>(peer.sent.size()), MPI_INT32_T, rank, kAlive,
              communicator_, &peer.request);
}

void Presence::drain() {
    const std::lock_guard lock(calls_);
    hear();
    for (Peer& peer : peers_)
        if (peer.request != MPI_REQUEST_NULL) MPI_Wait(&peer.request, MPI_STATUS_IGNORE);
}

} // namespace tuff::mpi
