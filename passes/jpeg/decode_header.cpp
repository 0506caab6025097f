#include "passes/jpeg/decode_header.hpp"

#include "passes/common/div_round_up.hpp"
#include "passes/jpeg/markers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

namespace tuff::passes::jpeg {

namespace {

std::uint32_t max_of(const DecodeHeader& header, std::uint32_t DecodeComponent::*side) {
    std::uint32_t most = 1;
    for (const DecodeComponent& component : header.components)
        most = std::max(most, component.*side);
    return most;
}

Diagnostic header_error(std::string_view code, std::size_t at, std::string_view what,
                        std::string_view hint) {
    return {.code = std::string(code),
            .severity = Severity::error,
            .message = fmt::format("byte {}: {}", at, what),
            .where = {},
            .hint = std::string(hint)};
}

class HeaderReader {
  public:
    explicit HeaderReader(std::span<const std::byte> file) : file_(file) {}
    Result<DecodeHeader> read();

  private:
    std::uint32_t byte(std::size_t at) const { return std::to_integer<std::uint32_t>(file_[at]); }
    std::uint32_t word(std::size_t at) const { return byte(at) << 8 | byte(at + 1); }
    bool damaged(std::size_t at, std::string_view what) {
        error_ = header_error("jpeg/damaged", at, what, "the file is damaged, or is no JPEG");
        return false;
    }
    bool unsupported(std::size_t at, std::string_view what) {
        error_ = header_error("jpeg/unsupported", at, what,
                              "load the picture as an image asset: stb and libjpeg-turbo decode "
                              "more kinds, but not 12 bits, two components or lossless coding");
        return false;
    }
    bool read_segment(std::uint32_t marker);
    bool read_divisors();
    bool read_huffman();
    bool read_huffman_table(std::size_t slot);
    bool read_frame(std::uint32_t marker);
    bool read_frame_component(std::size_t i);
    bool read_scan();
    bool read_scan_component(std::size_t i);
    bool check_sampling();
    bool choose_colors();

    std::span<const std::byte> file_;
    std::size_t at_ = 0;  ///< next byte
    std::size_t end_ = 0; ///< of the segment
    std::optional<Diagnostic> error_;
    DecodeHeader header_;
    std::array<std::optional<std::array<std::uint16_t, 64>>, 4> divisors_;
    std::array<std::optional<HuffmanTable>, 8> tables_; ///< four of DC, four of AC
    std::vector<std::uint32_t> divisors_of_;            ///< by component
    std::size_t frame_at_ = 0;
    bool jfif_ = false;
    std::optional<std::uint32_t> adobe_;
};

bool HeaderReader::read_divisors() {
    while (at_ < end_) {
        const std::uint32_t kind = byte(at_);
        const std::uint32_t bytes = kind >> 4 == 0 ? 1 : 2;
        if (kind >> 4 > 1 || (kind & 15) > 3) return damaged(at_, "no such quantisation table");
        if (end_ - at_ < 1 + 64 * bytes)
            return damaged(at_, "the quantisation table is longer than its segment");
        ++at_;
        auto& table = divisors_[kind & 15].emplace();
        for (std::size_t i = 0; i < 64; ++i, at_ += bytes) {
            const std::uint32_t value = bytes == 1 ? byte(at_) : word(at_);
            if (value == 0) return damaged(at_, "a quantisation step of zero");
            table[kZigzag[i]] = static_cast<std::uint16_t>(value);
        }
    }
    return true;
}

bool HeaderReader::read_huffman_table(std::size_t slot) {
    HuffmanTable table;
    std::uint32_t room = 1; // codes of this length that are not taken
    std::size_t symbols = 0;
    for (std::size_t length = 0; length < 16; ++length) {
        table.counts[length] = static_cast<std::uint8_t>(byte(at_ + length));
        room = 2 * room;
        if (table.counts[length] > room)
            return damaged(at_ + length, "more Huffman codes than there are of the length");
        room -= table.counts[length];
        symbols += table.counts[length];
    }
    at_ += 16;
    if (symbols > 256 || end_ - at_ < symbols)
        return damaged(at_, "the Huffman table is longer than its segment");
    for (std::size_t i = 0; i < symbols; ++i, ++at_) {
        if (slot < 4 && byte(at_) > 15) return damaged(at_, "a DC difference of over 15 bits");
        table.symbols.push_back(static_cast<std::uint8_t>(byte(at_)));
    }
    tables_[slot] = std::move(table);
    return true;
}

bool HeaderReader::read_huffman() {
    while (at_ < end_) {
        const std::uint32_t kind = byte(at_);
        if (kind >> 4 > 1 || (kind & 15) > 3) return damaged(at_, "no such Huffman table");
        if (end_ - at_ < 17) return damaged(at_, "the Huffman table is longer than its segment");
        ++at_;
        if (!read_huffman_table((kind >> 4) * 4 + (kind & 15))) return false;
    }
    return true;
}

bool HeaderReader::read_frame_component(std::size_t i) {
    const std::size_t at = at_ + 6 + 3 * i;
    const std::uint32_t sampling = byte(at + 1);
    const DecodeComponent component{
        .id = static_cast<std::uint8_t>(byte(at)), .across = sampling >> 4, .down = sampling & 15};
    if (component.across < 1 || component.across > 4 || component.down < 1 || component.down > 4)
        return damaged(at + 1, "sampling factors are 1 to 4");
    if (byte(at + 2) > 3) return damaged(at + 2, "no such quantisation table");
    header_.components.push_back(component);
    divisors_of_.push_back(byte(at + 2));
    return true;
}

bool HeaderReader::read_frame(std::uint32_t marker) {
    frame_at_ = at_;
    if (!header_.components.empty()) return damaged(at_, "a second frame");
    if (marker != Marker::baseline_frame && marker != Marker::extended_frame)
        return unsupported(at_ - 3, "progressive, lossless, hierarchical or arithmetic coding");
    if (end_ - at_ < 6) return damaged(at_, "the frame's segment is too short");
    if (byte(at_) != 8) return unsupported(at_, "samples of other than 8 bits");
    header_.height = word(at_ + 1);
    header_.width = word(at_ + 3);
    if (header_.height == 0) return unsupported(at_ + 1, "a height that follows the scan");
    if (header_.width == 0) return damaged(at_ + 3, "a width of zero");
    const std::uint32_t count = byte(at_ + 5);
    if (count == 0) return damaged(at_ + 5, "a frame without components");
    if (end_ - at_ != 6 + 3 * std::size_t{count})
        return damaged(at_ + 5, "the frame's segment is not as long as its components");
    if (count != 1 && count != 3) return unsupported(at_ + 5, "other than one or three components");
    for (std::size_t i = 0; i < count; ++i)
        if (!read_frame_component(i)) return false;
    return true;
}

bool HeaderReader::check_sampling() {
    // The one component of a picture is not interleaved: an MCU is a block.
    if (header_.components.size() == 1)
        header_.components[0].across = header_.components[0].down = 1;
    if (header_.blocks_of_mcu() > 10) return damaged(frame_at_, "an MCU of more than ten blocks");
    for (const DecodeComponent& component : header_.components)
        if (header_.max_across() % component.across != 0 ||
            header_.max_down() % component.down != 0)
            return unsupported(frame_at_, "sampling factors that do not divide the greatest one");
    return true;
}

/// As libjpeg guesses: JFIF has YCbCr, Adobe's segment says it, else the names of components do.
bool HeaderReader::choose_colors() {
    if (header_.components.size() == 1) return true;
    header_.colors = DecodeColors::ycc;
    if (jfif_) return true;
    const auto is = [&](char a, char b, char c) {
        return header_.components[0].id == a && header_.components[1].id == b &&
               header_.components[2].id == c;
    };
    if (adobe_ ? *adobe_ == 0 : is('R', 'G', 'B')) header_.colors = DecodeColors::rgb;
    return true;
}

bool HeaderReader::read_scan_component(std::size_t i) {
    const std::size_t at = at_ + 1 + 2 * i;
    DecodeComponent& component = header_.components[i];
    if (byte(at) != component.id)
        return unsupported(at, "components in another order than the frame's");
    const std::array<std::uint32_t, 2> slots{byte(at + 1) >> 4, 4 + (byte(at + 1) & 15)};
    if (slots[0] > 3 || slots[1] > 7 || !tables_[slots[0]] || !tables_[slots[1]])
        return damaged(at + 1, "a Huffman table that is not there");
    const auto& divisors = divisors_[divisors_of_[i]];
    if (!divisors) return damaged(at, "a quantisation table that is not there");
    component.divisors = *divisors;
    component.dc_table = slots[0];
    component.ac_table = slots[1];
    return true;
}

bool HeaderReader::read_scan() {
    const std::size_t count = header_.components.size();
    if (count == 0) return damaged(at_, "a scan before the frame");
    if (end_ == at_ || byte(at_) == 0 || byte(at_) > 4 ||
        end_ - at_ != 4 + 2 * std::size_t{byte(at_)})
        return damaged(at_, "the scan's segment is not as long as its components");
    if (byte(at_) != count) return unsupported(at_, "components in several scans");
    for (std::size_t i = 0; i < count; ++i)
        if (!read_scan_component(i)) return false;
    for (std::optional<HuffmanTable>& table : tables_)
        header_.tables.push_back(table.value_or(HuffmanTable{}));
    header_.first_byte = end_;
    return check_sampling() && choose_colors();
}

bool HeaderReader::read_segment(std::uint32_t marker) {
    const bool is_frame = marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8;
    if (marker == 0xcc) return unsupported(at_, "arithmetic coding");
    if (is_frame) return read_frame(marker);
    if (marker == Marker::quantization_tables) return read_divisors();
    if (marker == Marker::huffman_tables) return read_huffman();
    if (marker == Marker::start_of_scan) return read_scan();
    if (marker == Marker::restart_interval) {
        if (end_ - at_ != 2) return damaged(at_, "the restart interval is not two bytes");
        header_.restart_interval = word(at_);
        return true;
    }
    const auto begins_with = [&](std::string_view name, std::size_t least) {
        if (end_ - at_ < least) return false;
        for (std::size_t i = 0; i < name.size(); ++i)
            if (byte(at_ + i) != static_cast<std::uint8_t>(name[i])) return false;
        return true;
    };
    if (marker == Marker::jfif && begins_with(std::string_view("JFIF\0", 5), 14)) jfif_ = true;
    if (marker == Marker::adobe && begins_with("Adobe", 12)) adobe_ = byte(at_ + 11);
    return true;
}

Result<DecodeHeader> HeaderReader::read() {
    if (file_.size() < 2 || word(0) != (0xff00u | Marker::start_of_image))
        damaged(0, "no start of an image");
    at_ = 2;
    while (!error_ && header_.first_byte == 0) {
        // Any number of 0xff may stand before a marker; other bytes there are skipped.
        while (at_ < file_.size() && byte(at_) != 0xff)
            ++at_;
        while (at_ < file_.size() && byte(at_) == 0xff)
            ++at_;
        if (at_ == file_.size() || byte(at_) == Marker::end_of_image) {
            damaged(at_, "the file ends before its scan");
            break;
        }
        const std::uint32_t marker = byte(at_++);
        const bool is_bare = marker <= 1 || (marker >= 0xd0 && marker <= Marker::start_of_image);
        if (is_bare) continue;
        if (file_.size() - at_ < 2 || word(at_) < 2 || word(at_) > file_.size() - at_) {
            damaged(at_, "a segment that is longer than the file");
            break;
        }
        end_ = at_ + word(at_);
        at_ += 2;
        if (read_segment(marker)) at_ = end_;
    }
    if (error_) return std::unexpected(Diagnostics{*error_});
    return std::move(header_);
}

} // namespace

std::uint32_t DecodeHeader::max_across() const {
    return max_of(*this, &DecodeComponent::across);
}
std::uint32_t DecodeHeader::max_down() const {
    return max_of(*this, &DecodeComponent::down);
}
std::uint32_t DecodeHeader::mcus_across() const {
    return div_round_up(width, 8 * max_across());
}
std::uint32_t DecodeHeader::mcus_down() const {
    return div_round_up(height, 8 * max_down());
}
std::uint32_t DecodeHeader::blocks_of_mcu() const {
    std::uint32_t blocks = 0;
    for (const DecodeComponent& component : components)
        blocks += blocks_of(component);
    return blocks;
}

Result<DecodeHeader> read_header(std::span<const std::byte> file) {
    return HeaderReader(file).read();
}

} // namespace tuff::passes::jpeg
