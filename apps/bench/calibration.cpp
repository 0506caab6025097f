#include "apps/bench/calibration.hpp"

#include "apps/bench/checks.hpp"

#include <tuff_bench_shaders.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace tuff::bench {
namespace {

constexpr std::uint32_t kLoopGroup = 256; // invocations, of both kernels

/// Groups over two dimensions, for one alone may be too short. `groups` is a power of two.
void dispatch(ComputeNodeBuilder& node, std::uint64_t groups) {
    constexpr std::uint64_t kWide = 32'768;
    const std::uint64_t x = std::min(groups, kWide);
    node.dispatch(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(groups / x));
}

// --- copy ----------------------------------------------------------------------------------------

constexpr std::uint64_t kCopiedByGroup = std::uint64_t{kLoopGroup} * 64; // bytes

/// Copies `size` words of 32 bits.
void copy(CaseBuilder& c) {
    const auto source = c.input<std::uint32_t>("source", c.size(), hash32);
    const std::uint64_t bytes = c.size() * sizeof(std::uint32_t);
    ComputeNodeBuilder node = c.graph().compute("bench/copy");
    node.read("source", source.buffer);
    const Buffer result = node.write("result", c.graph().buffer("result", {.size = bytes}));
    dispatch(node, bytes / kCopiedByGroup);
    c.set_cost({.bytes = 2.0 * static_cast<double>(bytes)});
    c.check<std::uint32_t>("copied", result, [source](std::span<const std::uint32_t> got) {
        return equal(got, source.values());
    });
}

/// Words of a copy that no cache holds, two buffers of them.
std::uint64_t copied_words(const DeviceCaps& caps) {
    const std::uint64_t wanted =
        caps.type == DeviceType::cpu ? std::uint64_t{64} << 20 : std::uint64_t{1} << 30;
    const std::uint64_t bytes =
        std::min({wanted, caps.device_memory_bytes / 8, caps.max_storage_buffer_bytes});
    return std::bit_floor(std::max(bytes, kCopiedByGroup)) / sizeof(std::uint32_t);
}

// --- multiply-adds -------------------------------------------------------------------------------

constexpr std::uint32_t kChains = 16; // of bench/multiply_add
constexpr std::uint32_t kStepsALoop = 4;
constexpr std::uint32_t kSteps = 512;
constexpr float kMultiplier = 0.999f;

/// What invocation `lane` of a group leaves: the sum of its chains.
double chain_sum(std::uint32_t lane) {
    double sum = 0.0;
    for (std::uint32_t chain = 0; chain < kChains; ++chain) {
        double value = lane + chain;
        for (std::uint32_t step = 0; step < kSteps; ++step)
            value = value * double{kMultiplier} + 1.0;
        sum += value;
    }
    return sum;
}

/// `size` invocations.
void multiply_add(CaseBuilder& c) {
    ComputeNodeBuilder node = c.graph().compute("bench/multiply_add");
    const Buffer result =
        node.write("result", c.graph().buffer("result", {.size = c.size() * sizeof(float)}));
    node.set("loops", kSteps / kStepsALoop);
    node.set("multiplier", kMultiplier);
    dispatch(node, c.size() / kLoopGroup);
    c.set_cost({.bytes = static_cast<double>(c.size()) * sizeof(float),
                .operations = 2.0 * kChains * kSteps * static_cast<double>(c.size())});
    c.check<float>("sums", result, [size = c.size()](std::span<const float> got) {
        std::vector<double> expected(size);
        for (std::uint64_t i = 0; i < size; ++i)
            expected[i] = i < kLoopGroup ? chain_sum(static_cast<std::uint32_t>(i))
                                         : expected[i - kLoopGroup];
        return near(got, expected, {.relative = 1e-3});
    });
}

std::uint64_t invocations(const DeviceCaps& caps) {
    return caps.type == DeviceType::cpu ? 1u << 14 : 1u << 22;
}

// -------------------------------------------------------------------------------------------------

/// Measures a case that has to be right.
Result<Measurement> measured_right(Device& device, const ShaderLibrary& shaders,
                                   const Case& calibration, std::uint64_t size,
                                   const MeasureOptions& options) {
    auto result = measure(device, shaders, calibration, size, options);
    if (!result) return result;
    if (result->checked != Checked::yes || result->milliseconds.median <= 0.0)
        return fail("bench/calibration",
                    fmt::format("'{}' does not measure the device: {}", calibration.pass,
                                result->remark.empty() ? "it took no time" : result->remark),
                    "choose another device: 'tuff devices' lists them");
    return result;
}

} // namespace

std::span<const EmbeddedShader> calibration_shaders() {
    return embedded::shaders();
}

Result<Limits> calibrate(Device& device, const ShaderLibrary& shaders,
                         const MeasureOptions& options) {
    const Case copying{.pass = "bench/copy", .name = "32-bit words", .build = copy};
    const Case multiplying{.pass = "bench/multiply_add", .name = "f32", .build = multiply_add};
    const DeviceCaps& caps = device.caps();
    auto copied = measured_right(device, shaders, copying, copied_words(caps), options);
    if (!copied) return propagate(std::move(copied));
    auto multiplied = measured_right(device, shaders, multiplying, invocations(caps), options);
    if (!multiplied) return propagate(std::move(multiplied));
    auto least = measured_right(device, shaders, copying, kCopiedByGroup / 4, options);
    if (!least) return propagate(std::move(least));
    return Limits{.bytes_per_second = copied->cost.bytes / copied->milliseconds.median * 1e3,
                  .operations_per_second =
                      multiplied->cost.operations / multiplied->milliseconds.median * 1e3,
                  .least_milliseconds = least->milliseconds.median,
                  .measurements = {std::move(*copied), std::move(*multiplied)}};
}

} // namespace tuff::bench
