#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Rays by Embree, where the build found its headers and the machine has its library: what the
/// host's processor makes of the same work.
namespace tuff::bench {

/// A ray as passes/bvh/cast.hpp has it.
struct HostRay {
    float origin[3];
    float t_max;
    float direction[3];
    std::uint32_t leaves;
};

struct EmbreeTrace {
    std::string name;          ///< "Embree 3.13.5 on 2 threads"
    double milliseconds = 0.0; ///< of all rays, without the build of the hierarchy; a median
    std::vector<float> t;      ///< of the nearest hits; infinite where there is none
};

/// Three floats a vertex, three indices a triangle. Nothing where Embree is missing.
std::optional<EmbreeTrace> trace_by_embree(std::span<const HostRay> rays,
                                           std::span<const float> positions,
                                           std::span<const std::uint32_t> indices);

} // namespace tuff::bench
