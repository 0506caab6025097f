#include "passes/registry.hpp"

#include "passes/bvh/cast.hpp"
#include "passes/bvh/driver_build.hpp"
#include "passes/bvh/heap_build.hpp"
#include "passes/bvh/improve.hpp"
#include "passes/bvh/instances.hpp"
#include "passes/bvh/lbvh_build.hpp"
#include "passes/bvh/morton.hpp"
#include "passes/bvh/refit.hpp"
#include "passes/bvh/statistics.hpp"
#include "passes/bvh/widen.hpp"
#include "passes/fluid/advect.hpp"
#include "passes/fluid/emitter.hpp"
#include "passes/fluid/forces.hpp"
#include "passes/fluid/obstacles.hpp"
#include "passes/fluid/particles.hpp"
#include "passes/fluid/simple.hpp"
#include "passes/fluid/smoke_view.hpp"
#include "passes/fluid/stable.hpp"
#include "passes/fluid/stats.hpp"
#include "passes/fluid/step.hpp"
#include "passes/fluid/view.hpp"
#include "passes/geometry/compute_raster.hpp"
#include "passes/geometry/deform.hpp"
#include "passes/geometry/tile_bins.hpp"
#include "passes/geometry/triangles.hpp"
#include "passes/geometry/visibility_view.hpp"
#include "passes/image/average.hpp"
#include "passes/image/blend.hpp"
#include "passes/image/box_filter.hpp"
#include "passes/image/contact_sheet.hpp"
#include "passes/image/convolve.hpp"
#include "passes/image/crop.hpp"
#include "passes/image/depth_of_field.hpp"
#include "passes/image/gaussian.hpp"
#include "passes/image/grayscale.hpp"
#include "passes/image/highboost.hpp"
#include "passes/image/highpass.hpp"
#include "passes/image/mandelbrot.hpp"
#include "passes/image/median.hpp"
#include "passes/image/paste.hpp"
#include "passes/image/plot.hpp"
#include "passes/image/reinhard.hpp"
#include "passes/image/resize.hpp"
#include "passes/image/seamless_clone.hpp"
#include "passes/image/tonemap.hpp"
#include "passes/image/translucency.hpp"
#include "passes/oit/capture.hpp"
#include "passes/oit/compute.hpp"
#include "passes/oit/depth_peel.hpp"
#include "passes/oit/resolve.hpp"
#include "passes/oit/shade.hpp"
#include "passes/oit/statistics.hpp"
#include "passes/oit/tiled.hpp"
#include "passes/particles/collide.hpp"
#include "passes/particles/draw.hpp"
#include "passes/particles/grid.hpp"
#include "passes/particles/integrate.hpp"
#include "passes/particles/occupancy.hpp"
#include "passes/particles/seed.hpp"
#include "passes/particles/simulate.hpp"
#include "passes/primitives/bitonic_sort.hpp"
#include "passes/primitives/compact.hpp"
#include "passes/primitives/gather.hpp"
#include "passes/primitives/gems/compact.hpp"
#include "passes/primitives/gems/reduce.hpp"
#include "passes/primitives/histogram.hpp"
#include "passes/primitives/image_mean.hpp"
#include "passes/primitives/map.hpp"
#include "passes/primitives/matmul.hpp"
#include "passes/primitives/radix_sort.hpp"
#include "passes/primitives/reduce.hpp"
#include "passes/primitives/saxpy.hpp"
#include "passes/primitives/scan.hpp"
#include "passes/primitives/search.hpp"
#include "passes/primitives/segmented_sort.hpp"
#include "passes/primitives/summed_area_table.hpp"
#include "passes/raytrace/heat_map.hpp"
#include "passes/raytrace/path_trace.hpp"
#include "passes/raytrace/primary.hpp"
#include "passes/raytrace/whitted.hpp"
#include "passes/scene/environment.hpp"
#include "passes/scene/mesh_raster.hpp"
#include "passes/solver/poisson.hpp"
#include "passes/volume/comparators.hpp"
#include "passes/volume/fragments.hpp"
#include "passes/volume/medium.hpp"
#include "passes/volume/opaque.hpp"
#include "passes/volume/plume.hpp"
#include "passes/volume/radius_map.hpp"
#include "passes/volume/shadow.hpp"
#include "passes/voxel/mip.hpp"
#include "passes/voxel/solid.hpp"
#include "passes/voxel/surface.hpp"
#include "passes/voxel/view.hpp"

namespace tuff::passes {

PassRegistry make_registry() {
    PassRegistry registry;
    registry.add<Average>();
    registry.add<BinarySearch>();
    registry.add<BinarySearchGems>();
    registry.add<BitonicSort>();
    registry.add<BitonicSortGems2>();
    registry.add<Blend>();
    registry.add<BoxFilter>();
    registry.add<CaptureFragments>();
    registry.add<CastRays>();
    registry.add<CollideParticles>();
    registry.add<Compact>();
    registry.add<CompactGems2>();
    registry.add<ComputeRaster>();
    registry.add<ContactSheet>();
    registry.add<Convolve>();
    registry.add<Crop>();
    registry.add<Deform>();
    registry.add<DepthOfField>();
    registry.add<DepthPeel>();
    registry.add<DrawParticles>();
    registry.add<DriverBuild>();
    registry.add<Environment>();
    registry.add<FluidAdvect>();
    registry.add<FluidEmitter>();
    registry.add<FluidForces>();
    registry.add<FluidObstaclesFrom>();
    registry.add<FluidParticles>();
    registry.add<FluidStats>();
    registry.add<FluidStep>();
    registry.add<FluidView>();
    registry.add<Gather>();
    registry.add<Gaussian>();
    registry.add<Grayscale>();
    registry.add<HeapBuild>();
    registry.add<HeatMap>();
    registry.add<Highboost>();
    registry.add<Highpass>();
    registry.add<Histogram>();
    registry.add<ImageMean>();
    registry.add<ImproveBvh>();
    registry.add<InstanceBvh>();
    registry.add<IntegrateParticles>();
    registry.add<LbvhBuild>();
    registry.add<LowerBound>();
    registry.add<MakeRadiusMap>();
    registry.add<Mandelbrot>();
    registry.add<Map>();
    registry.add<Matmul>();
    registry.add<MeasureBvh>();
    registry.add<Median>();
    registry.add<MeshRaster>();
    registry.add<MortonCodes>();
    registry.add<OitCapture>();
    registry.add<OitCompute>();
    registry.add<OitResolve>();
    registry.add<OitShade>();
    registry.add<OitTiled>();
    registry.add<OverdrawStatistics>();
    registry.add<ParticleOccupancy>();
    registry.add<Partition>();
    registry.add<Paste>();
    registry.add<PathTrace>();
    registry.add<Plume>();
    registry.add<Poisson>();
    registry.add<PrimaryRays>();
    registry.add<QualityBuild>();
    registry.add<RadixSort>();
    registry.add<Reduce>();
    registry.add<ReduceGems>();
    registry.add<Refit>();
    registry.add<Plot>();
    registry.add<Reinhard>();
    registry.add<Resize>();
    registry.add<Saxpy>();
    registry.add<Scan>();
    registry.add<SeamlessClone>();
    registry.add<SeedParticles>();
    registry.add<SegmentedSort>();
    registry.add<SimpleFluid>();
    registry.add<SimulateParticles>();
    registry.add<SmokeView>();
    registry.add<SortIntoGrid>();
    registry.add<StableFluid>();
    registry.add<SummedAreaTable>();
    registry.add<TileBins>();
    registry.add<Tonemap>();
    registry.add<TraceWhitted>();
    registry.add<Translucency>();
    registry.add<Triangles>();
    registry.add<Unique>();
    registry.add<UpperBound>();
    registry.add<VolumeBillboards>();
    registry.add<VolumeFragments>();
    registry.add<VolumeMedium>();
    registry.add<VolumeOpaque>();
    registry.add<VolumeRayMarch>();
    registry.add<VolumeShadow>();
    registry.add<VisibilityView>();
    registry.add<VoxelMip>();
    registry.add<VoxelSolid>();
    registry.add<VoxelSurface>();
    registry.add<VoxelView>();
    registry.add<WeightedBlended>();
    registry.add<WidenBvh>();
    return registry;
}

} // namespace tuff::passes
