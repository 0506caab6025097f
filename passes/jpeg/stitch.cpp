#include "passes/jpeg/stitch.hpp"

#include "passes/common/div_round_up.hpp"
#include "passes/jpeg/encode_shape.hpp"
#include "passes/jpeg/markers.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>

namespace tuff::passes::jpeg {
namespace {

/// Bits, the first the highest of a byte, with a zero after each byte of 255.
class EntropyWriter {
  public:
    explicit EntropyWriter(std::vector<std::byte>& bytes) : bytes_(&bytes) {}

    /// The low `length` bits, up to 32.
    void put(std::uint32_t bits, std::uint32_t length) {
        const std::uint64_t mask = (std::uint64_t{1} << length) - 1;
        waiting_ = waiting_ << length | (bits & mask);
        count_ += length;
        while (count_ >= 8) {
            count_ -= 8;
            byte(static_cast<std::uint32_t>(waiting_ >> count_) & 0xffu);
        }
    }
    /// Fills the last byte up with ones.
    void flush() {
        if (count_ != 0) put(0xffu, 8 - count_);
    }
    /// As it is.
    void marker(std::uint32_t code) {
        bytes_->push_back(std::byte{0xff});
        bytes_->push_back(static_cast<std::byte>(code));
    }

  private:
    void byte(std::uint32_t value) {
        bytes_->push_back(static_cast<std::byte>(value));
        if (value == 0xff) bytes_->push_back(std::byte{0});
    }

    std::vector<std::byte>* bytes_;
    std::uint64_t waiting_ = 0; ///< bits that are no whole byte yet, fewer than 8 between calls
    std::uint32_t count_ = 0;
};

/// A component while its blocks are written.
struct Component {
    std::span<const std::uint32_t> slots;
    ChromaSize parts; ///< blocks of a unit
    std::array<HuffmanCode, 256> dc_codes{};
    std::int32_t before = 0; ///< the first coefficient of the block before
};

void write_block(EntropyWriter& out, Component& component, std::uint64_t block) {
    const auto slot = component.slots.subspan(block * kSlotWords, kSlotWords);
    const auto first = static_cast<std::int32_t>(slot[0]);
    const std::int32_t difference = first - component.before;
    component.before = first;
    const auto size = static_cast<std::uint32_t>(
        std::bit_width(static_cast<std::uint32_t>(std::abs(difference))));
    const HuffmanCode code = component.dc_codes[size];
    out.put(code.bits, code.length);
    out.put(static_cast<std::uint32_t>(difference < 0 ? difference - 1 : difference), size);

    constexpr std::uint32_t kMaxBits = 32 * (kSlotWords - 2);
    const std::uint32_t bits = std::min(slot[1], kMaxBits);
    for (std::uint32_t at = 0; at < bits; at += 32) {
        const std::uint32_t word = slot[2 + at / 32];
        const std::uint32_t swapped =
            word << 24 | (word & 0xff00u) << 8 | (word >> 8 & 0xff00u) | word >> 24;
        const std::uint32_t length = std::min(bits - at, 32u);
        out.put(swapped >> (32 - length), length);
    }
}

} // namespace

std::vector<std::byte> stitch(const StitchedFile& file,
                              std::span<const std::span<const std::uint32_t>> components) {
    const bool grey = components.size() == 1;
    const EncodeShape shape = cut(file.size, file.sampling, grey, file.restart);
    const FileHeader header = header_of(file.size, shape, file.quality, file.tables);
    std::vector<Component> parts;
    for (std::size_t c = 0; c < components.size(); ++c) {
        const TableKind kind = c == 0 ? TableKind::luma : TableKind::chroma;
        parts.push_back({.slots = components[c],
                         .parts = c == 0 ? shape.chroma : ChromaSize{},
                         .dc_codes = codes_of(fixed_tables(file.tables, kind).dc)});
        const std::uint64_t blocks =
            std::uint64_t{shape.units} * parts[c].parts.across * parts[c].parts.down;
        if (components[c].size() < blocks * kSlotWords) return {};
    }
    if (parts.size() != (grey ? 1u : 3u)) return {};

    std::vector<std::byte> bytes = header_bytes(header, fixed_tables(file.tables, TableKind::luma),
                                                fixed_tables(file.tables, TableKind::chroma));
    EntropyWriter out(bytes);
    for (std::uint32_t unit = 0; unit < shape.units; ++unit) {
        if (shape.restart != 0 && unit != 0 && unit % shape.restart == 0) {
            out.flush();
            out.marker(Marker::first_restart + (unit / shape.restart - 1) % 8);
            for (Component& component : parts)
                component.before = 0;
        }
        const std::uint32_t row = unit / shape.units_across;
        const std::uint32_t column = unit % shape.units_across;
        for (Component& component : parts)
            for (std::uint32_t y = 0; y < component.parts.down; ++y)
                for (std::uint32_t x = 0; x < component.parts.across; ++x)
                    write_block(out, component,
                                (std::uint64_t{row} * component.parts.down + y) *
                                        shape.units_across * component.parts.across +
                                    column * component.parts.across + x);
    }
    out.flush();
    out.marker(Marker::end_of_image);
    return bytes;
}

} // namespace tuff::passes::jpeg
