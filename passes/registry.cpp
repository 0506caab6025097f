#include "passes/registry.hpp"

#include "passes/image/average.hpp"
#include "passes/image/blend.hpp"
#include "passes/image/contact_sheet.hpp"
#include "passes/image/convolve.hpp"
#include "passes/image/gaussian.hpp"
#include "passes/image/grayscale.hpp"
#include "passes/image/highboost.hpp"
#include "passes/image/highpass.hpp"
#include "passes/image/median.hpp"
#include "passes/image/resize.hpp"
#include "passes/image/tonemap.hpp"
#include "passes/primitives/compact.hpp"
#include "passes/primitives/gems/compact.hpp"
#include "passes/primitives/gems/reduce.hpp"
#include "passes/primitives/histogram.hpp"
#include "passes/primitives/map.hpp"
#include "passes/primitives/reduce.hpp"
#include "passes/primitives/scan.hpp"
#include "passes/scene/environment.hpp"
#include "passes/scene/mesh_raster.hpp"

namespace tuff::passes {

PassRegistry make_registry() {
    PassRegistry registry;
    registry.add<Average>();
    registry.add<Blend>();
    registry.add<Compact>();
    registry.add<CompactGems2>();
    registry.add<ContactSheet>();
    registry.add<Convolve>();
    registry.add<Gaussian>();
    registry.add<Grayscale>();
    registry.add<Highboost>();
    registry.add<Highpass>();
    registry.add<Histogram>();
    registry.add<Map>();
    registry.add<Median>();
    registry.add<MeshRaster>();
    registry.add<Partition>();
    registry.add<Reduce>();
    registry.add<ReduceGems>();
    registry.add<Resize>();
    registry.add<Scan>();
    registry.add<Tonemap>();
    registry.add<Unique>();
    registry.add<Environment>();
    return registry;
}

} // namespace tuff::passes
