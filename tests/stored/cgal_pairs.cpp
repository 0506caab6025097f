// Prints the table of stored_soups.hpp but for its candidates, with CGAL's exact predicates
// (Debian: libcgal-dev, 5.5.1):
//
//     g++ -std=c++23 -O2 -I. tests/stored/cgal_pairs.cpp -lgmp -lmpfr -o cgal_pairs
//     ./cgal_pairs
//
// It is no part of the build, which needs no CGAL.

#include "tests/gpu/collision/stored_soups.hpp"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/intersections.h>

#include <cstdio>

using namespace tuff::testing_gpu;
using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;

namespace {

Kernel::Triangle_3 triangle_of(const SoupTriangle& t) {
    const auto point = [](const auto& p) { return Kernel::Point_3(p[0], p[1], p[2]); };
    return {point(t[0]), point(t[1]), point(t[2])};
}

} // namespace

int main() {
    for (const StoredSoup& soup : tuff::testing_gpu::kStoredSoups) {
        const auto a = soup_of(soup, 0);
        const auto b = soup_of(soup, 1);
        std::vector<std::array<std::uint32_t, 2>> pairs;
        for (std::uint32_t i = 0; i < a.size(); ++i)
            for (std::uint32_t j = 0; has_area(a[i]) && j < b.size(); ++j)
                if (has_area(b[j]) && CGAL::do_intersect(triangle_of(a[i]), triangle_of(b[j])))
                    pairs.push_back({i, j});
        std::printf("    StoredSoup{%u, %u, %u, %u, %zu, 0x%016llx},\n", soup.seed, soup.count,
                    soup.steps, soup.reach, pairs.size(),
                    static_cast<unsigned long long>(digest_of(pairs)));
    }
}
