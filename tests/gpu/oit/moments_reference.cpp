#include "tests/gpu/oit/moments_reference.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>

namespace tuff::reference {
namespace {

long double optical_depth_of(double alpha) {
    return alpha < 1.0 ? std::min(-std::log(1.0L - static_cast<long double>(alpha)), 10.0L) : 10.0L;
}

/// Solves linear equations by elimination.
Numbers solved(std::vector<Numbers> rows, Numbers right) {
    const std::size_t count = right.size();
    for (std::size_t i = 0; i < count; ++i) {
        std::size_t pivot = i;
        for (std::size_t j = i + 1; j < count; ++j)
            if (std::abs(rows[j][i]) > std::abs(rows[pivot][i])) pivot = j;
        std::swap(rows[i], rows[pivot]);
        std::swap(right[i], right[pivot]);
        for (std::size_t j = i + 1; j < count; ++j) {
            const long double factor = rows[j][i] / rows[i][i];
            for (std::size_t k = i; k < count; ++k)
                rows[j][k] -= factor * rows[i][k];
            right[j] -= factor * right[i];
        }
    }
    for (std::size_t i = count; i-- > 0;) {
        for (std::size_t k = i + 1; k < count; ++k)
            right[i] -= rows[i][k] * right[k];
        right[i] /= rows[i][i];
    }
    return right;
}

/// The roots of a polynomial all of whose roots are real, its coefficients from the constant on:
/// Durand and Kerner's method. Roots that are infinite are left out.
Numbers roots_of(Numbers polynomial) {
    long double greatest = 0.0L;
    for (const long double c : polynomial)
        greatest = std::max(greatest, std::abs(c));
    while (polynomial.size() > 1 && std::abs(polynomial.back()) < 1e-15L * greatest)
        polynomial.pop_back();
    const std::size_t degree = polynomial.size() - 1;
    using Complex = std::complex<long double>;
    std::vector<Complex> roots;
    for (std::size_t i = 0; i < degree; ++i)
        roots.push_back(std::pow(Complex(0.4L, 0.9L), static_cast<long double>(i)));
    long double moved = 1.0L;
    for (int step = 0; step < 2000 && moved > 1e-18L; ++step) {
        moved = 0.0L;
        for (std::size_t i = 0; i < degree; ++i) {
            Complex value = polynomial.back();
            for (std::size_t k = degree; k-- > 0;)
                value = value * roots[i] + polynomial[k];
            value /= polynomial.back();
            for (std::size_t k = 0; k < degree; ++k)
                if (k != i) value /= roots[i] - roots[k];
            roots[i] -= value;
            moved = std::max(moved, std::abs(value) / (1.0L + std::abs(roots[i])));
        }
    }
    Numbers real;
    for (const Complex root : roots)
        real.push_back(root.real());
    return real;
}

Numbers biased(const Numbers& sums, const Bias& bias) {
    Numbers b(sums.size());
    for (std::size_t i = 0; i < b.size(); ++i)
        b[i] = (1.0L - bias.share) * sums[i] / sums[0] + bias.share * bias.moments[i];
    return b;
}

std::vector<Numbers> hankel_matrix(const Numbers& b) {
    std::vector<Numbers> rows(b.size() / 2 + 1);
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i] = {b.begin() + static_cast<long>(i),
                   b.begin() + static_cast<long>(i + rows.size())};
    return rows;
}

/// Section 3 of the paper, by linear equations: the distribution of points, one of them at `place`,
/// that has the moments; what of it lies before, with a share of what lies there.
long double absorbed_before(const Numbers& sums, double place, double share) {
    const Numbers b = biased(sums, bias_of(sums.size() - 1));
    const auto z = static_cast<long double>(place);
    Numbers powers{1.0L};
    for (std::size_t i = 0; i < b.size() / 2; ++i)
        powers.push_back(powers.back() * z);
    Numbers at{z};
    for (const long double root : roots_of(solved(hankel_matrix(b), powers)))
        at.push_back(root);
    std::vector<Numbers> rows{Numbers(at.size(), 1.0L)};
    while (rows.size() < at.size()) {
        rows.push_back(rows.back());
        for (std::size_t i = 0; i < at.size(); ++i)
            rows.back()[i] *= at[i];
    }
    const Numbers weights = solved(rows, {b.begin(), b.begin() + static_cast<long>(at.size())});
    long double before = static_cast<long double>(share) * weights[0];
    for (std::size_t i = 1; i < at.size(); ++i)
        if (at[i] < z) before += weights[i];
    return before;
}

double transmittance_to(const Numbers& sums, double place, double share) {
    if (sums[0] == 0.0L) return 1.0;
    return static_cast<double>(std::exp(-sums[0] * absorbed_before(sums, place, share)));
}

} // namespace

Numbers moments_of(std::span<const Absorber> all, std::size_t most) {
    Numbers sums(most + 1);
    for (const Absorber& one : all) {
        long double term = optical_depth_of(one.alpha);
        for (long double& sum : sums) {
            sum += term;
            term *= static_cast<long double>(one.place);
        }
    }
    return sums;
}

Bias bias_of(std::size_t most) {
    if (most == 4) return {5e-7L, {1.0L, 0.0L, 0.375L, 0.0L, 0.375L}};
    if (most == 6) return {5e-6L, {1.0L, 0.0L, 0.48L, 0.0L, 0.451L, 0.0L, 0.45L}};
    return {5e-5L,
            {1.0L, 0.0L, 0.75L, 0.0L, 0.676666666667L, 0.0L, 0.63L, 0.0L, 0.60030303030303L}};
}

bool are_those_of_something(const Numbers& rounded, Bias bias, long double share) {
    bias.share = share;
    auto rows = hankel_matrix(biased(rounded, bias));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (!(rows[i][i] > 0.0L)) return false;
        for (std::size_t j = i + 1; j < rows.size(); ++j) {
            const long double factor = rows[j][i] / rows[i][i];
            for (std::size_t k = i; k < rows.size(); ++k)
                rows[j][k] -= factor * rows[i][k];
        }
    }
    return true;
}

glm::dvec3 blended_by_moments(std::span<const Absorber> all, glm::dvec3 background, double share,
                              std::size_t most) {
    const Numbers sums = moments_of(all, most);
    glm::dvec3 sum(0.0);
    double weights = 0.0;
    double through = 1.0;
    for (const Absorber& one : all) {
        const double weight = one.alpha * transmittance_to(sums, one.place, share);
        sum += weight * one.color;
        weights += weight;
        through *= 1.0 - one.alpha;
    }
    return (weights > 0.0 ? sum / weights * (1.0 - through) : sum) + through * background;
}

} // namespace tuff::reference
