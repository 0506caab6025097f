#include "passes/image/contact_sheet.hpp"

#include "passes/common/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tuff::passes {
namespace {

constexpr int kMaxSheet = 16384;

/// Where a picture of size `picture` goes in the cell at `corner`: as large as fits, its aspect
/// kept, in the middle.
Graph::Box fitted(Extent picture, std::array<int, 2> corner, std::array<int, 2> cell) {
    const double scale = std::min(static_cast<double>(cell[0]) / picture.width,
                                  static_cast<double>(cell[1]) / picture.height);
    const auto side = [scale](std::uint32_t length, int limit) {
        return std::clamp(static_cast<int>(std::lround(length * scale)), 1, limit);
    };
    const int width = side(picture.width, cell[0]);
    const int height = side(picture.height, cell[1]);
    const int x = corner[0] + (cell[0] - width) / 2;
    const int y = corner[1] + (cell[1] - height) / 2;
    return {.low = {x, y, 0}, .high = {x + width, y + height, 1}};
}

bool can_be_shown(Graph& graph, Image picture, std::size_t index) {
    const FormatInfo& format = info(graph.desc(picture).format);
    if (format.kind != NumericKind::srgb) return true;
    graph.error(
        "image/unsupported-format",
        fmt::format("input \"pictures[{}]\" has format {}: a copy to rgba8_unorm would decode and "
                    "darken it",
                    index, format.name),
        "pass it through image/tonemap with operator \"none\"");
    return false;
}

/// Sides left open take what the largest picture needs.
std::array<int, 2> cell_size(const ContactSheet& sheet, const Graph& graph) {
    std::array<int, 2> cell{sheet.cell_width, sheet.cell_height};
    for (Image picture : sheet.pictures) {
        const Extent extent = graph.extent(picture);
        // How much smaller a picture becomes in a cell of which one side is given.
        double scale = 1.0;
        if (sheet.cell_width > 0) scale = static_cast<double>(sheet.cell_width) / extent.width;
        if (sheet.cell_height > 0) scale = static_cast<double>(sheet.cell_height) / extent.height;
        const auto side = [scale](std::uint32_t length) {
            return static_cast<int>(std::clamp(std::ceil(length * scale), 1.0, double{kMaxSheet}));
        };
        if (sheet.cell_width == 0) cell[0] = std::max(cell[0], side(extent.width));
        if (sheet.cell_height == 0) cell[1] = std::max(cell[1], side(extent.height));
    }
    return cell;
}

/// Where the text of a caption is dark and where it is light.
constexpr glm::vec4 kDarkInk(0.1f, 0.1f, 0.1f, 1.0f);
constexpr glm::vec4 kLightInk(0.94f, 0.94f, 0.94f, 1.0f);

/// The strip of the sheet that a caption stands in.
Canvas caption_strip(const ContactSheet& sheet, const std::string& text, glm::ivec2 size) {
    const glm::vec4 back = sheet.background;
    const bool light = glm::dot(glm::vec3(back), glm::vec3(0.3f, 0.59f, 0.11f)) > 0.5f;
    Canvas strip(static_cast<std::uint32_t>(size.x), static_cast<std::uint32_t>(size.y), back);
    const glm::vec2 place(0.5f * static_cast<float>(size.x),
                          0.5f * (static_cast<float>(size.y) + capital_height(sheet.text)));
    draw_text(strip, shortened(text, sheet.text, static_cast<float>(size.x)), sheet.text, place,
              light ? kDarkInk : kLightInk, TextAnchor::middle);
    return strip;
}

} // namespace

void ContactSheet::describe(PassInfo<ContactSheet>& info) {
    info.summary("Lays pictures out on a grid")
        .details(
            "Pictures follow row by row from the top left. Each is scaled (linear filter) to fit "
            "its cell, keeps its aspect, and is centered in the cell. Values are copied, clamped "
            "to [0, 1] and rounded to 8 bits: pictures should be encoded for a display, as "
            "image/tonemap leaves them. A caption stands below its picture and is cut off with "
            "\"...\" where it is wider than the cell. Without captions the sheet leaves no room "
            "for them. Captions may hold any letters of DejaVu Sans. A sheet without pictures is "
            "an error.")
        .complexity("O(texels of the sheet)");
    info.input_list("pictures", &ContactSheet::pictures, "the pictures, in order")
        .wires(1)
        .picture();
    info.parameter("columns", &ContactSheet::columns, "0: about as many as rows")
        .range(0, 1024)
        .structural();
    info.parameter("cell_width", &ContactSheet::cell_width, "0: what the widest picture needs")
        .range(0, kMaxCell)
        .unit("texels")
        .structural();
    info.parameter("cell_height", &ContactSheet::cell_height, "0: what the highest picture needs")
        .range(0, kMaxCell)
        .unit("texels")
        .structural();
    info.parameter("gap", &ContactSheet::gap, "texels between cells and around them")
        .range(0, kMaxGap)
        .unit("texels")
        .structural();
    info.parameter("background", &ContactSheet::background, "color of the gaps, as encoded")
        .range(0, 1)
        .structural();
    info.parameter("captions", &ContactSheet::captions, "texts below the pictures, in their order")
        .structural();
    info.parameter("text", &ContactSheet::text, "height of a line of text")
        .range(4, 200)
        .unit("texels")
        .structural();
    info.output("result", &ContactSheet::result, "the sheet, rgba8_unorm");
}

void ContactSheet::build(Graph& graph) {
    bool valid = true;
    for (std::size_t i = 0; i < pictures.size(); ++i)
        valid &= can_be_shown(graph, pictures[i], i);
    if (captions.size() > pictures.size()) {
        graph.error("pass/out-of-range",
                    fmt::format("{} captions for {} pictures", captions.size(), pictures.size()),
                    "give a caption for each picture, \"\" for none");
        valid = false;
    }
    if (!valid) return;

    const std::array<int, 2> cell = cell_size(*this, graph);
    const int count = static_cast<int>(pictures.size());
    const int across =
        columns > 0 ? std::min(columns, count) : static_cast<int>(std::ceil(std::sqrt(count)));
    const int down = (count + across - 1) / across;
    const int strip = captions.empty() ? 0 : static_cast<int>(std::ceil(1.6f * text));
    const double width = static_cast<double>(across) * (cell[0] + gap) + gap;
    const double height = static_cast<double>(down) * (cell[1] + strip + gap) + gap;
    if (width > kMaxSheet || height > kMaxSheet) {
        graph.error("pass/out-of-range",
                    fmt::format("the sheet would be {}x{} texels, more than {} a side", width,
                                height, kMaxSheet),
                    "make the cells smaller");
        return;
    }

    const Image sheet = graph.image("sheet", {.format = Format::rgba8_unorm,
                                              .extent = {static_cast<std::uint32_t>(width),
                                                         static_cast<std::uint32_t>(height)}});
    result = graph.clear(sheet, std::array{background.r, background.g, background.b, background.a},
                         "background");
    for (int i = 0; i < count; ++i) {
        const Image picture = pictures[static_cast<std::size_t>(i)];
        const std::array<int, 2> corner{gap + i % across * (cell[0] + gap),
                                        gap + i / across * (cell[1] + strip + gap)};
        result =
            graph.blit(ImageView(picture).mip(0), result, Filter::linear,
                       fitted(graph.extent(picture), corner, cell), fmt::format("picture[{}]", i));
        const auto number = static_cast<std::size_t>(i);
        if (number >= captions.size() || captions[number].empty()) continue;
        const Canvas drawn = caption_strip(*this, captions[number], {cell[0], strip});
        const Image caption = graph.constant_image(
            fmt::format("caption[{}]", i),
            {.format = Format::rgba8_unorm, .extent = {drawn.width, drawn.height}},
            shared_texels(drawn));
        const int top = corner[1] + cell[1];
        result = graph.blit(
            ImageView(caption).mip(0), result, Filter::nearest,
            Graph::Box{.low = {corner[0], top, 0}, .high = {corner[0] + cell[0], top + strip, 1}},
            fmt::format("caption[{}]", i));
    }
}

TUFF_PASS(ContactSheet)

} // namespace tuff::passes
