#include "apps/bench/embree.hpp"

#if TUFF_HAS_EMBREE

#include <dlfcn.h>
#include <embree3/rtcore.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>
#include <memory>
#include <thread>
#include <type_traits>

namespace tuff::bench {
namespace {

constexpr const char* kEmbreeLibrary = "libembree3.so.3";

/// The functions of Embree that are called. They are looked for when they are needed: nothing that
/// runs Tuff has to have, or a bundle to carry, the forty megabytes of a benchmark's companion.
struct Embree {
    decltype(&rtcNewDevice) new_device = nullptr;
    decltype(&rtcReleaseDevice) release_device = nullptr;
    decltype(&rtcNewScene) new_scene = nullptr;
    decltype(&rtcReleaseScene) release_scene = nullptr;
    decltype(&rtcSetSceneFlags) set_scene_flags = nullptr;
    decltype(&rtcCommitScene) commit_scene = nullptr;
    decltype(&rtcNewGeometry) new_geometry = nullptr;
    decltype(&rtcReleaseGeometry) release_geometry = nullptr;
    decltype(&rtcSetNewGeometryBuffer) set_new_geometry_buffer = nullptr;
    decltype(&rtcCommitGeometry) commit_geometry = nullptr;
    decltype(&rtcAttachGeometry) attach_geometry = nullptr;
    decltype(&rtcIntersect1) intersect1 = nullptr;
};

/// Nothing where the library or one of the functions is missing. The library stays loaded: its
/// threads outlive what uses them.
std::optional<Embree> load_embree() {
    void* const library = dlopen(kEmbreeLibrary, RTLD_NOW | RTLD_LOCAL);
    if (!library) return {};
    Embree embree;
    const auto find = [&]<class Function>(Function& function, const char* name) {
        function = reinterpret_cast<Function>(dlsym(library, name));
        return function != nullptr;
    };
    const bool complete = find(embree.new_device, "rtcNewDevice") &&
                          find(embree.release_device, "rtcReleaseDevice") &&
                          find(embree.new_scene, "rtcNewScene") &&
                          find(embree.release_scene, "rtcReleaseScene") &&
                          find(embree.set_scene_flags, "rtcSetSceneFlags") &&
                          find(embree.commit_scene, "rtcCommitScene") &&
                          find(embree.new_geometry, "rtcNewGeometry") &&
                          find(embree.release_geometry, "rtcReleaseGeometry") &&
                          find(embree.set_new_geometry_buffer, "rtcSetNewGeometryBuffer") &&
                          find(embree.commit_geometry, "rtcCommitGeometry") &&
                          find(embree.attach_geometry, "rtcAttachGeometry") &&
                          find(embree.intersect1, "rtcIntersect1");
    return complete ? std::optional(embree) : std::nullopt;
}

using DevicePtr = std::unique_ptr<std::remove_pointer_t<RTCDevice>, decltype(&rtcReleaseDevice)>;
using ScenePtr = std::unique_ptr<std::remove_pointer_t<RTCScene>, decltype(&rtcReleaseScene)>;

constexpr std::size_t kEmbreeRounds = 5;
constexpr std::size_t kBatch = 256; // rays that a thread takes at a time

/// A scene of one mesh, which owns copies of what it is given.
ScenePtr scene_of(const Embree& embree, RTCDevice device, std::span<const float> positions,
                  std::span<const std::uint32_t> indices) {
    ScenePtr scene(embree.new_scene(device), embree.release_scene);
    embree.set_scene_flags(scene.get(), RTC_SCENE_FLAG_ROBUST);
    RTCGeometry mesh = embree.new_geometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    void* vertices =
        embree.set_new_geometry_buffer(mesh, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                       3 * sizeof(float), positions.size() / 3);
    std::memcpy(vertices, positions.data(), positions.size() / 3 * 3 * sizeof(float));
    void* corners = embree.set_new_geometry_buffer(mesh, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                                   3 * sizeof(std::uint32_t), indices.size() / 3);
    std::memcpy(corners, indices.data(), indices.size() / 3 * 3 * sizeof(std::uint32_t));
    embree.commit_geometry(mesh);
    embree.attach_geometry(scene.get(), mesh);
    embree.release_geometry(mesh);
    embree.commit_scene(scene.get());
    return scene;
}

/// t of the nearest hit, or infinite.
float trace(const Embree& embree, RTCScene scene, const HostRay& ray) {
    constexpr float kNowhere = std::numeric_limits<float>::infinity();
    if (!(ray.t_max >= 0.0f)) return kNowhere;
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    RTCRayHit query{};
    query.ray.org_x = ray.origin[0];
    query.ray.org_y = ray.origin[1];
    query.ray.org_z = ray.origin[2];
    query.ray.dir_x = ray.direction[0];
    query.ray.dir_y = ray.direction[1];
    query.ray.dir_z = ray.direction[2];
    query.ray.tfar = ray.t_max;
    query.ray.mask = ~0u;
    query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    embree.intersect1(scene, &context, &query);
    return query.hit.geomID == RTC_INVALID_GEOMETRY_ID ? kNowhere : query.ray.tfar;
}

void trace_all(const Embree& embree, RTCScene scene, std::span<const HostRay> rays,
               std::span<float> t, std::size_t threads) {
    std::vector<std::jthread> workers;
    for (std::size_t k = 0; k < threads; ++k)
        workers.emplace_back([=, &embree] {
            // Batches in turn: neighbours take about as long.
            for (std::size_t first = k * kBatch; first < rays.size(); first += threads * kBatch)
                for (std::size_t i = first; i < std::min(first + kBatch, rays.size()); ++i)
                    t[i] = trace(embree, scene, rays[i]);
        });
}

} // namespace

std::optional<EmbreeTrace> trace_by_embree(std::span<const HostRay> rays,
                                           std::span<const float> positions,
                                           std::span<const std::uint32_t> indices) {
    const std::optional<Embree> embree = load_embree();
    if (!embree) return {};
    const DevicePtr device(embree->new_device(nullptr), embree->release_device);
    if (!device) return {};
    const ScenePtr scene = scene_of(*embree, device.get(), positions, indices);
    const std::size_t threads = std::max(1u, std::thread::hardware_concurrency());
    EmbreeTrace result{.name = fmt::format("Embree {} on {} threads", RTC_VERSION_STRING, threads),
                       .t = std::vector<float>(rays.size())};
    std::vector<double> milliseconds;
    for (std::size_t round = 0; round < kEmbreeRounds; ++round) {
        const auto start = std::chrono::steady_clock::now();
        trace_all(*embree, scene.get(), rays, result.t, threads);
        const std::chrono::duration<double, std::milli> took =
            std::chrono::steady_clock::now() - start;
        milliseconds.push_back(took.count());
    }
    std::ranges::sort(milliseconds);
    result.milliseconds = milliseconds[kEmbreeRounds / 2];
    return result;
}

} // namespace tuff::bench

#else

namespace tuff::bench {

std::optional<EmbreeTrace> trace_by_embree(std::span<const HostRay>, std::span<const float>,
                                           std::span<const std::uint32_t>) {
    return {};
}

} // namespace tuff::bench

#endif
