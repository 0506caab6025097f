#include "apps/bench/turbojpeg.hpp"

#if TUFF_HAS_TURBOJPEG

#include <dlfcn.h>
#include <turbojpeg.h>

#include <algorithm>
#include <array>
#include <chrono>

namespace tuff::bench {
namespace {

constexpr const char* kTurboJpegLibrary = "libturbojpeg.so.0";
constexpr int kRepetitions = 5;

/// The functions that are called, looked for when they are needed.
struct TurboFunctions {
    decltype(&tjInitCompress) init_compress = nullptr;
    decltype(&tjInitDecompress) init_decompress = nullptr;
    decltype(&tjCompress2) compress = nullptr;
    decltype(&tjDecompress2) decompress = nullptr;
    decltype(&tjDestroy) destroy = nullptr;
    decltype(&tjFree) free = nullptr;
};

std::optional<TurboFunctions> load_turbojpeg() {
    void* const library = dlopen(kTurboJpegLibrary, RTLD_NOW | RTLD_LOCAL);
    if (!library) return {};
    TurboFunctions turbo;
    const auto find = [&]<class Function>(Function& function, const char* name) {
        function = reinterpret_cast<Function>(dlsym(library, name));
        return function != nullptr;
    };
    const bool complete = find(turbo.init_compress, "tjInitCompress") &&
                          find(turbo.init_decompress, "tjInitDecompress") &&
                          find(turbo.compress, "tjCompress2") &&
                          find(turbo.decompress, "tjDecompress2") &&
                          find(turbo.destroy, "tjDestroy") && find(turbo.free, "tjFree");
    return complete ? std::optional(turbo) : std::nullopt;
}

const std::optional<TurboFunctions>& turbojpeg() {
    static const std::optional<TurboFunctions> functions = load_turbojpeg();
    return functions;
}

template <typename Work>
double median_milliseconds(Work work) {
    std::array<double, kRepetitions> times{};
    for (double& time : times) {
        const auto begin = std::chrono::steady_clock::now();
        work();
        time = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
                   .count();
    }
    std::ranges::sort(times);
    return times[kRepetitions / 2];
}

bool decompress(const TurboFunctions& turbo, std::span<const std::byte> file, Extent size,
                std::vector<std::byte>& pixels) {
    pixels.resize(std::size_t{size.width} * size.height * 4);
    const tjhandle handle = turbo.init_decompress();
    const int result = turbo.decompress(
        handle, reinterpret_cast<const unsigned char*>(file.data()), file.size(),
        reinterpret_cast<unsigned char*>(pixels.data()), static_cast<int>(size.width), 0,
        static_cast<int>(size.height), TJPF_RGBA, TJFLAG_ACCURATEDCT);
    turbo.destroy(handle);
    return result == 0;
}

} // namespace

std::optional<TurboJpeg> by_turbojpeg(std::span<const std::byte> rgba, Extent size, int quality,
                                      HostSampling sampling) {
    const auto& turbo = turbojpeg();
    if (!turbo) return {};
    constexpr std::array kSamplings{TJSAMP_444, TJSAMP_422, TJSAMP_420};
    TurboJpeg result{.name = "libjpeg-turbo on 1 core"};
    bool fine = true;
    const tjhandle handle = turbo->init_compress();
    unsigned char* file = nullptr;
    unsigned long bytes = 0;
    result.encode_milliseconds = median_milliseconds([&] {
        fine = fine && turbo->compress(handle, reinterpret_cast<const unsigned char*>(rgba.data()),
                                       static_cast<int>(size.width), 0,
                                       static_cast<int>(size.height), TJPF_RGBX, &file, &bytes,
                                       kSamplings[static_cast<std::size_t>(sampling)], quality,
                                       TJFLAG_ACCURATEDCT) == 0;
    });
    const auto* const first = reinterpret_cast<const std::byte*>(file);
    if (fine) result.file.assign(first, first + bytes);
    turbo->free(file);
    turbo->destroy(handle);
    result.decode_milliseconds = median_milliseconds(
        [&] { fine = fine && decompress(*turbo, result.file, size, result.decoded); });
    return fine ? std::optional(std::move(result)) : std::nullopt;
}

std::vector<std::byte> decoded_by_turbojpeg(std::span<const std::byte> file, Extent size) {
    std::vector<std::byte> pixels;
    const auto& turbo = turbojpeg();
    if (!turbo || !decompress(*turbo, file, size, pixels)) pixels.clear();
    return pixels;
}

} // namespace tuff::bench

#else

namespace tuff::bench {

std::optional<TurboJpeg> by_turbojpeg(std::span<const std::byte>, Extent, int, HostSampling) {
    return {};
}
std::vector<std::byte> decoded_by_turbojpeg(std::span<const std::byte>, Extent) {
    return {};
}

} // namespace tuff::bench

#endif
