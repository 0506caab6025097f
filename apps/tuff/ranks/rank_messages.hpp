#pragma once

#include "apps/tuff/batch/frame_range.hpp"

#include <tuff/communicator.hpp>
#include <tuff/diagnostic.hpp>

#include <json/value.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What ranks tell each other, as JSON.
namespace tuff::cli {

inline constexpr MessageTag kReportTag = 1; ///< to rank 0
inline constexpr MessageTag kOrderTag = 2;  ///< from rank 0
inline constexpr MessageTag kClockTag = 3;  ///< what the time is

/// What a rank is before it begins: all must have the same of the first four.
struct Statement {
    std::string version;   ///< of Tuff
    std::string config;    ///< contents of all files that it is made of, as a hash
    std::string options;   ///< what was asked for
    std::string precision; ///< which kinds of numbers kernels may have
    std::string device;    ///< with its driver
    Diagnostics problems;  ///< why it cannot begin
    int exit_code = 0;     ///< of these
};

/// What rank 0 has decided: to go on, or to end with this code.
struct Verdict {
    bool go = false;
    int exit_code = 0;
};

/// What becomes of a run, to rank 0.
struct Report {
    enum class Kind : std::uint8_t {
        ready,       ///< has done nothing yet
        finished,    ///< made its run
        failed,      ///< any rank would have failed
        device_lost, ///< and does no more
    };
    Kind kind = Kind::ready;
    std::size_t run = 0;  ///< as the order had it
    Json::Value entry;    ///< of the manifest
    Diagnostics warnings; ///< since the last report
    Diagnostics problems; ///< why it failed
    int exit_code = 0;    ///< of these
};

/// What rank 0 has for a rank.
struct Order {
    bool stop = false;        ///< there is nothing more to do
    int exit_code = 0;        ///< what all end with
    std::size_t run = 0;      ///< its place in rank 0's list
    std::uint64_t number = 0; ///< of the planned run
    FrameRange frames;
    bool is_part = false; ///< of a run's frames
};

using Bytes = std::vector<std::byte>;
Bytes bytes_of(const Json::Value& json);
Json::Value json_of(const Bytes& bytes);
Bytes to_bytes(const Statement& statement);
Bytes to_bytes(const Verdict& verdict);
Bytes to_bytes(const Report& report);
Bytes to_bytes(const Order& order);
Statement statement_of(const Bytes& bytes);
Verdict verdict_of(const Bytes& bytes);
Report report_of(const Bytes& bytes);
Order order_of(const Bytes& bytes);

/// Errors and warnings where ranks do not fit together, compared with the first. `names`: of the
/// ranks. Codes: mpi/disagreement, mpi/other-device (a warning), and the problems that they have.
Diagnostics compare(const std::vector<Statement>& statements,
                    const std::vector<std::string>& names);

/// `diagnostics` of a rank, which their messages then name.
Diagnostics with_rank(Diagnostics diagnostics, const std::string& name);

} // namespace tuff::cli
