#pragma once

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace tuff::passes {

/// A summed-area table of a picture or volume, ready for sums over boxes. The lookups are in
/// shaders/image/summed_area.glsl, and summed_area_3d.glsl.
struct SummedArea {
    static constexpr std::string_view kPortType = "SummedAreaTable";

    /// Of the source's size. Texel t holds the sum over the texels from the origin to t, t
    /// included, whichever side of the origin it lies on. r32_sfloat or rgba32_sfloat; rgba32_uint
    /// where whole numbers are summed.
    Image sums;
    /// One vec4: what was taken from every texel before summing; zero but for the offset modes.
    Buffer mean;
    /// The corner of texels that sums start from: zero, or the centre.
    glm::ivec3 origin{0};
    /// Where whole numbers are summed, what a texel of 1 counts as; else 1.
    float levels = 1.0f;
    bool integers = false;

    explicit operator bool() const { return bool(sums); }
    std::vector<PortMember> members() const {
        return {{"sums", sums}, {"mean", mean, BufferElements::of<glm::vec4>()}};
    }
};

} // namespace tuff::passes
