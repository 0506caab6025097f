// Prints the candidates of stored_soups.hpp, a number a soup, by Embree 3 (Debian: libembree-dev,
// 3.13.5):
//
//     g++ -std=c++23 -O2 -I. tests/stored/embree_pairs.cpp -lembree3 -o embree_pairs
//     ./embree_pairs
//
// Its two hierarchies say which boxes may meet; those that do are counted. It is no part of the
// build, which needs no Embree.

#include "tests/gpu/collision/stored_soups.hpp"

#include <embree3/rtcore.h>

#include <algorithm>
#include <atomic>
#include <cstdio>

using namespace tuff::testing_gpu;

namespace {

struct Search {
    const std::vector<SoupTriangle>* soups[2];
    std::atomic<std::uint32_t> found{0};
};

void bounds_of(const RTCBoundsFunctionArguments* args) {
    const auto& soup = *static_cast<const std::vector<SoupTriangle>*>(args->geometryUserPtr);
    const SoupBox box = box_of(soup[args->primID]);
    RTCBounds& out = *args->bounds_o;
    out.lower_x = static_cast<float>(box.low[0]);
    out.lower_y = static_cast<float>(box.low[1]);
    out.lower_z = static_cast<float>(box.low[2]);
    out.upper_x = static_cast<float>(box.high[0]);
    out.upper_y = static_cast<float>(box.high[1]);
    out.upper_z = static_cast<float>(box.high[2]);
}

void found_pairs(void* search, RTCCollision* pairs, unsigned count) {
    auto& all = *static_cast<Search*>(search);
    for (unsigned i = 0; i < count; ++i) {
        const SoupTriangle& a = (*all.soups[0])[pairs[i].primID0];
        const SoupTriangle& b = (*all.soups[1])[pairs[i].primID1];
        if (has_area(a) && has_area(b) && boxes_meet(box_of(a), box_of(b))) ++all.found;
    }
}

RTCScene scene_of(RTCDevice device, std::vector<SoupTriangle>& soup) {
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
    rtcSetGeometryUserPrimitiveCount(geometry, static_cast<unsigned>(soup.size()));
    rtcSetGeometryUserData(geometry, &soup);
    rtcSetGeometryBoundsFunction(geometry, bounds_of, nullptr);
    rtcCommitGeometry(geometry);
    RTCScene scene = rtcNewScene(device);
    rtcAttachGeometry(scene, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene);
    return scene;
}

} // namespace

int main() {
    RTCDevice device = rtcNewDevice(nullptr);
    for (const StoredSoup& soup : kStoredSoups) {
        std::vector<SoupTriangle> a = soup_of(soup, 0);
        std::vector<SoupTriangle> b = soup_of(soup, 1);
        Search search{.soups = {&a, &b}};
        RTCScene first = scene_of(device, a);
        RTCScene second = scene_of(device, b);
        rtcCollide(first, second, found_pairs, &search);
        std::printf("soup %u: %u candidates\n", soup.seed, search.found.load());
        rtcReleaseScene(first);
        rtcReleaseScene(second);
    }
    rtcReleaseDevice(device);
}
