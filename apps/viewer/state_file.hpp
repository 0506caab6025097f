#pragma once

#include "panels/state.hpp"

#include <chrono>
#include <filesystem>
#include <string>

namespace tuff::viewer {

/// Keeps a JSON file up to date with what the viewer shows and where its widgets lie, so that
/// scripts and tests can use it as a person would: wait for something, then click on it.
class StateFile {
  public:
    explicit StateFile(std::filesystem::path file) : file_(std::move(file)) {}

    /// Writes the file where something has changed, a few times a second. Nothing without a file.
    void update(const InterfaceState& state, std::uint32_t width, std::uint32_t height);

  private:
    std::filesystem::path file_;
    std::string written_;
    std::chrono::steady_clock::time_point last_{};
};

} // namespace tuff::viewer
