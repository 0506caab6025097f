#include "tests/gpu/voxel/voxel_reference.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tuff::testing_gpu {
namespace {

__extension__ using Wide = __int128;
using WideVector = std::array<Wide, 3>;

constexpr std::int64_t kVoxel = 256;

WideVector minus(const Place& a, const Place& b) {
    return {Wide{a[0]} - b[0], Wide{a[1]} - b[1], Wide{a[2]} - b[2]};
}

WideVector cross(const WideVector& a, const WideVector& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Wide dot(const WideVector& a, const Place& p) {
    return a[0] * p[0] + a[1] * p[1] + a[2] * p[2];
}

int sign(Wide x) {
    return x > 0 ? 1 : x < 0 ? -1 : 0;
}

std::array<Place, 8> corners_of(const Place& voxel) {
    std::array<Place, 8> corners;
    for (std::size_t i = 0; i < 8; ++i)
        for (std::size_t axis = 0; axis < 3; ++axis)
            corners[i][axis] = kVoxel * (voxel[axis] + static_cast<std::int64_t>(i >> axis & 1));
    return corners;
}

std::array<Place, 6> middles_of_faces(const Place& voxel) {
    std::array<Place, 6> middles;
    for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t axis = 0; axis < 3; ++axis)
            middles[i][axis] = kVoxel * voxel[axis] + kVoxel / 2;
        middles[i][i / 2] += i % 2 == 0 ? kVoxel / 2 : -kVoxel / 2;
    }
    return middles;
}

template <std::size_t N>
std::array<Wide, 2> extent(const WideVector& axis, const std::array<Place, N>& points) {
    std::array<Wide, 2> range{dot(axis, points[0]), dot(axis, points[0])};
    for (const Place& p : points) {
        range[0] = std::min(range[0], dot(axis, p));
        range[1] = std::max(range[1], dot(axis, p));
    }
    return range;
}

template <std::size_t N>
bool separates(const WideVector& axis, const PlacedTriangle& t, const std::array<Place, N>& box) {
    const auto a = extent(axis, t);
    const auto b = extent(axis, box);
    return a[1] < b[0] || b[1] < a[0];
}

/// Whether all points lie beyond edge i, seen along a coordinate axis: on the other side than the
/// triangle, or on either side where it is seen as a line.
bool is_beyond_edge(const PlacedTriangle& t, std::size_t i, const WideVector& axis,
                    const std::array<Place, 6>& points) {
    const Wide edge = dot(axis, t[i]);
    const int inside = sign(dot(axis, t[(i + 2) % 3]) - edge);
    const auto range = extent(axis, points);
    return (inside >= 0 && range[1] < edge) || (inside <= 0 && range[0] > edge);
}

/// Thin surfaces as they are defined: by the plane, and by one side of each edge.
bool meets_thinly(const PlacedTriangle& t, const std::array<Place, 6>& points) {
    const std::array<WideVector, 3> edges{minus(t[1], t[0]), minus(t[2], t[1]), minus(t[0], t[2])};
    if (separates(cross(edges[0], edges[1]), t, points)) return false;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t axis = 0; axis < 3; ++axis) {
            WideVector unit{0, 0, 0};
            unit[axis] = 1;
            if (is_beyond_edge(t, i, cross(edges[i], unit), points)) return false;
        }
    return true;
}

/// The bounding boxes are known to have something in common.
template <std::size_t N>
bool meets(const PlacedTriangle& t, const std::array<Place, N>& box) {
    const std::array<WideVector, 3> edges{minus(t[1], t[0]), minus(t[2], t[1]), minus(t[0], t[2])};
    if (separates(cross(edges[0], edges[1]), t, box)) return false;
    for (const WideVector& edge : edges)
        for (std::size_t axis = 0; axis < 3; ++axis) {
            WideVector unit{0, 0, 0};
            unit[axis] = 1;
            if (separates(cross(edge, unit), t, box)) return false;
        }
    return true;
}

/// On which side of the line from a to b the point is, which counts as moved by e along the first
/// axis and by e * e against the second, for an e as small as need be.
int side(const std::array<Wide, 2>& a, const std::array<Wide, 2>& b,
         const std::array<Wide, 2>& point) {
    const Wide dx = b[0] - a[0];
    const Wide dy = b[1] - a[1];
    const int exact = sign(dx * (point[1] - a[1]) - dy * (point[0] - a[0]));
    if (exact != 0) return exact;
    return dy != 0 ? sign(-dy) : sign(-dx);
}

/// Whether the triangle covers the point, seen along `axis`.
bool covers(const PlacedTriangle& t, const Place& point, std::size_t axis) {
    const std::size_t second = axis == 0 ? 1 : axis == 1 ? 0 : 1;
    const std::size_t first = 3 - axis - second;
    const auto flat = [&](const Place& p) { return std::array<Wide, 2>{p[first], p[second]}; };
    int sum = 0;
    for (std::size_t i = 0; i < 3; ++i)
        sum += side(flat(t[i]), flat(t[(i + 1) % 3]), flat(point));
    return sum == 3 || sum == -3;
}

} // namespace

Voxels::Voxels(glm::uvec3 size)
    : dims(size), words(std::size_t{size.x} * size.y * ((size.z + 31) / 32), 0) {}

bool Voxels::at(std::int64_t x, std::int64_t y, std::int64_t z) const {
    if (x < 0 || y < 0 || z < 0 || x >= dims.x || y >= dims.y || z >= dims.z) return false;
    const std::size_t row = static_cast<std::size_t>(y) * dims.x + static_cast<std::size_t>(x);
    const std::size_t word = row * ((dims.z + 31) / 32) + static_cast<std::size_t>(z >> 5);
    return word < words.size() && (words[word] >> (z & 31) & 1) != 0;
}

void Voxels::set(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    const std::size_t row = std::size_t{y} * dims.x + x;
    words[row * ((dims.z + 31) / 32) + (z >> 5)] |= 1u << (z & 31);
}

std::uint64_t Voxels::count() const {
    std::uint64_t sum = 0;
    for (const std::uint32_t word : words)
        sum += static_cast<std::uint64_t>(std::popcount(word));
    return sum;
}

Voxels moved(const Voxels& voxels, glm::ivec3 by) {
    Voxels result(voxels.dims);
    for (std::uint32_t x = 0; x < voxels.dims.x; ++x)
        for (std::uint32_t y = 0; y < voxels.dims.y; ++y)
            for (std::uint32_t z = 0; z < voxels.dims.z; ++z)
                if (voxels.at(std::int64_t{x} - by.x, std::int64_t{y} - by.y,
                              std::int64_t{z} - by.z))
                    result.set(x, y, z);
    return result;
}

std::optional<PlacedTriangle> place(const TriangleSoup& soup, std::size_t triangle,
                                    const Frame& frame, float farthest) {
    PlacedTriangle result;
    for (std::size_t i = 0; i < 3; ++i) {
        const std::uint32_t index = soup.indices[3 * triangle + i];
        if (index >= soup.positions.size()) return {};
        for (int axis = 0; axis < 3; ++axis) {
            // Single operations, each rounded once: nothing else is the same on all devices.
            const volatile float from = soup.positions[index][axis] - frame[0][axis];
            const volatile float voxels = from * frame[1][axis];
            const volatile float scaled = voxels * 256.0f;
            const volatile float raised = scaled + 0.5f;
            const float rounded = std::floor(raised);
            if (!(std::abs(rounded) <= farthest)) return {};
            result[i][static_cast<std::size_t>(axis)] = static_cast<std::int64_t>(rounded);
        }
    }
    return result;
}

namespace {

/// The voxels of bounding boxes that `is_met(triangle, voxel)` says are met.
template <typename IsMet>
Voxels all_that_meet(const TriangleSoup& soup, const Frame& frame, glm::uvec3 dims, float farthest,
                     IsMet is_met) {
    Voxels voxels(dims);
    for (std::size_t i = 0; i < soup.triangles(); ++i) {
        const auto t = place(soup, i, frame, farthest);
        if (!t) continue;
        Place low{};
        Place high{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const auto [least, most] = std::minmax({(*t)[0][axis], (*t)[1][axis], (*t)[2][axis]});
            low[axis] = std::max<std::int64_t>(least >> 8, 0);
            high[axis] =
                std::min<std::int64_t>(most >> 8, std::int64_t{dims[static_cast<int>(axis)]} - 1);
        }
        for (std::int64_t x = low[0]; x <= high[0]; ++x)
            for (std::int64_t y = low[1]; y <= high[1]; ++y)
                for (std::int64_t z = low[2]; z <= high[2]; ++z)
                    if (is_met(*t, Place{x, y, z}))
                        voxels.set(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y),
                                   static_cast<std::uint32_t>(z));
    }
    return voxels;
}

} // namespace

Voxels surface_reference(const TriangleSoup& soup, const Frame& frame, glm::uvec3 dims,
                         float farthest) {
    return all_that_meet(
        soup, frame, dims, farthest,
        [](const PlacedTriangle& t, const Place& voxel) { return meets(t, corners_of(voxel)); });
}

Voxels thin_reference(const TriangleSoup& soup, const Frame& frame, glm::uvec3 dims) {
    return all_that_meet(soup, frame, dims, kNotCutOff,
                         [](const PlacedTriangle& t, const Place& voxel) {
                             return meets_thinly(t, middles_of_faces(voxel));
                         });
}

Voxels solid_reference(const TriangleSoup& soup, const Frame& frame, glm::uvec3 dims, int axis,
                       float farthest) {
    const auto along = static_cast<std::size_t>(axis);
    Voxels voxels(dims);
    std::vector<PlacedTriangle> triangles;
    for (std::size_t i = 0; i < soup.triangles(); ++i)
        if (const auto t = place(soup, i, frame, farthest)) triangles.push_back(*t);
    glm::uvec3 columns = dims;
    columns[axis] = 1;
    for (std::uint32_t x = 0; x < columns.x; ++x)
        for (std::uint32_t y = 0; y < columns.y; ++y)
            for (std::uint32_t z = 0; z < columns.z; ++z) {
                const Place column{kVoxel * x + kVoxel / 2, kVoxel * y + kVoxel / 2,
                                   kVoxel * z + kVoxel / 2};
                for (const PlacedTriangle& t : triangles) {
                    if (!covers(t, column, along)) continue;
                    const WideVector normal = cross(minus(t[1], t[0]), minus(t[2], t[0]));
                    for (std::uint32_t k = 0; k < dims[axis]; ++k) {
                        Place middle = column;
                        middle[along] = kVoxel * k + kVoxel / 2;
                        const Wide height = dot(normal, middle) - dot(normal, t[0]);
                        if (sign(height) * sign(normal[along]) >= 0) continue;
                        glm::uvec3 voxel{x, y, z};
                        voxel[axis] = k;
                        const std::size_t row = std::size_t{voxel.y} * dims.x + voxel.x;
                        voxels.words[row * ((dims.z + 31) / 32) + (voxel.z >> 5)] ^=
                            1u << (voxel.z & 31);
                    }
                }
            }
    return voxels;
}

Voxels reached_from_outside(const Voxels& walls) {
    // With a rim of one voxel around the grid, in which everything can be reached.
    const glm::uvec3 dims = walls.dims + 2u;
    Voxels reached(dims);
    std::vector<glm::uvec3> open{glm::uvec3(0)};
    reached.set(0, 0, 0);
    while (!open.empty()) {
        const glm::uvec3 from = open.back();
        open.pop_back();
        for (int step = 0; step < 27; ++step) {
            const std::int64_t x = std::int64_t{from.x} + step % 3 - 1;
            const std::int64_t y = std::int64_t{from.y} + step / 3 % 3 - 1;
            const std::int64_t z = std::int64_t{from.z} + step / 9 - 1;
            if (x < 0 || y < 0 || z < 0 || x >= dims.x || y >= dims.y || z >= dims.z) continue;
            if (reached.at(x, y, z) || walls.at(x - 1, y - 1, z - 1)) continue;
            const glm::uvec3 to(x, y, z);
            reached.set(to.x, to.y, to.z);
            open.push_back(to);
        }
    }
    Voxels inside(walls.dims);
    for (std::uint32_t x = 0; x < walls.dims.x; ++x)
        for (std::uint32_t y = 0; y < walls.dims.y; ++y)
            for (std::uint32_t z = 0; z < walls.dims.z; ++z)
                if (reached.at(x + 1, y + 1, z + 1)) inside.set(x, y, z);
    return inside;
}

} // namespace tuff::testing_gpu
