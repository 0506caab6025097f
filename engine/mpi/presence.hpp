#pragma once

#include "mpi/calls.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

/// Which ranks live. MPI tells nobody that a process has ended, so ranks say that they live: all of
/// them to rank 0, and rank 0 to all, with a list of those that it has not heard of for too long. A
/// thread does so while the rank computes.
namespace tuff::mpi {

class Presence {
  public:
    using Clock = std::chrono::steady_clock;

    /// `calls` guards all calls of MPI, of which only one may be under way. `communicator` is for
    /// these messages alone.
    Presence(std::mutex& calls, MPI_Comm communicator, Clock::duration timeout);
    /// Stops; to be called by all ranks that live.
    ~Presence();
    Presence(const Presence&) = delete;
    Presence& operator=(const Presence&) = delete;

    bool lost(int rank) const { return lost_[static_cast<std::size_t>(rank)].load(); }
    /// A rank that is lost.
    std::optional<int> first_lost() const;
    /// Whether no other rank is known to live: rank 0 is lost, and to that one all others are.
    bool hears_nobody() const;
    /// Whether the others have given up this rank.
    bool given_up() const { return lost(rank_); }

    /// Sends nothing more. Afterwards `drain` takes what is still under way.
    void stop();
    void drain();

  private:
    struct Peer {
        MPI_Request request = MPI_REQUEST_NULL; ///< of the last message to it
        std::vector<std::int32_t> sent;         ///< what that says
        Clock::time_point heard;
    };

    void live();
    void round();
    void forgive_pause(Clock::time_point now);
    void hear();
    void judge(Clock::time_point now);
    void tell(int rank);
    void lose(int rank);

    std::mutex& calls_;
    MPI_Comm communicator_;
    Clock::duration timeout_;
    Clock::duration period_;
    int rank_ = 0;
    std::vector<std::atomic<bool>> lost_;
    std::vector<Peer> peers_;
    Clock::time_point last_round_;
    std::atomic<bool> stopped_ = false;
    std::thread thread_;
};

} // namespace tuff::mpi
