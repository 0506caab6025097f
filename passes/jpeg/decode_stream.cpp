#include "passes/jpeg/decode_stream.hpp"

#include "passes/common/div_round_up.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace tuff::passes::jpeg {
namespace {

constexpr std::uint32_t kShortBits = 10;
constexpr std::uint32_t kTableWords = 1u << kShortBits;
constexpr std::uint32_t kLongBits = 16 - kShortBits;
/// Marks the place of a table of longer codes.
constexpr std::uint32_t kLongCode = 1u << 31;
constexpr std::uint32_t kSixteenZeros = 0xf0;
/// What is no code counts as 16 bits of symbol 0.
constexpr std::uint32_t kNoCodeBits = 16;

/// Appends bytes to words, the first one highest.
class BitPacker {
  public:
    /// There are to be at most so many words.
    BitPacker(std::vector<std::uint32_t>& words, std::uint64_t most) : words_(words) {
        words_.resize(most);
    }
    void add(std::span<const std::byte> bytes) {
        const auto to = std::as_writable_bytes(std::span(words_)).subspan(bytes_, bytes.size());
        std::ranges::copy(bytes, to.begin());
        bytes_ += bytes.size();
    }
    /// Ends a segment: a code that begins in it may be read beyond its end.
    void pad() { bytes_ = (bytes_ + 3) / 4 * 4 + 8; }
    std::uint64_t bits() const { return 8 * bytes_; }
    /// After the last segment.
    void end() {
        words_.resize(bytes_ / 4);
        if constexpr (std::endian::native == std::endian::little)
            for (std::uint32_t& word : words_)
                word = std::byteswap(word);
    }

  private:
    std::vector<std::uint32_t>& words_;
    std::uint64_t bytes_ = 0;
};

std::size_t bytes_before_ff(std::span<const std::byte> bytes) {
    const void* const found = std::memchr(bytes.data(), 0xff, bytes.size());
    return found ? static_cast<std::size_t>(static_cast<const std::byte*>(found) - bytes.data())
                 : bytes.size();
}

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
        std::max(1u, div_round_up(segment.end_bit - segment.first_bit, stream.subsequence_bits));
    stream.segment_of.insert(stream.segment_of.end(), segment.subsequences,
                             static_cast<std::uint32_t>(stream.segments.size()));
    stream.segments.push_back(segment);
}

/// Writes a table for the next ten bits, and behind all tables those for the six bits after them.
class TableWriter {
  public:
    TableWriter(std::vector<std::uint32_t>& words, std::size_t first, CodeKind kind)
        : words_(words), first_(first), kind_(kind) {}
    void write(const HuffmanTable& table);

  private:
    std::uint32_t entry(std::uint32_t length, std::uint32_t symbol) const;
    /// The place of what is for the bits behind the first ten of such a code.
    std::size_t longer(std::uint32_t first_bits);

    std::vector<std::uint32_t>& words_;
    std::size_t first_;
    CodeKind kind_;
};

std::uint32_t TableWriter::entry(std::uint32_t length, std::uint32_t symbol) const {
    const std::uint32_t size = symbol & 15;
    std::uint32_t advance = 1;
    if (kind_ == CodeKind::ac) {
        if (size > 0)
            advance = (symbol >> 4) + 1;
        else
            advance = symbol == kSixteenZeros ? 16 : kCoefficients;
    }
    return (length + size) | size << 5 | advance << 9;
}

std::size_t TableWriter::longer(std::uint32_t first_bits) {
    const std::size_t at = first_ + first_bits;
    if ((words_[at] & kLongCode) == 0) {
        words_[at] = kLongCode | static_cast<std::uint32_t>(words_.size());
        words_.insert(words_.end(), std::size_t{1} << kLongBits, entry(kNoCodeBits, 0));
    }
    return words_[at] ^ kLongCode;
}

void TableWriter::write(const HuffmanTable& table) {
    const auto begin = words_.begin() + static_cast<std::ptrdiff_t>(first_);
    std::fill_n(begin, kTableWords, entry(kNoCodeBits, 0));
    std::uint32_t code = 0;
    std::size_t symbol = 0;
    for (std::uint32_t length = 1; length <= 16; ++length, code <<= 1)
        for (std::uint32_t i = 0; i < table.counts[length - 1]; ++i, ++code, ++symbol) {
            const std::uint32_t first = code << (16 - length); // of 16 bits that begin so
            const std::size_t place = length > kShortBits
                                          ? longer(first >> kLongBits) + first % (1u << kLongBits)
                                          : first_ + (first >> kLongBits);
            const std::uint32_t shown = length > kShortBits ? 16 : kShortBits;
            std::fill_n(words_.begin() + static_cast<std::ptrdiff_t>(place), 1u << (shown - length),
                        entry(length, table.symbols[symbol]));
        }
}

} // namespace

std::uint32_t subsequence_bits_of(const DecodeHeader& header, std::size_t bytes) {
    const double blocks = static_cast<double>(header.mcu_count()) * header.blocks_of_mcu();
    const double bits_of_block = 8.0 * static_cast<double>(bytes) / blocks;
    return bits_of_block < 96.0 ? 256 : bits_of_block < 192.0 ? 512 : 1024;
}

Result<DecodeStream> read_stream(std::span<const std::byte> file, const DecodeHeader& header) {
    const std::uint32_t interval = header.restart_interval;
    const std::uint32_t most = interval ? div_round_up(header.mcu_count(), interval) : 1u;
    // Two words pad each segment, and bits are numbered by 32 bits.
    if (file.size() + 12 * std::uint64_t{most} >= (1u << 29))
        return fail(
            {.code = "jpeg/too-large",
             .severity = Severity::error,
             .message = "the file has 512 MiB or more",
             .where = {},
             .hint = "load the picture as an image asset, which decodes it by the library"});
    DecodeStream stream{.subsequence_bits =
                            subsequence_bits_of(header, file.size() - header.first_byte)};
    // A segment takes up to eleven bytes more than its own, and a marker of two ends each but one.
    const std::uint64_t segments = std::min<std::uint64_t>(most, file.size() / 2 + 1);
    BitPacker packer(stream.words, (file.size() + 11 * segments) / 4 + 1);
    std::uint64_t first_bit = 0;
    for (std::size_t i = header.first_byte; i < file.size();) {
        const std::size_t run = bytes_before_ff(file.subspan(i));
        packer.add(file.subspan(i, run));
        i += run;
        if (i + 1 >= file.size()) break;
        const auto next = std::to_integer<std::uint32_t>(file[i + 1]);
        if (next == 0xff) { // fill bytes before a marker
            ++i;
            continue;
        }
        if (next == 0) packer.add(file.subspan(i, 1));
        i += 2;
        if (next == 0) continue;
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
    packer.end();
    return stream;
}

LookupTables lookup_tables(const DecodeHeader& header) {
    LookupTables tables;
    std::vector<std::array<std::uint32_t, 2>> pairs;
    std::vector<std::size_t> of_component;
    for (const DecodeComponent& component : header.components) {
        const std::array<std::uint32_t, 2> pair{component.dc_table, component.ac_table};
        const auto same = std::find(pairs.begin(), pairs.end(), pair);
        of_component.push_back(static_cast<std::size_t>(same - pairs.begin()));
        if (same == pairs.end()) pairs.push_back(pair);
    }
    std::uint32_t shift = 0;
    for (std::size_t c = 0; c < header.components.size(); ++c)
        for (std::uint32_t i = 0; i < blocks_of(header.components[c]); ++i, shift += 2)
            tables.pairs |= static_cast<std::uint32_t>(of_component[c]) << shift;
    tables.words.resize(pairs.size() * 2 * kTableWords);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const std::size_t first = i * 2 * kTableWords;
        TableWriter(tables.words, first, CodeKind::dc).write(header.tables[pairs[i][0]]);
        TableWriter(tables.words, first + kTableWords, CodeKind::ac)
            .write(header.tables[pairs[i][1]]);
    }
    return tables;
}

} // namespace tuff::passes::jpeg
