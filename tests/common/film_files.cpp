#include "film_files.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace tuff::test {

HostImage film_picture(int number, Extent extent) {
    HostImage image = make_image(Format::rgba8_unorm, extent);
    for (std::size_t i = 0; i < image.texels.size(); i += 4) {
        image.texels[i] = static_cast<std::byte>(number);
        image.texels[i + 1] = std::byte{100};
        image.texels[i + 2] = std::byte{200};
        image.texels[i + 3] = std::byte{255};
    }
    return image;
}

bool have_ffmpeg() {
    return std::system("ffmpeg -version >/dev/null 2>&1 && ffprobe -version >/dev/null 2>&1") == 0;
}

void make_film(const std::filesystem::path& file, int count) {
    const std::filesystem::path folder = file.parent_path() / "film_pictures";
    std::filesystem::create_directories(folder);
    for (int number = 0; number < count; ++number)
        ASSERT_TRUE(
            save_image(folder / fmt::format("{}.png", number), film_picture(number, {32, 16, 1})));
    const std::string command =
        fmt::format("ffmpeg -v error -y -framerate 10 -i '{}/%d.png' -c:v ffv1 -pix_fmt bgr0 '{}'",
                    folder.string(), file.string());
    ASSERT_EQ(std::system(command.c_str()), 0);
    std::filesystem::remove_all(folder);
}

} // namespace tuff::test
