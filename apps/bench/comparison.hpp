#pragma once

#include "apps/bench/measure.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace tuff::bench {

/// What `tuff bench --json` wrote in an earlier run.
class Baseline {
  public:
    /// Errors: bench/bad-baseline.
    static Result<Baseline> parse(const std::string& name, std::string text);

    const std::string& device() const { return device_; }
    const std::string& driver() const { return driver_; }
    /// Milliseconds of the same case at the same size.
    std::optional<Summary> find(const Measurement& m) const;

  private:
    using Key = std::tuple<std::string, std::string, std::uint64_t>;

    std::string device_;
    std::string driver_;
    std::map<Key, Summary> rows_;
};

/// A measurement against the same one of a baseline.
struct Comparison {
    std::string pass;
    std::string name;
    std::uint64_t size = 0;
    Summary before;
    Summary now;

    /// 1.0: as slow as before; 2.0: twice as slow.
    double ratio() const { return before.median > 0.0 ? now.median / before.median : 1.0; }
    /// Whether the median grew by more than `share`, and by more than the spread of both runs: nine
    /// tenths of the samples now are above nine tenths of those before.
    bool slower_than(double share) const {
        return ratio() > 1.0 + share && now.low > before.high;
    }
};

/// Those of `measurements` that the baseline has too, in their order.
std::vector<Comparison> compare(const std::vector<Measurement>& measurements,
                                const Baseline& baseline);
/// A line a comparison: both times, the change, and "slower" where `slower_than(share)`.
std::string comparison_table(const std::vector<Comparison>& comparisons, double share);

/// "5%" or "5": 0.05. Errors: bench/bad-share.
Result<double> parse_share(const std::string& text);

} // namespace tuff::bench
