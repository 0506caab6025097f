#pragma once

#include "apps/bench/calibration.hpp"
#include "core/text_table.hpp"

#include <tuff/device_caps.hpp>

#include <string>
#include <vector>

namespace tuff::bench {

/// A measurement as a rate, and against what the device can do.
struct Rate {
    double value = 0.0;
    std::string_view unit; ///< "GB/s", "GFLOP/s", or "Gitem/s" for cases that declare no cost
    double share = 0.0;    ///< of the limit that is nearer, memory or arithmetic; 0: no cost
};
/// Precondition: `m.measured()`.
Rate rate_of(const Measurement& m, const Limits& limits);

inline constexpr std::string_view kCsvHeader =
    "pass,case,size,milliseconds,rate,unit,share_of_limit,checked\n";
/// A line of comma-separated values, with its end. Precondition: `m.measured()`.
std::string csv_line(const Measurement& m, const Limits& limits);

/// All measurements of a run, the calibration's first; those that were skipped are left out.
std::string csv(const std::vector<Measurement>& measurements, const Limits& limits);

/// The same with spread, costs, nodes, what was skipped and what the device is, as JSON.
std::string json(const std::vector<Measurement>& measurements, const Limits& limits,
                 const DeviceCaps& caps);

} // namespace tuff::bench
