#pragma once

#include <tuff/communicator.hpp>
#include <tuff/timeline.hpp>

/// Times of ranks of several hosts on the clock of rank 0.
namespace tuff::cli {

/// How a rank's clock stands to that of rank 0.
struct ClockReading {
    double at = 0.0;    ///< on the own clock, in nanoseconds
    double ahead = 0.0; ///< nanoseconds that the own clock is ahead
    double error = 0.0; ///< nanoseconds by which `ahead` may be wrong at most
};

/// Collective. Rank 0 asks each rank for the time, often: of the answers the one that came back
/// soonest counts, and half its way is the error.
Result<ClockReading> read_clock(Communicator& ranks);

/// Between two readings a clock drifts evenly.
class RankClock {
  public:
    RankClock() = default; ///< rank 0's own
    RankClock(const ClockReading& before, const ClockReading& after)
        : before_(before), after_(after) {}

    /// A time of the own clock on that of rank 0, in nanoseconds.
    double on_first(double own) const;
    /// Nanoseconds by which that may be wrong between the readings.
    double error() const;

  private:
    ClockReading before_;
    ClockReading after_;
};

} // namespace tuff::cli
