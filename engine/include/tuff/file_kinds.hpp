#pragma once

#include <filesystem>
#include <span>
#include <string_view>

/// Kinds of files by their names, without reading them.
namespace tuff {

/// The extensions that `load_scene` reads, in small letters: ".glb".
std::span<const std::string_view> model_extensions();
/// Whether a file's name has one of these extensions.
bool is_model_file(const std::filesystem::path& path);

/// The usual extensions of files that `load_image` reads, in small letters: ".png".
std::span<const std::string_view> loaded_image_extensions();
/// Whether a file's name has one of these extensions.
bool is_image_file(const std::filesystem::path& path);

/// The usual extensions of films that ffmpeg reads, in small letters: ".mp4".
std::span<const std::string_view> film_extensions();
/// Whether a file's name has one of these extensions.
bool is_film_file(const std::filesystem::path& path);

} // namespace tuff
