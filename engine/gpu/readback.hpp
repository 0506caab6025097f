#pragma once

#include "gpu/executor_impl.hpp"

namespace tuff {

/// See Executor::read_image and Executor::read_buffer.
Result<HostImage> read_image(ExecutorImpl& executor, std::string_view output, std::uint32_t mip,
                             std::uint32_t layer);
Result<std::vector<std::byte>> read_buffer(ExecutorImpl& executor, std::string_view output);

} // namespace tuff
