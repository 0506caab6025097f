#pragma once

#include "apps/bench/case.hpp"
#include "apps/bench/statistics.hpp"

#include <tuff/device.hpp>
#include <tuff/executor.hpp>
#include <tuff/shader_library.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tuff::bench {

struct MeasureOptions {
    /// How long the device is kept at work before the first sample counts, for clocks rise when
    /// there is something to do, and how long samples are then taken. Slow cases take longer: a few
    /// samples are the least.
    double seconds = 0.3;                  ///< how long samples are taken
    double warm_up = 0.3;                  ///< and how long the device is kept at work before
    std::size_t fewest = 3;                ///< samples, however long they take
    Timings timings = Timings::executions; ///< `nodes`: measure each node too, in executions apart
};

enum class Checked : std::uint8_t {
    no,    ///< the case has no check
    yes,   ///< this run's result was compared with the reference, and is right
    wrong, ///< compared, and not right
};
std::string_view to_string(Checked checked);

/// What became of one case at one size.
struct Measurement {
    std::string pass;
    std::string name;
    std::uint64_t size = 0;
    Summary milliseconds; ///< of whole executions on the device; no samples: not measured
    Cost cost;            ///< of one execution
    Checked checked = Checked::no;
    std::string remark;            ///< why it was skipped, what is wrong, or what the check tells
    std::vector<Peer> peers;       ///< what else did the same work
    std::vector<NodeTiming> nodes; ///< medians, in the plan's order; only where asked for

    bool measured() const { return milliseconds.samples != 0; }
};

/// Builds, runs, times and checks a case. A case that says so, or that the device has not enough
/// memory for, is returned unmeasured with a remark. Errors: those of compiling and running a
/// graph.
Result<Measurement> measure(Device& device, const ShaderLibrary& shaders, const Case& measured,
                            std::uint64_t size, const MeasureOptions& options);

} // namespace tuff::bench
