#pragma once

#include "config/build/asset_loading.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tuff {

/// What a depth camera recorded at one time.
struct RecordedFrame {
    std::string name;            ///< its time or number
    std::filesystem::path depth; ///< empty: there is none
    std::filesystem::path color; ///< empty: there is none
    std::array<float, 16> pose;  ///< rows, camera to world; NaN: nobody knows
};

/// A recording of a depth camera. Each depth picture is a frame; numbers without one are, too.
struct Recording {
    std::vector<RecordedFrame> frames;
    bool has_colors = false; ///< some frame has one
    bool has_poses = false;  ///< there are files of poses
};

/// Times of TUM's lists belong together up to this, seconds: as in the benchmark's associate.py.
inline constexpr double kRecordedTogether = 0.02;

/// Reads the lists of a folder in the layout of TUM (depth.txt, rgb.txt, groundtruth.txt), or where
/// there is no depth.txt in that of 7-Scenes (frame-000000.depth.png, .color.png, .pose.txt); no
/// pictures. Errors: sequence/no-recording, sequence/bad-list.
Result<Recording> read_recording(const std::string& folder, const AssetFolders& folders);

} // namespace tuff
