#pragma once

#include "city.hpp"

#include <tuff/host.hpp>
#include <tuff/shader_library.hpp>

#include <optional>

/// Tuff's part of the frame: the city through a lens, and its brightness brought to the screen's.
class Lens {
  public:
    /// Adopts the game's device.
    explicit Lens(const Gpu& gpu);

    /// Makes the graph for the images of `city`, which stays until the next call.
    void set_up(const City& city);

    /// Form 1: into the game's own commands, after `City::draw`.
    void record(VkCommandBuffer commands);
    /// Form 2: submitted by Tuff, between the game's submissions.
    void submit(const tuff::HostSemaphore& after, const tuff::HostSemaphore& then);

    /// For the window, which shows the output "picture".
    tuff::Device& device() { return device_; }
    tuff::Executor& executor() { return *executor_; }
    /// The picture on the CPU, once the device is idle.
    tuff::HostImage read_picture();

  private:
    tuff::Device device_;
    tuff::ShaderLibrary shaders_;
    std::optional<tuff::Executor> executor_;
};
