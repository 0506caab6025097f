#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

/// Who makes which run. Plain bookkeeping, without messages, so that it is tested without ranks.
namespace tuff::cli {

/// Why a rank did not finish a run that it had begun.
enum class GaveUp : std::uint8_t { rank_lost, device_lost };

/// A rank that had begun a run and did not finish it.
struct Attempt {
    std::int32_t rank = 0;
    GaveUp reason = GaveUp::rank_lost;

    friend bool operator==(const Attempt&, const Attempt&) = default;
};

class WorkList {
  public:
    /// A run that so many ranks have been lost with is not tried again.
    static constexpr std::size_t kMaxAttempts = 3;

    explicit WorkList(std::size_t runs);

    /// The next run for a rank: those first that have to be made again.
    std::optional<std::size_t> next(std::int32_t rank);
    /// A rank has made a run. False: another has done so before.
    bool finish(std::size_t run, std::int32_t rank);
    /// A rank does no more; what it was at is to do again. Returns that run.
    std::optional<std::size_t> give_up(std::int32_t rank, GaveUp reason);
    /// A rank has failed at a run, as any would.
    void fail(std::int32_t rank);
    /// Nothing more is handed out.
    void stop() { stopped_ = true; }

    /// Nothing is under way, and nothing more will be.
    bool ended() const;
    bool stopped() const { return stopped_; }
    std::size_t finished() const { return finished_; }
    std::size_t size() const { return runs_.size(); }
    /// Ranks that were lost with a run.
    const std::vector<Attempt>& attempts(std::size_t run) const { return runs_.at(run).attempts; }
    /// A run that has been tried too often.
    std::optional<std::size_t> hopeless() const { return hopeless_; }

  private:
    struct Run {
        bool finished = false;
        std::vector<Attempt> attempts;
    };
    struct UnderWay {
        std::int32_t rank;
        std::size_t run;
    };
    std::optional<std::size_t> take_from(std::int32_t rank);

    std::vector<Run> runs_;
    std::deque<std::size_t> open_;
    std::vector<UnderWay> under_way_;
    std::size_t finished_ = 0;
    bool stopped_ = false;
    std::optional<std::size_t> hopeless_;
};

} // namespace tuff::cli
