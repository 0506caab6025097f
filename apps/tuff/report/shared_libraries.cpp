#include "apps/tuff/report/shared_libraries.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <span>

#ifdef __linux__
#include <dlfcn.h>
#include <link.h>
#endif

namespace tuff::cli {
namespace fs = std::filesystem;
namespace {

bool starts_with_any(std::string_view name, std::span<const std::string_view> prefixes) {
    return std::ranges::any_of(prefixes, [&](std::string_view p) { return name.starts_with(p); });
}

/// The numbers between the dots.
std::vector<unsigned> parts(std::string_view version) {
    std::vector<unsigned> numbers;
    while (!version.empty()) {
        const std::size_t dot = std::min(version.find('.'), version.size());
        unsigned number = 0;
        std::from_chars(version.data(), version.data() + dot, number);
        numbers.push_back(number);
        version.remove_prefix(std::min(dot + 1, version.size()));
    }
    return numbers;
}

} // namespace

LibraryKind kind_of(std::string_view file_name) {
    constexpr std::array<std::string_view, 16> kSystem = {
        "linux-vdso",  "linux-gate", "ld-linux",  "libc.so",     "libm.so",  "libmvec.so",
        "libpthread.", "libdl.so",   "librt.so",  "libresolv.",  "libutil.", "libnss_",
        "libnsl.",     "libanl.so",  "libBroken", "libthread_db"};
    constexpr std::array<std::string_view, 3> kRuntime = {"libstdc++.so", "libgcc_s.so", "libz.so"};
    if (starts_with_any(file_name, kSystem)) return LibraryKind::system;
    return starts_with_any(file_name, kRuntime) ? LibraryKind::runtime : LibraryKind::own;
}

std::string needed_glibc(std::string_view contents) {
    // The names of wanted symbol versions lie in the string table as they are.
    constexpr std::string_view kName = "GLIBC_";
    std::string newest;
    for (std::size_t at = contents.find(kName); at != std::string_view::npos;
         at = contents.find(kName, at + 1)) {
        std::size_t end = at + kName.size();
        while (end < contents.size() &&
               (std::isdigit(static_cast<unsigned char>(contents[end])) || contents[end] == '.'))
            ++end;
        newest =
            newer_version(std::move(newest),
                          std::string(contents.substr(at + kName.size(), end - at - kName.size())));
    }
    return newest;
}

std::string newer_version(std::string a, std::string b) {
    return parts(a) < parts(b) ? b : a;
}

#ifdef __linux__

std::vector<fs::path> loaded_libraries() {
    std::vector<fs::path> files;
    const auto collect = [](dl_phdr_info* info, std::size_t, void* data) {
        // The program has an empty name, and the kernel's own pages have one without a folder.
        const fs::path file = info->dlpi_name ? info->dlpi_name : "";
        if (file.has_parent_path()) static_cast<std::vector<fs::path>*>(data)->push_back(file);
        return 0;
    };
    dl_iterate_phdr(collect, &files);
    std::ranges::sort(files);
    return files;
}

std::vector<fs::path> libraries_of(const fs::path& program) {
    std::string quoted = "'";
    for (const char c : program.string())
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    // The dynamic linker prints "libfmt.so.9 => /usr/lib/libfmt.so.9 (0x7f...)" and ends.
    const std::string command = "LD_TRACE_LOADED_OBJECTS=1 " + quoted + "' 2>/dev/null";
    std::vector<fs::path> files;
    FILE* const pipe = popen(command.c_str(), "r");
    if (!pipe) return files;
    char buffer[4096];
    while (std::fgets(buffer, sizeof(buffer), pipe)) {
        const std::string_view line = buffer;
        const std::size_t arrow = line.find(" => /");
        const std::size_t end = line.rfind(" (0x");
        if (arrow != std::string_view::npos && end != std::string_view::npos && arrow + 4 < end)
            files.emplace_back(line.substr(arrow + 4, end - arrow - 4));
    }
    pclose(pipe);
    std::ranges::sort(files);
    return files;
}

std::optional<fs::path> vulkan_loader() {
    void* const handle = dlopen("libvulkan.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (!handle) return std::nullopt;
    std::optional<fs::path> file;
    link_map* map = nullptr;
    if (dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map) file = map->l_name;
    dlclose(handle);
    return file;
}

#else

std::vector<fs::path> loaded_libraries() {
    return {};
}
std::vector<fs::path> libraries_of(const fs::path&) {
    return {};
}
std::optional<fs::path> vulkan_loader() {
    return std::nullopt;
}

#endif

} // namespace tuff::cli
