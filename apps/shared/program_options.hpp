#pragma once

#include "apps/shared/commands.hpp"
#include "apps/shared/common.hpp"
#include "apps/shared/frame_capture.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// What the programs tuff-bench and tuff-view take. Declared here because the manual and the
/// completion of `tuff` list it, too.
namespace tuff::cli {

struct BenchOptions {
    std::vector<std::string> patterns;
    std::vector<std::string> sizes;
    DeviceFlags device;
    std::string csv;
    std::string json;
    std::string against;
    std::string fail; ///< a percentage; empty: no case is too slow
    double seconds = 0.3;
    bool list = false;
    bool nodes = false;
};

struct BenchGraphsOptions {
    std::vector<std::string> graphs;
    DeviceFlags device;
    std::string csv;
    std::string label;
    std::int64_t frames = 0; ///< 0: by the kind of device
};

struct BenchCompileOptions {
    std::vector<std::uint32_t> passes;
    bool csv = false;
};

struct BenchReplayOptions {
    DeviceFlags device;
    std::vector<std::uint32_t> passes;
    bool csv = false;
};

struct BenchRanksOptions {
    std::vector<std::string> patterns;
    std::vector<std::string> cells; ///< of a rank; empty: by the kind of device
    DeviceFlags device;
    std::string csv;
    double seconds = 1.0;
    enum class Lend : std::uint8_t { on, off };
    Lend lend = Lend::on; ///< as `CommunicatorOptions::lend_memory`
};

struct ViewOptions {
    ConfigFlags config;
    CaptureFlags capture;
    CompileFlags compile;
    DeviceFlags device;
    std::string interface_device;
    std::string shaders;
    std::string folder = ".";
    std::string state_file;
    double fps = 60.0;
    JpegMaker jpeg_maker = JpegMaker::automatic;
};

/// What is done with them; what is empty is never chosen.
struct BenchActions {
    std::function<Outcome<void>(const BenchOptions&, Terminal&)> cases;
    std::function<Outcome<void>(const BenchGraphsOptions&, Terminal&)> graphs;
    std::function<Outcome<void>(const BenchCompileOptions&, Terminal&)> compile;
    std::function<Outcome<void>(const BenchReplayOptions&, Terminal&)> replay;
    std::function<Outcome<void>(const BenchRanksOptions&, Terminal&)> ranks;
};
using ViewAction = std::function<Outcome<void>(const ViewOptions&, Terminal&)>;

/// Adds `bench` with the commands below it.
void add_bench_command(Command& app, Action& action, const BenchActions& actions);
/// Adds `view`.
void add_view_command(Command& app, Action& action, const ViewAction& view);

} // namespace tuff::cli
