#include "passes/image/numbers.hpp"

#include "passes/common/picture.hpp"
#include "passes/common/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace tuff::passes {
namespace {

constexpr std::size_t kMaxNumbers = 8;

/// A number's place in a text.
struct NumberField {
    std::uint32_t buffer = 0;
    std::uint32_t word = 0;
    std::uint32_t letters = 0;
    std::uint32_t decimals = 0;
    bool whole = false;
};

/// A part of a text: letters, or a number.
struct TextPart {
    std::string letters;
    std::optional<NumberField> number;
};

/// Reads whole numbers and signs one after the other.
class FieldReader {
  public:
    explicit FieldReader(std::string_view text) : rest_(text) {}
    std::optional<std::uint32_t> number() {
        std::uint32_t value = 0;
        const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
        if (error != std::errc() || value > 1'000'000) return {};
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        return value;
    }
    bool sign(char wanted) {
        if (!rest_.starts_with(wanted)) return false;
        rest_.remove_prefix(1);
        return true;
    }
    bool at_end() const { return rest_.empty(); }

  private:
    std::string_view rest_;
};

/// "0", "0.1", "0:8d", "1:7.2f": buffer, word, letters, decimals, kind.
std::optional<NumberField> read_field(std::string_view text) {
    constexpr std::uint32_t kMaxLetters = 40;
    FieldReader reader(text);
    NumberField field{.letters = 8, .decimals = 2};
    const auto buffer = reader.number();
    if (!buffer) return {};
    field.buffer = *buffer;
    if (reader.sign('.')) {
        const auto word = reader.number();
        if (!word) return {};
        field.word = *word;
    }
    if (reader.sign(':')) {
        const auto letters = reader.number();
        if (letters) field.letters = *letters;
        if (reader.sign('.')) {
            const auto decimals = reader.number();
            if (!decimals) return {};
            field.decimals = *decimals;
        }
        if (reader.sign('d'))
            field.whole = true;
        else if (!reader.sign('f'))
            return {};
    }
    if (field.whole) field.decimals = 0;
    const bool sound = reader.at_end() && field.letters >= 1 && field.letters <= kMaxLetters &&
                       field.decimals <= 6;
    return sound ? std::optional(field) : std::nullopt;
}

/// Nothing where a field cannot be read.
std::optional<std::vector<TextPart>> read_parts(std::string_view text) {
    std::vector<TextPart> parts;
    while (!text.empty()) {
        const std::size_t open = text.find('{');
        if (open != 0)
            parts.push_back({.letters = std::string(text.substr(0, open)), .number = {}});
        if (open == std::string_view::npos) break;
        const std::size_t close = text.find('}', open);
        if (close == std::string_view::npos) return {};
        const auto field = read_field(text.substr(open + 1, close - open - 1));
        if (!field) return {};
        parts.push_back({.letters = {}, .number = *field});
        text.remove_prefix(close + 1);
    }
    return parts;
}

/// How wide a letter of a number is, texels: digits are equally wide, and none of the others is
/// much wider.
int letter_width(float size) {
    return static_cast<int>(std::ceil(text_width("0", size)));
}

/// The letters side by side; what is wider than a digit is cut off.
Canvas letter_atlas(const Numbers& pass, int letter, int height, float base) {
    const auto width = static_cast<std::size_t>(letter);
    Canvas atlas(static_cast<std::uint32_t>(width * kNumberLetters.size()),
                 static_cast<std::uint32_t>(height), pass.background);
    for (std::size_t i = 0; i < kNumberLetters.size(); ++i) {
        Canvas cell(static_cast<std::uint32_t>(letter), atlas.height, pass.background);
        draw_text(cell, kNumberLetters.substr(i, 1), pass.size,
                  {0.5f * static_cast<float>(letter), base}, pass.color, TextAnchor::middle);
        for (std::size_t y = 0; y < atlas.height; ++y)
            std::copy_n(cell.texels.begin() + static_cast<std::ptrdiff_t>(y * width), letter,
                        atlas.texels.begin() +
                            static_cast<std::ptrdiff_t>(y * atlas.width + i * width));
    }
    return atlas;
}

} // namespace

void Numbers::describe(PassInfo<Numbers>& info) {
    info.summary("Writes numbers from buffers of the device into a picture, within a text")
        .details(
            "\"{0:8d}\" in the text is the first word of the first buffer, as an unsigned integer, "
            "right-aligned in eight letters; \"{1:7.2f}\" is a float of the second buffer with two "
            "decimals, halves rounded away from 0. \"{0.3:9d}\" is word 3; \"{0}\" alone is "
            "\"{0:8.2f}\". A number that does not fit is filled with \"#\"; floats may be written "
            "nan and inf. The text stands in a box of the color \"background\", in letters of "
            "DejaVu Sans. The source's values are copied, clamped to [0, 1] and rounded to 8 bits. "
            "A text that cannot be parsed, or names a buffer or word that does not exist, is an "
            "error.")
        .complexity("O(texels)")
        .cost([](const Numbers& pass, const Graph& graph) {
            return picture_cost(graph, pass.source, pass.result, 1.0);
        });
    info.input("source", &Numbers::source, "the picture").picture();
    info.input_list("values", &Numbers::values, "buffers whose words are written").wires(1, 8);
    info.parameter("text", &Numbers::text,
                   "the text, with {BUFFER.WORD:LETTERS.DECIMALSf} for floats, d for integers")
        .structural();
    info.parameter("position", &Numbers::position, "position of the box's upper left corner")
        .range(0, 16384)
        .unit("texels")
        .structural();
    info.parameter("size", &Numbers::size, "height of a line of text")
        .range(4, 200)
        .unit("texels")
        .structural();
    info.parameter("color", &Numbers::color, "color of the letters, as encoded")
        .range(0, 1)
        .structural();
    info.parameter("background", &Numbers::background, "color of the box, as encoded")
        .range(0, 1)
        .structural();
    info.output("result", &Numbers::result, "the picture, rgba8_unorm, of the source's size");
}

void Numbers::build(Graph& graph) {
    const auto parts = read_parts(text);
    if (!parts || std::ranges::count_if(*parts, [](const TextPart& part) {
                      return part.number.has_value();
                  }) > static_cast<std::ptrdiff_t>(kMaxNumbers)) {
        graph.error("image/bad-text",
                    fmt::format("the text \"{}\" cannot be read, or has more than {} numbers", text,
                                kMaxNumbers),
                    "write numbers as {0:8d} or {1:7.2f}");
        return;
    }
    for (const TextPart& part : *parts) {
        if (!part.number) continue;
        const NumberField& field = *part.number;
        if (field.buffer < values.size() &&
            graph.desc(values[field.buffer]).size >= 4 * (std::uint64_t{field.word} + 1))
            continue;
        graph.error("image/bad-text",
                    fmt::format("word {} of buffer {} does not exist", field.word, field.buffer),
                    "count words and buffers from 0");
        return;
    }
    if (tuff::info(graph.desc(source).format).kind == NumericKind::srgb) {
        graph.error("image/unsupported-format",
                    "input \"source\" is sRGB: a copy to rgba8_unorm would decode and darken it",
                    "pass it through image/tonemap with operator \"none\"");
        return;
    }

    // The box with all that is known, then the numbers, each over its part.
    const Extent extent = graph.extent(source);
    const int letter = letter_width(size);
    const int margin = static_cast<int>(std::ceil(0.3f * size));
    const int height = static_cast<int>(std::ceil(1.5f * size));
    const float base = 0.5f * (static_cast<float>(height) + capital_height(size));
    std::vector<int> begins{margin};
    for (const TextPart& part : *parts)
        begins.push_back(begins.back() +
                         (part.number
                              ? letter * static_cast<int>(part.number->letters)
                              : static_cast<int>(std::ceil(text_width(part.letters, size)))));
    Canvas box(static_cast<std::uint32_t>(begins.back() + margin),
               static_cast<std::uint32_t>(height), background);
    for (std::size_t i = 0; i < parts->size(); ++i)
        draw_text(box, (*parts)[i].letters, size, {static_cast<float>(begins[i]), base}, color);

    const Canvas letters = letter_atlas(*this, letter, height, base);
    const Image atlas = graph.constant_image(
        "letters", {.format = Format::rgba8_unorm, .extent = {letters.width, letters.height}},
        shared_texels(letters));

    result = graph.image("result", {.format = Format::rgba8_unorm, .extent = extent});
    result = graph.blit(ImageView(source).mip(0), result, Filter::nearest, {}, "copy");
    const Image constant_box = graph.constant_image(
        "box", {.format = Format::rgba8_unorm, .extent = {box.width, box.height}},
        shared_texels(box));
    ComputeNodeBuilder node = graph.compute("image/paste_box");
    node.set("corner", position);
    node.read("box", constant_box);
    result = node.write("result", result);
    node.dispatch_over({box.width, box.height});

    for (std::size_t i = 0; i < parts->size(); ++i) {
        if (!(*parts)[i].number) continue;
        const NumberField& field = *(*parts)[i].number;
        ComputeNodeBuilder number = graph.compute("image/number");
        number.set("corner", position + glm::ivec2(begins[i], 0));
        number.set("letter", static_cast<std::uint32_t>(letter));
        number.set("word", field.word);
        number.set("letters", field.letters);
        number.set("decimals", field.decimals);
        number.set("whole", field.whole ? 1u : 0u);
        number.read("values", values[field.buffer]);
        number.read("atlas", atlas);
        result = number.write("result", result);
        number.dispatch_over({static_cast<std::uint32_t>(letter) * field.letters,
                              static_cast<std::uint32_t>(height)});
    }
}

TUFF_PASS(Numbers)

} // namespace tuff::passes
