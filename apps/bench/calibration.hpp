#pragma once

#include "apps/bench/measure.hpp"

namespace tuff::bench {

/// What the device can do, measured as the cases are: the shares of the limit are shares of this.
struct Limits {
    double bytes_per_second = 0.0;      ///< read and written, by a copy far larger than the caches
    double operations_per_second = 0.0; ///< of fused multiply-adds, each of them two
    double least_milliseconds = 0.0;    ///< of an execution with hardly any work
    std::vector<Measurement> measurements; ///< of the copy and of the multiply-adds
};

/// The kernels of this folder, for `ShaderLibrary::add_embedded`.
std::span<const EmbeddedShader> calibration_shaders();

/// Error: bench/calibration where a calibrating kernel computes something wrong, and those of
/// `measure`.
Result<Limits> calibrate(Device& device, const ShaderLibrary& shaders,
                         const MeasureOptions& options);

} // namespace tuff::bench
