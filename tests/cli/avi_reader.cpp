#include "avi_reader.hpp"

#include <fmt/format.h>
#include <turbojpeg.h>

#include <memory>
#include <stdexcept>
#include <string_view>

namespace tuff::test {
namespace {

void expect(bool holds, const std::string& what) {
    if (!holds) throw std::runtime_error(what);
}

/// A chunk, or a list with its type and chunks.
struct AviChunk {
    std::string_view name;
    std::string_view contents;
    std::size_t end; ///< with its padding
};

class AviBytes {
  public:
    explicit AviBytes(std::string_view bytes) : bytes_(bytes) {}
    std::uint32_t word(std::size_t at) const {
        expect(at + 4 <= bytes_.size(), fmt::format("it ends before byte {}", at + 4));
        std::uint32_t value = 0;
        for (std::size_t i = 4; i-- > 0;)
            value = value << 8 | static_cast<unsigned char>(bytes_[at + i]);
        return value;
    }
    AviChunk chunk(std::size_t at) const {
        const std::uint32_t size = word(at + 4);
        expect(at + 8 + size + size % 2 <= bytes_.size(),
               fmt::format("the chunk at {} is longer than what holds it", at));
        return {bytes_.substr(at, 4), bytes_.substr(at + 8, size), at + 8 + size + size % 2};
    }
    AviChunk chunk(std::size_t at, std::string_view name) const {
        const AviChunk found = chunk(at);
        expect(found.name == name, fmt::format("'{}' stands where '{}' should", found.name, name));
        return found;
    }
    AviChunk list(std::size_t at, std::string_view type) const {
        const AviChunk found = chunk(at, "LIST");
        expect(found.contents.starts_with(type), fmt::format("a list is not '{}'", type));
        return found;
    }

  private:
    std::string_view bytes_;
};

void read_header(AviFilm& film, std::string_view list) {
    const AviBytes bytes(list);
    const AviChunk main = bytes.chunk(4, "avih");
    const AviBytes numbers(main.contents);
    expect(main.contents.size() == 56, "the main header has another length");
    film.frame_microseconds = numbers.word(0);
    expect((numbers.word(12) & 0x10u) != 0, "the header tells of no index");
    film.frame_count = numbers.word(16);
    expect(numbers.word(24) == 1, "there is more than one stream");
    film.width = numbers.word(32);
    film.height = numbers.word(36);
    const AviChunk stream = bytes.list(main.end, "strl");
    expect(stream.end == list.size(), "something follows the stream's header");
    const AviBytes inner(stream.contents);
    const AviChunk kind = inner.chunk(4, "strh");
    expect(kind.contents.substr(0, 8) == "vidsMJPG", "the stream is no motion JPEG");
    expect(AviBytes(kind.contents).word(32) == film.frame_count, "the lengths differ");
    const AviChunk format = inner.chunk(kind.end, "strf");
    const AviBytes picture(format.contents);
    expect(picture.word(4) == film.width && picture.word(8) == film.height, "the sizes differ");
}

} // namespace

AviFilm read_avi(const std::string& file) {
    AviFilm film;
    const AviBytes bytes(file);
    const AviChunk riff = bytes.chunk(0, "RIFF");
    expect(riff.contents.starts_with("AVI "), "it is no AVI file");
    expect(riff.end == file.size(), "the file has another length than it says");
    const AviChunk heads = bytes.list(12, "hdrl");
    read_header(film, heads.contents);

    const AviChunk movie = bytes.list(heads.end, "movi");
    const AviBytes inner(movie.contents);
    std::vector<std::size_t> places;
    for (std::size_t at = 4; at < movie.contents.size();) {
        const AviChunk frame = inner.chunk(at, "00dc");
        places.push_back(at);
        film.frames.emplace_back(frame.contents);
        at = frame.end;
    }
    const AviChunk index = bytes.chunk(movie.end, "idx1");
    expect(index.end == file.size(), "something follows the index");
    expect(index.contents.size() == 16 * places.size(), "the index has another length");
    const AviBytes entries(index.contents);
    for (std::size_t i = 0; i < places.size(); ++i) {
        expect(index.contents.substr(16 * i, 4) == "00dc", "an entry is of another stream");
        expect(entries.word(16 * i + 4) == 0x10, "a frame is no key frame");
        expect(entries.word(16 * i + 8) == places[i], fmt::format("entry {} points elsewhere", i));
        expect(entries.word(16 * i + 12) == film.frames[i].size(),
               fmt::format("entry {} has another size", i));
    }
    return film;
}

DecodedJpeg decode_jpeg(const std::string& file) {
    struct Closer {
        void operator()(void* decoder) const { tjDestroy(decoder); }
    };
    const std::unique_ptr<void, Closer> decoder(tjInitDecompress());
    const auto* bytes = reinterpret_cast<const unsigned char*>(file.data());
    DecodedJpeg picture;
    int sampling = 0;
    int colors = 0;
    if (tjDecompressHeader3(decoder.get(), bytes, file.size(), &picture.width, &picture.height,
                            &sampling, &colors) != 0)
        return {};
    picture.pixels.resize(3 * static_cast<std::size_t>(picture.width) *
                          static_cast<std::size_t>(picture.height));
    if (tjDecompress2(decoder.get(), bytes, file.size(),
                      reinterpret_cast<unsigned char*>(picture.pixels.data()), picture.width, 0,
                      picture.height, TJPF_RGB, TJFLAG_STOPONWARNING) != 0)
        return {};
    return picture;
}

} // namespace tuff::test
