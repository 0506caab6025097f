#pragma once

#include <string>
#include <string_view>

/// Names as they stand in a drawing.
namespace tuff {

/// A text of known width, escaped.
struct SvgLabel {
    std::string text;
    double width = 0; ///< pixels, in the monospaced type of 11 pixels that the drawing is set in
};

/// `text` cut in its middle to 28 characters with `suffix`: the ends of paths tell most.
SvgLabel svg_label(std::string_view text, std::string_view suffix = {});

} // namespace tuff
