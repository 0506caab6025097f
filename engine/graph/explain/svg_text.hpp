#pragma once

#include <string>
#include <string_view>

/// Names as they stand in a drawing.
namespace tuff {

/// `text` with what means something to XML escaped. Bytes that are no UTF-8 and control characters
/// other than line ends, which XML does not allow, become the replacement character.
std::string xml_text(std::string_view text);

/// A text of known width, escaped.
struct SvgLabel {
    std::string text;
    double width = 0; ///< pixels, in the monospaced type of 11 pixels that the drawing is set in
};

/// `text` cut in its middle to 28 characters with `suffix`: the ends of paths tell most.
SvgLabel svg_label(std::string_view text, std::string_view suffix = {});

} // namespace tuff
