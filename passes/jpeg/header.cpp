#include "passes/jpeg/header.hpp"

#include "passes/jpeg/markers.hpp"

#include <string_view>

namespace tuff::passes::jpeg {
namespace {

/// Bytes of a file, most significant first.
class Writer {
  public:
    void byte(std::uint32_t value) { bytes_.push_back(static_cast<std::byte>(value)); }
    void word(std::uint32_t value) {
        byte(value >> 8 & 0xffu);
        byte(value & 0xffu);
    }
    void text(std::string_view text) {
        for (const char c : text)
            byte(static_cast<unsigned char>(c));
    }
    /// A marker and the length of its segment, which counts itself.
    void segment(std::uint32_t marker, std::uint32_t length) {
        word(0xff00 | marker);
        word(length + 2);
    }
    std::vector<std::byte> take() { return std::move(bytes_); }

  private:
    std::vector<std::byte> bytes_;
};

std::uint32_t components(const FileHeader& header) {
    return header.chroma ? 3 : 1;
}

void write_divisors(Writer& out, const Divisors& divisors, std::uint32_t table) {
    out.segment(Marker::quantization_tables, 1 + kCoefficients);
    out.byte(table);
    for (const std::uint8_t place : kZigzag)
        out.byte(divisors[place]);
}

void write_table(Writer& out, const HuffmanTable& table, CodeKind kind, std::uint32_t number) {
    out.segment(Marker::huffman_tables, static_cast<std::uint32_t>(17 + table.symbols.size()));
    out.byte((kind == CodeKind::ac ? 0x10u : 0u) | number);
    for (const std::uint8_t count : table.counts)
        out.byte(count);
    for (const std::uint8_t symbol : table.symbols)
        out.byte(symbol);
}

} // namespace

std::vector<std::byte> bytes_before_tables(const FileHeader& header) {
    Writer out;
    out.word(0xff00 | Marker::start_of_image);
    out.segment(Marker::jfif, 14);
    out.text({"JFIF\0", 5});
    out.word(0x0102); // version
    out.byte(0);      // no unit: a pixel is as wide as it is high
    out.word(1);
    out.word(1);
    out.word(0); // no thumbnail
    write_divisors(out, header.luma, 0);
    if (header.chroma) write_divisors(out, *header.chroma, 1);

    out.segment(Marker::baseline_frame, 6 + 3 * components(header));
    out.byte(8); // bits
    out.word(header.height);
    out.word(header.width);
    out.byte(components(header));
    for (std::uint32_t i = 0; i < components(header); ++i) {
        const bool has_more = i == 0 && header.chroma;
        out.byte(i + 1);
        out.byte(has_more ? header.chroma_size.across << 4 | header.chroma_size.down : 0x11u);
        out.byte(i == 0 ? 0 : 1);
    }
    return out.take();
}

std::vector<std::byte> table_bytes(const TablePair& luma, const TablePair* chroma) {
    Writer out;
    write_table(out, luma.dc, CodeKind::dc, 0);
    write_table(out, luma.ac, CodeKind::ac, 0);
    if (chroma) {
        write_table(out, chroma->dc, CodeKind::dc, 1);
        write_table(out, chroma->ac, CodeKind::ac, 1);
    }
    return out.take();
}

std::vector<std::byte> header_bytes(const FileHeader& header, const TablePair& luma,
                                    const TablePair& chroma) {
    std::vector<std::byte> bytes = bytes_before_tables(header);
    const auto append = [&](const std::vector<std::byte>& more) {
        bytes.insert(bytes.end(), more.begin(), more.end());
    };
    append(table_bytes(luma, header.chroma_tables ? &chroma : nullptr));
    append(bytes_after_tables(header));
    return bytes;
}

std::vector<std::byte> bytes_after_tables(const FileHeader& header) {
    Writer out;
    if (header.restart != 0) {
        out.segment(Marker::restart_interval, 2);
        out.word(header.restart);
    }
    out.segment(Marker::start_of_scan, 4 + 2 * components(header));
    out.byte(components(header));
    for (std::uint32_t i = 0; i < components(header); ++i) {
        out.byte(i + 1);
        out.byte(i == 0 || !header.chroma_tables ? 0x00 : 0x11);
    }
    out.byte(0); // all coefficients, whole
    out.byte(63);
    out.byte(0);
    return out.take();
}

} // namespace tuff::passes::jpeg
