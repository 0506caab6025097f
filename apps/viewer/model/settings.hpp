#pragma once

#include "model/panel_layout.hpp"

#include <tuff/diagnostic.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tuff::viewer {

/// What is remembered from one run to the next.
struct Settings {
    std::uint32_t width = 1440, height = 900; ///< of the window, in pixels
    bool mark_faults = true;                  ///< NaN and infinity have colours of their own
    bool show_pass_parameters = true;
    bool logarithmic = false; ///< the heights of histograms
    PanelSizes panels;
    std::vector<std::string> recent; ///< configs, newest first
    friend bool operator==(const Settings&, const Settings&) = default;
};

inline constexpr std::size_t kMaxRecent = 10;

/// TUFF_CONFIG_DIR, else $XDG_CONFIG_HOME/tuff, else ~/.config/tuff: viewer.json there. Empty
/// where none of these is set, and nothing is remembered then.
std::filesystem::path settings_file();

/// What the file holds; defaults for what is missing or makes no sense, as on a first run.
Settings load_settings(const std::filesystem::path& file);
/// Makes the folder where it is missing. Error: `viewer/settings`.
Result<void> save_settings(const std::filesystem::path& file, const Settings& settings);

/// Puts a config first and drops what is beyond kMaxRecent.
void remember(Settings& settings, const std::filesystem::path& config);

} // namespace tuff::viewer
