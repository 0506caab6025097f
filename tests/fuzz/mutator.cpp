#include "tests/fuzz/mutator.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>

namespace tuff::fuzz {
namespace {

int digit_of(char c) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    const std::size_t at = kDigits.find(c);
    return at == std::string_view::npos ? 0 : static_cast<int>(at);
}

/// What stands between the quotes of a dictionary's line.
Input unescaped(std::string_view text) {
    Input word;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && i + 3 < text.size() && text[i + 1] == 'x') {
            word.push_back(
                static_cast<std::uint8_t>(16 * digit_of(text[i + 2]) + digit_of(text[i + 3])));
            i += 3;
        } else {
            if (text[i] == '\\' && i + 1 < text.size()) ++i;
            word.push_back(static_cast<std::uint8_t>(text[i]));
        }
    }
    return word;
}

bool is_digit(std::uint8_t c) {
    return c >= '0' && c <= '9';
}

constexpr std::size_t kLongest = std::size_t{1} << 16;

} // namespace

std::vector<Input> read_dictionary(const std::string& file) {
    std::vector<Input> words;
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
        const std::size_t first = line.find('"');
        const std::size_t last = line.rfind('"');
        if (line.starts_with('#') || first == std::string::npos || last == first) continue;
        words.push_back(unescaped(std::string_view(line).substr(first + 1, last - first - 1)));
    }
    return words;
}

Input Mutator::next() {
    Input input = seeds_[below(seeds_.size())];
    for (std::size_t count = 1 + below(4); count > 0; --count)
        damage(input);
    input.resize(std::min(input.size(), kLongest));
    return input;
}

void Mutator::put_number(Input& input) {
    // Digits of a text are replaced as a whole.
    const auto found = std::find_if(
        input.begin() + static_cast<std::ptrdiff_t>(below(input.size())), input.end(), is_digit);
    if (below(2) == 0 && found != input.end()) {
        constexpr std::array<std::string_view, 12> kTexts = {
            "0",          "-1",         "1e999", "nan",  "65536", "2147483648",
            "4294967295", "1073741825", "1e9",   "-0.0", "255",   "18446744073709551615"};
        const auto end = std::find_if_not(found, input.end(), is_digit);
        const std::string_view text = kTexts[below(kTexts.size())];
        input.insert(input.erase(found, end), text.begin(), text.end());
        return;
    }
    constexpr std::array<std::uint64_t, 12> kNumbers = {
        0,      1,       0x7f,       0x80,       0xff,       0x7fff,
        0xffff, 0x10000, 0x7fffffff, 0x80000000, 0x3fffffff, ~std::uint64_t{0}};
    const std::size_t size = std::min(std::size_t{1} << below(4), input.size());
    const std::size_t at = below(input.size() - size + 1);
    const std::uint64_t value = kNumbers[below(kNumbers.size())];
    const bool big_endian = below(2) == 0;
    for (std::size_t i = 0; i < size; ++i)
        input[at + (big_endian ? size - 1 - i : i)] = static_cast<std::uint8_t>(value >> (8 * i));
}

void Mutator::damage(Input& input) {
    const auto at = [&](std::size_t i) { return input.begin() + static_cast<std::ptrdiff_t>(i); };
    if (input.empty()) return input.push_back(static_cast<std::uint8_t>(below(256)));
    const std::size_t place = below(input.size());
    const std::size_t rest = input.size() - place;
    switch (below(9)) {
    case 0: input[place] ^= static_cast<std::uint8_t>(1u << below(8)); break;
    case 1: input[place] = static_cast<std::uint8_t>(below(256)); break;
    case 2: input.erase(at(place), at(place + 1 + below(std::min<std::size_t>(rest, 16)))); break;
    case 3: { // a part once more
        const Input part(at(place), at(place + 1 + below(std::min<std::size_t>(rest, 64))));
        input.insert(at(below(input.size() + 1)), part.begin(), part.end());
        break;
    }
    case 4: { // the rest of another seed
        const Input& other = seeds_[below(seeds_.size())];
        input.resize(place);
        if (!other.empty())
            input.insert(input.end(),
                         other.begin() + static_cast<std::ptrdiff_t>(below(other.size())),
                         other.end());
        break;
    }
    case 5: input.resize(place); break;
    case 6:
        if (!words_.empty()) {
            const Input& word = words_[below(words_.size())];
            // Over what is there, or between.
            if (below(2) == 0) input.erase(at(place), at(place + std::min(rest, word.size())));
            input.insert(at(place), word.begin(), word.end());
        }
        break;
    default: put_number(input); break;
    }
}

} // namespace tuff::fuzz
