#include "gpu/shader/assertion_lines.hpp"

#include "gpu/shader/spirv_words.hpp"

#include <fmt/format.h>
#include <spirv_cross/spirv.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <string>

namespace tuff {
namespace {

constexpr std::string_view kAssertPrefix = "tuff.assert:"; // then the line's number, ':' and text
constexpr std::size_t kLongestText = 200;

std::string_view without_spaces(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// From "assert" on, as far as the parentheses close in the line.
std::string_view assertion_in(std::string_view line) {
    const std::size_t at = line.find("assert(");
    if (at == std::string_view::npos || without_spaces(line).starts_with('#') ||
        without_spaces(line).starts_with("//"))
        return {};
    int depth = 0;
    for (std::size_t i = at; i < line.size(); ++i) {
        if (line[i] == '(') ++depth;
        if (line[i] == ')' && --depth == 0) return line.substr(at, i + 1 - at);
    }
    return without_spaces(line.substr(at));
}

std::vector<SourceLine> lines_with_assertions(std::string_view glsl) {
    std::vector<SourceLine> lines;
    for (std::uint32_t number = 1; !glsl.empty(); ++number) {
        const std::size_t end = std::min(glsl.find('\n'), glsl.size());
        const std::string_view line = glsl.substr(0, end);
        glsl.remove_prefix(std::min(end + 1, glsl.size()));
        constexpr std::string_view kLine = "#line ";
        if (line.starts_with(kLine)) { // of the next one
            std::from_chars(line.data() + kLine.size(), line.data() + line.size(), number);
            --number;
        } else if (const std::string_view found = assertion_in(line); !found.empty()) {
            lines.push_back({number, std::string(found.substr(0, kLongestText))});
        }
    }
    return lines;
}

/// Whether it comes before strings in a module.
bool precedes_strings(std::uint32_t opcode) {
    constexpr std::array kFirst{spv::OpCapability,     spv::OpExtension,  spv::OpExtInstImport,
                                spv::OpMemoryModel,    spv::OpEntryPoint, spv::OpExecutionMode,
                                spv::OpExecutionModeId};
    return std::ranges::find(kFirst, static_cast<spv::Op>(opcode)) != kFirst.end();
}

void append_string(std::vector<std::uint32_t>& to, std::uint32_t id, std::string_view text) {
    const std::size_t words = text.size() / 4 + 1; // a zero ends it
    to.push_back(static_cast<std::uint32_t>((words + 2) << spv::WordCountShift | spv::OpString));
    to.push_back(id);
    to.resize(to.size() + words, 0);
    std::memcpy(&to[to.size() - words], text.data(), text.size());
}

} // namespace

std::vector<std::uint32_t> with_assertion_lines(std::vector<std::uint32_t> words,
                                                std::string_view glsl) {
    constexpr std::size_t kHeaderWords = 5;
    constexpr std::size_t kBound = 3;
    const std::vector<SourceLine> lines = lines_with_assertions(glsl);
    if (lines.empty() || words.size() < kHeaderWords) return words;
    std::size_t at = kHeaderWords;
    bool before = true;
    for_each_instruction(std::span<const std::uint32_t>(words),
                         [&](std::uint32_t opcode, std::span<const std::uint32_t> of) {
                             before = before && precedes_strings(opcode);
                             if (before) at += of.size();
                         });
    std::vector<std::uint32_t> strings;
    for (const SourceLine& line : lines)
        append_string(strings, words[kBound]++,
                      fmt::format("{}{}:{}", kAssertPrefix, line.number, line.text));
    words.insert(words.begin() + static_cast<std::ptrdiff_t>(at), strings.begin(), strings.end());
    return words;
}

std::vector<SourceLine> read_assertion_lines(std::span<const std::uint32_t> words) {
    std::vector<SourceLine> lines;
    for_each_instruction(words, [&](std::uint32_t opcode, std::span<const std::uint32_t> of) {
        if (opcode != spv::OpString || of.size() < 3) return;
        const auto bytes = std::as_bytes(of.subspan(2));
        std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        text.resize(std::min(text.find('\0'), text.size()));
        if (!text.starts_with(kAssertPrefix)) return;
        SourceLine line;
        const char* const first = text.data() + kAssertPrefix.size();
        const char* const end = text.data() + text.size();
        const auto number = std::from_chars(first, end, line.number);
        if (number.ec != std::errc() || number.ptr == end) return;
        line.text.assign(number.ptr + 1, end);
        lines.push_back(std::move(line));
    });
    return lines;
}

} // namespace tuff
