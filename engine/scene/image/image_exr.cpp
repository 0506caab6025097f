#include "scene/image/image_codec.hpp"

#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfIO.h>
#include <ImfInputFile.h>
#include <ImfOutputFile.h>
#include <ImfRgbaFile.h>
#include <ImfStringAttribute.h>
#include <fmt/format.h>
#include <openexr.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace tuff::codec {
namespace {

class MemoryInput final : public Imf::IStream {
  public:
    MemoryInput(std::span<const std::byte> bytes, const std::string& name)
        : Imf::IStream(name.c_str()), bytes_(bytes) {}

    bool read(char out[], int count) override {
        const std::size_t wanted = static_cast<std::size_t>(std::max(count, 0));
        if (wanted > bytes_.size() - position_) throw std::runtime_error("unexpected end of file");
        std::memcpy(out, bytes_.data() + position_, wanted);
        position_ += wanted;
        return position_ < bytes_.size();
    }
    std::uint64_t tellg() override { return position_; }
    void seekg(std::uint64_t position) override {
        if (position > bytes_.size()) throw std::runtime_error("unexpected end of file");
        position_ = static_cast<std::size_t>(position);
    }
    void clear() override {}

  private:
    std::span<const std::byte> bytes_;
    std::size_t position_ = 0;
};

class MemoryOutput final : public Imf::OStream {
  public:
    MemoryOutput() : Imf::OStream("memory") {}

    void write(const char data[], int count) override {
        const std::size_t size = static_cast<std::size_t>(std::max(count, 0));
        if (position_ + size > bytes.size()) bytes.resize(position_ + size);
        std::memcpy(bytes.data() + position_, data, size);
        position_ += size;
    }
    std::uint64_t tellp() override { return position_; }
    void seekp(std::uint64_t position) override { position_ = static_cast<std::size_t>(position); }

    std::vector<std::byte> bytes;

  private:
    std::size_t position_ = 0;
};

std::int64_t read_some(exr_const_context_t, void* user, void* buffer, std::uint64_t size,
                       std::uint64_t offset, exr_stream_error_func_ptr_t) {
    const auto& file = *static_cast<const std::span<const std::byte>*>(user);
    if (offset >= file.size()) return 0;
    const std::uint64_t count = std::min<std::uint64_t>(size, file.size() - offset);
    std::memcpy(buffer, file.data() + offset, static_cast<std::size_t>(count));
    return static_cast<std::int64_t>(count);
}

std::int64_t file_bytes(exr_const_context_t, void* user) {
    return static_cast<std::int64_t>(static_cast<const std::span<const std::byte>*>(user)->size());
}

void ignore_error(exr_const_context_t, exr_result_t, const char*) {}

std::int32_t int_at(std::string_view bytes, std::size_t at) {
    std::int32_t value = 0;
    if (at + sizeof value > bytes.size()) return -1;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

/// Bytes of a list of channels, which ends with an empty name.
std::size_t channel_list_bytes(std::string_view rest) {
    constexpr std::size_t kChannelBytes = 16; // without the name
    for (std::size_t at = 0;;) {
        const std::size_t name = rest.find('\0', at);
        if (name == rest.npos || name == at) return std::min(name, rest.size()) + 1;
        at = name + 1 + kChannelBytes;
    }
}

/// Bytes of texts with their lengths, as far as these are sound.
std::size_t texts_bytes(std::string_view texts) {
    std::size_t at = 0;
    while (at < texts.size()) {
        const std::int32_t length = int_at(texts, at);
        at += sizeof length;
        if (length < 0 || static_cast<std::size_t>(length) > texts.size() - at) break;
        at += static_cast<std::size_t>(length);
    }
    return at;
}

/// Bytes that OpenEXR reads of an attribute of `type`, whatever the file says that it has: `size`,
/// at the head of `rest`.
std::size_t attribute_bytes(std::string_view type, std::string_view rest, std::size_t size) {
    static constexpr std::array<std::pair<std::string_view, std::size_t>, 24> kFixed = {
        {{"box2f", 16},      {"box2i", 16},   {"chromaticities", 32},
         {"compression", 1}, {"double", 8},   {"envmap", 1},
         {"float", 4},       {"int", 4},      {"keycode", 28},
         {"lineOrder", 1},   {"m33f", 36},    {"m33d", 72},
         {"m44f", 64},       {"m44d", 128},   {"rational", 8},
         {"tiledesc", 9},    {"timecode", 8}, {"v2d", 16},
         {"v2f", 8},         {"v2i", 8},      {"v3d", 24},
         {"v3f", 12},        {"v3i", 12},     {"deepImageState", 1}}};
    const auto fixed =
        std::ranges::find(kFixed, type, &std::pair<std::string_view, std::size_t>::first);
    if (fixed != kFixed.end()) return fixed->second;
    if (type == "chlist") return channel_list_bytes(rest);
    if (type == "stringvector") return texts_bytes(rest.substr(0, size));
    if (type == "floatvector") return size / sizeof(float) * sizeof(float);
    if (type != "preview") return size;
    const std::uint64_t width = static_cast<std::uint32_t>(int_at(rest, 0));
    const std::uint64_t height = static_cast<std::uint32_t>(int_at(rest, 4));
    if (width > size || height > size) return 0;
    return static_cast<std::size_t>(8 + 4 * width * height);
}

/// Whether the attributes of all headers lie within the file, each in as many bytes as it says.
/// OpenEXR takes memory for what an attribute that it does not know claims to have.
bool attributes_are_whole(std::span<const std::byte> file) {
    const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
    constexpr std::size_t kFirst = 8; // after the signature and the version
    if (text.size() <= kFirst) return false;
    const bool many = (file[5] & std::byte{0x10}) != std::byte{}; // multi-part
    for (std::size_t at = kFirst, first_of_header = kFirst;;) {
        const std::size_t name = text.find('\0', at);
        if (name == text.npos) return false;
        if (name == at) { // ends a header; an empty one ends them all
            if (!many || at == first_of_header) return true;
            first_of_header = ++at;
            continue;
        }
        const std::size_t type = text.find('\0', name + 1);
        std::int32_t size = 0;
        if (type == text.npos || text.size() - type - 1 < sizeof size) return false;
        std::memcpy(&size, text.data() + type + 1, sizeof size);
        at = type + 1 + sizeof size;
        if (size < 0 || static_cast<std::size_t>(size) > text.size() - at) return false;
        const auto bytes = static_cast<std::size_t>(size);
        const std::string_view of_type = text.substr(name + 1, type - name - 1);
        if (attribute_bytes(of_type, text.substr(at), bytes) != bytes) return false;
        at += bytes;
    }
}

/// The data window by OpenEXR's C interface, which, unlike the C++ one, allocates nothing in
/// proportion to what a hostile header claims. Empty when the header is not sound, or claims more
/// chunks than the file has room for.
std::optional<exr_attr_box2i_t> data_window(std::span<const std::byte> file,
                                            const std::string& name) {
    exr_context_initializer_t setup = EXR_DEFAULT_CONTEXT_INITIALIZER;
    setup.read_fn = read_some;
    setup.size_fn = file_bytes;
    setup.user_data = &file;
    setup.error_handler_fn = ignore_error;
    exr_context_t context = nullptr;
    exr_attr_box2i_t window{};
    std::int32_t chunks = 0;
    const bool sound = exr_start_read(&context, name.c_str(), &setup) == EXR_ERR_SUCCESS &&
                       exr_get_data_window(context, 0, &window) == EXR_ERR_SUCCESS &&
                       exr_get_chunk_count(context, 0, &chunks) == EXR_ERR_SUCCESS;
    exr_finish(&context);
    // A chunk has its offset of eight bytes in a table.
    const bool whole = chunks >= 0 && static_cast<std::uint64_t>(chunks) <= file.size() / 8;
    return sound && whole && attributes_are_whole(file) ? std::optional(window) : std::nullopt;
}

/// The file's names for red, green, blue and alpha: plain, grey, those of the first layer that has
/// colours ("Combined.R"), or the only channel there is, as grey. Empty names are absent.
std::array<std::string, 4> colour_channels(const Imf::ChannelList& channels) {
    std::array<std::string, 4> names;
    const auto take = [&](const std::string& prefix) {
        constexpr std::array<const char*, 4> kLetters = {"R", "G", "B", "A"};
        for (std::size_t c = 0; c < 4; ++c)
            if (channels.findChannel(prefix + kLetters[c])) names[c] = prefix + kLetters[c];
    };
    if (channels.findChannel("R")) {
        take("");
    } else if (channels.findChannel("Y")) {
        names = {"Y", "Y", "Y", channels.findChannel("A") ? "A" : ""};
    } else {
        for (auto it = channels.begin(); it != channels.end() && names[0].empty(); ++it) {
            const std::string name = it.name();
            if (name.ends_with(".R")) take(name.substr(0, name.size() - 1));
        }
        auto next = channels.begin();
        if (names[0].empty() && next != channels.end()) {
            const std::string only = next.name();
            if (++next == channels.end()) names = {only, only, only, ""};
        }
    }
    return names;
}

HostImage read_pixels(Imf::InputFile& input, const std::array<std::string, 4>& names,
                      Extent extent) {
    const Imath::Box2i window = input.header().dataWindow();
    HostImage image = make_image(Format::rgba32_sfloat, extent);
    constexpr std::size_t kTexel = 4 * sizeof(float);
    const std::size_t row = kTexel * extent.width;
    Imf::FrameBuffer target;
    for (std::size_t c = 0; c < 4; ++c) {
        // Grey goes into red and is spread below: a frame buffer holds each channel name once.
        if (names[c].empty() || (c > 0 && c < 3 && names[c] == names[0])) continue;
        char* base = reinterpret_cast<char*>(image.texels.data()) + c * sizeof(float);
        target.insert(names[c], Imf::Slice::Make(Imf::FLOAT, base, window, kTexel, row));
    }
    input.setFrameBuffer(target);
    input.readPixels(window.min.y, window.max.y);

    float* values = reinterpret_cast<float*>(image.texels.data());
    const bool grey = names[1] == names[0];
    for (std::size_t i = 0; i < image.texels.size() / sizeof(float); i += 4) {
        if (grey) values[i + 1] = values[i + 2] = values[i];
        if (names[3].empty()) values[i + 3] = 1.0f;
    }
    return image;
}

/// Whether colours are stored as luminance and two chroma channels of half its width and height.
bool has_chroma(const Imf::ChannelList& channels) {
    return channels.findChannel("RY") != nullptr || channels.findChannel("BY") != nullptr;
}

/// Such a file as colours, which OpenEXR computes as halves.
HostImage read_chroma(Imf::IStream& stream, Extent extent) {
    Imf::RgbaInputFile input(stream);
    const Imath::Box2i window = input.dataWindow();
    HostImage image = make_image(Format::rgba16_sfloat, extent);
    static_assert(sizeof(Imf::Rgba) == 8);
    auto* texels = reinterpret_cast<Imf::Rgba*>(image.texels.data());
    const auto width = static_cast<std::ptrdiff_t>(extent.width);
    // Texel (x, y) of the file is at base + x + y * width.
    input.setFrameBuffer(texels - window.min.x - window.min.y * width, 1, extent.width);
    input.readPixels(window.min.y, window.max.y);
    return image;
}

} // namespace

Result<HostImage> decode_exr(std::span<const std::byte> file, std::string_view name,
                             Format format) {
    const std::string label(name);
    const auto window = data_window(file, label);
    if (!window)
        return fail("image/corrupt", fmt::format("'{}' has a damaged OpenEXR header", name));
    const std::int64_t width = std::int64_t{window->max.x} - window->min.x + 1;
    const std::int64_t height = std::int64_t{window->max.y} - window->min.y + 1;
    if (width <= 0 || height <= 0)
        return fail("image/corrupt", fmt::format("'{}' has no texels", name));
    if (auto fits = check_extent(name, static_cast<std::uint64_t>(width),
                                 static_cast<std::uint64_t>(height), 1, 16);
        !fits)
        return propagate(std::move(fits));
    try {
        MemoryInput stream(file, label);
        Imf::InputFile input(stream);
        const Extent extent{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height)};
        const auto names = colour_channels(input.header().channels());
        HostImage image;
        if (has_chroma(input.header().channels())) {
            MemoryInput again(file, label);
            image = read_chroma(again, extent);
        } else if (!names[0].empty()) {
            image = read_pixels(input, names, extent);
        } else {
            return fail("image/unsupported",
                        fmt::format("'{}' has several channels, but neither R, G, B nor Y", name),
                        "name those to be seen R, G and B, or write them to a file of their own");
        }
        return format == image.format ? std::move(image) : convert(image, format);
    } catch (const std::exception& error) {
        return fail("image/corrupt",
                    fmt::format("'{}' is damaged or cut short: {}", name, error.what()));
    }
}

Result<std::vector<std::byte>> encode_exr(const HostImage& image,
                                          std::span<const ImageText> texts) {
    const FormatInfo& facts = info(image.format);
    const std::size_t channel_bytes = facts.texel_bytes / facts.channels;
    const Imf::PixelType type = channel_bytes == 2 ? Imf::HALF : Imf::FLOAT;
    // One channel is grey, named Y by OpenEXR's convention; two are red and green.
    constexpr std::array<const char*, 4> kColours = {"R", "G", "B", "A"};
    try {
        Imf::Header header(static_cast<int>(image.extent.width),
                           static_cast<int>(image.extent.height));
        header.compression() = Imf::ZIP_COMPRESSION;
        for (const ImageText& one : texts)
            header.insert(one.name, Imf::StringAttribute(one.text));
        const std::size_t row = std::size_t{facts.texel_bytes} * image.extent.width;
        Imf::FrameBuffer source;
        for (std::size_t c = 0; c < facts.channels; ++c) {
            const char* channel = facts.channels == 1 ? "Y" : kColours[c];
            header.channels().insert(channel, Imf::Channel(type));
            const char* base = reinterpret_cast<const char*>(image.texels.data());
            source.insert(channel, Imf::Slice(type, const_cast<char*>(base) + c * channel_bytes,
                                              facts.texel_bytes, row));
        }
        MemoryOutput stream;
        {
            Imf::OutputFile output(stream, header);
            output.setFrameBuffer(source);
            output.writePixels(static_cast<int>(image.extent.height));
        }
        return std::move(stream.bytes);
    } catch (const std::exception& error) {
        return fail("image/unsupported",
                    fmt::format("the image cannot be encoded as OpenEXR: {}", error.what()));
    }
}

} // namespace tuff::codec
