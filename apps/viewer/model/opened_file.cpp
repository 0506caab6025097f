#include "model/opened_file.hpp"

#include "apps/shared/file_config.hpp"

#include <fmt/format.h>

#include <fstream>
#include <system_error>

namespace tuff::viewer {
namespace fs = std::filesystem;

Result<fs::path> config_for(const fs::path& file, const fs::path& folder) {
    const auto made = cli::config_of_file(file);
    if (!made) return file;
    std::error_code error;
    fs::create_directories(folder, error);
    const fs::path whole = fs::absolute(file, error);
    const fs::path config = folder / (whole.stem().string() + ".json");
    std::ofstream stream(config, std::ios::binary);
    stream << made->text << '\n';
    if (!stream.flush())
        return fail(
            "viewer/unwritable",
            fmt::format("cannot write '{}', the config that shows the file", config.string()),
            "set TUFF_CACHE_DIR to a folder that may be written to");
    return config;
}

fs::path free_name(const fs::path& folder, const std::string& stem, const std::string& extension) {
    std::error_code error;
    for (int number = 1;; ++number) {
        fs::path file = folder / fmt::format("{}-{:03}{}", stem, number, extension);
        if (!fs::exists(file, error)) return file;
    }
}

} // namespace tuff::viewer
