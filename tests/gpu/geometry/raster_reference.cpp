#include "tests/gpu/geometry/raster_reference.hpp"

#include <glm/common.hpp>
#include <glm/vec4.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

namespace tuff::testing_gpu {
namespace {

__extension__ using Whole = __int128;

constexpr float kFarthestCorner = 8388608.0f;
constexpr float kLeastW = 1e-30f;

/// A vertex on the screen, in 1/256 pixel, with its depth.
struct Placed {
    std::int64_t x = 0;
    std::int64_t y = 0;
    float depth = 0.0f;
};

struct Size {
    float width;
    float height;
};

/// In the order of operations of the kernels: where a vertex comes to lie is a matter of floats.
glm::vec4 to_clip(const glm::mat4& m, glm::vec3 p) {
    glm::vec4 result;
    for (int i = 0; i < 4; ++i) {
        const float xy = m[0][i] * p.x + m[1][i] * p.y;
        const float xyz = xy + m[2][i] * p.z;
        result[i] = xyz + m[3][i];
    }
    return result;
}

float to_screen(float clip, float w, float size) {
    const float middle = size * 128.0f;
    const float scaled = clip / w * middle;
    const float moved = scaled + middle;
    return std::floor(moved + 0.5f);
}

Placed place(glm::vec4 clip, Size size) {
    const auto kept = [](float v) {
        return static_cast<std::int64_t>(std::clamp(v, -kFarthestCorner, kFarthestCorner));
    };
    return {.x = kept(to_screen(clip.x, clip.w, size.width)),
            .y = kept(to_screen(clip.y, clip.w, size.height)),
            .depth = std::abs(std::clamp(clip.z / clip.w, 0.0f, 1.0f))};
}

bool is_finite(glm::vec4 v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z) && std::isfinite(v.w);
}

bool is_on_screen(glm::vec4 clip, Size size) {
    return clip.z >= 0.0f && clip.z <= clip.w && clip.w >= kLeastW &&
           std::abs(to_screen(clip.x, clip.w, size.width)) <= kFarthestCorner &&
           std::abs(to_screen(clip.y, clip.w, size.height)) <= kFarthestCorner;
}

/// Heights above the planes at which triangles are cut off.
float above(glm::vec4 p, int plane, Size size) {
    switch (plane) {
    case 0: return p.w - kLeastW;
    case 1: return p.z;
    case 2: return p.w - p.z;
    default: break;
    }
    const bool x = plane < 5;
    const bool low = plane == 3 || plane == 5;
    const float middle = (x ? size.width : size.height) * 128.0f;
    const float moved = (x ? p.x : p.y) * middle;
    const float most = kFarthestCorner - 2.0f;
    const float limit = p.w * (low ? most + middle : most - middle);
    return low ? limit + moved : limit - moved;
}

std::vector<glm::vec4> clipped(std::vector<glm::vec4> polygon, Size size) {
    for (int plane = 0; plane < 7; ++plane) {
        std::vector<glm::vec4> rest;
        for (std::size_t i = 0; i < polygon.size(); ++i) {
            const glm::vec4 p = polygon[i];
            const glm::vec4 q = polygon[(i + 1) % polygon.size()];
            const float at_p = above(p, plane, size);
            const float at_q = above(q, plane, size);
            if (at_p >= 0.0f) rest.push_back(p);
            if ((at_p >= 0.0f) == (at_q >= 0.0f)) continue;
            const bool from_p = at_p >= 0.0f;
            const float share = from_p ? at_p / (at_p - at_q) : at_q / (at_q - at_p);
            const glm::vec4 inner = from_p ? p : q;
            const glm::vec4 outer = from_p ? q : p;
            rest.push_back(inner + (outer - inner) * share);
        }
        polygon = std::move(rest);
    }
    return polygon;
}

Whole cross(std::int64_t ax, std::int64_t ay, std::int64_t bx, std::int64_t by) {
    return Whole{ax} * by - Whole{ay} * bx;
}

/// Whether (x, y) is inside of the edge, with the inside to its right as y points down.
bool is_inside(const Placed& from, const Placed& to, std::int64_t x, std::int64_t y) {
    const std::int64_t along_x = to.x - from.x;
    const std::int64_t along_y = to.y - from.y;
    const Whole height = cross(along_x, along_y, x - from.x, y - from.y);
    if (height != 0) return height > 0;
    const bool top = along_y == 0 && along_x > 0;
    const bool left = along_y < 0;
    return top || left;
}

/// In the kernels' order of operations.
float depth_at(const Placed& a, const Placed& b, const Placed& c, std::int64_t x, std::int64_t y) {
    const auto number = [](std::int64_t v) { return static_cast<float>(v); };
    const auto area = static_cast<std::int64_t>(cross(b.x - a.x, b.y - a.y, c.x - a.x, c.y - a.y));
    const std::int64_t size = area < 0 ? -area : area;
    const float sum = number(size >> 24) * 16777216.0f + number(size & 0xffffff);
    const float whole = area < 0 ? -sum : sum;
    const float rise_b = b.depth - a.depth;
    const float rise_c = c.depth - a.depth;
    const float slope_x = (rise_b * number(c.y - a.y) - rise_c * number(b.y - a.y)) / whole;
    const float slope_y = (rise_c * number(b.x - a.x) - rise_b * number(c.x - a.x)) / whole;
    const float rise = slope_x * number(x - a.x) + slope_y * number(y - a.y);
    return std::clamp(a.depth + rise, std::min({a.depth, b.depth, c.depth}),
                      std::max({a.depth, b.depth, c.depth}));
}

/// The magnitudes that `depth_at` adds up.
double depth_scale(const Placed& a, const Placed& b, const Placed& c, std::int64_t x,
                   std::int64_t y) {
    const auto size = [](std::int64_t v) { return std::abs(static_cast<double>(v)); };
    const auto area = static_cast<double>(cross(b.x - a.x, b.y - a.y, c.x - a.x, c.y - a.y));
    const double rise_b = std::abs(static_cast<double>(b.depth) - static_cast<double>(a.depth));
    const double rise_c = std::abs(static_cast<double>(c.depth) - static_cast<double>(a.depth));
    return static_cast<double>(a.depth) +
           ((rise_b * size(c.y - a.y) + rise_c * size(b.y - a.y)) * size(x - a.x) +
            (rise_c * size(b.x - a.x) + rise_b * size(c.x - a.x)) * size(y - a.y)) /
               std::abs(area);
}

double exact_depth(const Placed& a, const Placed& b, const Placed& c, std::int64_t x,
                   std::int64_t y) {
    const auto area = [](const Placed& p, const Placed& q, std::int64_t rx, std::int64_t ry) {
        return static_cast<double>(cross(q.x - p.x, q.y - p.y, rx - p.x, ry - p.y));
    };
    const double whole = area(a, b, c.x, c.y);
    return (area(b, c, x, y) * static_cast<double>(a.depth) +
            area(c, a, x, y) * static_cast<double>(b.depth) +
            area(a, b, x, y) * static_cast<double>(c.depth)) /
           whole;
}

class Rasterizer {
  public:
    Rasterizer(const RasterMesh& mesh, const RasterSetup& setup)
        : mesh_(mesh),
          setup_(setup), size_{static_cast<float>(setup.width), static_cast<float>(setup.height)} {
        result_.width = setup.width;
        result_.height = setup.height;
        result_.pixels.resize(std::size_t{setup.width} * setup.height);
    }

    RasterReference run() {
        for (std::uint32_t triangle = 0; triangle < mesh_.triangles(); ++triangle)
            draw(triangle);
        for (auto& pixel : result_.pixels)
            std::ranges::sort(pixel, [](const RasterFragment& a, const RasterFragment& b) {
                return a.depth != b.depth ? a.depth < b.depth : a.triangle < b.triangle;
            });
        return std::move(result_);
    }

  private:
    void draw(std::uint32_t triangle) {
        std::vector<glm::vec4> clip;
        for (std::uint32_t corner = 0; corner < 3; ++corner) {
            const std::uint32_t index = mesh_.indices[3 * triangle + corner];
            if (index >= mesh_.positions.size()) {
                ++result_.bad_index;
                return;
            }
            clip.push_back(to_clip(setup_.clip_from_mesh, mesh_.positions[index]));
        }
        if (!std::ranges::all_of(clip, is_finite)) {
            ++result_.not_finite;
            return;
        }
        const bool whole =
            std::ranges::all_of(clip, [&](glm::vec4 p) { return is_on_screen(p, size_); });
        if (!whole) {
            if (is_beside(clip)) return;
            ++result_.clipped;
            clip = clipped(std::move(clip), size_);
        }
        std::vector<Placed> corners;
        for (const glm::vec4& p : clip)
            corners.push_back(place(p, size_));
        if (whole && is_flat(corners) && !is_beside(corners)) ++result_.degenerate;
        taken_.assign(result_.pixels.size(), false);
        for (std::size_t i = 2; i < corners.size(); ++i)
            draw(triangle, corners[0], corners[i - 1], corners[i], whole);
    }

    /// Whether all corners are outside of one side of the view.
    static bool is_beside(const std::vector<glm::vec4>& clip) {
        const auto all = [&](auto outside) { return std::ranges::all_of(clip, outside); };
        return all([](glm::vec4 p) { return p.x < -p.w; }) ||
               all([](glm::vec4 p) { return p.x > p.w; }) ||
               all([](glm::vec4 p) { return p.y < -p.w; }) ||
               all([](glm::vec4 p) { return p.y > p.w; }) ||
               all([](glm::vec4 p) { return p.z < 0.0f; }) ||
               all([](glm::vec4 p) { return p.z > p.w; });
    }
    bool is_beside(const std::vector<Placed>& corners) const {
        const auto all = [&](auto outside) { return std::ranges::all_of(corners, outside); };
        const std::int64_t right = 256 * std::int64_t{setup_.width};
        const std::int64_t bottom = 256 * std::int64_t{setup_.height};
        return all([](const Placed& p) { return p.x < 0; }) ||
               all([&](const Placed& p) { return p.x > right; }) ||
               all([](const Placed& p) { return p.y < 0; }) ||
               all([&](const Placed& p) { return p.y > bottom; });
    }
    static bool is_flat(const std::vector<Placed>& t) {
        return cross(t[1].x - t[0].x, t[1].y - t[0].y, t[2].x - t[0].x, t[2].y - t[0].y) == 0;
    }

    void draw(std::uint32_t triangle, const Placed& a, const Placed& b, const Placed& c,
              bool whole) {
        const Whole area = cross(b.x - a.x, b.y - a.y, c.x - a.x, c.y - a.y);
        const bool front = area < 0; // counter-clockwise, as y points down
        if (area == 0 || (setup_.cull == passes::RasterCull::front && front) ||
            (setup_.cull == passes::RasterCull::back && !front))
            return;
        const Placed& p = front ? c : b;
        const Placed& q = front ? b : c;
        const auto range = [](std::int64_t low, std::int64_t high, std::uint32_t size) {
            return std::pair(std::clamp<std::int64_t>(low / 256 - 1, 0, size),
                             std::clamp<std::int64_t>(high / 256 + 2, 0, size));
        };
        const auto [x0, x1] =
            range(std::min({a.x, b.x, c.x}), std::max({a.x, b.x, c.x}), setup_.width);
        const auto [y0, y1] =
            range(std::min({a.y, b.y, c.y}), std::max({a.y, b.y, c.y}), setup_.height);
        for (std::int64_t j = y0; j < y1; ++j)
            for (std::int64_t i = x0; i < x1; ++i) {
                const std::int64_t x = 256 * i + 128;
                const std::int64_t y = 256 * j + 128;
                if (!is_inside(a, p, x, y) || !is_inside(p, q, x, y) || !is_inside(q, a, x, y))
                    continue;
                const auto pixel = static_cast<std::size_t>(j * setup_.width + i);
                if (taken_[pixel]) continue; // by another piece of a clipped triangle
                taken_[pixel] = true;
                const float depth = depth_at(a, b, c, x, y);
                if (whole)
                    note_depth(static_cast<double>(depth) - exact_depth(a, b, c, x, y),
                               depth_scale(a, b, c, x, y));
                if (!setup_.occluder.empty() && !(depth < setup_.occluder[pixel])) continue;
                result_.pixels[pixel].push_back(
                    {.triangle = triangle, .depth = std::bit_cast<std::uint32_t>(depth)});
            }
    }

    void note_depth(double off, double scale) {
        if (scale > 0.0)
            result_.worst_depth = std::max(result_.worst_depth, std::abs(off) / scale * 0x1p24);
    }

    const RasterMesh& mesh_;
    const RasterSetup& setup_;
    Size size_;
    RasterReference result_;
    std::vector<bool> taken_;
};

} // namespace

void RasterMesh::add(glm::vec3 a, glm::vec3 b, glm::vec3 c) {
    for (const glm::vec3 p : {a, b, c}) {
        indices.push_back(static_cast<std::uint32_t>(positions.size()));
        positions.push_back(p);
    }
}

std::size_t RasterReference::fragments() const {
    std::size_t sum = 0;
    for (const auto& pixel : pixels)
        sum += pixel.size();
    return sum;
}

RasterReference rasterize(const RasterMesh& mesh, const RasterSetup& setup) {
    return Rasterizer(mesh, setup).run();
}

} // namespace tuff::testing_gpu
