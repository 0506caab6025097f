#pragma once

#include <tuff/device.hpp>
#include <tuff/shader_library.hpp>

#include <filesystem>

namespace tuff::testing_gpu {

/// From now on, until the device ends, writes down which kernels each test binds on `device`, which
/// has the validation layer and with it debug names. One device at a time.
void log_kernels(Device& device);

/// Writes a file into `folder`, named after the program and its shard, with a line for each kernel
/// in `shaders`: its full name; "ran", "not run", or the ability that `device` lacks for it; and
/// the tests that ran it, with tabs between. check_kernels.cmake reads it.
void write_kernel_log(const std::filesystem::path& folder, const Device& device,
                      const ShaderLibrary& shaders);

} // namespace tuff::testing_gpu
