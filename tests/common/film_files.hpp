#pragma once

#include <tuff/image.hpp>

#include <filesystem>

/// Films for tests, of pictures that say their number.
namespace tuff::test {

/// One colour, whose red is the number.
HostImage film_picture(int number, Extent extent);

/// Whether ffmpeg and ffprobe are installed.
bool have_ffmpeg();

/// Writes a film of `count` pictures of 32 x 16 texels, numbered from 0, without loss.
void make_film(const std::filesystem::path& file, int count);

} // namespace tuff::test
