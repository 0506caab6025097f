#pragma once

#include <tuff/image.hpp>

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <vector>

namespace tuff {

/// The pictures of a film, decoded by the program ffmpeg, one after another. Going back or far
/// ahead begins again: what is asked for is exact, whatever key frames a film has.
class FilmReader {
  public:
    explicit FilmReader(std::filesystem::path file) : file_(std::move(file)) {}
    ~FilmReader() { stop(); }
    FilmReader(const FilmReader&) = delete;
    FilmReader& operator=(const FilmReader&) = delete;

    /// How many pictures its packets hold; ffprobe counts them once, decoding nothing. Errors:
    /// film/no-ffmpeg, film/damaged.
    Result<std::uint64_t> count();

    /// Picture `index`, rgba8_unorm. Errors: film/no-ffmpeg, film/damaged, film/ended where there
    /// are fewer, film/size where its size is not that of the ones before.
    Result<HostImage> picture(std::uint64_t index);

  private:
    Result<void> start(std::uint64_t first);
    void stop();
    /// Nothing at the end of the film.
    Result<bool> read_header(Extent& extent);
    Result<bool> read_bytes(void* data, std::size_t size);
    std::unexpected<Diagnostics> damaged(const std::string& why) const;
    std::string log() const;

    std::filesystem::path file_;
    Extent extent_{0, 0, 0}; ///< of the pictures read so far
    std::uint64_t count_ = 0;
    std::uint64_t next_ = 0; ///< the picture that ffmpeg will write
    pid_t process_ = -1;
    int pictures_ = -1; ///< what ffmpeg writes
    int log_ = -1;      ///< a file in memory
    std::vector<char> buffer_;
    std::size_t used_ = 0; ///< bytes of `buffer_` that have been taken
};

} // namespace tuff
