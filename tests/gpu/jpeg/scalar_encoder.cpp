#include "scalar_encoder.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numbers>
#include <string>

namespace tuff::testing_jpeg {
namespace {

namespace jpeg = passes::jpeg;

/// A plane of values that goes on beyond its edges with the last ones.
struct Plane {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::vector<double> values;

    double at(std::uint32_t x, std::uint32_t y) const {
        return values[std::size_t{std::min(y, height - 1)} * width + std::min(x, width - 1)];
    }
};

Exact transformed(const Plane& plane, std::uint32_t left, std::uint32_t top, std::uint32_t across,
                  std::uint32_t down, double shift, const jpeg::Divisors& divisors,
                  bool integer = false) {
    double samples[8][8];
    for (std::uint32_t y = 0; y < 8; ++y)
        for (std::uint32_t x = 0; x < 8; ++x) {
            double sum = 0.0;
            for (std::uint32_t j = 0; j < down; ++j)
                for (std::uint32_t i = 0; i < across; ++i)
                    sum += plane.at((left + x) * across + i, (top + y) * down + j);
            samples[y][x] = sum / (across * down) - shift;
            // Which way it is rounded takes turns where that is cheap (jcsample.c).
            const std::uint32_t more = across == 1 ? down / 2 : (down == 2 ? 1 + x % 2 : x % 2);
            if (integer) samples[y][x] = std::floor((sum + more) / (across * down));
        }
    Exact result{};
    const auto wave = [](std::uint32_t k, std::uint32_t j) {
        return std::cos((2.0 * j + 1.0) * k * std::numbers::pi / 16.0);
    };
    for (std::uint32_t v = 0; v < 8; ++v)
        for (std::uint32_t u = 0; u < 8; ++u) {
            double sum = 0.0;
            for (std::uint32_t y = 0; y < 8; ++y)
                for (std::uint32_t x = 0; x < 8; ++x)
                    sum += samples[y][x] * wave(u, x) * wave(v, y);
            const double scale = (u == 0 ? std::numbers::sqrt2 / 2.0 : 1.0) *
                                 (v == 0 ? std::numbers::sqrt2 / 2.0 : 1.0);
            result[v * 8 + u] = 0.25 * scale * sum / divisors[v * 8 + u];
        }
    return result;
}

/// Bits as text: slow, and hard to get wrong.
class BitText {
  public:
    void put(const std::string& bits) { bits_ += bits; }
    void put(unsigned value, int length) {
        for (int i = length - 1; i >= 0; --i)
            bits_ += (value >> i & 1u) != 0 ? '1' : '0';
    }
    /// Filled up with ones to whole bytes, with a zero after each of 255.
    std::vector<std::byte> take() {
        while (bits_.size() % 8 != 0)
            bits_ += '1';
        std::vector<std::byte> bytes;
        for (std::size_t i = 0; i < bits_.size(); i += 8) {
            unsigned byte = 0;
            for (std::size_t j = 0; j < 8; ++j)
                byte = 2 * byte + (bits_[i + j] == '1' ? 1 : 0);
            bytes.push_back(static_cast<std::byte>(byte));
            if (byte == 0xff) bytes.push_back(std::byte{0});
        }
        bits_.clear();
        return bytes;
    }

  private:
    std::string bits_;
};

using CodeTexts = std::map<int, std::string>;

CodeTexts codes(const jpeg::HuffmanTable& table) {
    CodeTexts result;
    std::size_t symbol = 0;
    std::string next;
    const auto increment = [&next] {
        std::size_t i = next.size();
        while (i > 0 && next[i - 1] == '1')
            next[--i] = '0';
        if (i > 0) next[i - 1] = '1';
    };
    for (std::size_t length = 1; length <= 16; ++length) {
        next += '0';
        for (int i = 0; i < table.counts[length - 1]; ++i, increment())
            result[table.symbols[symbol++]] = next;
    }
    return result;
}

int size_of(int value) {
    int size = 0;
    for (int rest = std::abs(value); rest > 0; rest /= 2)
        ++size;
    return size;
}

void put_amplitude(BitText& out, int value) {
    const int size = size_of(value);
    out.put(static_cast<unsigned>(value < 0 ? value + (1 << size) - 1 : value), size);
}

void put_block(BitText& out, const Block& block, int before, const std::array<CodeTexts, 2>& pair) {
    out.put(pair[0].at(size_of(block[0] - before)));
    put_amplitude(out, block[0] - before);
    int zeros = 0;
    for (std::size_t k = 1; k < 64; ++k) {
        const int value = block[jpeg::kZigzag[k]];
        if (value == 0) {
            ++zeros;
            continue;
        }
        for (; zeros >= 16; zeros -= 16)
            out.put(pair[1].at(0xf0));
        out.put(pair[1].at(zeros * 16 + size_of(value)));
        put_amplitude(out, value);
        zeros = 0;
    }
    if (zeros > 0) out.put(pair[1].at(0));
}

} // namespace

std::vector<Exact> exact_blocks(std::span<const double> values, std::uint32_t channels,
                                std::uint32_t width, std::uint32_t height, const Cut& cut,
                                std::uint32_t quality, bool integer) {
    std::array<Plane, 3> planes;
    for (Plane& plane : planes)
        plane = {width, height, std::vector<double>(values.size() / channels)};
    for (std::size_t i = 0; i < values.size() / channels; ++i) {
        const double r = values[i * channels];
        const double g = channels == 1 ? r : values[i * channels + 1];
        const double b = channels == 1 ? r : values[i * channels + 2];
        planes[0].values[i] = 0.299 * r + 0.587 * g + 0.114 * b;
        planes[1].values[i] = -0.168736 * r - 0.331264 * g + 0.5 * b;
        planes[2].values[i] = 0.5 * r - 0.418688 * g - 0.081312 * b;
        if (!integer) continue;
        const auto fixed = [](double factor) { return std::floor(factor * 65536 + 0.5); };
        planes[0].values[i] =
            std::floor((fixed(0.299) * r + fixed(0.587) * g + fixed(0.114) * b + 32768) / 65536);
        planes[1].values[i] =
            std::floor((-fixed(0.16874) * r - fixed(0.33126) * g + fixed(0.5) * b + 32767) / 65536);
        planes[2].values[i] =
            std::floor((fixed(0.5) * r - fixed(0.41869) * g - fixed(0.08131) * b + 32767) / 65536);
    }
    const jpeg::Divisors luma = jpeg::divisors_of(jpeg::TableKind::luma, quality);
    const jpeg::Divisors chroma = jpeg::divisors_of(jpeg::TableKind::chroma, quality);
    const std::uint32_t columns = (width + 8 * cut.across - 1) / (8 * cut.across);
    const std::uint32_t rows = (height + 8 * cut.down - 1) / (8 * cut.down);
    std::vector<Exact> blocks;
    for (std::uint32_t row = 0; row < rows; ++row)
        for (std::uint32_t column = 0; column < columns; ++column) {
            for (std::uint32_t y = 0; y < cut.down; ++y)
                for (std::uint32_t x = 0; x < cut.across; ++x)
                    blocks.push_back(transformed(planes[0], 8 * (column * cut.across + x),
                                                 8 * (row * cut.down + y), 1, 1, 128.0, luma));
            if (cut.grey) continue;
            for (const Plane* plane : {&planes[1], &planes[2]})
                blocks.push_back(transformed(*plane, 8 * column, 8 * row, cut.across, cut.down, 0.0,
                                             chroma, integer));
        }
    return blocks;
}

std::vector<std::byte> entropy_coded(std::span<const Block> blocks, const Cut& cut,
                                     const std::array<jpeg::TablePair, 3>& tables) {
    std::array<std::array<CodeTexts, 2>, 3> texts;
    for (std::size_t c = 0; c < 3; ++c)
        texts[c] = {codes(tables[c].dc), codes(tables[c].ac)};
    const std::size_t luma = std::size_t{cut.across} * cut.down;
    const std::size_t unit = cut.grey ? 1 : luma + 2;
    std::vector<std::byte> bytes;
    BitText bits;
    std::array<int, 3> before{};
    const auto flush = [&] {
        const std::vector<std::byte> more = bits.take();
        bytes.insert(bytes.end(), more.begin(), more.end());
    };
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const std::size_t number = i / unit;
        if (cut.restart != 0 && i % unit == 0 && number > 0 && number % cut.restart == 0) {
            flush();
            bytes.push_back(std::byte{0xff});
            bytes.push_back(static_cast<std::byte>(0xd0 + (number / cut.restart - 1) % 8));
            before = {};
        }
        const std::size_t part = i % unit;
        const std::size_t component = cut.grey || part < luma ? 0 : 1 + part - luma;
        put_block(bits, blocks[i], before[component], texts[component]);
        before[component] = blocks[i][0];
    }
    flush();
    return bytes;
}

} // namespace tuff::testing_jpeg
