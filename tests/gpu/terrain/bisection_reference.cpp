#include "tests/gpu/terrain/bisection_reference.hpp"

#include "passes/terrain/beside.hpp"

#include <glm/geometric.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <numbers>

namespace tuff {
namespace {

using passes::SurfaceKind;

constexpr std::uint64_t kSide = std::uint64_t{1} << 31;
constexpr double kTau = 2.0 * std::numbers::pi;

double dot2(glm::dvec2 a, glm::dvec2 b) {
    return a.x * b.x + a.y * b.y;
}

// The hash and the noise of shaders/terrain/noise.glsl, in double precision.
glm::uvec3 words_of(glm::uvec3 v) {
    v = v * 1664525u + 1013904223u;
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v ^= v >> 16u;
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    return v;
}

double noise_at(glm::dvec2 place, std::uint32_t seed) {
    const glm::dvec2 low = glm::floor(place);
    const glm::dvec2 part = place - low;
    const glm::dvec2 t = part * part * part * (part * (part * 6.0 - 15.0) + 10.0);
    double sum = 0.0;
    for (int y = 0; y < 2; ++y)
        for (int x = 0; x < 2; ++x) {
            const glm::ivec2 cell = glm::ivec2(low) + glm::ivec2(x, y);
            const glm::uvec3 words = words_of({glm::uvec2(cell), seed});
            const glm::dvec2 gradient =
                glm::dvec2(words.x >> 16u, words.y >> 16u) * (2.0 / 65535.0) - 1.0;
            sum += (x ? t.x : 1.0 - t.x) * (y ? t.y : 1.0 - t.y) *
                   dot2(gradient, part - glm::dvec2(x, y));
        }
    return sum;
}

double fbm_at(glm::dvec2 place, const passes::Surface& s) {
    double sum = 0.0, height = 1.0;
    for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(s.shape.y); ++i) {
        const double noise = noise_at(place, static_cast<std::uint32_t>(s.shape.w) + i);
        const auto ridges = static_cast<double>(s.ground.w);
        sum += height * ((1.0 - ridges) * noise + ridges * (1.0 - 2.0 * std::abs(noise)));
        height *= static_cast<double>(s.shape.z);
        place *= 2.0;
    }
    return sum;
}

glm::dvec3 knot_at(glm::dvec2 uv, double scale, double radius) {
    const auto middle = [](double u) {
        const double a = 2.0 * kTau * u, b = 3.0 * kTau * u;
        return glm::dvec3((2.0 + std::cos(b)) * std::cos(a), std::sin(b),
                          (2.0 + std::cos(b)) * std::sin(a));
    };
    const double step = 1e-5;
    const glm::dvec3 along = glm::normalize(middle(uv.x + step) - middle(uv.x - step));
    const double a = 2.0 * kTau * uv.x, b = 3.0 * kTau * uv.x;
    const glm::dvec3 normal(std::cos(b) * std::cos(a), std::sin(b), std::cos(b) * std::sin(a));
    const glm::dvec3 beside = glm::cross(along, normal);
    const double tube = kTau * uv.y;
    return scale * middle(uv.x) + radius * (std::cos(tube) * normal + std::sin(tube) * beside);
}

} // namespace

glm::dvec3 TrueSurface::base(glm::dvec2 uv) const {
    const glm::dvec4 shape(surface.shape);
    const double u = kTau * uv.x, v = kTau * uv.y;
    switch (surface.kind) {
    case SurfaceKind::sphere:
        return shape.x * glm::dvec3(std::sin(v / 2) * std::cos(u), std::cos(v / 2),
                                    -std::sin(v / 2) * std::sin(u));
    case SurfaceKind::torus: {
        const double away = shape.x + shape.y * std::cos(v);
        return {away * std::cos(u), shape.y * std::sin(v), away * std::sin(u)};
    }
    case SurfaceKind::knot: return knot_at(uv, shape.x, shape.y);
    default: break;
    }
    const auto side = static_cast<double>(surface.ground.x);
    return {side * (uv.x - 0.5), 0.0, side * (uv.y - 0.5)};
}

double TrueSurface::height(glm::dvec2 uv) const {
    double wave = 0.0;
    if (surface.kind == SurfaceKind::fbm)
        wave = fbm_at(uv * static_cast<double>(surface.shape.x), surface);
    if (surface.kind == SurfaceKind::sine) {
        const glm::dvec3 at = base(uv);
        wave = std::sin(static_cast<double>(surface.shape.x) * at.x) *
               std::cos(static_cast<double>(surface.shape.y) * at.z);
    }
    if (surface.kind == SurfaceKind::heights && !map.empty()) {
        const auto texel = [&](std::uint32_t x, std::uint32_t y) {
            const float value =
                map[std::min(y, map_height - 1) * map_width + std::min(x, map_width - 1)];
            return std::isfinite(value) ? static_cast<double>(value) : 0.0;
        };
        const glm::dvec2 at = uv * glm::dvec2(map_width - 1, map_height - 1);
        const glm::uvec2 low(at);
        const glm::dvec2 part = at - glm::dvec2(low);
        const double near = std::lerp(texel(low.x, low.y), texel(low.x + 1, low.y), part.x);
        const double far = std::lerp(texel(low.x, low.y + 1), texel(low.x + 1, low.y + 1), part.x);
        wave = std::lerp(near, far, part.y);
    }
    return wave * static_cast<double>(surface.ground.y) + static_cast<double>(surface.ground.z);
}

glm::dvec3 TrueSurface::point(glm::dvec2 uv) const {
    const glm::dvec3 at = base(uv);
    return is_ground(surface.kind) ? glm::dvec3(at.x, height(uv), at.z) : at;
}

glm::dvec2 TrueSurface::bounds(glm::vec2 low, glm::vec2 high) const {
    if (surface.kind != SurfaceKind::heights || map.empty()) return glm::dvec2(surface.bounds);
    const glm::vec2 side(map_width - 1, map_height - 1);
    const glm::ivec2 last = glm::max(glm::ivec2(side) - 1, 0);
    glm::ivec2 a = glm::clamp(glm::ivec2(glm::floor(low * side)), glm::ivec2(0), last);
    glm::ivec2 b = glm::clamp(glm::ivec2(glm::floor(high * side)), glm::ivec2(0), last);
    int mip = 0;
    for (const int wide = std::max(b.x - a.x, b.y - a.y); 2 << mip <= wide;)
        ++mip;
    while ((b.x >> mip) - (a.x >> mip) > 1 || (b.y >> mip) - (a.y >> mip) > 1)
        ++mip;
    a = (a >> mip) << mip;
    b = ((b >> mip) + 1) << mip;
    double least = 1e30, most = -1e30;
    for (int y = a.y; y <= b.y; ++y)
        for (int x = a.x; x <= b.x; ++x) {
            const int row = std::clamp(y, 0, static_cast<int>(map_height) - 1);
            const int column = std::clamp(x, 0, static_cast<int>(map_width) - 1);
            const float value =
                map[static_cast<std::size_t>(row) * map_width + static_cast<std::size_t>(column)];
            const double finite = std::isfinite(value) ? static_cast<double>(value) : 0.0;
            least = std::min(least, finite);
            most = std::max(most, finite);
        }
    const auto raised = [&](double h) {
        return h * static_cast<double>(surface.ground.y) + static_cast<double>(surface.ground.z);
    };
    const double room = 1e-6 * std::max(std::abs(raised(least)), std::abs(raised(most)));
    return {std::min(raised(least), raised(most)) - room,
            std::max(raised(least), raised(most)) + room};
}

double TrueSurface::span() const {
    return static_cast<double>(is_ground(surface.kind) ? surface.ground.x : surface.shape.w);
}

SurfacePlace place_of(SurfaceKind kind, std::uint32_t face, glm::u64vec2 at) {
    if (kind == SurfaceKind::planet) {
        const auto axes = passes::face_axes(face);
        std::array<std::uint32_t, 3> all{};
        all[axes[0]] = static_cast<std::uint32_t>(at.x);
        all[axes[1]] = static_cast<std::uint32_t>(at.y);
        all[axes[2]] = face % 2 == 0 ? static_cast<std::uint32_t>(kSide) : 0;
        return {all[0], all[1], all[2]};
    }
    const passes::SurfaceCloses closes = passes::surface_closes(kind);
    if (closes.u && at.x == kSide) at.x = 0;
    if (closes.v && at.y == kSide) at.y = 0;
    return {static_cast<std::uint32_t>(at.x), static_cast<std::uint32_t>(at.y), face};
}

TrueTriangle TrueTriangle::child(std::uint32_t right) const {
    if (right == 0) return {2 * node, level + 1, face, a, middle(), b};
    return {2 * node + 1, level + 1, face, b, middle(), c};
}

TrueTriangle triangle_at(std::uint64_t node, std::uint32_t root_bits) {
    const auto depth = static_cast<std::uint32_t>(std::bit_width(node)) - 1;
    const std::uint32_t below = depth - root_bits - 2;
    const std::uint64_t top = node >> below;
    const auto quarter = static_cast<std::uint32_t>(top & 3);
    const glm::u64vec2 m(kSide / 2);
    // The sides in the order of quarters: below, left, above, right.
    constexpr std::array<std::array<std::uint64_t, 4>, 4> kEnds{
        {{1, 0, 0, 0}, {0, 0, 0, 1}, {0, 1, 1, 1}, {1, 1, 1, 0}}};
    const auto& ends = kEnds[quarter];
    TrueTriangle t{top,
                   2,
                   static_cast<std::uint32_t>((top >> 2) - (std::uint64_t{1} << root_bits)),
                   {ends[0] * kSide, ends[1] * kSide},
                   m,
                   {ends[2] * kSide, ends[3] * kSide}};
    for (std::uint32_t i = below; i-- > 0;)
        t = t.child(static_cast<std::uint32_t>(node >> i & 1));
    return t;
}

TrueBisection::TrueBisection(const TrueSurface& surface, std::uint32_t max_level)
    : surface_(surface), max_level_(max_level),
      root_bits_(face_count(surface.surface.kind) > 1 ? 3 : 0) {
    for (std::uint32_t face = 0; face < face_count(surface.surface.kind); ++face)
        for (std::uint64_t quarter = 0; quarter < 4; ++quarter)
            add(triangle_at((((std::uint64_t{1} << root_bits_) + face) << 2) | quarter,
                            root_bits_));
}

void TrueBisection::add(const TrueTriangle& t) {
    leaves_[t.node] = t;
    for (const glm::u64vec2 middle :
         {t.middle(), (t.a + t.b) / std::uint64_t{2}, (t.b + t.c) / std::uint64_t{2}})
        beside_[place_of(surface_.surface.kind, t.face, middle)].insert(t.node);
}

void TrueBisection::remove(const TrueTriangle& t) {
    for (const glm::u64vec2 middle :
         {t.middle(), (t.a + t.b) / std::uint64_t{2}, (t.b + t.c) / std::uint64_t{2}})
        beside_[place_of(surface_.surface.kind, t.face, middle)].erase(t.node);
    leaves_.erase(t.node);
}

void TrueBisection::cut(const TrueTriangle& t) {
    const SurfacePlace place = place_of(surface_.surface.kind, t.face, t.middle());
    const auto across = [&]() -> const TrueTriangle* {
        for (const std::uint64_t node : beside_[place])
            if (node != t.node) return &leaves_.at(node);
        return nullptr;
    };
    const TrueTriangle* other = across();
    // One whose longest edge is another is cut first; then its child lies beside this edge.
    while (other && place_of(surface_.surface.kind, other->face, other->middle()) != place) {
        cut(TrueTriangle(*other));
        other = across();
    }
    const auto halve = [&](TrueTriangle whole) {
        remove(whole);
        add(whole.child(0));
        add(whole.child(1));
    };
    if (other) halve(*other);
    halve(t);
}

double TrueBisection::excess(const TrueTriangle& t, glm::dvec3 eye, double scale) const {
    const double share = std::exp2(-0.5 * (t.level - 2.0));
    const double edge = share * surface_.span();
    const double reach = 1.2072 * edge;
    const glm::dvec3 away =
        surface_.base(glm::dvec2(t.middle()) / static_cast<double>(kSide)) - eye;
    double distance = std::max(glm::length(away) - reach, 0.0);
    if (is_ground(surface_.surface.kind)) {
        const std::uint64_t size = kSide >> ((t.level - 1) / 2);
        const glm::u64vec2 cell = glm::min(t.a, glm::min(t.b, t.c)) / size;
        const double unit = static_cast<double>(size) / static_cast<double>(kSide);
        const glm::dvec2 y = surface_.bounds(glm::vec2(glm::dvec2(cell) * unit),
                                             glm::vec2(glm::dvec2(cell + std::uint64_t{1}) * unit));
        const double beside = std::max(std::hypot(away.x, away.z) - reach, 0.0);
        distance = std::hypot(beside, std::max({eye.y - y.y, y.x - eye.y, 0.0}));
    }
    return (edge * scale - distance) / std::max(edge * scale, distance);
}

void TrueBisection::refine(glm::dvec3 eye, double pixels_at_1, double edge_pixels) {
    for (bool changed = true; changed;) {
        changed = false;
        std::vector<std::uint64_t> nodes;
        for (const auto& [node, t] : leaves_)
            nodes.push_back(node);
        for (const std::uint64_t node : nodes) {
            const auto found = leaves_.find(node);
            if (found == leaves_.end() || found->second.level >= max_level_) continue;
            const TrueTriangle t = found->second;
            const double more = excess(t, eye, pixels_at_1 / edge_pixels);
            least_margin_ = std::min(least_margin_, std::abs(more));
            if (more <= 0.0) continue;
            cut(t);
            changed = true;
        }
    }
}

std::set<std::uint64_t> TrueBisection::leaves() const {
    std::set<std::uint64_t> nodes;
    for (const auto& [node, t] : leaves_)
        nodes.insert(node);
    return nodes;
}

EdgeCounts edge_counts(SurfaceKind kind, const std::vector<std::uint64_t>& leaves,
                       std::uint32_t root_bits) {
    // An edge is its two ends and its middle: of surfaces that close, ends alone may be two edges'.
    std::map<std::array<SurfacePlace, 3>, std::pair<std::uint32_t, bool>> edges;
    const passes::SurfaceCloses closes = passes::surface_closes(kind);
    for (const std::uint64_t node : leaves) {
        const TrueTriangle t = triangle_at(node, root_bits);
        const auto count = [&](glm::u64vec2 p, glm::u64vec2 q) {
            SurfacePlace a = place_of(kind, t.face, p), b = place_of(kind, t.face, q);
            if (b < a) std::swap(a, b);
            const SurfacePlace m = place_of(kind, t.face, (p + q) / std::uint64_t{2});
            const bool end_u = p.x == q.x && (p.x == 0 || p.x == kSide);
            const bool end_v = p.y == q.y && (p.y == 0 || p.y == kSide);
            auto& entry = edges[{a, b, m}];
            ++entry.first;
            entry.second =
                kind != SurfaceKind::planet && ((end_u && !closes.u) || (end_v && !closes.v));
        };
        count(t.a, t.b);
        count(t.b, t.c);
        count(t.a, t.c);
    }
    EdgeCounts counts;
    for (const auto& [edge, entry] : edges) {
        if (entry.first == 1) ++(entry.second ? counts.border : counts.once);
        counts.twice += entry.first == 2;
        counts.more += entry.first > 2;
    }
    return counts;
}

} // namespace tuff
