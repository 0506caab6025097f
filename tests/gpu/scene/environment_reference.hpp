#pragma once

#include <tuff/image.hpp>

#include <array>
#include <functional>
#include <vector>

/// Image-based lighting in double precision, by plain sums over the sphere: what scene/environment
/// must come near. Written apart from the kernels: directions come from spherical coordinates, the
/// lobe from its definition, nothing is importance-sampled.
namespace tuff::reference {

using Vector = std::array<double, 3>;

Vector normalized(Vector v);
double dot(const Vector& a, const Vector& b);

/// Radiance by unit direction.
using Sky = std::function<Vector(const Vector&)>;

/// A panorama of `sky`, each texel the mean of 4x4 points, in full floats.
HostImage panorama_of(const Sky& sky, std::uint32_t width, std::uint32_t height);

/// `sky` as a list of directions with radiance times solid angle: the midpoints of `rows` latitudes
/// and twice as many longitudes.
struct Patch {
    Vector direction;
    Vector radiance;
    double solid_angle;
};
std::vector<Patch> patches_of(const Sky& sky, int rows);

/// Radiance reflected by a rough mirror with view, normal and reflection equal: the mean weighted
/// by the GGX distribution of the half vector and the cosine to the normal.
Vector prefiltered(const std::vector<Patch>& patches, const Vector& normal, double roughness);

/// Outgoing radiance of a white Lambertian surface: the cosine-weighted mean.
Vector diffuse(const std::vector<Patch>& patches, const Vector& normal);

/// Scale and bias of the split sum by midpoint sums over the half vector's hemisphere.
std::array<double, 2> split_sum(double n_dot_v, double roughness);

/// The unit direction through the centre of a cube's texel.
Vector cube_texel_direction(int face, int x, int y, int side);

} // namespace tuff::reference
