#pragma once

#include "apps/shared/common.hpp"
#include "apps/shared/frame_capture.hpp"
#include "apps/tuff/batch/planned_runs.hpp"
#include "apps/tuff/ranks/rank_flags.hpp"
#include "apps/tuff/report/checkpointing.hpp"

#include <tuff/communicator.hpp>

#include <string>
#include <vector>

namespace tuff::cli {

/// What the command line of `tuff run` says.
struct RunOptions {
    ConfigFlags config;
    CompileFlags compile;
    DeviceFlags device;
    BatchFlags batch;
    CaptureFlags capture;
    std::vector<std::string> outs;
    std::string out_dir;
    std::vector<std::string> allowed;
    JpegMaker jpeg_maker = JpegMaker::automatic;
    bool timings = false;
    bool json = false;
    bool watch = false;
    CheckpointFlags checkpoints;
    RankFlags ranks;
    Communicator* communicator = nullptr; ///< where several processes make the runs
    Diagnostics* reported = nullptr;      ///< what a rank but the first has to report
};

} // namespace tuff::cli
