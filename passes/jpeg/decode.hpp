#pragma once

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// How fewer samples of color become those of the picture.
enum class JpegUpsampling : std::uint8_t { triangle, box };

/// A picture from the bytes of a JPEG file. See `describe`.
struct JpegDecode {
    static constexpr std::string_view kName = "jpeg/decode";

    Buffer file;
    JpegUpsampling upsampling = JpegUpsampling::triangle;
    Image result;

    static void describe(PassInfo<JpegDecode>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::JpegUpsampling> {
    static constexpr std::array<std::string_view, 2> names{"triangle", "box"};
};
