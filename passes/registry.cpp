#include "passes/registry.hpp"

#include "passes/image/average.hpp"
#include "passes/image/blend.hpp"
#include "passes/image/box_filter.hpp"
#include "passes/image/contact_sheet.hpp"
#include "passes/image/convolve.hpp"
#include "passes/image/depth_of_field.hpp"
#include "passes/image/gaussian.hpp"
#include "passes/image/grayscale.hpp"
#include "passes/image/highboost.hpp"
#include "passes/image/highpass.hpp"
#include "passes/image/mandelbrot.hpp"
#include "passes/image/median.hpp"
#include "passes/image/resize.hpp"
#include "passes/image/tonemap.hpp"
#include "passes/image/translucency.hpp"
#include "passes/primitives/image_mean.hpp"
#include "passes/primitives/matmul.hpp"
#include "passes/primitives/reduce.hpp"
#include "passes/primitives/saxpy.hpp"
#include "passes/primitives/scan.hpp"
#include "passes/primitives/summed_area_table.hpp"
#include "passes/scene/environment.hpp"
#include "passes/scene/mesh_raster.hpp"

namespace tuff::passes {

PassRegistry make_registry() {
    PassRegistry registry;
    registry.add<Average>();
    registry.add<Blend>();
    registry.add<BoxFilter>();
    registry.add<ContactSheet>();
    registry.add<Convolve>();
    registry.add<DepthOfField>();
    registry.add<Gaussian>();
    registry.add<Grayscale>();
    registry.add<Highboost>();
    registry.add<Highpass>();
    registry.add<ImageMean>();
    registry.add<Mandelbrot>();
    registry.add<Matmul>();
    registry.add<Median>();
    registry.add<MeshRaster>();
    registry.add<Reduce>();
    registry.add<Resize>();
    registry.add<Saxpy>();
    registry.add<SummedAreaTable>();
    registry.add<Scan>();
    registry.add<Tonemap>();
    registry.add<Translucency>();
    registry.add<Environment>();
    return registry;
}

} // namespace tuff::passes
