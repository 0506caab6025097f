#include "passes/jpeg/decode_stream.hpp"

#include "passes/common/divided_up.hpp"

#include <algorithm>

namespace tuff::passes::jpeg {
namespace {

constexpr std::uint32_t kShortBits = 10;

/// Appends bytes to words.
class BitPacker {
  public:
    explicit BitPacker(std::vector<std::uint32_t>& words) : words_(words) {}
    void add(std::uint32_t byte) {
        if (bytes_ % 4 == 0) words_.push_back(0);
        words_.back() |= byte << (24 - 8 * (bytes_ % 4));
        ++bytes_;
    }
    /// Ends a segment: a code that begins in it may be read beyond its end.
    void pad() {
        words_.insert(words_.end(), 2, 0);
        bytes_ = 4 * words_.size();
    }
    std::uint64_t bits() const { return 8 * bytes_; }

  private:
    std::vector<std::uint32_t>& words_;
    std::uint64_t bytes_ = 0;
};

void add_segment(DecodeStream& stream, const DecodeHeader& header, std::uint64_t first_bit,
                 std::uint64_t end_bit) {
    const std::uint32_t all = header.mcu_count();
    const std::uint32_t interval = header.restart_interval ? header.restart_interval : all;
    DecodeSegment segment{.first_bit = static_cast<std::uint32_t>(first_bit),
                          .end_bit = static_cast<std::uint32_t>(end_bit)};
    segment.first_mcu = static_cast<std::uint32_t>(stream.segments.size()) * interval;
    segment.blocks = std::min(interval, all - segment.first_mcu) * header.blocks_of_mcu();
    segment.first_subsequence = static_cast<std::uint32_t>(stream.segment_of.size());
    segment.subsequences =
        std::max(1u, divided_up(segment.end_bit - segment.first_bit, kSubsequenceBits));
    stream.segment_of.insert(stream.segment_of.end(), segment.subsequences,
                             static_cast<std::uint32_t>(stream.segments.size()));
    stream.segments.push_back(segment);
}

} // namespace

Result<DecodeStream> read_stream(std::span<const std::byte> file, const DecodeHeader& header) {
    const std::uint32_t interval = header.restart_interval;
    const std::uint32_t most = interval ? divided_up(header.mcu_count(), interval) : 1u;
    // Two words pad each segment, and bits are numbered by 32 bits.
    if (file.size() + 12 * std::uint64_t{most} >= (1u << 29))
        return fail({.code = "jpeg/too-large",
                     .severity = Severity::error,
                     .message = "the file has 512 MiB or more",
                     .where = {},
                     .hint = "decode it by the library: load the picture as an image asset"});
    DecodeStream stream;
    BitPacker packer(stream.words);
    std::uint64_t first_bit = 0;
    const auto at = [&](std::size_t i) { return std::to_integer<std::uint32_t>(file[i]); };
    for (std::size_t i = header.first_byte; i < file.size(); ++i) {
        if (at(i) != 0xff) {
            packer.add(at(i));
            continue;
        }
        if (i + 1 == file.size()) break;
        const std::uint32_t next = at(i + 1);
        if (next == 0xff) continue; // fill bytes before a marker
        ++i;
        if (next == 0) {
            packer.add(0xff);
            continue;
        }
        if (next < 0xd0 || next > 0xd7) break; // the end of the scan
        if (stream.segments.size() + 1 >= most) {
            if (interval) break; // more markers than the picture has
            continue;            // a marker where there should be none
        }
        add_segment(stream, header, first_bit, packer.bits());
        packer.pad();
        first_bit = packer.bits();
    }
    add_segment(stream, header, first_bit, packer.bits());
    packer.pad();
    return stream;
}

std::vector<std::uint32_t> lookup_tables(const DecodeHeader& header) {
    std::vector<std::uint32_t> words(kTableWords * header.tables.size());
    for (std::size_t t = 0; t < header.tables.size(); ++t) {
        const HuffmanTable& table = header.tables[t];
        std::uint32_t* const out = words.data() + t * kTableWords;
        std::uint32_t code = 0;
        std::uint32_t symbol = 0;
        for (std::uint32_t length = 1; length <= 16; ++length, code <<= 1) {
            const std::uint32_t first = code;
            out[1040 + length - 1] = symbol - first;
            for (std::uint32_t i = 0; i < table.counts[length - 1]; ++i, ++code, ++symbol) {
                if (length > kShortBits) continue;
                const std::uint32_t spare = kShortBits - length;
                std::fill_n(out + (code << spare), 1u << spare,
                            length << 8 | table.symbols[symbol]);
            }
            out[1024 + length - 1] = code << (16 - length);
        }
        std::copy(table.symbols.begin(), table.symbols.end(), out + 1056);
    }
    return words;
}

} // namespace tuff::passes::jpeg
