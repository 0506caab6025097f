#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace tuff::fuzz {

using Input = std::vector<std::uint8_t>;

/// The words of a dictionary in libFuzzer's form; none where there is no such file.
std::vector<Input> read_dictionary(const std::string& file);

/// Damaged seeds, one after the other; the same ones for the same number.
class Mutator {
  public:
    Mutator(std::vector<Input> seeds, std::vector<Input> words, std::uint32_t number)
        : seeds_(std::move(seeds)), words_(std::move(words)), random_(number) {
        if (seeds_.empty()) seeds_.emplace_back();
    }

    Input next();

  private:
    std::size_t below(std::size_t bound) { return random_() % bound; }
    void damage(Input& input);
    /// A number that loaders may compute wrongly with, over 1, 2, 4 or 8 bytes, or as digits.
    void put_number(Input& input);

    std::vector<Input> seeds_;
    std::vector<Input> words_;
    std::mt19937 random_; // the same on all machines
};

} // namespace tuff::fuzz
