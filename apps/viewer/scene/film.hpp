#pragma once

#include <tuff/diagnostic.hpp>
#include <tuff/image.hpp>

#include <filesystem>
#include <functional>
#include <memory>

namespace tuff::viewer {

/// A film that is being made: takes one picture after the other. One that ends unfinished leaves
/// nothing behind.
class Film {
  public:
    virtual ~Film() = default;
    virtual Result<void> add(const HostImage& picture) = 0;
    /// Makes the file whole.
    virtual Result<void> finish() = 0;
};
using FilmMaker =
    std::function<Result<std::unique_ptr<Film>>(const std::filesystem::path& file, double fps)>;

} // namespace tuff::viewer
