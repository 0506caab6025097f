#pragma once

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <glm/glm.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace tuff::passes {

/// Numbers that the device has found, written into a picture. See `describe`.
struct Numbers {
    static constexpr std::string_view kName = "image/numbers";

    Image source;
    std::vector<Buffer> values;
    std::string text = "{0}";
    glm::ivec2 position{0, 0}; ///< of the upper left corner, texels
    float size = 13.0f;        ///< height of a line of text, texels
    glm::vec4 color{1.0f, 1.0f, 1.0f, 1.0f};
    glm::vec4 background{0.1f, 0.1f, 0.1f, 1.0f};
    Image result;

    static void describe(PassInfo<Numbers>& info);
    void build(Graph& graph);
};

/// Letters that stand for numbers on the device, in the order of image/number: ten digits, then
/// these.
inline constexpr std::string_view kNumberLetters = "0123456789-.#naif ";

} // namespace tuff::passes
