#include "apps/bench/embree.hpp"

#if TUFF_HAS_EMBREE

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

struct ReleaseDevice {
    void operator()(RTCDevice device) const { rtcReleaseDevice(device); }
};
struct ReleaseScene {
    void operator()(RTCScene scene) const { rtcReleaseScene(scene); }
};
using DevicePtr = std::unique_ptr<std::remove_pointer_t<RTCDevice>, ReleaseDevice>;
using ScenePtr = std::unique_ptr<std::remove_pointer_t<RTCScene>, ReleaseScene>;

constexpr std::size_t kRounds = 5;
constexpr std::size_t kBatch = 256; // rays that a thread takes at a time

/// A scene of one mesh, which owns copies of what it is given.
ScenePtr scene_of(RTCDevice device, std::span<const float> positions,
                  std::span<const std::uint32_t> indices) {
    ScenePtr scene(rtcNewScene(device));
    rtcSetSceneFlags(scene.get(), RTC_SCENE_FLAG_ROBUST);
    RTCGeometry mesh = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    void* vertices = rtcSetNewGeometryBuffer(mesh, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                             3 * sizeof(float), positions.size() / 3);
    std::memcpy(vertices, positions.data(), positions.size() / 3 * 3 * sizeof(float));
    void* corners = rtcSetNewGeometryBuffer(mesh, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                            3 * sizeof(std::uint32_t), indices.size() / 3);
    std::memcpy(corners, indices.data(), indices.size() / 3 * 3 * sizeof(std::uint32_t));
    rtcCommitGeometry(mesh);
    rtcAttachGeometry(scene.get(), mesh);
    rtcReleaseGeometry(mesh);
    rtcCommitScene(scene.get());
    return scene;
}

/// t of the nearest hit, or infinite.
float trace(RTCScene scene, const HostRay& ray) {
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
    rtcIntersect1(scene, &context, &query);
    return query.hit.geomID == RTC_INVALID_GEOMETRY_ID ? kNowhere : query.ray.tfar;
}

void trace_all(RTCScene scene, std::span<const HostRay> rays, std::span<float> t,
               std::size_t threads) {
    std::vector<std::jthread> workers;
    for (std::size_t k = 0; k < threads; ++k)
        workers.emplace_back([=] {
            // Batches in turn: neighbours take about as long.
            for (std::size_t first = k * kBatch; first < rays.size(); first += threads * kBatch)
                for (std::size_t i = first; i < std::min(first + kBatch, rays.size()); ++i)
                    t[i] = trace(scene, rays[i]);
        });
}

} // namespace

std::optional<EmbreeTrace> trace_by_embree(std::span<const HostRay> rays,
                                           std::span<const float> positions,
                                           std::span<const std::uint32_t> indices) {
    const DevicePtr device(rtcNewDevice(nullptr));
    if (!device) return {};
    const ScenePtr scene = scene_of(device.get(), positions, indices);
    const std::size_t threads = std::max(1u, std::thread::hardware_concurrency());
    EmbreeTrace result{.name = fmt::format("Embree {} on {} threads", RTC_VERSION_STRING, threads),
                       .t = std::vector<float>(rays.size())};
    std::vector<double> milliseconds;
    for (std::size_t round = 0; round < kRounds; ++round) {
        const auto start = std::chrono::steady_clock::now();
        trace_all(scene.get(), rays, result.t, threads);
        const std::chrono::duration<double, std::milli> took =
            std::chrono::steady_clock::now() - start;
        milliseconds.push_back(took.count());
    }
    std::ranges::sort(milliseconds);
    result.milliseconds = milliseconds[kRounds / 2];
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
