#pragma once

#include "gpu/executor_impl.hpp"

namespace tuff {

/// See Executor::read_image, Executor::read_buffer and Executor::warnings.
Result<HostImage> read_image(ExecutorImpl& executor, std::string_view output, std::uint32_t mip,
                             std::uint32_t layer);
Result<std::vector<std::byte>> read_buffer(ExecutorImpl& executor, std::string_view output);
Result<Diagnostics> read_warnings(ExecutorImpl& executor);

} // namespace tuff
