#pragma once

#include "passes/common/picture.hpp"

#include <tuff/pass.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace tuff::passes {

/// Several pictures on one. See `describe`.
struct ContactSheet {
    static constexpr std::string_view kName = "image/contact_sheet";
    static constexpr int kMaxCell = 4096;
    static constexpr int kMaxGap = 1024;

    std::vector<Image> pictures;
    int columns = 0;     ///< 0: about as many as rows
    int cell_width = 0;  ///< texels; 0: what the widest picture needs
    int cell_height = 0; ///< texels; 0: what the highest picture needs
    int gap = 8;         ///< texels between cells and around them
    glm::vec4 background{0.1f, 0.1f, 0.1f, 1.0f};
    std::vector<std::string> captions; ///< below the pictures, in their order
    float text = 13.0f;                ///< height of a line of text, texels
    Image result;

    static void describe(PassInfo<ContactSheet>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
