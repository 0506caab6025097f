#pragma once

#include "gpu/execute/executor_impl.hpp"

namespace tuff {

/// Where an output lies on the device, and how each execution leaves it.
struct OutputPlace {
    const ResourceDesc* resource = nullptr;
    ResourceHandle handle;
    Scope last;
};
/// Error: gpu/unknown-output.
Result<OutputPlace> output_place(ExecutorImpl& executor, std::string_view output);
/// The same of the last execution. Errors: gpu/unknown-output, gpu/not-executed.
Result<OutputPlace> output_contents(ExecutorImpl& executor, std::string_view output);
std::unexpected<Diagnostics> wrong_output_kind(std::string_view output, std::string_view why);

/// See Executor::read_image, Executor::read_buffer and Executor::warnings.
Result<HostImage> read_image(ExecutorImpl& executor, std::string_view output, std::uint32_t mip,
                             std::uint32_t layer);
Result<std::vector<std::byte>> read_buffer(ExecutorImpl& executor, std::string_view output);
Result<Diagnostics> read_warnings(ExecutorImpl& executor);

} // namespace tuff
