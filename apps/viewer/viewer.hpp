#pragma once

#include "scene/film.hpp"
#include "scene/scene_request.hpp"

#include <tuff/diagnostic.hpp>

#include <filesystem>
#include <functional>
#include <string>

/// `tuff view`: a window that shows a running graph and lets a person look into it.
namespace tuff::viewer {

struct ViewerOptions {
    std::filesystem::path config; ///< empty: the one that was open last, or none
    Edits edits;                  ///< to begin with
    SceneOptions scene;
    std::string interface_device;       ///< empty: the scene's, or lavapipe where it has no window
    std::filesystem::path settings;     ///< empty: nothing is remembered
    std::filesystem::path folder = "."; ///< of pictures and films that are saved
    std::filesystem::path state_file;   ///< kept up to date with what is shown; empty: none
    FilmMaker make_film;                ///< empty: no films
    std::function<void(const Diagnostics&)> report; ///< gets warnings for the terminal
};

/// Shows the window until it is closed. Errors: `viewer/no-display`, `viewer/no-window`,
/// `viewer/no-surface`, `present/no-format`, `viewer/stuck` (the scene does not end), those of
/// `Device::open`, `gpu/*` of the interface's device, and `device/validation`.
Result<void> run_viewer(ViewerOptions options);

} // namespace tuff::viewer
