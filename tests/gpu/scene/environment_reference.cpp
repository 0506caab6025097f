#include "tests/gpu/scene/environment_reference.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tuff::reference {
namespace {

constexpr double kPi = std::numbers::pi;

/// Longitude 0 looks along -z and grows towards +x; latitude counts from +y.
Vector direction_at(double longitude, double from_top) {
    return {std::sin(from_top) * std::sin(longitude), std::cos(from_top),
            -std::sin(from_top) * std::cos(longitude)};
}

double ggx(double cosine, double alpha) {
    const double a = alpha * alpha;
    const double b = cosine * cosine * (a - 1.0) + 1.0;
    return a / (kPi * b * b);
}

/// Height-correlated Smith masking-shadowing over 4 (n.l) (n.v) ("visibility").
double visibility(double n_dot_l, double n_dot_v, double alpha) {
    const double a = alpha * alpha;
    const double l = n_dot_v * std::sqrt(n_dot_l * n_dot_l * (1.0 - a) + a);
    const double v = n_dot_l * std::sqrt(n_dot_v * n_dot_v * (1.0 - a) + a);
    return 0.5 / (l + v);
}

void add(Vector& sum, const Vector& value, double weight) {
    for (std::size_t c = 0; c < 3; ++c)
        sum[c] += weight * value[c];
}

} // namespace

double dot(const Vector& a, const Vector& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Vector normalized(Vector v) {
    const double length = std::sqrt(dot(v, v));
    return {v[0] / length, v[1] / length, v[2] / length};
}

HostImage panorama_of(const Sky& sky, std::uint32_t width, std::uint32_t height) {
    constexpr int kPoints = 4;
    HostImage image = make_image(Format::rgba32_sfloat, {width, height, 1});
    for (std::uint32_t y = 0; y < height; ++y)
        for (std::uint32_t x = 0; x < width; ++x) {
            Vector sum{};
            for (int i = 0; i < kPoints * kPoints; ++i) {
                const double u = (x + (i % kPoints + 0.5) / kPoints) / width;
                const double v = (y + (i / kPoints + 0.5) / kPoints) / height;
                add(sum, sky(direction_at((2.0 * u - 1.0) * kPi, v * kPi)),
                    1.0 / (kPoints * kPoints));
            }
            image.set_texel({static_cast<float>(sum[0]), static_cast<float>(sum[1]),
                             static_cast<float>(sum[2]), 1.0f},
                            x, y);
        }
    return image;
}

std::vector<Patch> patches_of(const Sky& sky, int rows) {
    std::vector<Patch> patches;
    for (int y = 0; y < rows; ++y)
        for (int x = 0; x < 2 * rows; ++x) {
            const double top = y * kPi / rows;
            const double bottom = (y + 1) * kPi / rows;
            const Vector direction =
                direction_at(((x + 0.5) / rows - 1.0) * kPi, 0.5 * (top + bottom));
            patches.push_back(
                {direction, sky(direction), (std::cos(top) - std::cos(bottom)) * kPi / rows});
        }
    return patches;
}

Vector prefiltered(const std::vector<Patch>& patches, const Vector& normal, double roughness) {
    Vector sum{};
    double weights = 0.0;
    for (const Patch& patch : patches) {
        const double n_dot_l = dot(normal, patch.direction);
        if (n_dot_l <= 0.0) continue;
        const double n_dot_h = std::sqrt(0.5 * (1.0 + n_dot_l)); // half of the angle
        const double weight = ggx(n_dot_h, roughness * roughness) * n_dot_l * patch.solid_angle;
        add(sum, patch.radiance, weight);
        weights += weight;
    }
    return {sum[0] / weights, sum[1] / weights, sum[2] / weights};
}

Vector diffuse(const std::vector<Patch>& patches, const Vector& normal) {
    Vector sum{};
    for (const Patch& patch : patches)
        add(sum, patch.radiance,
            std::max(dot(normal, patch.direction), 0.0) * patch.solid_angle / kPi);
    return sum;
}

std::array<double, 2> split_sum(double n_dot_v, double roughness) {
    const double alpha = roughness * roughness;
    const Vector view{std::sqrt(1.0 - n_dot_v * n_dot_v), 0.0, n_dot_v};
    // Substituting tan(theta) = alpha tan(pi/2 s) spreads the lobe's core over even steps of s.
    constexpr int kRings = 1000;
    constexpr int kSteps = 1000;
    std::array<double, 2> sum{};
    for (int ring = 0; ring < kRings; ++ring) {
        const double s = 0.5 * kPi * (ring + 0.5) / kRings;
        const double tangent = alpha * std::tan(s);
        const double cosine = 1.0 / std::sqrt(1.0 + tangent * tangent);
        const double sine = tangent * cosine;
        const double d_theta = alpha / (std::cos(s) * std::cos(s)) * cosine * cosine;
        const double solid_angle = sine * d_theta * (0.5 * kPi / kRings) * (2.0 * kPi / kSteps);
        for (int step = 0; step < kSteps; ++step) {
            const double turn = 2.0 * kPi * (step + 0.5) / kSteps;
            const Vector half{sine * std::cos(turn), sine * std::sin(turn), cosine};
            const double v_dot_h = dot(view, half);
            const double n_dot_l = 2.0 * v_dot_h * cosine - n_dot_v;
            if (v_dot_h <= 0.0 || n_dot_l <= 0.0) continue;
            // D V n.l dl, and dl = 4 v.h dh.
            const double reflected = ggx(cosine, alpha) * visibility(n_dot_l, n_dot_v, alpha) *
                                     n_dot_l * 4.0 * v_dot_h * solid_angle;
            const double fresnel = std::pow(1.0 - v_dot_h, 5.0);
            sum[0] += (1.0 - fresnel) * reflected;
            sum[1] += fresnel * reflected;
        }
    }
    return sum;
}

Vector cube_texel_direction(int face, int x, int y, int side) {
    const double s = (2.0 * x + 1.0) / side - 1.0;
    const double t = (2.0 * y + 1.0) / side - 1.0;
    const std::array<Vector, 6> directions{
        {{1.0, -t, -s}, {-1.0, -t, s}, {s, 1.0, t}, {s, -1.0, -t}, {s, -t, 1.0}, {-s, -t, -1.0}}};
    return normalized(directions[static_cast<std::size_t>(face)]);
}

} // namespace tuff::reference
